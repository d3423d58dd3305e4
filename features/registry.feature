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

  @clause:registry.fresh
  Rule: What a plugin brings shows from the next prompt on

    @needs:catalog
    Scenario: A new version is listed as it is now
      When the plugin "acme" is updated
      And the user asks something else
      Then the catalog lists "acme_v2"
      And the runtime keeps "registry.fresh"

    Scenario: What a new version adds can be found
      When the plugin "acme" is updated
      And the model searches for "acme_v2"
      Then the search activates "acme_v2"
      And the runtime keeps "registry.fresh"

    @from:r2
    Scenario: A tool that is restored is the present one
      The conversation proves a name; what the name stands for is the registry's to say.

      When the plugin "acme" is updated
      And the runtime is restarted
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "registry.fresh"

    Scenario: A plugin that comes back can be found again
      When the plugin "beta" is removed
      And the user asks something else
      And the plugin "beta" comes back
      And the model searches for "beta_notes"
      Then the search activates "beta_notes"
      And the runtime keeps "registry.fresh"

  @clause:registry.reserved
  Rule: No plugin takes the name of a tool of the runtime's own

    Scenario: A plugin brings a tool with the name of a core tool
      Given a plugin tool with the name of a core tool
      When the user asks something else
      Then the runtime keeps "registry.reserved"

    Scenario: It cannot be had by its name either
      Given a plugin tool with the name of a core tool
      When the model searches for the core tool by its name
      Then the runtime keeps "registry.reserved"

  @clause:registry.collisions
  Rule: Two plugins that bring one name leave one tool of that name, or none

    Scenario: Whichever of the two it is, it stays the same
      Given the tools
        | tool        | what it is for        | comes from     | deferred in |
        | shared_tool | the first of its name | plugin delta   | every mode  |
        | shared_tool | the other one         | plugin epsilon | every mode  |
      When the model searches for "shared_tool"
      And the user asks something else
      Then the prompt goes on to its end
      And the runtime keeps "registry.collisions"
