//! Canaries: what follows from a seed is the same on every machine and in every version.

use tacit_contract::canary::{LENGTH, PREFIX, found, letters, mix, mix_text, words};

#[test]
fn numbers_are_mixed_as_split_mix_64_does_it() {
    // The first numbers that the published generator gives for these seeds.
    let known = [
        (0, 0xe220_a839_7b1d_cdaf),
        (1, 0x910a_2dec_8902_5cc1),
        (2, 0x9758_35de_1c97_56ce),
        (0xdead_beef, 0x4adf_b90f_68c9_eb9b),
    ];
    assert_eq!(known.map(|(seed, _)| mix(seed)), known.map(|(_, mixed)| mixed));
}

#[test]
fn a_text_is_mixed_in_byte_by_byte_after_its_length() {
    assert_eq!(mix_text(3, ""), mix(3));
    assert_eq!(mix_text(5, "a"), mix(mix(5 ^ 1) ^ u64::from(b'a')));
    assert_eq!(mix_text(3, "acme"), 0xc11e_27fc_59e6_76c8);
}

#[test]
fn letters_are_the_digits_of_a_mixed_number_and_then_of_the_next() {
    assert_eq!(letters(0, 20), "jjlivdxtizktogyazjli");
    assert_eq!(letters(1, 20), "thskwgxenjmnferpdtmd");
    // A number that has 26 left, of which two more digits are made.
    assert_eq!(letters(100, 20), "uaekdjdftlaoabsbboco");
    assert_eq!(letters(7, 0), "");
}

#[test]
fn every_place_of_a_schema_has_a_word_of_its_own() {
    let words = words(1, &"acme_weather".into(), 1);
    for (place, word) in words.iter().enumerate() {
        assert_eq!((word.len(), &word[..PREFIX.len()]), (LENGTH, PREFIX));
        assert!(!words[..place].contains(word), "{word} stands twice");
    }
}

#[test]
fn the_words_of_a_tool_stay_what_they_are() {
    let weather = "acme_weather".into();
    assert_eq!(words(1, &weather, 1)[..2], ["qzjjdnqzkeesxzjh", "qzjrldlfuoukqmvz"]);
    assert_eq!(words(1, &weather, 2)[6], "qzjywkzwiplntjwz");
}

#[test]
fn a_canary_is_found_wherever_it_stands_and_as_often() {
    let text = "{\"qzjabcdefghijklm\":1} xqzjabcdefghijklm, qzjnopqrstuvwxyz";
    let all: Vec<&str> = found(text).collect();
    assert_eq!(all, ["qzjabcdefghijklm", "qzjabcdefghijklm", "qzjnopqrstuvwxyz"]);
}
