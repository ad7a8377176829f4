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
use tableside::dice::Luck;
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
        dice: Box::new(Luck::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    Table::open(folder, opening).unwrap().0
}

const CLIFF: &str = "roll heart-rush skill --heart d8 --ability d10 --cn 12 --profession 2";

#[test]
fn a_roll_is_told_in_a_line_for_the_outcome_and_one_for_the_dice() {
    let ran = Machine::new().run(&format!("{CLIFF} --faces 5,7"));
    assert_eq!(ran.code, 0);
    assert_eq!(ran.err, "");
    assert_eq!(
        ran.out,
        "success  14 against 12\nheart d8 5, ability d10 7\n"
    );
}

#[test]
fn an_effect_has_a_line_of_its_own() {
    let words = "roll heart-rush skill --heart d8 --ability d6 --cn 9 --hindrance 3 --faces 1,6,8";
    let ran = Machine::new().run(words);
    assert_eq!(
        ran.out,
        "success-with-complication  11 against 9\n\
         (heart d8 1), ability d6 6, again heart d8 8\n\
         gains 3 Destiny Points\n\
         a complication happens\n\
         chosen by default: Re-roll the 1, with a complication\n"
    );
}

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
fn options_may_stand_before_the_names_whatever_their_values_are_called() {
    let machine = Machine::new();
    let words = [
        "--data odds roll heart-rush skill --heart d8 --ability d6 --cn 3 --faces 4,4",
        "roll --data hearts heart-rush skill --heart d8 --ability d6 --cn 3 --faces 4,4",
        "roll --data skill heart-rush --theme=roll skill --heart d8 --ability d6 --cn 3 --faces 4,4",
        "roll --faces 4,4 --rule ones=any heart-rush skill --heart d8 --ability d6 --cn 3",
        "roll heart-rush --theme stratagem skill --heart d8 --ability d6 --cn 3 --faces 4,4",
    ];
    for words in words {
        let ran = machine.run(words);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (0, "success  8 against 3\nheart d8 4, ability d6 4\n"),
            "{words}: {ran:?}"
        );
    }
    let ran = machine.run("roll --heart d8 heart-rush skill");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with("--heart stands before the check"),
        "{ran:?}"
    );
}

#[test]
fn free_dice_need_no_name() {
    let machine = Machine::new();
    assert_eq!(machine.run("roll 2d6+1 --faces 3,4").out, "8\nd6 3, d6 4\n");
    assert_eq!(machine.run("roll --faces 3,4 2d6+1").out, "8\nd6 3, d6 4\n");
    assert_eq!(
        machine.run("odds 2d6+1").out,
        machine.run("odds dice 2d6+1").out
    );
    let ran = machine.run("roll 2d6 --rule ones=any");
    assert_eq!(
        ran.err.lines().next(),
        Some("free dice have no option --rule")
    );
}

#[test]
fn all_fields_that_are_missing_are_named_at_once() {
    let ran = Machine::new().run("roll heart-rush skill --heart d8");
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err.lines().next(),
        Some(
            "these fields are missing: ability, one of d4, d6, d8, d10, d12, d20; cn, a number from 1 to 40"
        )
    );
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
fn nobodys_roll_in_a_session_is_logged_too() {
    let machine = Machine::with_demo();
    let ran = machine.run(&format!("{CLIFF} --session demo --faces 5,7"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let log: Json = serde_json::from_str(&machine.run("log demo --json").out).unwrap();
    let last = log.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["who"], &last["roll"]["total"]),
        (&"".into(), &14.into())
    );
}

#[rstest]
#[case::too_few("--faces 5", "too few faces: 2 needed so far (d8 + d6), 1 given")]
#[case::too_many("--faces 5,5,5", "too many faces: 2 needed, 3 given")]
#[case::above_its_die("--faces 5,7", "face 2 is 7, and a d6 has the faces 1–6")]
#[case::no_answer(
    "--faces 1,5 --choose maybe",
    "\"maybe\" is no answer to complication; the answers are fail, complication"
)]
#[case::a_field(
    "--faces 5,5 --cn 99",
    "cn must be a number from 1 to 40, and \"99\" was given"
)]
#[case::a_name(
    "--faces 5,5 --profession baker",
    "there is no profession \"baker\"; it must be a number from 0 to 9 or one of Soldier, Blacksmith"
)]
fn what_is_refused_in_a_session_is_not_logged(#[case] words: &str, #[case] said: &str) {
    let machine = Machine::with_demo();
    let before = machine.run("log demo").out;
    let cn = if words.contains("--cn") { "" } else { "--cn 9" };
    let ran = machine.run(&format!(
        "roll heart-rush skill --session demo --as Torben --heart d8 --ability might {cn} {words}"
    ));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(ran.err.lines().next(), Some(said));
    assert_eq!(machine.run("log demo").out, before);
}

