//! Runners that depend on their seeds alone, and the loop that shrinks.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{
    Config, RngAlgorithm, RngSeed, TestRng, TestRunner, noop_result_cache,
};
use tacit_contract::canary::{mix, mix_text};
use thiserror::Error;

/// A runner for one case, which follows from the master seed and the case's number and from
/// nothing else: any worker may play any case, in any order, and a case can be played alone.
///
/// `shrink_iters` is taken as it stands; `0` means that a failing case is left as it is.
#[must_use]
pub fn runner(master: u64, case: u64, shrink_iters: u32) -> TestRunner {
    let seed = expand(master, case);
    TestRunner::new_with_rng(config(shrink_iters), TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

/// The master seed of one mix in a run: two mixes of a run have no case in common.
#[must_use]
pub fn master(run: u64, mix_id: &str) -> u64 {
    mix_text(run, mix_id)
}

/// A strategy did not make a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the strategy gave up: {reason}")]
pub struct GaveUp {
    /// Why.
    pub reason: String,
}

/// The tree of one case: its value, and the way down to smaller ones.
///
/// # Errors
/// If the strategy gives up, which no strategy of this crate does: none filters.
pub fn generate<S: Strategy>(strategy: &S, master: u64, case: u64) -> Result<S::Tree, GaveUp> {
    strategy
        .new_tree(&mut runner(master, case, 0))
        .map_err(|reason| GaveUp { reason: reason.message().to_owned() })
}

/// The value of one case, as generated.
///
/// # Errors
/// As [`generate`].
pub fn sample<S: Strategy>(strategy: &S, master: u64, case: u64) -> Result<S::Value, GaveUp> {
    generate(strategy, master, case).map(|tree| tree.current())
}

/// What shrinking came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Smallest<T> {
    /// The smallest value that still fails.
    pub value: T,
    /// How often `fails` was asked.
    pub evaluations: u32,
    /// Whether nothing smaller was left to try, as opposed to the limit being reached.
    pub exhausted: bool,
}

/// Shrinks a case that is known to fail, asking `fails` at most `limit` times.
///
/// The value that is returned has failed: the tree's own, or one that `fails` was asked about.
pub fn smallest<V: ValueTree>(
    mut tree: V,
    limit: u32,
    mut fails: impl FnMut(&V::Value) -> bool,
) -> Smallest<V::Value> {
    let mut value = tree.current();
    let mut evaluations = 0;
    let mut moved = tree.simplify();
    while moved && evaluations < limit {
        evaluations += 1;
        let candidate = tree.current();
        moved = if fails(&candidate) {
            value = candidate;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    Smallest { value, evaluations, exhausted: !moved }
}

/// Every field is given: a literal that falls back on the default would read the environment,
/// and an environment variable must not change a verdict.
fn config(max_shrink_iters: u32) -> Config {
    Config {
        cases: 1,
        max_local_rejects: 65_536,
        max_global_rejects: 1024,
        max_flat_map_regens: 1_000_000,
        failure_persistence: None,
        source_file: None,
        test_name: None,
        max_shrink_time: 0,
        // The highest number is read as "four times the cases", which is four.
        max_shrink_iters: max_shrink_iters.min(u32::MAX - 1),
        max_default_size_range: 100,
        result_cache: noop_result_cache,
        verbose: 0,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0),
        _non_exhaustive: (),
    }
}

/// Our own expansion, so that a seed means the same whatever version a crate has.
fn expand(master: u64, case: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    let mut state = mix(master).wrapping_add(mix(case ^ 0xca5e));
    for part in seed.chunks_exact_mut(8) {
        state = mix(state);
        part.copy_from_slice(&state.to_le_bytes());
    }
    seed
}
