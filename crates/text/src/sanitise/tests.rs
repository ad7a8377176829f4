use proptest::prelude::*;

use super::marks::MOST_MARKS;
use super::*;

#[test]
fn plain_words_are_not_copied() {
    assert!(matches!(sanitise("Mira the Bold", 40), Cow::Borrowed(_)));
}

#[test]
fn letters_of_every_script_stay() {
    for name in [
        "Zoë",
        "Łukasz",
        "美咲",
        "Ὀδυσσεύς",
        "דוד",
        "ﾊﾟﾊﾟ",
        "🐉",
        // Vietnamese, Yoruba, Lithuanian
        "Nguyễn Thị Ngọc Ánh",
        "Ọ̀ṣun",
        "Jonė̃",
        // Hebrew with points and with a grapheme joiner; Arabic with points
        "יְרוּשָׁל\u{5B7}\u{34F}\u{5B4}ם",
        "مُحَمَّدٌ",
        // Persian, Urdu, Kurdish and an Arabic abbreviation
        "می\u{200C}خواهم",
        "خانه\u{200C}ها",
        "۱۴۰۲ ه\u{200D}.ش",
        // Hindi, Bengali, Sinhala, Malayalam, Kannada
        "क्\u{200D}ष",
        "क्\u{200C}ष",
        "র\u{200D}্যাম",
        "ශ්\u{200D}රී",
        "അവന്\u{200D}",
        "ನ್\u{200C}ನಾ",
        // Tibetan stacks, Burmese, Khmer with a word separator, Thai
        "བསྒྲུབས",
        "ကျွန်ုပ်",
        "ខ្មែរ\u{200B}ភាសា",
        "น้ำ",
        // Mongolian with a variant and a vowel separator
        "ᠠ\u{180B}ᠮ",
        "ᠨᠠ\u{180E}ᠠ",
        // A name with its own form of a character
        "葛\u{E0100}城",
        "葛\u{FE00}",
        // Emoji
        "👩\u{200D}🚀",
        "❤\u{FE0F}",
        "❤\u{FE0F}\u{200D}🔥",
        "👨🏽\u{200D}👩\u{200D}👧",
        "1\u{FE0F}\u{20E3}",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        "🏳\u{FE0F}\u{200D}🌈",
        "☎\u{FE0E}",
    ] {
        assert_eq!(sanitise(name, 40), name);
        assert_eq!(sanitise_name(name, 40), name);
    }
}

#[test]
fn separate_accents_join_their_letter() {
    assert_eq!(sanitise("Jose\u{301}", 40), "José");
    assert_eq!(sanitise("\u{1112}\u{1161}\u{11AB}", 40), "한");
    assert_eq!(sanitise("e\u{323}\u{302}", 40), "ệ");
}

#[test]
fn useless_invisible_characters_are_removed() {
    for (text, sanitised) in [
        ("ana\u{200B}", "ana"),
        ("\u{FEFF}ana", "ana"),
        ("an\u{AD}a\u{2060}", "ana"),
        ("ana\u{200D}", "ana"),
        ("\u{200C}ana", "ana"),
        ("an\u{200D}a", "ana"),
        ("a\u{200B}b\u{E0041}", "ab"),
        ("می\u{200C}", "می"),
        ("\u{200C}می", "می"),
        ("می\u{200C} خواهم", "می خواهم"),
        ("می\u{200C}\u{200C}خواهم", "می\u{200C}خواهم"),
        ("👩\u{200D}", "👩"),
        ("👩\u{200D}a", "👩a"),
        ("a\u{200D}👩", "a👩"),
        ("a\u{FE0F}b", "ab"),
        ("1\u{FE0F}", "1"),
        ("a\u{E0100}", "a"),
        ("🏴\u{E0067}\u{E0062}", "🏴"),
        (
            "a\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "a",
        ),
        ("a\u{34F}\u{301}", "á"),
        ("a\u{180B}\u{180E}b", "ab"),
        ("\u{3164}ana\u{FFA0}", "ana"),
        ("\u{115F}\u{1160}", ""),
        ("ana\u{200F}", "ana"),
        ("\u{200E}ana\u{61C}", "ana"),
        ("\u{200B}\u{200F}ana", "ana"),
    ] {
        assert_eq!(sanitise(text, 40), sanitised, "{}", text.escape_unicode());
    }
}

