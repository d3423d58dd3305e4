//! The page of steps says what the vocabulary says.

#[test]
fn the_page_of_steps_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/steps.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == tacit_steps::documentation::documentation(),
        "docs/steps.md is behind: cargo run -p tacit-steps --example steps > docs/steps.md"
    );
}
