//! The command line as a shell sees it: standard output, standard error, exit code.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use crate::machine::Machine;
use chrono::{DateTime, Utc};
use rstest::rstest;
use serde_json::Value as Json;
use tableside::cli::{self, Exit, Io};
use tableside::dice::SystemDice;
use tableside::table::{OnEdit, Opening, Table};

impl Machine {
    fn state(&self) -> PathBuf {
        self.data().join("demo/session.toml")
    }

    fn edit(&self, edit: impl FnOnce(String) -> String) {
        let before = fs::read_to_string(self.state()).unwrap();
        let after = edit(before.clone());
        assert_ne!(before, after, "nothing was edited");
        fs::write(self.state(), after).unwrap();
    }

    /// What a person at a terminal sees who types these lines.
    fn at_a_terminal(&self, words: &str, typed: &str) -> (Exit, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let data = self.data();
        let env = |name: &str| match name {
            "TABLESIDE_DATA" => data.to_str().map(str::to_owned),
            "NO_COLOR" => Some("1".to_owned()),
            _ => None,
        };
        let mut world = Io {
            env: &env,
            input: &mut typed.as_bytes(),
            out: &mut out,
            err: &mut err,
            to_terminal: true,
            can_ask: true,
            clock: noon,
        };
        let words = format!("tableside {words}");
        let exit = cli::run(words.split_whitespace().map(Into::into), &mut world);
        out.extend(err);
        (exit, self.plain(&String::from_utf8(out).unwrap()))
    }
}

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn open(folder: &Path) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    Table::open(folder, opening).unwrap().0
}

const CLIFF: &str = "roll heart-rush skill --heart d8 --ability d10 --cn 12 --profession 2";

#[test]
fn json_says_what_the_contract_promises_in_its_order() {
    let ran = Machine::new().run(&format!("{CLIFF} --faces 5,7 --json"));
    let promised = r#"{ "system": "heart-rush", "check": "skill",
  "fields": {"heart": "d8", "ability": "d10", "cn": 12, "advantage": 0, "disadvantage": 0, "helped": false, "profession": 2, "tangential": false, "aspect": 0, "hindrance": 0, "modifier": 0, "vulnerability": 0},
  "dice": [ {"die": "d8", "face": 5, "kept": true, "role": "heart"}, {"die": "d10", "face": 7, "kept": true, "role": "ability"} ],
  "choices": [], "total": 14, "target": 12, "outcome": "success", "success": true, "effects": [] }"#;
    let promised: Json = serde_json::from_str(promised).unwrap();
    let told: Json = serde_json::from_str(&ran.out).unwrap();
    // As text: the order of the keys counts.
    assert_eq!(told.to_string(), promised.to_string());
}

#[test]
fn a_seed_rolls_the_same_dice_again() {
    let machine = Machine::new();
    let seed = "5eed".repeat(16);
    let roll = || machine.run(&format!("{CLIFF} --advantage 5 --json --seed {seed}"));
    let (one, other) = (roll(), roll());
    assert_eq!(one.code, 0, "{one:?}");
    assert_eq!(one.out, other.out);
}

#[test]
fn answers_are_given_in_order_and_too_many_are_no_error() {
    let words = "roll heart-rush skill --heart d8 --ability d6 --cn 9 --faces 1,6 --choose fail --choose more --json";
    let ran = Machine::new().run(words);
    let told: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        told["choices"].to_string(),
        r#"[{"choice":"complication","chose":"fail","by":"command"}]"#
    );
    assert_eq!(told["outcome"], "failure");
}

#[test]
fn somebody_at_a_terminal_is_asked() {
    let machine = Machine::new();
    let words = "roll heart-rush skill --heart d8 --ability d6 --cn 9 --faces 1,6";
    let (exit, out) = machine.at_a_terminal(words, "maybe\n1\n");
    assert_eq!(exit, Exit::Success);
    insta::assert_snapshot!("asked", out);
}

