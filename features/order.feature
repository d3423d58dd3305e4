@family:order
Feature: The same tools in the same order
  A model that reads its tools in another order may choose another one, and a provider keeps
  nothing of a request that begins otherwise. What was before must not show in the order.

  Background:
    Given an agent session with the plugin tools "acme_weather", "acme_tickets" and "beta_notes"

  @clause:order.stable
  Rule: The same registry, mode and context give the same order

    Scenario: From one prompt to the next
      When the user asks "what does this folder hold?"
      And the user asks something else
      Then the runtime keeps "order.stable"

    @needs:setTools
    Scenario: A plugin that was away takes its place again
      When the user asks "what does this folder hold?"
      And the plugin "acme" is removed
      And the plugin "acme" comes back
      And the user asks something else
      Then the runtime keeps "order.stable"

    Scenario: After a restart
      When the model searches for "acme_tickets"
      And the model searches for "acme_weather"
      And the user asks something else
      And the same session is also played restarted before its last prompt
      Then the runtime keeps "order.stable"
