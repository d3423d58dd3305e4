//! Records the traces that the judge's own tests are held against: some sessions of every
//! property on the faultless reference, and what each of its faults was found with.
//!
//! `cargo run -p tacit-suite --example record_traces [FOLDER [LIST]]`
//!
//! The list has a line `FAMILY: CASE` for each case that is kept, as
//! `harness/judge/tests/judge/recorded/kept.txt` has; without it all are, which is much more than the
//! judge's tests need.
//!
//! A trace is data: it stays as it is when the reference or the generators change. Traces are
//! recorded anew where the format of a trace, or what sessions can hold, has changed; the judge's
//! snapshots are then to be looked through and accepted again.

mod record {
    pub mod pack;
    pub mod play;
}

use std::error::Error;
use std::path::{Path, PathBuf};

use record::pack::pack;
use record::play::{Recorded, of_faults, of_properties, of_variants};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .map_or_else(|| PathBuf::from("harness/judge/tests/judge/recorded/traces"), PathBuf::from);
    let list = arguments.next().map(std::fs::read_to_string).transpose()?;
    for (family, mut cases) in
        [of_properties()?, of_variants()?, of_faults()?].into_iter().flatten()
    {
        if let Some(list) = &list {
            let is_kept = |case: &Recorded| {
                let wanted = format!("{family}: {}", case.name);
                list.lines().any(|line| line == wanted)
            };
            cases.retain(is_kept);
        }
        keep(&folder, &family, &cases)?;
    }
    Ok(())
}

fn keep(folder: &Path, family: &str, cases: &[Recorded]) -> Result<(), Box<dyn Error>> {
    if cases.is_empty() {
        return Ok(());
    }
    let path = folder.join(format!("{family}.json"));
    let text = pack(&serde_json::to_value(cases)?);
    println!("{:>7} bytes {:>3} cases {}", text.len(), cases.len(), path.display());
    Ok(std::fs::write(path, text)?)
}
