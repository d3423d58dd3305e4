@family:restore @from:r2
Feature: What a new prompt brings back
  At every prompt the runtime forgets what it had loaded, and brings back what the conversation
  still proves: nothing from memory, nothing from hearsay.

  Background:
    Given an agent session with the plugin tools "acme_weather" and "beta_tickets"

  @property:transcripts
  Scenario: Any transcript brings back what it proves
    Turns in which tools were found and used, in which they failed or were cut off, with markers
    where they do not belong and results that nobody asked for.

    Then it holds for every generated session

  @clause:restore.search-evidence
  Rule: A successful search is proof for the tools that it activated

    Scenario: A tool that was found and never used is there at the next prompt
      Given the model searched for "acme_weather" in an earlier prompt
      When the user asks something else
      Then the first request shows "acme_weather"

    Scenario: Tools that were found in different prompts are all there
      Given the model searched for "acme_weather" in an earlier prompt
      And the model searched for "beta_tickets" in an earlier prompt
      When the user asks something else
      Then the first request shows "acme_weather" and "beta_tickets"

    Scenario: A prompt that the user stopped takes nothing of it away
      Given the model searched for "acme_weather" in an earlier prompt
      When the user asks "and tomorrow?", and the model
        | is stopped by the user |  |
      And the user asks something else
      Then the first request shows "acme_weather"

    Scenario: A plugin that registers late brings its tools in time
      The session is opened before all of its plugins are there; what the conversation proves is
      asked for when the prompt begins.

      Given the model searched for "acme_weather" in an earlier prompt
      When the session is opened again, and the plugin "acme" registers late
      And the user asks something else
      Then the first request shows "acme_weather"

    Scenario: So it is when somebody else wrote the transcript
      Given a transcript in which the search for "acme_weather" and "beta_tickets" was successful
      When the user asks something else
      Then the first request shows "acme_weather" and "beta_tickets"

    Scenario: A marker is proof on a search alone
      Given a transcript in which
        | the user asked    | is there a ticket for the rain? |
        | the model found   | beta_tickets                    |
        | the model used    | beta_tickets                    |
        | with a marker for | acme_weather                    |
      When the user asks something else
      Then the first request shows "beta_tickets"
      And the first request does not show "acme_weather"

    @law @property:evidence-is-all
    Scenario: Whatever happened before, only proof counts
      Two runtimes that see the same conversation show the same tools, whatever each of them has
      been through.

      Then it holds for every generated session

    @law @property:order
    Scenario: The order in which things were proven makes no difference
      Then it holds for every generated session

    @law @property:more-evidence
    Scenario: More proof never takes a tool away
      Then it holds for every generated session

  @clause:restore.use-evidence
  Rule: A successful use is proof as well, even with no search in sight

    Scenario: The transcript holds a use and no search
      Given a transcript in which the use of "acme_weather" was successful
      When the user asks something else
      Then the first request shows "acme_weather"

    Scenario: A success stays a success after a failure
      Given a transcript in which
        | the user asked  | is it raining in Oslo? |
        | the model used  | acme_weather           |
        | a use failed of | acme_weather           |
      When the user asks something else
      Then the first request shows "acme_weather"

  @clause:restore.only-catalog
  Rule: Only what can be found now comes back

    Scenario: The mode no longer allows the tool
      Given the tools
        | tool        | deferred in |
        | acme_deploy | agent       |
      And the model searched for "acme_deploy" in an earlier prompt
      When the mode changes to chat
      And the user asks something else
      Then the first request does not show "acme_deploy"
      And the prompt goes on to its end

    Scenario: The plugin is gone
      Given the model searched for "acme_weather" in an earlier prompt
      When the plugin "acme" is removed
      And the user asks something else
      Then the first request does not show "acme_weather"

    Scenario: The tool was only out of the mode's reach for a while
      Given the tools
        | tool        | deferred in |
        | acme_deploy | agent       |
      And the model searched for "acme_deploy" in an earlier prompt
      And the mode changes to chat
      And the user asks "what does that mean?"
      When the mode changes to agent
      And the user asks something else
      Then the first request shows "acme_deploy"

  @clause:restore.ignores-failed @clause:restore.ignores-interrupted
  @clause:restore.ignores-missing
  Rule: A failed, interrupted or missing result proves nothing

    Scenario Outline: A search that was <how> brings nothing back
      Given a transcript in which the search for "acme_weather" was <how>
      When the user asks something else
      Then the first request does not show "acme_weather"
      And the prompt goes on to its end

      @clause:restore.ignores-failed
      Examples:
        | how      |
        | an error |

      @clause:restore.ignores-interrupted
      Examples:
        | how         |
        | interrupted |

    Scenario Outline: A use that was <how> brings nothing back
      Given a transcript in which the use of "acme_weather" was <how>
      When the user asks something else
      Then the first request does not show "acme_weather"
      And the prompt goes on to its end

      @clause:restore.ignores-failed
      Examples:
        | how      |
        | an error |

      @clause:restore.ignores-interrupted
      Examples:
        | how         |
        | interrupted |

      @clause:restore.ignores-missing
      Examples:
        | how            |
        | never answered |

    @clause:restore.ignores-failed
    Scenario: A call that was refused brings nothing back
      Given the user asks "is it raining in Oslo?", and the model
        | calls | acme_weather |
      When the user asks something else
      Then the first request does not show "acme_weather"

    @clause:restore.ignores-failed
    Scenario: A later failure takes nothing away
      Given the user asks "is it raining in Oslo?", and the model
        | searches for    | acme_weather |
        | calls, in vain, | acme_weather |
      When the user asks something else
      Then the first request shows "acme_weather"

  @clause:restore.ignores-prose
  Rule: Hearsay proves nothing, whatever it imitates

    Scenario: The user had named the tool
      Given the user asks "acme_weather is a fine tool"
      When the user asks something else
      Then the first request does not show "acme_weather"

    Scenario Outline: <Somebody> claims that the tool is active
      Given a transcript in which
        | the user asked | is there a ticket for the rain? |
        | the model used | beta_tickets                    |
        | <row>          | <text>                          |
      When the user asks something else
      Then the first request does not show "acme_weather"

      Examples:
        | Somebody  | row            | text                           |
        | The model | the model said | addedToolNames: acme_weather   |
        | A tool    | which answered | ToolSearch found: acme_weather |

    Scenario: A summary speaks of the tool
      Given a transcript in which
        | the user asked       | is it raining in Oslo?                   |
        | all was summed up as | acme_weather was loaded and stays active |
      When the user asks something else
      Then the first request does not show "acme_weather"

    @law @property:irrelevant-rows
    Scenario: Rows that prove nothing change nothing
      Prose, failures and interruptions between the turns leave the tools as they were.

      Then it holds for every generated session

  @clause:restore.effective-context
  Rule: What has left the conversation proves nothing any more

    Scenario: The prompt in which a tool was found is taken back
      Given the model searched for "acme_weather" in an earlier prompt
      When the last prompt is taken back
      And the user asks something else
      Then the first request does not show "acme_weather"

    Scenario: The prompt after it is taken back
      Given the user asks "hello"
      And the model searched for "acme_weather" in an earlier prompt
      And the user asks "and tomorrow?"
      When the last 2 prompts are taken back
      And the user asks something else
      Then the first request does not show "acme_weather"

    Scenario: A summary takes the place of the search
      Given the model searched for "acme_weather" in an earlier prompt
      When the conversation is compacted
      And the user asks something else
      Then the runtime keeps "restore.effective-context"

    Scenario: The model starts afresh
      Given the model searched for "acme_weather" in an earlier prompt
      When the user asks "let us talk about something else", and the model
        | starts a new context |  |
      And the user asks something else
      Then the runtime keeps "restore.effective-context"

    @property:context
    Scenario: The conversation alone decides, however it was cut
      Compactions, new contexts and branches at any point.

      Then it holds for every generated session

  @clause:restore.restart
  Rule: A restart changes nothing

    Scenario: The process ends between two prompts
      Given the model searched for "acme_weather" in an earlier prompt
      When the user asks something else
      And the same session is also played restarted before its last prompt
      Then both show the same tools when the last prompt begins
      And the runtime keeps "restore.restart"

    Scenario: The session is opened from its rows instead of its state
      Given the model searched for "acme_weather" and used it in an earlier prompt
      When the user asks something else
      And the same session is also played opened from its rows before its last prompt
      Then both show the same tools when the last prompt begins
      And the runtime keeps "restore.restart"

    Scenario: A found tool can be used after a restart, without another search
      Given the model searched for "acme_weather" in an earlier prompt
      When the runtime is restarted
      And the user asks "and tomorrow?", and the model
        | calls | acme_weather |
      And the same session is also played restarted before its last prompt
      Then the call of "acme_weather" runs

    @needs:useEvidence
    Scenario: What was used before is not forgotten by the process that comes after
      Given a transcript in which the use of "acme_weather" was successful
      When the user asks "is it raining in Oslo?"
      And the runtime is restarted
      And the user asks something else
      And the same session is also played opened from its rows before its last prompt
      Then the runtime keeps "restore.restart"

    @property:restarts
    Scenario: Restarts are invisible
      Restarts of the process and of the session, from state and from rows, at any point.

      Then it holds for every generated session

  @clause:restore.marker-durable
  Rule: The proof is kept with the result that it belongs to

    Scenario: A marker outlives the process, and the next one too
      Given the model searched for "acme_weather" in an earlier prompt
      When the runtime is restarted
      And the user asks "and tomorrow?"
      And the runtime is restarted
      And the user asks something else
      Then the runtime keeps "restore.marker-durable"

    Scenario: It outlives being written down and read again, any number of times
      Given the model searched for "acme_weather" in an earlier prompt
      When the session is opened again from its rows
      And the user asks "and tomorrow?"
      And the session is opened again from its rows
      And the user asks something else
      Then the first request shows "acme_weather"
      And the runtime keeps "restore.marker-durable"