#[rstest]
#[case::system(
    "roll hart-rush skill",
    "there is no system \"hart-rush\"; did you mean heart-rush?"
)]
#[case::no_system(
    "roll",
    "roll needs a system and a check, or dice; the systems are heart-rush, hearts, friday-night-dungeon, hfrpg, gnosis"
)]
#[case::check(
    "roll hearts skil",
    "hearts has no check \"skil\"; did you mean skill?"
)]
#[case::far_check(
    "roll gnosis skill",
    "gnosis has no check \"skill\"; its checks are strategy"
)]
#[case::no_check(
    "roll heart-rush",
    "heart-rush needs a check; its checks are skill, save, attack, stratagem"
)]
#[case::field(
    "roll heart-rush skill --hart d8",
    "skill has no field \"hart\"; did you mean --heart?"
)]
#[case::option_of_roll(
    "odds hearts skill --skill 4 --faces 5,6",
    "--faces is for roll alone; odds takes the fields, --rule, --choose and --json"
)]
#[case::near_option_of_roll(
    "odds hearts skill --skill 4 --sessio demo",
    "skill has no field \"sessio\"; its fields are skill, bonus, assist, challenge, successes-add, successes-times, watch"
)]
#[case::shell(
    "completions nash",
    "SHELL must be one of bash, elvish, fish, powershell, zsh, and \"nash\" was given"
)]
#[case::far_field(
    "roll hfrpg acs --charisma 3",
    "acs has no field \"charisma\"; its fields are attribute, competency, specialisation, difficulty, group, bonus, penalty"
)]
#[case::no_die(
    "roll heart-rush skill --heart d7",
    "heart must be one of d4, d6, d8, d10, d12, d20, and \"d7\" was given"
)]
#[case::out_of_range(
    "roll hearts skill --skill 201",
    "skill must be a number from 0 to 200, and \"201\" was given"
)]
#[case::no_number(
    "roll hearts skill --skill much",
    "skill must be a number from 0 to 200, and \"much\" was given"
)]
#[case::no_word(
    "roll hfrpg acs --difficulty nasty",
    "difficulty must be one of certain, very-easy, easy, normal, hard, very-hard, impossible, and \"nasty\" was given"
)]
#[case::missing(
    "roll heart-rush skill --heart d8 --ability d8",
    "cn is missing; it must be a number from 1 to 40"
)]
#[case::either(
    "roll gnosis strategy",
    "pain or difficulty is missing; give one of them: pain a number from 3 to 20, difficulty a number from 1 to 60"
)]
#[case::flag(
    "roll heart-rush skill --helped=yes",
    "--helped is a flag and takes no value"
)]
#[case::no_value(
    "roll heart-rush skill --heart",
    "--heart needs a value: --heart <DIE>"
)]
#[case::twice(
    "roll hearts skill --skill 4 --skill 5",
    "--skill is given twice; once is enough"
)]
#[case::faces(
    "roll hearts skill --skill 4 --faces 5;6",
    "--faces takes numbers with commas between them, as in 5,7, and \"5;6\" is no face"
)]
#[case::seed(
    "roll hearts skill --skill 4 --seed abc",
    "the seed must be 64 hexadecimal digits, and this is 3 digits"
)]
#[case::both(
    "roll hearts skill --skill 4 --seed abc --faces 1,2",
    "--seed and --faces do not go together"
)]
#[case::rule(
    "roll hearts skill --skill 4 --rule hrad=target",
    "hearts has no house rule \"hrad\"; it has tie, quantity-zero, opposed-fumble, maximum, levels"
)]
#[case::rule_value(
    "roll hearts skill --skill 4 --rule tie=never",
    "the house rule tie must be one of always, both-succeed, and \"never\" was given"
)]
#[case::rule_shape(
    "roll hearts skill --skill 4 --rule tie",
    "--rule takes ID=VALUE, as in --rule tie=always, and \"tie\" was given"
)]
#[case::rule_in_session(
    "roll hearts skill --session demo --rule tie=always",
    "--rule and --session do not go together: a session has its own house rules"
)]
#[case::other_system(
    "roll hearts skill --session demo --skill 4",
    "demo is a game of heart-rush, and hearts skill is none of its checks"
)]
#[case::as_nobody("roll hearts skill --as Mira", "--session <SESSION> is missing")]
#[case::option("--vew demo", "there is no option --vew; did you mean --view?")]
#[case::word("demo roll hearts skill", "\"demo\" before roll is one word too many")]
#[case::two_words("demo demo2", "\"demo2\" is one word too many")]
#[case::log_as("log demo --json --csv", "--json and --csv do not go together")]
#[case::new_system(
    "new x --system harts",
    "there is no system \"harts\"; did you mean hearts?"
)]
#[case::new_bare("new", "--system <SYSTEM> and <NAME> are missing")]
#[case::new_nothing("new x", "--system <SYSTEM> is missing")]
#[case::new_command(
    "new roll --system hearts",
    "“roll” cannot be a session's name: it is a command of this program"
)]
#[case::new_dot(
    "new .x --system hearts",
    "“.x” cannot be a session's name: it begins with `.`"
)]
#[case::new_slash(
    "new a/b --system hearts",
    "“a/b” cannot be a session's name: it contains `/`"
)]
#[case::systems(
    "systems gnosis skill",
    "gnosis has no check \"skill\"; its checks are strategy"
)]
#[case::address(
    "serve demo --listen here",
    "--listen \"here\" is no address; it should be like 127.0.0.1:2222, 0.0.0.0:2222 or [::1]:2222"
)]
#[case::theme("demo --theme drak", "there is no theme \"drak\"; did you mean dark?")]
fn a_wrong_call_says_what_would_be_right(#[case] words: &str, #[case] said: &str) {
    let machine = Machine::with_demo();
    let ran = machine.run(words);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    let mut lines = ran.err.lines();
    assert_eq!(lines.next(), Some(said));
    let rest: Vec<&str> = lines.collect();
    assert!(rest.len() <= 1, "one or two sentences: {rest:?}");
}

