@family:reset
Feature: What a new prompt forgets
  Tools that were loaded for one task are in the way of the next. Each prompt starts from what
  can be proven, and not from what happens to be in memory.

  @clause:reset.each-prompt
  Rule: A new prompt forgets what was loaded

    @until:r1
    Scenario: Nothing that was found lasts until the next prompt
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the user asks something else
      Then the first request shows no deferred tool

    @from:r2
    Scenario: What compaction takes from the conversation is gone from memory too
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the conversation is compacted
      And the user asks something else
      Then the runtime keeps "reset.each-prompt"

    @from:r2
    Scenario: What a new context leaves behind is gone from memory too
      Given an agent session with the plugin tool "acme_weather"
      And the user asks "is it raining in Oslo?", and the model
        | searches for         | acme_weather |
        | starts a new context |              |
      When the user asks something else
      Then the runtime keeps "reset.each-prompt"
