@family:cache
Feature: What a provider need not read again
  A provider keeps the beginning of a request and charges less for it the next time, as long as it
  begins the same to the byte. None of this is judged: it is measured, and reports show it.

  Background:
    Given an agent session with the plugin tools "acme_weather", "acme_tickets" and "beta_notes"

  @clause:cache.order
  Rule: Measured: do tools that were sent keep their place when one is added

    Scenario: Two searches, one after the other
      When the user asks "is there a ticket for the rain?", and the model
        | searches for | acme_weather |
        | searches for | acme_tickets |
      Then the runtime keeps "cache.order"

  @clause:cache.base-prompt
  Rule: Measured: does the base prompt stay the same

    Scenario: Within a prompt, while a tool is activated
      When the model searches for "acme_weather"
      Then the runtime keeps "cache.base-prompt"

    Scenario: From one prompt to the next
      When the user asks "what does this folder hold?"
      And the user asks something else
      Then the runtime keeps "cache.base-prompt"

  @clause:cache.loader
  Rule: Measured: does the definition of the search tool stay the same

    Scenario: Before a search and after it
      When the model searches for "acme_weather"
      Then the runtime keeps "cache.loader"
