//! A state and a journal of two histories are never mixed: every command says that they do not belong together.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tableside::cli::Exit;
use tableside::rules::System;
use tableside::store::StoreError;
use tableside::table::{OnEdit, OpenError, Table};

use super::commands::run;
use super::opened::opening;
use super::played::{PATIENCE, begin, run_command};

/// Commands that only read.
const READING: [&str; 6] = [
    "status",
    "log",
    "log --json",
    "log --markdown",
    "verify",
    "export --clocks",
];

/// Puts the name of the game behind the first word of a command.
fn of_game(command: &str, game: &str) -> String {
    match command.split_once(' ') {
        Some((word, rest)) => format!("{word} {game} {rest}"),
        None => format!("{command} {game}"),
    }
}

/// A game after one of its acts.
#[derive(Clone)]
struct Moment {
    state: String,
    before: String,
    lines: Vec<String>,
    status: String,
}

fn state_path(data: &Path) -> PathBuf {
    data.join("g/game.toml")
}

fn journal_path(data: &Path, sequence: u64) -> PathBuf {
    data.join(format!("g/journal/{sequence:06}.jsonl"))
}

fn moment(data: &Path) -> Moment {
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let journal = read(journal_path(data, 1));
    Moment {
        state: read(state_path(data)),
        before: read(data.join("g/game.toml.before")),
        lines: journal.split_inclusive('\n').map(str::to_owned).collect(),
        status: run(data, "status g").out,
    }
}

/// What a number stands for. Both histories have acts of the same kinds under the same numbers.
fn act(name: &str, kind: u8) -> String {
    match kind % 4 {
        0 => format!("do g add character {name}"),
        1 => format!("do g note {name}"),
        2 => format!("do g add clock {name} 6"),
        _ => format!("do g scene {name}"),
    }
}

/// Plays on from a moment; the first of the moments returned is that one.
fn play(from: Option<&Moment>, name: &str, kinds: &[u8]) -> Vec<Moment> {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    assert_eq!(run(data, "new g --system hearts").exit, Exit::Success);
    if let Some(from) = from {
        fs::write(state_path(data), &from.state).unwrap();
        fs::write(journal_path(data, 1), from.lines.concat()).unwrap();
    }

    let mut moments = vec![moment(data)];
    for (index, kind) in kinds.iter().enumerate() {
        let done = run(data, &act(&format!("{name}{index}"), *kind));
        assert_eq!(done.exit, Exit::Success, "{}", done.err);
        moments.push(moment(data));
    }
    moments
}

/// Files of a game, each from one of two histories at some moment.
#[derive(Debug, Clone)]
struct Mixture {
    state: (bool, usize),
    before: (bool, usize),
    journal: (bool, usize),
    /// Where the journal is divided into two files, and whether the first one is of the other history.
    divided: Option<(usize, bool)>,
}

fn mixture() -> impl Strategy<Value = Mixture> {
    let moment = || (any::<bool>(), 0_usize..9);
    let divided = proptest::option::of((0_usize..9, any::<bool>()));
    (moment(), moment(), moment(), divided).prop_map(|(state, before, journal, divided)| Mixture {
        state,
        before,
        journal,
        divided,
    })
}

