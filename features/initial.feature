@family:initial
Feature: What a prompt begins with
  Most first turns need no more than the core tools. Every schema beyond them costs
  money and attention in each request, so a prompt begins with the least that works.

  @clause:initial.core
  Rule: Every prompt begins with the whole core set of its mode

    Scenario: A greeting
      Given an agent session with the plugin tool "acme_weather"
      When the user asks "hello"
      Then the first request shows the core tools of agent mode
