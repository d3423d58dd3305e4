//! Whole judgements. Each family is judged as it stands, and once more as if the runtime did not
//! show its rows.

use std::fmt::Write;

use super::played::{Recorded, family, folder, written};

/// A test for each family of traces.
macro_rules! families {
    ($($test:ident: $family:literal,)*) => {
        const FAMILIES: &[&str] = &[$($family),*];

        $(#[test]
        fn $test() {
            insta::assert_snapshot!($family, judged(&family($family)));
        })*
    };
}

families! {
    sessions_of_all_kinds_are_judged_as_before: "sessions",
    searches_are_judged_as_before: "searches",
    uses_are_judged_as_before: "uses",
    seeded_transcripts_are_judged_as_before: "transcripts",
    lost_context_is_judged_as_before: "context",
    changes_of_mode_are_judged_as_before: "modes",
    catalogs_are_judged_as_before: "catalogs",
    failing_providers_are_judged_as_before: "providers",
    two_sessions_are_judged_as_before: "isolation",
    permuted_turns_are_judged_as_before: "order",
    more_evidence_is_judged_as_before: "more-evidence",
    other_texts_of_a_registry_are_judged_as_before: "registry-texts",
    larger_registries_are_judged_as_before: "growth",
    faults_of_activation_are_judged_as_before: "faults-activation",
    faults_of_the_cache_are_judged_as_before: "faults-cache",
    faults_of_catalogs_are_judged_as_before: "faults-catalog",
    faults_of_the_host_are_judged_as_before: "faults-host",
    faults_of_first_requests_are_judged_as_before: "faults-initial",
    faults_of_isolation_are_judged_as_before: "faults-isolation",
    faults_of_order_are_judged_as_before: "faults-order",
    faults_of_providers_are_judged_as_before: "faults-provider",
    faults_of_registries_are_judged_as_before: "faults-registry",
    faults_of_restoration_are_judged_as_before: "faults-restore",
    faults_of_searches_are_judged_as_before: "faults-search",
}

fn judged(cases: &[Recorded]) -> String {
    let mut text = String::new();
    for case in cases {
        let profile = case.profile();
        let whole = written(&case.judged_under(&profile));
        let without = written(&case.without_rows().judged_under(&profile));
        writeln!(
            text,
            "{} ({})\n  {whole}\n without its rows\n  {without}\n",
            case.name, case.profile
        )
        .unwrap();
    }
    text
}

#[test]
fn every_family_is_judged() {
    let mut kept: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned())
        })
        .collect();
    let mut judged = FAMILIES.to_vec();
    kept.sort_unstable();
    judged.sort_unstable();
    assert_eq!(kept, judged);
}