fn try_mixture(histories: &[Vec<Moment>; 2], common: usize, mixture: &Mixture) {
    let pick = |(is_second, at): (bool, usize)| {
        let history = &histories[usize::from(is_second)];
        (is_second, at.min(history.len() - 1))
    };
    let (state_of, state_at) = pick(mixture.state);
    let (before_of, before_at) = pick(mixture.before);
    let (journal_of, journal_at) = pick(mixture.journal);
    let moment = &histories[usize::from(journal_of)][journal_at];

    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    assert_eq!(run(data, "new g --system hearts").exit, Exit::Success);
    let state = &histories[usize::from(state_of)][state_at].state;
    fs::write(state_path(data), state).unwrap();
    let before = &histories[usize::from(before_of)][before_at].before;
    fs::write(data.join("g/game.toml.before"), before).unwrap();

    let mut first = moment.lines.clone();
    let mut second = Vec::new();
    let mut journal_holds = true;
    if let Some((at, is_of_other)) = mixture.divided {
        let at = at.min(journal_at);
        second = first.split_off(at);
        let other = &histories[usize::from(!journal_of)];
        let other = &other[other.len() - 1].lines;
        if is_of_other && other.len() >= at {
            first = other[..at].to_vec();
            journal_holds = at <= common || second.is_empty();
        }
    }
    let is_other_journal = first != moment.lines[..first.len()] && second.is_empty();
    let journal_of = journal_of != is_other_journal;
    fs::write(journal_path(data, 1), first.concat()).unwrap();
    if !second.is_empty() {
        fs::write(journal_path(data, 2), second.concat()).unwrap();
    }

    let is_same_history = state_of == journal_of || state_at <= common;
    if journal_holds && is_same_history && state_at <= journal_at {
        let history = &histories[usize::from(journal_of)];
        for command in READING {
            let ran = run(data, &of_game(command, "g"));
            assert_eq!(ran.exit, Exit::Success, "{command}: {}", ran.err);
        }
        assert_eq!(run(data, "status g").out, history[journal_at].status);
        let exported = run(data, &format!("export g {}/file", data.display()));
        assert_eq!(exported.exit, Exit::Success, "{}", exported.err);
        let undone = run(data, "do g undo");
        let had_an_act = journal_at > 0;
        assert_eq!(undone.exit == Exit::Success, had_an_act, "{}", undone.err);
        if had_an_act {
            let without_length = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !line.starts_with("The log has"));
                lines.map(str::to_owned).collect()
            };
            let status = run(data, "status g").out;
            let due = &history[journal_at - 1].status;
            assert_eq!(without_length(&status), without_length(due));
        }
        return;
    }

    let all_files = || {
        let names = ["g", "g/journal"];
        let entries = names.map(|name| fs::read_dir(data.join(name)).unwrap());
        let paths = entries
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths
            .filter(|path| path.is_file() && !path.ends_with("lock"))
            .map(|path| (fs::read(&path).unwrap(), path))
            .collect();
        files.sort();
        files
    };
    let files = all_files();
    let commands = READING.map(|command| of_game(command, "g"));
    let mut commands = Vec::from(commands);
    commands.push(format!("export g {}/file", data.display()));
    commands.push("do g undo".to_owned());
    commands.push("do g note more".to_owned());
    for command in commands {
        let ran = run(data, &command);
        assert_eq!(ran.exit, Exit::Failed, "{command}: {}", ran.out);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains("g/journal"), "{command}: {told}");
        if journal_holds {
            assert!(told.contains("g/game.toml"), "{command}: {told}");
        }
    }
    assert_eq!(files, all_files(), "something was changed");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4,
        failure_persistence: None,
        max_shrink_iters: 40,
        ..ProptestConfig::default()
    })]

    #[test]
    fn files_of_two_histories_are_never_mixed_silently(
        common in proptest::collection::vec(0_u8..4, 0..4),
        first in proptest::collection::vec(0_u8..4, 1..4),
        second in proptest::collection::vec(0_u8..4, 1..5),
        mixtures in proptest::collection::vec(mixture(), 6),
    ) {
        let shared = play(None, "Common", &common);
        let end = &shared[shared.len() - 1];
        let histories = [("Arthur", &first), ("Bertha", &second)].map(|(name, kinds)| {
            let mut moments = shared[..common.len()].to_vec();
            moments.extend(play(Some(end), name, kinds));
            moments
        });
        for mixture in &mixtures {
            try_mixture(&histories, common.len(), mixture);
        }
    }
}

