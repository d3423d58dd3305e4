@family:registry
Feature: When plugins come and go
  Plugins are installed and removed while conversations go on. What the conversation remembers
  of a removed plugin must neither bring it back nor break anything.

  Background:
    Given an agent session with the plugin tools "acme_weather" and "beta_notes"
    And the model searched for "acme_weather" and used it in an earlier prompt

  @clause:registry.removed
  Rule: A removed plugin is gone from the next prompt on

    Scenario: Its tools are not shown, and the conversation goes on
      When the plugin "acme" is removed
      And the user asks something else
      Then no request of the last prompt shows "acme_weather"
      And the prompt goes on to its end

    @needs:catalog
    Scenario: Its tools are not listed
      When the plugin "acme" is removed
      And the user asks something else
      Then the catalog does not list "acme_weather"

    Scenario: Its tools do not run
      When the plugin "acme" is removed
      And the user asks "and tomorrow?", and the model
        | calls | acme_weather |
      Then the call of "acme_weather" is refused
      And the prompt goes on to its end

    Scenario: Its tools cannot be found
      When the plugin "acme" is removed
      And the model searches for "acme_weather"
      Then the request after the search does not show "acme_weather"

    @property:plugins
    Scenario: Plugins come and go as they like
      Removals and returns at any point, with and without proof in the conversation.

      Then it holds for every generated session
