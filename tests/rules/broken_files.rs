//! Files of rule systems with faults: each is named with its line and what would be right, whatever stands in the
//! file.

use tableside::rules::{RuleError, System};

/// A file without faults that has one of everything.
const GOOD: &str = include_str!("good_system.toml");

/// What stands there, what is put in its place, and what is said of it: the line, and a part of the words.
const BROKEN: &[(&str, &str, usize, &str)] = &[
    ("format = 1", "format = 2", 1, "format is 1"),
    ("format = 1\n", "", 1, "the file needs format"),
    ("\"lantern\"", "\"Lantern!\"", 2, "1 to 40 of a to z"),
    ("\"lantern\"", "\"x\"", 1, "2 to 40 letters"),
    (
        "name = \"Lantern\"",
        "nmae = \"Lantern\"",
        3,
        "did you mean name?",
    ),
    ("name = \"Lantern\"", "name = 3", 3, "a text is wanted here"),
    ("gm = \"GM\"", "gm = GM", 4, "must be quoted"),
    (
        "gm = \"GM\"",
        "gm = \"a\\u001bb\"",
        4,
        "no control characters",
    ),
    (
        "kind = \"number\"",
        "kind = \"numer\"",
        8,
        "did you mean number?",
    ),
    ("max = 5", "max = -1", 6, "min is above max"),
    (
        "max = 5\nstart = 2",
        "max = 5\nstart = 9",
        11,
        "from 0 to 5",
    ),
    ("start = \"d6\"", "start = \"d7\"", 16, "one of d4, d6"),
    (
        "id = \"edge\"",
        "id = \"nerve\"",
        13,
        "the stat nerve is there twice",
    ),
    (
        "id = \"edge\"",
        "id = \"system\"",
        13,
        "can't be called system",
    ),
    (
        "[[stat]]\nid = \"edge\"",
        "[[stat\nid = \"edge\"",
        13,
        "expected `]]`",
    ),
    (
        "of = \"character\"",
        "of = \"charakter\"",
        20,
        "did you mean character?",
    ),
    ("\"reset\"", "\"never\"", 24, "stay, reset, at-least-start"),
    (
        "max = 6\nstart = 3",
        "max = 6\nstart = 30",
        18,
        "starts within its min and max",
    ),
    ("start = 3", "start = 3000000", 23, "-1000000 to 1000000"),
    (
        "stat = \"nerve\"",
        "stat = \"nerv\"",
        25,
        "did you mean nerve?",
    ),
    (
        "add = \"-1\" }] }]",
        "add = \"-\" }] }]",
        25,
        "can't be read",
    ),
    ("segments = 4", "segments = 0", 29, "2 to 24 segments"),
    (
        "field = \"hurdle\"",
        "field = \"hurdel\"",
        31,
        "did you mean hurdle?",
    ),
    (
        "[\"count\", \"double\", \"count twice\"]",
        "[]",
        35,
        "needs options, or min and max",
    ),
    ("[-1, 0, 1]", "[]", 39, "2 to 100 faces"),
    (
        "total = \"hits\"",
        "total = \"hit\"",
        44,
        "did you mean hits?",
    ),
    ("target = \"1\"", "target = \"1 +\"", 45, "can't be read"),
    ("[\"nerve\"]", "[\"nervs\"]", 53, "did you mean nerve?"),
    ("[\"nerve\"]", "[\"pool:oli\"]", 53, "there are oil"),
    (
        "[\"nerve\"]",
        "[\"condition:shakn\"]",
        53,
        "did you mean shaken?",
    ),
    ("id = \"hurdle\"", "id = \"dice\"", 55, "is there twice"),
    (
        "id = \"hurdle\"",
        "id = \"faces\"",
        55,
        "can't be called that",
    ),
    (
        "id = \"hurdle\"",
        "id = \"json\"",
        55,
        "can't be called that",
    ),
    (
        "pool = \"oil\", add = \"1\"",
        "pool = \"oill\", add = \"1\"",
        65,
        "did you mean oil?",
    ),
    ("[\"calm\", \"wild\"]", "[]", 67, "needs words"),
    (
        "\"calm\", \"wild\"",
        "\"calm\", \"calm\"",
        67,
        "a word twice",
    ),
    (
        "start = \"calm\"",
        "start = \"cold\"",
        71,
        "one of calm, wild",
    ),
    ("hurdle, 0)", "hurdl, 0)", 78, "did you mean hurdle?"),
    ("\"max(dice", "\"print(dice", 78, "there are min, max, abs"),
    (
        "dice + burn - hurdle, 0)",
        "dice / 0, 0)",
        108,
        "Division by zero",
    ),
    (
        "dice + burn - hurdle, 0)",
        "house.sixs, 0)",
        78,
        "did you mean house.sixes?",
    ),
    ("count = \"many\"", "count = 101", 108, "there are 0 to 100"),
    (
        "die = \"d6\", explode",
        "die = \"d1\", explode",
        81,
        "there is no die \"d1\"",
    ),
    ("most = 2", "most = 99", 81, "from 0 to 20"),
    (
        "count = \"pool\"",
        "count = \"pol\"",
        82,
        "did you mean pool?",
    ),
    (
        "{ count = \"pool\"",
        "{ highst = \"pool\"",
        82,
        "did you mean highest?",
    ),
    ("roll.pool = {", "rol.pool = {", 81, "did you mean roll?"),
    (
        "choose = \"push\"",
        "chose = \"push\"",
        85,
        "did you mean choose?",
    ),
    ("hits == 0", "hits = 0", 86, "can't be read"),
    ("id = \"no\"\n", "", 88, "needs id"),
    ("id = \"yes\"", "id = \"no\"", 91, "is there twice"),
    (
        "[[check.step]]\nchoose = \"push\"\nwhen = \"hits == 0\"\n\n[[check.step.option]]\nid = \"no\"\n\n[[check.step.option]]\nid = \"yes\"",
        "[[check.step]]\nroll.more = { die = \"d6\" }\n\n[[check.step]]\nchoose = \"push\"\nwhen = \"hits == 0\"\n\n[[check.step.option]]\nid = \"no\"\n\n[[check.step.option]]\nid = \"yes\"\nreroll.more = {}",
        97,
        "an option rolls dice of one step again",
    ),
    (
        "reroll.pool",
        "reroll.pol",
        93,
        "no dice are called \"pol\"",
    ),
    ("when = \"hits >= 1\"\n", "", 96, "needs a when"),
    (
        "when = \"hits == 0\"",
        "when = \"burn && hits == 0\"",
        42,
        "as in push == 1",
    ),
    ("success = true\n", "", 96, "needs success"),
    (
        "success = true",
        "success = \"yes\"",
        99,
        "true or false is wanted",
    ),
    (
        "\"good\"",
        "\"fine\"",
        100,
        "great, good, mixed, bad, disaster",
    ),
    (
        "id = \"failure\"",
        "id = \"success\"",
        102,
        "is there twice",
    ),
    (
        "success = false",
        "success = false\nwhen = \"true\"",
        105,
        "has no when",
    ),
    (
        "clock = \"fear\"",
        "clock = \"feer\"",
        106,
        "did you mean fear?",
    ),
    (
        "condition = \"shaken\"",
        "condition = \"shakn\"",
        106,
        "did you mean shaken?",
    ),
    (
        "offer = \"attempt\"",
        "offer = \"atempt\"",
        106,
        "did you mean attempt?",
    ),
    ("with = { dice", "with = { dic", 106, "did you mean dice?"),
    ("{ tell = ", "{ tel = ", 94, "did you mean tell?"),
    (
        "outcome = \"success\"",
        "outcome = \"failure\"",
        108,
        "it comes to success",
    ),
    (
        "faces = [2, 5]",
        "faces = [2, 9]",
        108,
        "a d6 has the faces 1–6",
    ),
    ("faces = [2, 5]", "faces = [2]", 108, "too few faces"),
    ("{ dice = 2 }", "{ dice = 99 }", 108, "from 0 to 6"),
    ("{ dice = 2 }", "{ dic = 2 }", 109, "did you mean dice?"),
    ("best = true", "bst = true", 122, "did you mean best?"),
    (
        "[\"edges\", \"grit\"]",
        "[\"edges\", \"gri\"]",
        121,
        "did you mean grit?",
    ),
    (
        "is = \"stat.grit\"",
        "is = \"stat.gri\"",
        130,
        "did you mean stat.grit?",
    ),
    (
        "is = \"stat.grit\"",
        "is = \"pool.oil\"",
        124,
        "from the sheet alone",
    ),
    ("is = \"stat.grit\"", "si = \"stat.grit\"", 130, "needs is"),
    (
        "{ grit = \"bold\" }",
        "{ gri = \"bold\" }",
        138,
        "did you mean grit?",
    ),
    (
        "{ grit = \"bold\" }",
        "{ grit = \"cold\" }",
        138,
        "one of meek, bold",
    ),
    ("place.how", "place.hw", 141, "nothing is called"),
    ("place.how", "place.low", 141, "nothing is called"),
    (
        "consequence = 1",
        "consequence = \"n\"",
        115,
        "nothing is called",
    ),
    (
        "when = \"stat.grit == 0\"",
        "when = \"grit == 0\"",
        161,
        "nothing is called",
    ),
    (
        "{ low = \"2\" }",
        "{ lw = \"2\" }",
        163,
        "did you mean low?",
    ),
    ("most = \"5\"", "mst = \"5\"", 167, "did you mean most?"),
    ("luck * 2", "lack * 2", 173, "did you mean luck?"),
    (
        "shown = [\"scored\"]",
        "shown = [\"score\"]",
        177,
        "did you mean scored?",
    ),
    (
        "use = \"tally\"",
        "use = \"taly\"",
        183,
        "did you mean tally?",
    ),
    (
        "use = \"tally\"",
        "use = \"tally\"\nwhen = \"1\"",
        184,
        "has no key",
    ),
    (
        "adds = { field = \"hurdle\" }",
        "adds = { field = \"hurdle\" }\nwhen = \"hurdel > 1\"",
        34,
        "did you mean hurdle?",
    ),
    (
        "dice + burn - hurdle, 0)",
        "hits, 0)",
        78,
        "known only after",
    ),
    (
        "dice + burn < 0",
        "dice + burn >= 0",
        42,
        "can't be rolled at all",
    ),
    (
        "{ count = \"pool\", from = 5 }",
        "{ sum = \"pool\", symbol = \"skull\" }",
        82,
        "no die shows",
    ),
    (
        "{ clock = \"fear\", add = \"1\" }",
        "{ stat = \"edge\", set = \"d7\" }",
        106,
        "one of d4, d6",
    ),
    (
        "{ clock = \"fear\", add = \"1\" }",
        "{ stat = \"edges\", add = \"1\" }",
        106,
        "changes a number, a die, a word or a flag",
    ),
    (
        "\n\n[[check.step.option]]\nid = \"yes\"",
        "\ndefault = true\n\n[[check.step.option]]\nid = \"yes\"\ndefault = true",
        92,
        "two defaults",
    ),
    // What is said after a lost brace is mostly its echo.
    (
        "with = { dice = \"1\" } }]",
        "with = { dice = \"1\" }",
        108,
        "inline table element",
    ),
];

