//! What is run and how much: scenarios, properties, replay, workers.