/// Two games of one beginning, with three events of their own each.
fn two_games(data: &Path) -> [PathBuf; 2] {
    let table = begin(data, System::HEARTS);
    run_command(&table, "add character Ash");
    table.flush(PATIENCE).unwrap();
    drop(table);
    let first = data.join("unsaved-1");
    let second = data.join("second");
    fs::create_dir_all(second.join("journal")).unwrap();
    for name in ["game.toml", "game.toml.before", "journal/000001.jsonl"] {
        fs::copy(first.join(name), second.join(name)).unwrap();
    }

    for (folder, name) in [(&first, "Arthur"), (&second, "Bertha")] {
        let (table, _) = Table::open(folder, opening(OnEdit::Ask)).unwrap();
        for number in 0..3 {
            run_command(&table, &format!("add character {name} {number}"));
        }
        table.flush(PATIENCE).unwrap();
    }
    [first, second]
}

fn party(table: &Table) -> Vec<String> {
    let game = table.game();
    game.roster.iter().map(|one| one.name.clone()).collect()
}

fn is_mismatch(opened: &Result<(std::sync::Arc<Table>, Vec<String>), OpenError>) -> bool {
    matches!(opened, Err(OpenError::Store(StoreError::Mismatched(_))))
}

#[test]
fn with_leave_the_game_goes_on_with_the_state_or_with_the_journal_and_keeps_the_other() {
    for keeps_state in [true, false] {
        let data = tempfile::tempdir().unwrap();
        let [first, second] = two_games(data.path());
        // The state before the last save is of the time when both were one game.
        let state = fs::read(first.join("game.toml")).unwrap();
        let journal = fs::read(second.join("journal/000001.jsonl")).unwrap();
        fs::write(first.join("journal/000001.jsonl"), &journal).unwrap();
        assert!(is_mismatch(&Table::open(&first, opening(OnEdit::Ask))));
        assert!(is_mismatch(&Table::open(&first, opening(OnEdit::Keep))));

        let answer = if keeps_state {
            OnEdit::KeepState
        } else {
            OnEdit::Restore
        };
        let (table, _) = Table::open(&first, opening(answer)).unwrap();
        let name = if keeps_state { "Arthur" } else { "Bertha" };
        let due = ["Ash".to_owned()].into_iter();
        let due: Vec<_> = due
            .chain((0..3).map(|number| format!("{name} {number}")))
            .collect();
        assert_eq!(party(&table), due);
        run_command(&table, "note after");
        table.flush(PATIENCE).unwrap();
        drop(table);

        let (table, notices) = Table::open(&first, opening(OnEdit::Ask)).unwrap();
        assert_eq!(notices, Vec::<String>::new());
        assert_eq!(party(&table), due);
        let (kept, content) = if keeps_state {
            ("journal/000001.jsonl.torn", journal)
        } else {
            ("game.toml.edited", state)
        };
        assert_eq!(fs::read(first.join(kept)).unwrap(), content);
    }
}

#[test]
fn a_torn_last_line_and_an_old_state_of_the_same_game_open_without_a_question() {
    let data = tempfile::tempdir().unwrap();
    let [folder, _] = two_games(data.path());
    let journal = folder.join("journal/000001.jsonl");
    let whole = fs::read(&journal).unwrap();
    let state = fs::read_to_string(folder.join("game.toml")).unwrap();
    let before = fs::read(folder.join("game.toml.before")).unwrap();

    // The state has the event whose line is torn.
    fs::write(&journal, &whole[..whole.len() - 9]).unwrap();
    let (table, notices) = Table::open(&folder, opening(OnEdit::Ask)).unwrap();
    assert_eq!(party(&table).len(), 4);
    assert!(
        notices.iter().any(|notice| notice.contains("lacks event")),
        "{notices:?}"
    );
    table.flush(PATIENCE).unwrap();
    drop(table);
    // Nothing was done, and yet nobody is asked the next time.
    drop(Table::open(&folder, opening(OnEdit::Ask)).unwrap());

    // An older state of the same game, and a state of a version that knew no checksums.
    fs::write(&journal, &whole).unwrap();
    fs::write(folder.join("game.toml"), &before).unwrap();
    let (table, notices) = Table::open(&folder, opening(OnEdit::Ask)).unwrap();
    assert_eq!((party(&table).len(), notices.len()), (4, 0));
    drop(table);

    let body: String = state
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("seal") && !line.starts_with("checksum"))
        .collect();
    let seal = format!("seal = \"{:08x}\"\n", crc32c::crc32c(body.as_bytes()));
    let head = body.match_indices('\n').nth(1).unwrap().0 + 1;
    fs::write(folder.join("game.toml"), {
        let (above, below) = body.split_at(head);
        format!("{above}{seal}{below}")
    })
    .unwrap();
    fs::write(&journal, &whole).unwrap();
    let (table, notices) = Table::open(&folder, opening(OnEdit::Ask)).unwrap();
    assert_eq!((party(&table).len(), notices.len()), (4, 0));
}

