@family:isolation
Feature: Sessions keep to themselves
  One process serves many conversations. What one of them has loaded is no business of the
  others, now or after a restart.

  @clause:isolation.sessions
  Rule: Nothing that one session activated shows in another

    Scenario: Another session begins while this one has a tool loaded
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When another session is opened beside it
      Then the runtime keeps "isolation.sessions"

    Scenario: Another session begins after a restart
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the runtime is restarted
      And another session is opened beside it
      Then the runtime keeps "isolation.sessions"

    Scenario: Another session has a newer version of the plugin
      Each conversation sees the plugins of its own user.

      Given an agent session with the plugin tool "acme_weather"
      When another session is opened beside it, with the plugin "acme" one version ahead
      And the model searches for "acme_weather"
      Then the request after the search shows "acme_weather"
      And the runtime keeps "isolation.sessions"

    @property:isolation
    Scenario: No session knows of another
      Other sessions begin and end at any point.

      Then it holds for every generated session
