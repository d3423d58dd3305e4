@family:initial
Feature: What a prompt begins with
  Most prompts need no more than the core tools, and every further schema costs money and
  attention in each request. So a prompt begins with the least that works.

  @clause:initial.core
  Rule: A prompt begins with the whole core set of its mode

    Scenario: A greeting is answered with the core tools at hand
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "hello"
      Then the first request shows the core tools of agent mode

    Scenario: A later prompt has lost none of them
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the user asks something else
      Then the first request shows the core tools of agent mode

    Scenario: Nor has one that comes after a restart
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "hello"
      And the runtime is restarted
      And the user asks something else
      Then the first request shows the core tools of agent mode

    Scenario Outline: The core set of <a session>
      Given <a session> with the plugin tool "acme_weather"
      When the user asks "what is in this folder?"
      Then the first request shows the core tools of <mode> mode

      Examples:
        | a session        | mode  |
        | an agent session | agent |
        | a chat session   | chat  |
        | a plan session   | plan  |
        | a goal session   | goal  |

    Scenario: The core set changes with the mode
      Given an agent session with the plugin tool "acme_weather"
      And the user asks "where shall we begin?"
      When the mode changes to chat
      And the user asks something else
      Then the first request shows the core tools of chat mode

    Scenario: A plan on the way takes nothing from the agent
      Given an agent session with the plugin tool "acme_weather"
      And the mode changes to plan
      And the user asks "how would you go about it?"
      When the mode changes to agent
      And the user asks "go on, then"
      Then the first request shows the core tools of agent mode

    @law @property:registry-texts
    Scenario: What else is registered makes no difference to the core set
      The order of the registry, the words of its descriptions and its size change the catalog
      at the most.

      Then it holds for every generated session

  @clause:initial.minimal
  Rule: Nothing else is sent until something asks for it

    Scenario: A skill waits, whatever it is called
      Given an agent session with the skill "translate"
      When the user asks "hello", and the model
        | reads a file | |
      Then the first request shows no deferred tool

    Scenario Outline: A <kind> waits, even as the only one
      Given an agent session with the <kind> "<tool>"
      When the user asks "hello"
      Then the first request shows no deferred tool

      Examples:
        | kind                      | tool           |
        | product tool              | BrowserPreview |
        | plugin tool               | acme_weather   |
        | skill                     | Skill          |
        | plugin-development helper | PluginCheck    |

    Scenario: A crowd of plugins is no reason to send one of their schemas
      Given an agent session with the skill "Skill"
      And 200 further plugin tools
      When the user asks "hello"
      Then the first request shows no deferred tool

  @clause:initial.search-present
  Rule: The way to the deferred tools is always open while there are any

    Scenario: The search tool is there from the first request to the last
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | calls        | acme_weather |
      Then every request shows the search tool

    Scenario Outline: A <kind> is reason enough to offer it
      Given a chat session with the <kind> "<tool>"
      When the user asks "hello"
      Then the first request shows the search tool

      Examples:
        | kind                      | tool           |
        | product tool              | BrowserPreview |
        | plugin tool               | acme_weather   |
        | skill                     | Skill          |
        | plugin-development helper | PluginCheck    |

    Scenario: Compaction does not close it
      Given an agent session with the plugin tool "acme_weather"
      And the model searched for "acme_weather" in an earlier prompt
      When the conversation is compacted
      And the user asks something else
      Then the first request shows the search tool

    Scenario: It stays when everything that can be found has been found
      Given a chat session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the last request shows the search tool

  @clause:initial.search-absent
  Rule: Where nothing is deferred, there is nothing to search

    @from:r3
    Scenario: An agent without plugins
      Given an agent session
      When the user asks "hello"
      Then the first request does not show the search tool

    Scenario: A chat without plugins
      Given a chat session
      When the user asks "hello"
      Then the first request does not show the search tool
      And there is no catalog

    Scenario: What another mode defers is no reason to offer a search in this one
      Given a chat session with the tools
        | tool         | deferred in |
        | acme_weather | agent       |
      When the user asks "hello"
      Then the first request does not show the search tool

  @clause:initial.new-context
  Rule: The model can start afresh at any time

    Scenario: It can do so more than once
      Given an agent session
      When the user asks "let us begin again", and the model
        | starts a new context | |
      And the user asks something else
      Then every request shows the tool for a new context

    Scenario: The tool for a new context is there from the first request to the last
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | calls        | acme_weather |
      Then every request shows the tool for a new context

    Scenario Outline: In <a session> as well
      Given <a session>
      When the user asks "hello"
      Then the first request shows the tool for a new context

      Examples:
        | a session      |
        | a chat session |
        | a plan session |
        | a goal session |

  @clause:initial.cost
  Rule: A large registry does not make the first request large

    Scenario: Ten thousand plugin tools cost little more than ten
      Given an agent session
      When the user asks "hello"
      And the same session is also played with 10 further deferred tools
      And the same session is also played with 100 further deferred tools
      And the same session is also played with 1000 further deferred tools
      And the same session is also played with 10000 further deferred tools
      Then the runtime keeps "initial.cost"

    @law @property:growth
    Scenario: The price of a registry stays bounded
      The first request and its catalog grow no further once the bound is reached, whatever the
      session and its tools.

      Then it holds for every generated session
