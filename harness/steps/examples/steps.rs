//! Prints the page `docs/steps.md`.

fn main() {
    print!("{}", tacit_steps::documentation::documentation());
}