#[test]
fn a_roll_in_a_session_reads_the_sheet_and_is_booked() {
    let machine = Machine::with_demo();
    let ran = machine.run_words(&[
        "roll",
        "heart-rush",
        "skill",
        "--session",
        "demo",
        "--as",
        "torben",
        "--ability",
        "presence",
        "--cn",
        "9",
        "--hindrance",
        "quick",
        "--faces",
        "1,6,5",
        "--json",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        told["sources"].to_string(),
        r#"{"heart":"Heart die now","ability":"Presence","hindrance":"Quick to Draw My Sword"}"#
    );
    // Three were gained in this scene already, and a scene gives five.
    assert_eq!(
        told["effects"].to_string(),
        r#"[{"kind":"token","pool":"destiny","owner":"Torben","amount":2},{"kind":"complication"},{"kind":"reached","pool":"Destiny Points","now":6,"told":"2 of 3 gained, for a scene gives 5 at most"}]"#
    );
    let status: Json = serde_json::from_str(&machine.run("status demo --json").out).unwrap();
    let pools = status["pools"].as_array().unwrap();
    let torben = pools.iter().find(|pool| pool["owner"] == "Torben").unwrap();
    assert_eq!(torben["tokens"], 6);
    let log: Json = serde_json::from_str(&machine.run("log demo --json").out).unwrap();
    let last = log.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["kind"], &last["who"]),
        (&"roll".into(), &"Torben".into())
    );
    assert_eq!(last["roll"], told);
}

#[test]
fn a_session_that_is_open_elsewhere_says_who_has_it() {
    let machine = Machine::with_demo();
    let held = open(&machine.data().join("demo"));
    let ran = machine.run("roll heart-rush skill --session demo --as Mira --cn 9");
    assert_eq!(ran.code, 1);
    let said = ran.err;
    let process = format!(
        "HOME/data/demo is open elsewhere (by process {} on ",
        std::process::id()
    );
    assert!(said.starts_with(&process), "{said}");
    assert!(said.contains("since 2026-11-20 12:00 UTC"), "{said}");
    assert!(
        said.ends_with("hint: do it there, or close it there first\n"),
        "{said}"
    );
    let opened = machine.run("demo");
    assert_eq!(opened.code, 1);
    assert!(
        opened.err.contains("look at it with --view"),
        "{}",
        opened.err
    );
    // To read, nobody needs to have it alone.
    assert_eq!(machine.run("status demo").code, 0);
    assert_eq!(machine.run("log demo").code, 0);
    assert_eq!(machine.run("sessions").code, 0);
    drop(held);
}

#[rstest]
#[case::not_toml(&|text: String| format!("{text}\n[[["), "HOME/data/demo/session.toml: line ")]
#[case::newer(&|text: String| text.replacen("format = 1", "format = 99", 1), "HOME/data/demo/session.toml has format 99; this version knows formats up to 1")]
#[case::no_stat(&|text: String| text.replacen("agility = \"d10\"\n", "", 1), "HOME/data/demo/session.toml: line 25, column 1: the character Mira: the stat agility is missing; it must be one of d4, d6, d8, d10, d12, d20")]
#[case::no_die(&|text: String| text.replacen("agility = \"d10\"", "agility = \"d7\"", 1), "HOME/data/demo/session.toml: line 25, column 1: the character Mira: agility must be one of d4, d6, d8, d10, d12, d20, and \"d7\" was given")]
#[case::edited(&|text: String| text.replacen("name = \"Mira\"", "name = \"Mirabel\"", 1), "HOME/data/demo/session.toml is not as it was saved: it was edited by hand, or it is damaged")]
fn a_file_that_is_not_right_is_named_with_the_place(
    #[case] edit: &dyn Fn(String) -> String,
    #[case] said: &str,
) {
    let machine = Machine::with_demo();
    machine.edit(edit);
    let ran = machine.run("roll heart-rush skill --session demo --as Torben --cn 9 --faces 5,5");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
    let told = ran.err;
    let mut lines = told.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with(said), "{first}");
    assert!(
        lines.next().is_some_and(|hint| hint.starts_with("hint: ")),
        "{told}"
    );
}

#[rstest]
#[case::keep("keep", "Mirabel")]
#[case::restore("r", "Mira")]
fn an_edited_file_is_kept_or_set_aside_as_the_user_says(#[case] answer: &str, #[case] name: &str) {
    let machine = Machine::with_demo();
    // The state before the last save is what the edit is compared with.
    assert_eq!(machine.run(&format!("{CLIFF} --session demo")).code, 0);
    machine.edit(|text| text.replacen("name = \"Mira\"", "name = \"Mirabel\"", 1));
    let words = "roll heart-rush skill --session demo --as Torben --cn 9 --faces 5,5";
    let (exit, out) = machine.at_a_terminal(words, &format!("{answer}\n"));
    assert_eq!(exit, Exit::Success, "{out}");
    assert!(out.contains("the character Mira"), "{out}");
    let status: Json = serde_json::from_str(&machine.run("status demo --json").out).unwrap();
    assert_eq!(status["party"][0]["name"], name);
}

