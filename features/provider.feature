@family:provider
Feature: What reaches the provider
  Not every provider can load tools by itself, and all of them refuse a request that is not well
  formed. Activation has to work with each, and must not break what worked without it.

  @property:providers
  Scenario: Requests stay well formed when providers fail
    Overloads and broken answers at any point.

    Then it holds for every generated session

  @clause:provider.fallback
  Rule: Without help from the provider, active schemas stand in the ordinary list

    Scenario: A tool that was just found
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the request after the search shows "acme_weather"
      And the runtime keeps "provider.fallback"

  @clause:provider.native
  Rule: Where the provider can load tools by itself, a definition stands in one place

    @needs:nativeDeferral
    Scenario: A tool that was just found stands at its load point or in the list
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the runtime keeps "provider.native"

  @clause:provider.same
  Rule: The model is shown the same tools over every API

    @needs:severalApis
    Scenario: A tool that was just found is shown over each of them
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the runtime keeps "provider.same"

  @clause:provider.valid
  Rule: Every request is well formed

    Scenario: A prompt with some of everything
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is there a ticket for the rain?", and the model
        | searches for             | acme_weather |
        | and at once searches for | quince       |
        | calls, in vain,          | acme_weather |
        | and at once calls        | acme_tickets |
      Then the runtime keeps "provider.valid"

    Scenario: A tool that is found a second time is sent once
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | searches for | acme_weather |
      Then the runtime keeps "provider.valid"

    Scenario: A plugin whose names no provider would take
      Given an agent session with the tools
        | tool                  | what it is for             |
        | "acme weather, daily" | the weather, every morning |
        | acme_tickets          | the tickets, every evening |
      When the model searches for "acme_tickets"
      Then the runtime keeps "provider.valid"

    Scenario: A transcript that was cut off in the middle of a call
      Given an agent session with the plugin tool "acme_weather"
      And a transcript in which the use of "acme_weather" was never answered
      When the user asks something else
      Then the runtime keeps "provider.valid"

    Scenario: A transcript that holds an answer to nobody's question
      Given an agent session with the plugin tool "acme_weather"
      And a transcript in which
        | the user asked | is it raining in Oslo? |
        | nobody called  | acme_weather           |
      When the user asks something else
      Then the runtime keeps "provider.valid"

  @clause:provider.retry
  Rule: A request that failed is sent again as it was

    Scenario: The provider has too much to do
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for  | acme_weather |
        | is overloaded |              |
        | calls         | acme_weather |
      Then the failed request is sent again with the same tools

    Scenario: The provider breaks off in the middle of its answer
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | breaks off   |              |
        | calls        | acme_weather |
      Then the failed request is sent again with the same tools
