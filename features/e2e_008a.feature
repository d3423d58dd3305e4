@family:e2e @e2e:008a
Feature: E2E-008a, a session from its first greeting to its last prompt
  The end-to-end entry of the decision record: a simple prompt, a prompt that needs a deferred
  tool, a further prompt, and what is left when the session is opened again.

  Background:
    Given an agent session with the product tool "BrowserPreview"
    And the plugin tool "acme_weather"

  @needs:catalog
  Scenario: What is not sent is named in the catalog
    When the user asks "hello"
    Then the first request shows no deferred tool
    And the catalog lists "BrowserPreview" and "acme_weather"
    And the runtime keeps "catalog.bounded"

  @until:r1
  Scenario: As first accepted: each prompt starts from nothing
    When the user asks "hello"
    Then the first request shows the core tools of agent mode
    And the first request shows the search tool
    And the first request shows no deferred tool
    When the user asks "make a small page about the moon", and the model
      | searches for  | BrowserPreview         |
      | calls         | BrowserPreview         |
      | which answers | moon.html, as it looks |
      | calls         | BrowserPreview         |
    Then the first request shows no deferred tool
    And the request after the search shows "BrowserPreview"
    And the last request shows "BrowserPreview"
    And the call of "BrowserPreview" runs
    And the host is asked nothing for the search
    When the user asks "what did you write?"
    Then the first request shows no deferred tool
    When the runtime is restarted
    And the user asks "show it once more", and the model
      | searches for                      | BrowserPreview |
      | calls, though the host denies it, | BrowserPreview |
    Then the first request shows no deferred tool
    And the call of "BrowserPreview" is denied
    And the prompt goes on to its end

  Scenario Outline: <revision>: each prompt starts from what is proven
    When the user asks "hello"
    Then the first request shows the core tools of agent mode
    And the first request shows the search tool
    And the first request shows no deferred tool
    When the user asks "make a small page about the moon", and the model
      | searches for  | BrowserPreview         |
      | calls         | BrowserPreview         |
      | which answers | moon.html, as it looks |
      | calls         | BrowserPreview         |
    Then the first request shows no deferred tool
    And the request after the search shows "BrowserPreview"
    And the last request shows "BrowserPreview"
    And the call of "BrowserPreview" runs
    And the host is asked nothing for the search
    When the user asks "what did you write?"
    Then the first request shows "BrowserPreview"
    And the first request shows the core tools of agent mode
    When the runtime is restarted
    And the user asks "show it once more", and the model
      | calls, though the host denies it, | BrowserPreview |
    Then the first request shows "BrowserPreview"
    And the call of "BrowserPreview" is denied
    And the prompt goes on to its end
    When the last 3 prompts are taken back
    And the user asks something else
    Then the first request shows no deferred tool

    @from:r2 @until:r2 @needs:restart
    Examples:
      | revision |
      | As given |

    @from:r3 @needs:restart
    Examples:
      | revision   |
      | As amended |

  @from:r2 @needs:transcript @needs:restart
  Scenario: Reading the transcript again keeps the markers and opens no door
    Given the user asks "make a small page about the moon", and the model
      | searches for | BrowserPreview |
      | reads a file |                |
      | calls        | BrowserPreview |
    When the session is opened again from its rows
    And the user asks "compare it with the notes", and the model
      | reads a file |                |
      | calls        | BrowserPreview |
    Then the first request shows "BrowserPreview"
    And the call of "BrowserPreview" runs
    And the runtime keeps "restore.marker-durable"
    And the runtime keeps "host.same-path"
