@family:cost
Feature: What a prompt begins with, in bytes
  Every schema that is not sent is saved again in each request. That is not judged: it is measured,
  and reports show how much it is.

  Background:
    Given an agent session with the plugin tools "acme_weather", "acme_tickets" and "beta_notes"

  @clause:cost.first-request
  Rule: Measured: how large is the first request against one with every schema

    Scenario: Three tools that nobody asked for
      When the user asks something else
      Then the runtime keeps "cost.first-request"

    Scenario: Two hundred of them
      Given 200 further plugin tools
      When the user asks something else
      Then the runtime keeps "cost.first-request"
