@family:provider
Feature: What reaches the provider
  Not every provider can load tools by itself, each API has forms of its own, and all refuse a
  request that is not well formed. Activation has to work with each, and must not break what worked
  without it.

  @property:providers
  Scenario: Requests stay well formed when providers fail and change
    Failures of every kind and changes of provider, at any point.

    Then it holds for every generated session

  @clause:provider.fallback
  Rule: Without help from the provider, active schemas stand in the ordinary list

    @needs:plainProvider
    Scenario: A tool that was just found
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the request after the search shows "acme_weather"
      And the runtime keeps "provider.fallback"

    @needs:plainProvider @from:r2
    Scenario: A tool that an earlier prompt brought back
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.fallback"

    @from:r2
    Scenario: A provider that loaded tools is left for one that loads none
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the session goes on with a provider that loads none
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.fallback"

  @clause:provider.native
  Rule: Where the provider can load tools by itself, a definition stands in one place

    @needs:nativeDeferral
    Scenario: A tool that was just found stands at its load point or in the list
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the request after the search shows "acme_weather"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral
    Scenario: A search and another call in one breath
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      And the model searched for "acme_tickets" in an earlier prompt
      When the user asks "is there a ticket for the rain?", and the model
        | searches for      | acme_weather |
        | and at once calls | acme_tickets |
      Then the request after the search shows "acme_weather"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral
    Scenario: Two searches in one breath
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is there a ticket for the rain?", and the model
        | searches for             | acme_weather |
        | and at once searches for | acme_tickets |
      Then the request after the search shows "acme_weather" and "acme_tickets"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral
    Scenario: A tool that is found a second time stands where it stood
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | calls        | acme_weather |
        | searches for | acme_weather |
      Then the last request shows "acme_weather"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral @from:r2
    Scenario: After a restart it stands where it stood
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the runtime is restarted
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral @from:r2
    Scenario: Opened from its rows, it stands where it stood
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      And the model searched for "acme_weather" and used it in an earlier prompt
      And the model searched for "acme_tickets" and used it in an earlier prompt
      When the session is opened again from its rows
      And the user asks something else
      Then the first request shows "acme_weather" and "acme_tickets"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral @from:r2 @needs:useEvidence
    Scenario: A tool that was used and never searched for
      Given an agent session with the plugin tool "acme_weather"
      And a transcript in which the use of "acme_weather" was successful
      When the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.native"

    @needs:nativeDeferral @from:r2
    Scenario: A provider that loads none is left for one that loads tools
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the session goes on with a provider that loads none
      And the user asks "and tomorrow?"
      And the session goes on with a provider that loads tools
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.native"

  @clause:provider.same @needs:severalApis
  Rule: The model is shown the same tools over every API

    Scenario: A tool that was just found is shown over each of them
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      And the same session is played over every other provider as well
      Then the runtime keeps "provider.same"

    Scenario: Several calls in one breath, one of them in vain
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is there a ticket for the rain?", and the model
        | searches for             | acme_weather |
        | and at once searches for | acme_tickets |
        | calls                    | acme_tickets |
        | and at once calls        | acme_weather |
        | calls, in vain,          | acme_weather |
      And the same session is played over every other provider as well
      Then the runtime keeps "provider.same"

    Scenario: A transcript with evidence true and false
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      And a transcript in which the use of "acme_weather" was successful
      And a transcript in which the search for "acme_tickets" was an error
      When the user asks something else
      And the same session is played over every other provider as well
      Then both show the same tools when the last prompt begins
      And the runtime keeps "provider.same"

    @from:r2
    Scenario: A session goes on over another API
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the user asks "and now?"
      And the session goes on over another API
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.same"

    @from:r2
    Scenario: It goes on over another API after a restart
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the user asks "and now?"
      And the runtime is restarted
      And the session goes on over another API
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.same"

    @from:r2 @needs:useEvidence
    Scenario: A tool that was used and never searched for goes along to another API
      Given an agent session with the plugin tool "acme_weather"
      And a transcript in which the use of "acme_weather" was successful
      When the user asks "and now?"
      And the session goes on over another API
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.same"

    @from:r2
    Scenario: From a provider that loads tools to one that does not, and back
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the user asks "and now?"
      And the session goes on with a provider that loads none
      And the user asks "and tomorrow?"
      And the session goes on with a provider that loads tools
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.same"

    @from:r2
    Scenario: From a provider that loads none to one that loads tools, and back
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the user asks "and now?"
      And the session goes on with a provider that loads tools
      And the user asks "and tomorrow?"
      And the session goes on with a provider that loads none
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "provider.same"

    @property:same-over-apis
    Scenario: Sessions do not differ by the provider
      The same session over every API and both ways of loading.

      Then it holds for every generated session

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

    Scenario: A provider that loads tools is left for one that does not
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the session goes on with a provider that loads none
      And the user asks something else
      Then the runtime keeps "provider.valid"

    Scenario: A provider that loads none is left for one that does
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" and used it in an earlier prompt
      When the session goes on with a provider that loads tools
      And the user asks something else
      Then the runtime keeps "provider.valid"

    Scenario: One API is left for another in the middle of a conversation
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is there a ticket for the rain?", and the model
        | searches for             | acme_weather |
        | and at once searches for | quince       |
        | calls, in vain,          | acme_weather |
        | and at once calls        | acme_tickets |
      And the session goes on over another API
      And the user asks something else
      Then the prompt goes on to its end
      And the runtime keeps "provider.valid"

    Scenario Outline: After a provider that <fails>, the next prompt is as good as any
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | <fails>      |              |
      And the user asks something else
      Then the first request shows the core tools of agent mode
      And the prompt goes on to its end
      And the runtime keeps "provider.valid"

      Examples:
        | fails               |
        | refuses the request |
        | refuses the key     |
        | answers nothing     |
        | breaks off          |
        | is cut off          |

  @clause:provider.retry
  Rule: A request that failed is sent again as it was

    Scenario Outline: The provider <fails>
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | <fails>      |              |
        | calls        | acme_weather |
      Then the failed request is sent again with the same tools

      Examples:
        | fails             |
        | is overloaded     |
        | asks for patience |
        | fails inside      |
        | breaks off        |
        | is cut off        |

    Scenario: The provider fails twice in a row
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for      | acme_weather |
        | is overloaded     |              |
        | asks for patience |              |
        | calls             | acme_weather |
      Then the failed request is sent again with the same tools

    Scenario: The provider fails, and then answers nothing
      Who asks again after an answer without a word asks for the same.

      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for    | acme_weather |
        | is overloaded   |              |
        | calls           | acme_weather |
        | answers nothing |              |
      Then the failed request is sent again with the same tools

    @from:r2
    Scenario: The provider fails where evidence of an earlier prompt stands
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the user asks "is it raining in Oslo?", and the model
        | is overloaded |              |
        | calls         | acme_weather |
      Then the failed request is sent again with the same tools
      And the call of "acme_weather" runs
