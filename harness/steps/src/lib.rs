//! The step definitions of the Gherkin scenarios.
