//! Faulty system files: each fault is reported with its line and a correction.

use tableside::rules::{RuleError, System};

/// A file without faults that uses every feature.
const GOOD: &str = include_str!("good_system.toml");

/// Changes to the good file, each with the fault that it causes.
const BROKEN: &str = include_str!("broken_files.txt");

/// Returns the line and the message of each fault of a system file. With `tries`, the file is validated as well.
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
fn each_fault_is_reported_with_its_line_and_a_correction() {
    assert_eq!(faults(GOOD, true), []);
    let mut missed = Vec::new();
    for case in BROKEN.split("\n\n").skip(1) {
        let lines = |sign: &str| -> Vec<&str> {
            let lines = case.lines().filter_map(|line| line.strip_prefix(sign));
            lines
                .map(|line| line.strip_prefix(' ').unwrap_or(line))
                .collect()
        };
        let (mut good, broken) = (lines("-").join("\n"), lines("+").join("\n"));
        if broken.is_empty() {
            good.push('\n');
        }
        assert!(GOOD.contains(&good), "{good}");
        let (line, words) = case.lines().last().unwrap().split_once(": ").unwrap();
        let found = faults(&GOOD.replacen(&good, &broken, 1), true);
        let is_named =
            |(at, what): &(usize, String)| at.to_string() == line && what.contains(words);
        let unsaid = lines("!");
        let is_said = |words: &&str| found.iter().any(|(_, what)| what.contains(*words));
        // One mistake causes at most three faults.
        if !found.iter().any(is_named) || found.len() > 3 || unsaid.iter().any(is_said) {
            missed.push(format!("{case}\n{found:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_fault_inside_a_long_text_is_reported_with_its_column() {
    let long = "total = \"\"\"\nhits\n  + hit\"\"\"";
    let text = GOOD.replacen("total = \"hits\"", long, 1);
    let Err(RuleError::Faults(faults)) = System::of_file(&text, true) else {
        panic!("it is read");
    };
    let places: Vec<(usize, usize)> = faults.iter().map(|one| (one.line, one.column)).collect();
    assert_eq!(places, [(46, 5)]);
}

#[test]
fn all_faults_of_a_file_are_reported_at_once() {
    let text = GOOD
        .replace("\"good\"", "\"fine\"")
        .replace("\"reset\"", "\"never\"")
        .replace("{ dice = 2 }", "{ dcie = 2 }");
    let lines: Vec<usize> = faults(&text, true).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [24, 100, 109]);
}

#[test]
fn a_file_whose_odds_take_too_long_is_refused_at_its_check() {
    // Three piles of dice whose sums all matter: 381 × 381 × 381 states.
    let found = faults(include_str!("piles.toml"), true);
    let words = "pile with its presets: the dice have too many different results to compute exact odds: \
        the rules depend on first, second, third";
    assert_eq!(found, [(5, words.to_owned())]);
}

#[test]
fn expressions_that_are_evaluated_for_every_roll_count_as_steps() {
    // Two piles of dice have 381 × 381 results, and long expressions are evaluated for each.
    let text = include_str!("piles.toml");
    let (before, rest) = text.split_once("roll.third_dice").unwrap();
    let (_, after) = rest.split_once("[[check.outcome]]").unwrap();
    let sum = format!("first{}", " + second".repeat(20));
    let lets = |most| (1..=most).map(|name| format!("let.sum{name} = \"{sum}\"\n"));
    let after = after.replace("first * second > third * 200 + first % 7", "sum1 > 900");
    let read = |most: u8| {
        let lets: String = lets(most).collect();
        faults(&format!("{before}{lets}[[check.outcome]]{after}"), true)
    };
    let words = "pile with its presets: the dice have too many different results to compute exact odds: \
        the rules depend on first, second";
    assert_eq!(read(5), [(5, words.to_owned())]);
    assert_eq!(read(1), []);
}

/// Returns the faults of a file with one check: a d6, then this step, and two outcomes.
fn after_a_die(step: &str) -> Vec<(usize, String)> {
    let text = format!(
        "format = 1\nid = \"one\"\nname = \"One\"\n[[check]]\nid = \"one\"\n[[check.step]]\n\
        roll.d = {{ die = \"d6\" }}\nread.n = {{ sum = \"d\" }}\n[[check.step]]\n{step}\n\
        [[check.outcome]]\nid = \"high\"\nsuccess = true\nwhen = \"n > 3\"\n\
        [[check.outcome]]\nid = \"low\"\nsuccess = false\n"
    );
    faults(&text, true)
}

#[test]
fn a_fault_that_only_one_face_causes_is_found_by_the_odds() {
    for (step, why) in [
        (
            "let.x = \"10 / (n - 6)\"",
            "step 2 of one, line 9: Division by zero",
        ),
        ("when = \"n == 6\"\nrefuse = \"no sixes\"", "no sixes"),
        (
            "say = \"Half of {12 / (n - 6)}.\"",
            "step 2 of one, line 9: Division by zero",
        ),
        (
            "choose = \"again\"\nask = \"{12 / (n - 6)}\"\noption = [{ id = \"a\" }, { id = \"b\" }]",
            "step 2 of one, line 9: Division by zero",
        ),
        (
            "roll.more = { count = \"n - 2\", die = \"d6\" }",
            "step 2 of one, line 9: more has -1 dice; the count must be from 0 to 100",
        ),
    ] {
        let found = after_a_die(step);
        let [(_, told)] = &found[..] else {
            panic!("{step}: {found:?}");
        };
        assert!(
            told.starts_with(&format!("one with its presets: {why}")),
            "{told}"
        );
    }
}

#[test]
fn the_odds_of_a_sum_of_a_hundred_dice_are_computed() {
    assert_eq!(faults(include_str!("heap.toml"), true), []);
}

/// A reproducible source of random numbers.
struct Whim(u64);

impl Whim {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most.max(1) as u64).unwrap()
    }
}

/// Returns the text after a random edit: a line is removed, repeated, swapped, cut, or extended by a word of another line.
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
