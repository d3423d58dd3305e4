//! Every session of up to some number of steps, over a small world.
//!
//! # What is enumerated
//! Three deferred tools of two plugins, and an alphabet of steps: a prompt; a search for each
//! tool, for all and for none; the use of each tool, with and without success, also beside its
//! search; a read; a new context; a failure of the provider that passes and one that does not;
//! every action; and before all else, turns of an earlier transcript. Steps that the runtime
//! cannot take are not part of it.
//!
//! # What is left out
//! Nothing that is not played in another form: what says nothing where it stands (`place`),
//! what nobody sees at the end (`letter`), and all but one of the sessions that differ only in
//! which of two tools is which.
//!
//! # How it is counted
//! How many sessions follow from a place hangs on nothing but the place and on how many steps are
//! left. Those numbers are all that is kept: they say how many sessions there are, and lead from
//! a number to its session, so that none is made before it is played.

mod letter;
mod place;
mod world;

use std::collections::HashMap;

use tacit_contract::{Mode, Session};

use letter::{Letter, alphabet};
use place::Place;
pub use world::World;

/// Every session of up to a number of steps.
///
/// They are numbered from 0, the shorter ones first; those of one length in the order of the
/// alphabet.
#[derive(Debug, Clone)]
pub struct Exhaustive {
    world: World,
    alphabet: Vec<Letter>,
    /// How many sessions go on from a place for a number of steps.
    following: HashMap<(Place, u32), u64>,
    /// How many sessions there are of each length, from 1.
    lengths: Vec<u64>,
}

impl Exhaustive {
    /// Every session of a world with up to so many steps.
    ///
    /// Beyond [`u64::MAX`] sessions nobody counts: that number stands for more as well.
    #[must_use]
    pub fn new(world: World, depth: u32) -> Self {
        let mut all =
            Self { world, alphabet: alphabet(), following: HashMap::new(), lengths: Vec::new() };
        for length in 1..=depth {
            if all.count() == u64::MAX {
                break;
            }
            let count = all
                .beginnings()
                .fold(0_u64, |sum, (_, place)| sum.saturating_add(all.count_from(place, length)));
            all.lengths.push(count);
        }
        all
    }

    /// How many sessions there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.lengths.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// How many sessions there are of each length, from 1 on, as far as they can be counted.
    #[must_use]
    pub fn lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// The session of a number, with a seed; `None` beyond the last.
    #[must_use]
    pub fn session(&self, number: u64, seed: u64) -> Option<Session> {
        let mut number = number;
        for (length, count) in (1_u32..).zip(&self.lengths) {
            if number < *count {
                return self.of_length(length, number, seed);
            }
            number -= count;
        }
        None
    }

    fn of_length(&self, length: u32, mut number: u64, seed: u64) -> Option<Session> {
        for (mode, mut place) in self.beginnings().collect::<Vec<_>>() {
            let count = self.known(place, length);
            if number >= count {
                number -= count;
                continue;
            }
            let mut steps = Vec::new();
            for left in (0..length).rev() {
                let letter;
                (letter, place) = self.next(place, left, &mut number)?;
                steps.push(letter.step(&self.world));
            }
            return Some(Session {
                seed,
                mode,
                provider: self.world.provider(),
                tools: world::tools(),
                bulk: tacit_contract::session::Bulk::default(),
                steps,
            });
        }
        None
    }

    /// The letter that leads on to a session, given by its number among those that follow.
    fn next(&self, place: Place, left: u32, number: &mut u64) -> Option<(Letter, Place)> {
        for letter in &self.alphabet {
            let Some(after) = place.after(*letter, &self.world) else { continue };
            let count =
                if left == 0 { u64::from(letter.is_seen()) } else { self.known(after, left) };
            if *number < count {
                return Some((*letter, after));
            }
            *number -= count;
        }
        None
    }

    fn beginnings(&self) -> impl Iterator<Item = (Mode, Place)> + use<> {
        let world = self.world.clone();
        let modes = world.beginnings().to_vec();
        modes.into_iter().map(move |mode| (mode, Place::beginning(mode, &world)))
    }

    fn known(&self, place: Place, left: u32) -> u64 {
        self.following.get(&(place, left)).copied().unwrap_or_default()
    }

    /// Counts what follows from a place with so many steps left, one at the least.
    fn count_from(&mut self, place: Place, left: u32) -> u64 {
        if let Some(count) = self.following.get(&(place, left)) {
            return *count;
        }
        let mut count = 0_u64;
        for letter in self.alphabet.clone() {
            let Some(after) = place.after(letter, &self.world) else { continue };
            let more = if left == 1 {
                u64::from(letter.is_seen())
            } else {
                self.count_from(after, left - 1)
            };
            count = count.saturating_add(more);
        }
        self.following.insert((place, left), count);
        count
    }
}