#[test]
fn a_difficulty_two_steps_above_the_competence_is_refused() {
    let words = "roll friday-night-dungeon challenge --competence trained --difficulty heroic";
    let ran = Machine::new().run(words);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert_eq!(
        ran.err,
        "heroic is 2 steps above trained; nobody may try what is more than one step above their competence\n"
    );
}

#[rstest]
#[case::missing("status dmeo", "there is no session dmeo; did you mean demo?")]
#[case::far("log elsewhere", "there is no session elsewhere")]
#[case::screen("nothing", "there is no session nothing")]
#[case::who(
    "roll heart-rush skill --session demo --as Mra --cn 9",
    "there is no character \"Mra\"; did you mean Mira?"
)]
#[case::taken("new demo --system hearts", "HOME/data/demo exists already")]
#[case::too_much(
    "roll heart-rush skill --session demo --as Jonna --ability presence --cn 9 --aspect 1",
    "Jonna has 0 in Destiny Points, and 1 would be spent; spend fewer or gain some first"
)]
fn what_cannot_be_done_ends_with_one(#[case] words: &str, #[case] said: &str) {
    let machine = Machine::with_demo();
    let ran = machine.run(words);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
    assert_eq!(ran.err.lines().next(), Some(said));
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
#[case::no_stat(&|text: String| text.replacen("agility = \"d10\"\n", "", 1), "HOME/data/demo/session.toml: line 24, column 1: the character Mira: the stat agility is missing; it must be one of d4, d6, d8, d10, d12, d20")]
#[case::no_die(&|text: String| text.replacen("agility = \"d10\"", "agility = \"d7\"", 1), "HOME/data/demo/session.toml: line 24, column 1: the character Mira: agility must be one of d4, d6, d8, d10, d12, d20, and \"d7\" was given")]
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
#[case::skill("roll heart-rush skill --help")]
#[case::odds("odds gnosis --help")]
#[case::systems("systems")]
#[case::system("systems hearts")]
#[case::check("systems gnosis strategy")]
#[case::status("status demo")]
#[case::log("log demo")]
#[case::csv("log demo --csv")]
#[case::markdown("log demo --markdown")]
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
fn a_number_may_have_the_minus_sign_that_help_shows() {
    let machine = Machine::new();
    let words = "roll heart-rush skill --heart d8 --ability d8 --cn 9 --faces 5,6 --modifier";
    let ran = machine.run(&format!("{words} −3"));
    assert_eq!(ran.out, machine.run(&format!("{words} -3")).out);
    assert!(ran.out.starts_with("failure  8 against 9"), "{ran:?}");
}

#[test]
fn free_dice_are_rolled_and_weighed() {
    let machine = Machine::new();
    let ran = machine.run("roll dice 4d6kh3 --json");
    let told: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["dice"].as_array().unwrap().len(), 4);
    let ran = machine.run("roll dice 4d6kh3+2dF --faces 3,1,6,1,-1,0");
    assert_eq!(ran.out, "9\nd6 3, d6 1, d6 6, (d6 1), d3 -1, d3 0\n");
    let ran = machine.run("roll dice 2d6 --faces 3");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "too few faces: 2 needed so far (d6), 1 given\n")
    );
    let ran = machine.run("odds dice 2d4kh1");
    assert_eq!(
        ran.out,
        "1  1/16    6.3 %\n2  3/16   18.8 %\n3  5/16   31.3 %\n4  7/16   43.8 %\n"
    );
    let ran = machine.run("roll dice 9999999d9999999");
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err,
        "\"9999999d9999999\": one expression rolls at most 10,000 dice (column 1)\n"
    );
}

#[test]
fn a_forecast_tells_a_clock_until_it_is_all_but_certain() {
    let machine = Machine::with_demo();
    let ran = machine.run_words(&["forecast", "demo", "the watch wakes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    insta::assert_snapshot!("forecast-demo", ran.out);
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

#[test]
fn a_clock_without_a_check_says_how_to_give_it_one() {
    let machine = Machine::with_demo();
    let ran = machine.run_words(&["forecast", "demo", "The prisoner's trust"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert_eq!(
        ran.err,
        "no check fills The prisoner's trust yet\nhint: attach one on the screen: open the clock with Enter, and \
         pick it at Filled by\n"
    );
    let ran = machine.run_words(&["forecast", "demo", "The wach wakes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("did you mean The watch wakes?"),
        "{}",
        ran.err
    );
}
