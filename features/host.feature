@family:host
Feature: An activated tool is a tool like any other
  Finding a tool is not being allowed to use it. Permissions, the workspace, time limits and the
  audit trail stay with the host, and a search goes round none of them.

  @clause:host.same-path
  Rule: It goes the same way through the host as a core tool

    Scenario: A tool that was just found
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "compare the notes with the weather", and the model
        | reads a file |              |
        | searches for | acme_weather |
        | calls        | acme_weather |
      Then the runtime keeps "host.same-path"

    Scenario: It does so at its second call as at its first
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "compare the notes with the weather", and the model
        | reads a file |              |
        | searches for | acme_weather |
        | calls        | acme_weather |
        | calls        | acme_weather |
      Then the runtime keeps "host.same-path"

    @from:r2
    Scenario: A tool that an earlier prompt had found
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the user asks "compare the notes with the weather", and the model
        | reads a file |              |
        | calls        | acme_weather |
      Then the runtime keeps "host.same-path"

  @clause:host.no-grant
  Rule: What the host denies stays denied

    Scenario: A search is no permission
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for                      | acme_weather |
        | calls, though the host denies it, | acme_weather |
      Then the call of "acme_weather" is denied
      And the prompt goes on to its end

    @from:r2
    Scenario: Nor is a tool allowed because it was allowed before
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the user asks "and tomorrow?", and the model
        | calls, though the host denies it, | acme_weather |
      Then the call of "acme_weather" is denied

  @clause:host.mode-forbids
  Rule: A search does not reach what the mode forbids

    Scenario: The model knows the name of a tool that is not for this mode
      Given a chat session with the tools
        | tool         | deferred in |
        | acme_weather | every mode  |
        | acme_deploy  | agent       |
      When the model searches for "acme_deploy"
      Then the request after the search does not show "acme_deploy"

    Scenario: It was found before the mode changed
      Given an agent session with the tools
        | tool         | deferred in |
        | acme_weather | every mode  |
        | acme_deploy  | agent       |
      And the model searched for "acme_deploy" in an earlier prompt
      When the mode changes to chat
      And the model searches for "acme_deploy"
      Then no request of the last prompt shows "acme_deploy"
      And the runtime keeps "host.mode-forbids"

    @property:modes
    Scenario: Each mode keeps to its own tools
      Mode changes at any point, with tools that one mode has and another forbids.

      Then it holds for every generated session
