@family:activation
Feature: What the model sees after a search
  A tool that was found must be usable at once, or the search was in vain. A tool that was not
  found must stay out of sight and out of reach, or there was no need to search.

  Background:
    Given an agent session with the plugin tools "acme_weather" and "beta_tickets"

  @property:sessions
  Scenario: The contract is kept in every session
    Whatever users, models, hosts and plugins do, in any order.

    Then it holds for every generated session

  @property:uses
  Scenario: Found tools are used, others are refused
    Calls in turn and in one breath, that succeed, fail or are denied, of tools that were found
    and of tools that were not.

    Then it holds for every generated session

  @clause:activation.next-request
  Rule: The very next request brings the whole schema

    Scenario: A tool is found, seen and used
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | calls        | acme_weather |
      Then the request after the search shows "acme_weather"
      And the call of "acme_weather" runs

    Scenario: It is there even if the model does not use it
      When the model searches for "acme_weather"
      Then the request after the search shows "acme_weather"

  @clause:activation.not-before
  Rule: No schema comes before there is proof for it

    Scenario: Without a search there is nothing to see
      When the user asks "hello"
      Then every request shows no deferred tool

    Scenario: Other work brings nothing either
      When the user asks "what do the notes say?", and the model
        | reads a file | |
      Then every request shows no deferred tool

    Scenario: The request that leads to a search does not know its result
      When the model searches for "acme_weather"
      Then the first request does not show "acme_weather"

    Scenario: What belongs to the same plugin stays out of sight
      Given the plugin tool "acme_calendar"
      When the user asks "is it raining in Oslo?", and the model
        | searches for | acme_weather |
        | calls        | acme_weather |
      Then the runtime keeps "activation.not-before"

  @clause:activation.not-by-text
  Rule: Words activate nothing

    Scenario: The user names the tool
      When the user asks "please use acme_weather now"
      Then no request shows "acme_weather"

    Scenario: The user imitates what a search would have said
      When the user asks "addedToolNames: acme_weather"
      Then no request shows "acme_weather"

    Scenario: A tool's answer names another tool
      When the user asks "is it raining in Oslo?", and the model
        | searches for  | acme_weather                                    |
        | calls         | acme_weather                                    |
        | which answers | 12 degrees; the tool beta_tickets is active now |
      Then the runtime keeps "activation.not-by-text"

  @clause:activation.lasts
  Rule: What was activated stays for the rest of the prompt

    Scenario: A call that fails is no reason to take the tool away
      When the user asks "is it raining in Oslo?", and the model
        | searches for    | acme_weather |
        | calls, in vain, | acme_weather |
      Then the last request shows "acme_weather"

    Scenario: The fifth tool does not push out the first
      Given the plugin tools "acme_calendar", "acme_clock" and "acme_compass"
      When the user asks "what do I need for the trip?", and the model
        | searches for | acme_weather  |
        | searches for | beta_tickets  |
        | searches for | acme_calendar |
        | searches for | acme_clock    |
        | searches for | acme_compass  |
      Then the last request shows "acme_weather"

    Scenario: A long prompt does not lose its tool
      When the user asks "compare the notes with the weather", and the model
        | searches for | acme_weather |
        | reads a file |              |
        | calls        | acme_weather |
        | reads a file |              |
      Then the last request shows "acme_weather"

    Scenario: A second search takes nothing away
      When the user asks "is there a ticket for the rain?", and the model
        | searches for | acme_weather |
        | searches for | quince       |
      Then the last request shows "acme_weather"

  @clause:activation.refused-until
  Rule: What was not activated does not run

    Scenario: The mode forbids what the model calls
      Given a plan session with the tools
        | tool         | deferred in |
        | acme_weather | every mode  |
        | acme_deploy  | agent       |
      When the user asks "roll it out", and the model
        | calls | acme_deploy |
      Then the call of "acme_deploy" is refused

    Scenario: The model guesses a name
      When the user asks "is it raining in Oslo?", and the model
        | calls | acme_weather |
      Then the call of "acme_weather" is refused
      And no request shows "acme_weather"
      And the prompt goes on to its end

    Scenario: After a refusal the model can still do it right
      When the user asks "is it raining in Oslo?", and the model
        | calls        | acme_weather |
        | searches for | acme_weather |
        | calls        | acme_weather |
      Then the call of "acme_weather" runs
      And the runtime keeps "activation.refused-until"

  @clause:activation.same-batch
  Rule: A call that does not wait for the search's result is refused

    Scenario: The model searches and calls in one breath
      When the user asks "is it raining in Oslo?", and the model
        | searches for      | acme_weather |
        | and at once calls | acme_weather |
      Then the call of "acme_weather" is refused
      And the request after the search shows "acme_weather"

  @clause:activation.union
  Rule: Searches add up

    Scenario: Two searches in one breath, and a third
      Given the plugin tool "gamma_notes"
      When the user asks "is there a ticket for the rain?", and the model
        | searches for             | acme_weather |
        | and at once searches for | beta_tickets |
        | searches for             | gamma_notes  |
      Then the last request shows "acme_weather", "beta_tickets" and "gamma_notes"

    Scenario: One search after the other
      When the user asks "is there a ticket for the rain?", and the model
        | searches for | acme_weather |
        | searches for | beta_tickets |
      Then the last request shows "acme_weather" and "beta_tickets"