/// The faults of a text: none where it is good. A file may be so broken that it has no places.
fn faults(text: &str, tries: bool) -> Vec<(usize, String)> {
    match System::of_file(text, tries) {
        Ok(_) => Vec::new(),
        Err(RuleError::Faults(faults)) => {
            let faults = faults.into_iter();
            faults.map(|fault| (fault.line, fault.what)).collect()
        }
        Err(error) => panic!("no fault with a place: {error}"),
    }
}

#[test]
fn each_fault_is_named_with_its_line_and_what_would_be_right() {
    assert_eq!(faults(GOOD, true), []);
    let mut missed = Vec::new();
    for (good, broken, line, words) in BROKEN {
        assert!(GOOD.contains(good), "{good}");
        let found = faults(&GOOD.replacen(good, broken, 1), true);
        let is_named = |(at, what): &(usize, String)| at == line && what.contains(words);
        // Nothing is said twice, and nothing that helps nobody.
        if !found.iter().any(is_named) || found.len() > 3 {
            missed.push(format!("{good} as {broken}: {found:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_fault_inside_long_words_is_named_with_its_column() {
    let long = "total = \"\"\"\nhits\n  + hit\"\"\"";
    let text = GOOD.replacen("total = \"hits\"", long, 1);
    let Err(RuleError::Faults(faults)) = System::of_file(&text, true) else {
        panic!("it is read");
    };
    let places: Vec<(usize, usize)> = faults.iter().map(|one| (one.line, one.column)).collect();
    assert_eq!(places, [(46, 5)]);
}

#[test]
fn all_faults_of_a_file_are_named_at_once() {
    let text = GOOD
        .replace("\"good\"", "\"fine\"")
        .replace("\"reset\"", "\"never\"")
        .replace("{ dice = 2 }", "{ dcie = 2 }");
    let lines: Vec<usize> = faults(&text, true).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [24, 100, 109]);
}

/// Three piles of which every sum matters: 381 × 381 × 381 ways to stand.
fn piles() -> String {
    let piles = ["first", "second", "third"].map(|pile| {
        format!(
            "[[check.step]]\nroll.{pile}_dice = {{ count = \"20\", die = \"d20\" }}\n\
             read.{pile} = {{ sum = \"{pile}_dice\" }}\n"
        )
    });
    format!(
        "format = 1\nid = \"slow\"\nname = \"Slow\"\ngm = \"GM\"\n[[check]]\nid = \"pile\"\n{}\
         [[check.outcome]]\nid = \"high\"\nsuccess = true\nwhen = \"first * second > third * 200 + first % 7\"\n\
         [[check.outcome]]\nid = \"low\"\nsuccess = false\n",
        piles.concat()
    )
}

#[test]
fn a_file_whose_odds_would_take_long_is_refused_where_its_check_begins() {
    let found = faults(&piles(), true);
    let words = "pile with its presets: the dice can fall in too many ways to weigh them all: \
        more than 1000000 steps for first, second, third";
    assert_eq!(found, [(5, words.to_owned())]);
}

#[test]
fn a_plain_sum_of_a_hundred_dice_is_weighed() {
    let text = "format = 1\nid = \"heap\"\nname = \"Heap\"\n[[check]]\nid = \"heap\"\ntotal = \"sum\"\n\
        [[check.step]]\nroll.dice = { count = 100, die = \"d100\" }\nread.sum = { sum = \"dice\" }\n\
        [[check.outcome]]\nid = \"high\"\nsuccess = true\nwhen = \"sum > 5050\"\n\
        [[check.outcome]]\nid = \"low\"\nsuccess = false\n";
    assert_eq!(faults(text, true), []);
}

/// Numbers that look like chance and are the same every time.
struct Whim(u64);

impl Whim {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most.max(1) as u64).unwrap()
    }
}

/// The text with a line gone, twice, elsewhere, cut, or with a word of another line.
fn changed(text: &str, whim: &mut Whim) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (at, other) = (whim.below(lines.len()), whim.below(lines.len()));
    let word = lines[other]
        .split_whitespace()
        .nth(whim.below(4))
        .unwrap_or("0");
    let cut: String = lines[at].chars().take(whim.below(20)).collect();
    let with_word = format!("{cut}{word}");
    match whim.below(5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at]),
        2 => lines.swap(at, other),
        3 => lines[at] = &cut,
        _ => lines[at] = &with_word,
    }
    lines.join("\n")
}

#[test]
fn random_edits_never_panic_and_every_fault_has_its_place() {
    let mut whim = Whim(0x9e37_79b9_7f4a_7c15);
    let texts = System::shipped().map(System::text).chain([GOOD, GOOD]);
    for text in texts {
        for _ in 0..40 {
            let mut edited = changed(text, &mut whim);
            for _ in 0..whim.below(3) {
                edited = changed(&edited, &mut whim);
            }
            let lines = edited.lines().count().max(1);
            for (line, what) in faults(&edited, text == GOOD) {
                let has_place = (1..=lines + 1).contains(&line);
                assert!(
                    has_place && !what.trim().is_empty(),
                    "{line}: {what}\n{edited}"
                );
            }
        }
    }
}