/// What another program does to the journal of an open game.
type Overwriting = fn(&Path, &[u8]);

#[test]
fn a_journal_that_is_overwritten_while_the_game_is_open_loses_nothing() {
    let ways: [Overwriting; 6] = [
        |path, _| {
            fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(0)
                .unwrap();
        },
        |path, whole| {
            let file = fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(whole.len() as u64 - 20).unwrap();
        },
        |path, whole| {
            let half = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
            fs::write(path, &whole[..half]).unwrap();
        },
        |path, whole| fs::write(path, [whole, b"a line of an editor\n"].concat()).unwrap(),
        |path, whole| {
            let mut changed = whole.to_vec();
            changed[30] ^= 1;
            // Later than the last write, whatever the clock of the file system counts in.
            let modified = fs::metadata(path).unwrap().modified().unwrap();
            fs::write(path, changed).unwrap();
            let file = fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_modified(modified + std::time::Duration::from_secs(2))
                .unwrap();
        },
        |path, whole| fs::write(path, vec![b'x'; whole.len()]).unwrap(),
    ];
    for (index, overwrite) in ways.into_iter().enumerate() {
        for acts_after in [true, false] {
            let data = tempfile::tempdir().unwrap();
            let table = begin(data.path(), System::HEARTS);
            for number in 0..4 {
                run_command(&table, &format!("note before {number}"));
            }
            table.flush(PATIENCE).unwrap();
            let folder = data.path().join("unsaved-1");
            let path = folder.join("journal/000001.jsonl");
            let whole = fs::read(&path).unwrap();

            overwrite(&path, &whole);
            let overwritten = fs::read(&path).unwrap();
            let mut due = 4;
            if acts_after {
                run_command(&table, "note after");
                due += 1;
            }
            table.flush(PATIENCE).unwrap();
            drop(table);

            let now = fs::read(&path).unwrap();
            assert!(now.starts_with(&whole), "way {index}: {acts_after}");
            let (table, notices) = Table::open(&folder, opening(OnEdit::Ask)).unwrap();
            assert_eq!((table.last_event(), notices.len()), (due, 0), "way {index}");
            let kept = fs::read(folder.join("journal/000001.jsonl.torn")).unwrap();
            assert!(kept.starts_with(&overwritten), "way {index}: it is kept");
        }
    }
}

#[test]
fn a_lock_file_that_is_removed_while_the_game_is_open_lets_no_second_program_write() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::HEARTS);
    run_command(&table, "note one");
    let folder = data.path().join("unsaved-1");
    fs::remove_file(folder.join("lock")).unwrap();
    let second = Table::open(&folder, opening(OnEdit::Ask)).map(drop);
    assert!(matches!(
        second,
        Err(OpenError::Store(StoreError::Held { .. }))
    ));
    run_command(&table, "note two");
    table.flush(PATIENCE).unwrap();
    drop(table);
    assert_eq!(
        Table::open(&folder, opening(OnEdit::Ask))
            .unwrap()
            .0
            .last_event(),
        2
    );
}