#[test]
fn a_file_where_the_folder_should_be_is_named() {
    let machine = Machine::new();
    fs::write(machine.data(), "not a folder").unwrap();
    let ran = machine.run("new demo --system hearts");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    let told = ran.err;
    assert!(told.starts_with("cannot make HOME/data: "), "{told}");
    let ran = machine.run("sessions");
    assert_eq!(ran.code, 1);
    let told = ran.err;
    assert!(told.starts_with("cannot read HOME/data: "), "{told}");
}

#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let machine = Machine::with_demo();
    let folder = machine.data();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        // Rights do not bind the one who runs this test.
        return;
    }
    let ran = machine.run("new other --system hearts");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(ran.code, 1);
    let told = ran.err;
    assert!(
        told.starts_with("HOME/data cannot be written: permission denied"),
        "{told}"
    );
}

#[test]
fn a_reader_who_has_gone_is_no_trouble() {
    let machine = Machine::with_demo();
    let mut child = machine
        .command(&["log", "demo", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(err, "");
}

#[test]
fn colour_is_for_terminals_and_for_those_who_want_it() {
    let machine = Machine::new();
    let words = format!("tableside {CLIFF} --faces 5,7");
    let shown = |no_colour: bool, to_terminal: bool| {
        let mut out = Vec::new();
        let env = |name: &str| (name == "NO_COLOR" && no_colour).then(|| "1".to_owned());
        let mut world = Io {
            env: &env,
            input: &mut std::io::empty(),
            out: &mut out,
            err: &mut std::io::sink(),
            to_terminal,
            can_ask: false,
            clock: noon,
        };
        cli::run(words.split_whitespace().map(Into::into), &mut world);
        String::from_utf8(out).unwrap()
    };
    assert!(shown(false, true).contains("\u{1b}["));
    assert!(!shown(true, true).contains('\u{1b}'));
    assert!(!shown(false, false).contains('\u{1b}'));
    let piped = machine.run(&format!("{CLIFF} --faces 5,7"));
    assert!(!piped.out.contains('\u{1b}'));
}

#[test]
fn a_name_that_steers_the_terminal_is_shown_as_replaced() {
    let machine = Machine::with_demo();
    machine.edit(|text| text.replacen("name = \"Mira\"", "name = \"Mira\\u001b[2J\"", 1));
    let ran = machine.run("status demo");
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    assert!(ran.out.contains("Mira\u{FFFD}[2J"), "{}", ran.out);
}

#[test]
fn sessions_are_listed_and_one_that_is_broken_says_so() {
    let machine = Machine::with_demo();
    assert_eq!(machine.run("new empty --system gnosis").code, 0);
    fs::create_dir(machine.data().join("broken")).unwrap();
    fs::write(
        machine.data().join("broken/session.toml"),
        "format = 1\nlast = 0\nsystem = 7\n",
    )
    .unwrap();
    let listed: Json = serde_json::from_str(&machine.run("sessions --json").out).unwrap();
    let of = |name: &str| {
        let rows = listed.as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap().clone()
    };
    let demo = of("demo");
    let counts = ["system", "characters", "clocks", "rolls"].map(|key| demo[key].to_string());
    assert_eq!(counts, ["\"heart-rush\"", "7", "4", "12"]);
    assert_eq!(of("empty")["characters"], 0);
    let problem = of("broken")["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains("line 3, column 10"), "{problem}");
}

#[test]
fn without_sessions_the_list_says_how_to_make_one() {
    let machine = Machine::new();
    let ran = machine.run("sessions");
    assert_eq!(
        ran.out,
        "no sessions yet in HOME/data\n`tableside new NAME --system SYSTEM` makes one\n"
    );
    assert_eq!(machine.run("sessions --json").out, "[]\n");
}

#[test]
fn the_screen_needs_a_terminal_and_says_so() {
    let machine = Machine::with_demo();
    for words in ["", "demo"] {
        let ran = machine.run(words);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
        assert!(ran.err.contains("needs a terminal"), "{ran:?}");
    }
}

#[rstest]
#[case::top("--help")]
#[case::check("systems gnosis strategy")]
#[case::status("status demo")]
#[case::log("log demo")]
fn what_is_printed_reads_well(#[case] words: &str) {
    let machine = Machine::with_demo();
    let ran = machine.run(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let name = words.replace("--", "").replace(' ', "-");
    insta::assert_snapshot!(name, ran.out);
}

#[rstest]
#[case::systems("systems --json")]
#[case::system("systems hfrpg --json")]
#[case::check("systems gnosis strategy --json")]
#[case::sessions("sessions --json")]
#[case::status("status demo --json")]
#[case::log("log demo --json")]
fn json_is_one_document(#[case] words: &str) {
    let ran = Machine::with_demo().run(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let _document: Json = serde_json::from_str(&ran.out).unwrap();
}

#[test]
fn every_sample_game_is_made_and_holds() {
    let machine = Machine::new();
    for system in tableside::rules::System::ALL {
        let name = system.spec().id;
        let ran = machine.run(&format!("new {name}-1 --system {name} --sample"));
        assert_eq!(ran.code, 0, "{ran:?}");
        let ran = machine.run(&format!("verify {name}-1"));
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.ends_with(": everything holds\n"), "{ran:?}");
    }
}

#[test]
fn a_forged_entry_is_named() {
    let machine = Machine::with_demo();
    let journal = machine.data().join("demo/journal/000001.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let forged = text.replacen("\"total\":14,", "\"total\":41,", 1);
    assert_ne!(forged, text, "nothing was forged");
    fs::write(&journal, forged).unwrap();
    let ran = machine.run("verify demo");
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("#2  "), "{ran:?}");
    assert!(ran.err.contains("1 entry does not hold"), "{ran:?}");
}

#[test]
fn odds_are_a_line_an_outcome_and_exact_in_json() {
    let machine = Machine::new();
    let words = "odds friday-night-dungeon challenge --competence trained --difficulty moderate";
    let ran = machine.run(words);
    assert_eq!(
        ran.out,
        "critical     1/36    2.8 %\n\
         success      7/18   38.9 %\n\
         consequence  1/6    16.7 %\n\
         failure      5/12   41.7 %\n"
    );
    let told: Json = serde_json::from_str(&machine.run(&format!("{words} --json")).out).unwrap();
    let keys: Vec<&String> = told.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["system", "check", "fields", "outcomes", "success", "total"]
    );
    assert_eq!(
        told["outcomes"][3].to_string(),
        r#"{"outcome":"failure","fraction":"5/12","probability":0.4166666666666667}"#
    );
    assert_eq!(
        told["total"].to_string(),
        r#"{"mean":7.0,"min":2,"max":12}"#
    );
}

#[test]
fn an_answer_counts_whenever_the_choice_comes_up_in_odds() {
    let words = "odds heart-rush skill --heart d8 --ability d6 --cn 9 --choose fail --json";
    let told: Json = serde_json::from_str(&Machine::new().run(words).out).unwrap();
    assert_eq!(told["outcomes"][0]["fraction"], "5/12");
    assert_eq!(told["outcomes"][1]["fraction"], "0");
    let words = "odds hfrpg acs --attribute 2 --competency 3 --bonus 2 --choose 0,0";
    let kept = Machine::new().run(words);
    let plain = Machine::new().run("odds hfrpg acs --attribute 2 --competency 3");
    assert_eq!((kept.code, kept.out), (0, plain.out));
}

#[rstest]
#[case("help", "--help")]
#[case("help odds", "odds --help")]
#[case("help roll hearts skill", "roll hearts skill --help")]
fn help_is_a_word_as_well(#[case] words: &str, #[case] same: &str) {
    let machine = Machine::new();
    let ran = machine.run(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, machine.run(same).out);
}

#[test]
fn a_forecast_tells_a_clock_until_it_is_all_but_certain() {
    let machine = Machine::with_demo();
    let ran = machine.run_words(&["forecast", "demo", "the watch wakes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("The watch wakes"), "{}", ran.out);
    let ran = machine.run_words(&["forecast", "demo", "The watch wakes", "--json"]);
    let told: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&told["clock"], &told["check"]),
        (&"The watch wakes".into(), &"skill".into())
    );
    let rolls = told["rolls"].as_array().unwrap();
    let chance = |roll: &Json| roll["probability"].as_f64().unwrap();
    assert_eq!(rolls[0]["roll"], 1);
    assert!(rolls[0]["fraction"].is_string() && told["mean"].is_number());
    assert!(chance(rolls.last().unwrap()) > 0.99);
    let before = rolls.len().checked_sub(2).map(|at| chance(&rolls[at]));
    assert!(before.is_none_or(|before| before <= 0.99));
}
