@family:search
Feature: How the model finds a tool
  One search is the price of an optional tool, so it has to be worth it: it finds what it is
  asked for, brings few tools at a time, and is a call like any other in the conversation.

  @property:searches
  Scenario: Searches keep their promises, whatever is looked for
    Exact and decorated names, capabilities, several names at once, nothing at all, in registries
    of every size.

    Then it holds for every generated session

  @clause:search.exact
  Rule: Who knows the name gets the tool

    Scenario: A tool is found by its name
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the model searches for "acme_weather"
      Then the search activates "acme_weather"

    Scenario: Names that only begin alike do not crowd it out
      Given an agent session with the tools
        | tool                  | what it is for                                 |
        | acme_weather_alarm    | acme weather, acme weather and an alarm        |
        | acme_weather_archive  | acme weather of the last acme years            |
        | acme_weather_extended | acme weather for the acme fortnight            |
        | acme_weather_map      | acme weather on a map of acme weather stations |
        | acme_weather_ocean    | acme weather at sea, by acme weather           |
        | acme_weather          | rain or shine                                  |
      When the model searches for "acme_weather"
      Then the search activates "acme_weather"

    Scenario: Two plugins have a tool for the same
      Given an agent session with the plugin tools "acme_weather" and "beta_weather"
      When the model searches for "beta_weather"
      Then the search activates "beta_weather"

    Scenario: A tool that the catalog had no room for is found all the same
      Given an agent session
      And 200 further plugin tools
      When the model searches for "bulk_0199"
      Then the search activates "bulk_0199"

    Scenario: The fifth tool of a session is found as easily as the first
      Given an agent session
      And 20 further plugin tools
      When the user asks "what is in stock?", and the model
        | searches for | bulk_0003 |
        | searches for | bulk_0007 |
        | searches for | bulk_0011 |
        | searches for | bulk_0013 |
        | searches for | bulk_0017 |
      Then the search activates "bulk_0017"

  @clause:search.capability
  Rule: Who knows what it is for gets it too

    Scenario Outline: In <a session> a tool is found by what it does
      Given <a session> with the tools
        | tool         | what it is for                  |
        | acme_weather | look up the weather for a city  |
        | acme_tickets | comb through the defect tracker |
      And the model has found what the runtime defers of its own
      When the model searches for "defect tracker"
      Then the search activates "acme_tickets"

      Examples:
        | a session        |
        | an agent session |
        | a chat session   |

    Scenario: Tools that the mode forbids take no place from it
      Given an agent session with the tools
        | tool          | what it is for                | deferred in |
        | acme_draft    | comb through the tracker      | plan        |
        | acme_estimate | comb through the tracker      | plan        |
        | acme_outline  | comb through the tracker      | plan        |
        | acme_schedule | comb through the tracker      | plan        |
        | acme_tickets  | comb through the tracker once | agent       |
      And the model has found what the runtime defers of its own
      When the model searches for "comb tracker"
      Then the search activates "acme_tickets"

  @clause:search.at-most-four
  Rule: One search brings four tools at the most

    Background:
      Given an agent session with the tools
        | tool        | what it is for          |
        | acme_draw   | draw on a page          |
        | acme_fold   | fold a page             |
        | acme_number | put a number on a page  |
        | acme_print  | print a page            |
        | acme_rotate | turn a page on its side |
        | acme_stamp  | put the date on a page  |

    Scenario: Six tools fit the query
      When the model searches for "page"
      Then the search activates at most four tools

    Scenario: Each word of the query fits some of them
      When the model searches for "draw fold number print rotate stamp"
      Then the search activates at most four tools

    Scenario: The model asks for more
      When the user asks "what can you do with a page?", and the model
        | searches for up to 10 matches of | page |
      Then the search activates at most four tools

  @clause:search.marker
  Rule: A search's marker names what it activated, no more and no less

    Scenario: One tool is found
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the model searches for "acme_weather"
      Then the runtime keeps "search.marker"

    Scenario: More tools fit than may be activated
      Given an agent session
      And 20 further plugin tools
      When the model searches for "warehouse"
      Then the runtime keeps "search.marker"

  @clause:search.no-match
  Rule: A search in vain is an answer, not an accident

    @needs:transcript
    Scenario: A search in vain does not repeat what the one before had found
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | searches for | quince       |
      Then the runtime keeps "search.no-match"

    Scenario Outline: Nothing fits <query>
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "can you help me?", and the model
        | searches for | <query> |
      Then the search activates nothing
      And the prompt goes on to its end

      Examples:
        | query     |
        | quince    |
        | xylophone |
        |           |

    Scenario: The model forgets to say what it is looking for
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "can you help me?", and the model
        | searches without a query |  |
      Then the search activates nothing
      And the prompt goes on to its end

    Scenario Outline: The query is <value>, which is no text
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "can you help me?", and the model
        | searches with the value | <value> |
      Then the search activates nothing
      And the prompt goes on to its end

      Examples:
        | value |
        | null  |
        | true  |
        | 7     |

  @clause:search.local
  Rule: A search never leaves the runtime

    Scenario: The host hears nothing of a search that finds something
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the host is asked nothing for the search

    Scenario: Nor of one that finds nothing
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "quince"
      Then the host is asked nothing for the search

  @clause:search.row
  Rule: A search is a visible and lasting part of the conversation

    Scenario: It is there like any other call
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "acme_weather"
      Then the runtime keeps "search.row"

    Scenario: So is one that found nothing
      Given an agent session with the plugin tool "acme_weather"
      When the model searches for "quince"
      Then the runtime keeps "search.row"

  @clause:search.decorated
  Rule: A name is found though it is not written quite as it is

    Scenario Outline: It is found as <query>
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | <query> |
      Then the search activates "acme_weather"

      Examples:
        | query          |
        | `acme_weather` |
        | acme_weather.  |
        | ACME_WEATHER   |
        | weather        |

    Scenario: Its case makes no difference, though all its words stand elsewhere
      Given an agent session with the tools
        | tool                  | what it is for                                 |
        | acme_weather_alarm    | acme weather, acme weather and an alarm        |
        | acme_weather_archive  | acme weather of the last acme years            |
        | acme_weather_extended | acme weather for the acme fortnight            |
        | acme_weather_map      | acme weather on a map of acme weather stations |
        | acme_weather_ocean    | acme weather at sea, by acme weather           |
        | acme_weather          | rain or shine                                  |
      When the model searches for "ACME_WEATHER"
      Then the search activates "acme_weather"

  @clause:search.several
  Rule: Of several names in one query each is found

    Scenario: Two names, with a comma between them
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the model searches for "acme_weather, acme_tickets"
      Then the search activates "acme_weather" and "acme_tickets"

  @clause:search.any-script
  Rule: Words are words in any script

    Scenario Outline: A tool that is described in <language> is found in it
      Given an agent session with the tools
        | tool         | what it is for                 |
        | acme_weather | <description>                  |
        | acme_tickets | comb through the tracker       |
      And the model has found what the runtime defers of its own
      When the model searches for "<query>"
      Then the search activates "acme_weather"

      Examples:
        | language | description               | query          |
        | Russian  | прогноз погоды для города | прогноз погоды |
        | Japanese | 天気 予報                 | 天気 予報      |
        | Arabic   | توقعات الطقس للمدينة      | توقعات الطقس   |

  @clause:search.words
  Rule: What matches is whole words, and the more of them the better

    Scenario: Words inside other words do not crowd out the words themselves
      Given an agent session with the tools
        | tool          | what it is for                 |
        | zeta_forest   | separate a forest from a field |
        | zeta_crest    | decorate a crest               |
        | zeta_arrest   | narrate an arrest              |
        | zeta_interest | calibrate an interest          |
        | zeta_nap      | rate a rest in a hammock       |
      And the model has found what the runtime defers of its own
      When the model searches for "rate rest"
      Then the search activates "zeta_nap"

    Scenario: A small word that no tool has is no hindrance
      Given an agent session with the tools
        | tool         | what it is for           |
        | zeta_music   | tune a piano             |
        | acme_tickets | comb through the tracker |
      And the model has found what the runtime defers of its own
      When the model searches for "please tune piano"
      Then the search activates "zeta_music"

  @clause:search.active-again
  Rule: A search for what is there already says so

    Scenario: An active tool is searched for once more
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | searches for | acme_weather |
      Then the runtime keeps "search.active-again"
      And the prompt goes on to its end

  @clause:search.bounded
  Rule: A search in vain, and a refusal, stay short

    Scenario: Two hundred tools are no reason to list them all
      Given an agent session
      And 200 further plugin tools, each described in 300 characters
      When the model searches for "quince"
      Then the runtime keeps "search.bounded"

    Scenario: Nor is a tool that there is not
      Given an agent session
      And 200 further plugin tools, each described in 300 characters
      When the user asks "is it raining in Oslo?", and the model
        | calls | acme_weather |
      Then the runtime keeps "search.bounded"

  @clause:search.truthful
  Rule: What a search says of itself is so

    Scenario: It names what it activated
      Given an agent session with the plugin tools "acme_weather" and "acme_tickets"
      When the model searches for "acme_weather"
      Then the runtime keeps "search.truthful"

    Scenario: It does not pass off as activated what found no place
      Given an agent session
      And 20 further plugin tools
      When the model searches for "warehouse"
      Then the runtime keeps "search.truthful"

  @clause:search.not-json
  Rule: What becomes of arguments that are no JSON is seen, and left to the runtime

    Scenario: The arguments break off
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "is it raining in Oslo?", and the model
        | searches, in no JSON, with | {"query": "acme_weather |
      Then the runtime keeps "search.not-json"