#[test]
fn spaces_at_the_ends_of_a_name_are_removed() {
    for space in [
        " ",
        "\u{A0}",
        "\u{3000}",
        "\u{2007}",
        "\t",
        "\u{200B} ",
        "\u{FEFF}",
    ] {
        assert_eq!(
            sanitise_name(&format!("{space}Old Tom{space}"), 40),
            "Old Tom"
        );
    }
}

#[test]
fn a_joiner_at_the_end_of_an_unfinished_text_stays() {
    assert_eq!(sanitise_typed("می\u{200C}", 40), "می\u{200C}");
    assert_eq!(sanitise_typed("👩\u{200D}", 40), "👩\u{200D}");
    assert_eq!(sanitise_typed("an\u{200D}", 40), "an");
}

#[test]
fn hostile_characters_are_visibly_replaced() {
    assert_eq!(sanitise("a\u{1b}[31mb", 40), "a\u{FFFD}[31mb");
    assert_eq!(sanitise("evil\u{202E}txt", 40), "evil\u{FFFD}txt");
    assert_eq!(sanitise("\u{202E}evil", 40), "\u{FFFD}evil");
    assert_eq!(sanitise("a\u{2067}b\u{2069}", 40), "a\u{FFFD}b\u{FFFD}");
    assert_eq!(sanitise("a\u{200F}b", 40), "a\u{FFFD}b");
}

#[test]
fn each_line_end_and_tab_becomes_a_space() {
    assert_eq!(sanitise("a\r\nb\tc\rd\n", 40), "a b c d ");
    assert_eq!(sanitise("a\u{2028}b\u{85}c\u{B}d", 40), "a b c d");
}

#[test]
fn stacked_accents_are_limited() {
    assert_eq!(
        sanitise("x\u{300}\u{301}\u{302}\u{303}k", 40),
        "x\u{300}\u{301}k"
    );
    assert_eq!(sanitise("\u{300}k", 40), "\u{FFFD}k");
    let thai = format!("ก{}", "\u{E47}".repeat(20));
    assert_eq!(sanitise(&thai, 40), "ก\u{E47}\u{E47}");
}

#[test]
fn the_limit_counts_characters() {
    assert_eq!(sanitise("éééé", 2), "éé");
    assert_eq!(sanitise("e\u{301}e\u{301}e\u{301}", 2), "éé");
    assert_eq!(sanitise("abcd", 0), "");
    assert_eq!(sanitise("می\u{200C}خواهم", 3), "می");
}

/// Generates texts from the characters that the sanitiser treats specially.
fn special_text() -> impl Strategy<Value = String> {
    let characters = "ae1 ♥👩🚀🏴ی خक\u{94D}ष葛\u{301}\u{34F}\u{200B}\u{200C}\u{200D}\u{200E}\u{202E}\u{AD}\u{FE0F}\u{FE00}\
                 \u{E0100}\u{E0067}\u{E0062}\u{E007F}\u{180B}\u{180E}ᠠ\u{115F}\u{1160}\u{1161}\u{1100}\u{653}\u{627}\u{316}\n";
    let characters: Vec<char> = characters.chars().collect();
    let character = proptest::sample::select(characters);

    proptest::collection::vec(character, 0..14).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn every_sanitised_text_is_safe_and_stable(
        text in prop_oneof![any::<String>(), special_text()],
        limit in 0_usize..80,
    ) {
        let clean = sanitise(&text, limit);
        prop_assert!(!clean.chars().any(is_hostile));
        prop_assert!(clean.chars().count() <= limit);

        let mut mark_count = 0;
        for character in clean.chars().filter(|character| !is_invisible(*character)) {
            mark_count = if is_mark(character) { mark_count + 1 } else { 0 };
            prop_assert!(mark_count <= MOST_MARKS);
        }

        prop_assert_eq!(sanitise(&clean, limit), clean.as_ref());
        prop_assert_eq!(clean.nfc().collect::<String>(), clean.as_ref());
    }
}
