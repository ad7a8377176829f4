//! Tokens belong to a roll from its first die on: what random evenings with waiting rolls do to the pools, in every
//! system; and what the logs and the waiting rolls of an older program come to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rstest::rstest;
use tableside::game::{
    Change, Character, Command, EntityRef, EventKind, Faces, Game, Part, RollCommand, Unfinished,
};
use tableside::rules::{Answer, Ask, ChosenBy, Effect, Progress, Sheet, System};
use tableside::store::Reader;
use tableside::table::{Act, Entry, Seat, Table, load_kept_rules, verify};

use super::opened::open;
use super::played::{PATIENCE, begin, run_command, run_command_as};

/// One thing that somebody does, as numbers; what they mean is decided by the game at hand.
#[derive(Clone, Debug)]
struct Deed {
    kind: u8,
    which: usize,
    number: i32,
}

fn deed() -> impl Strategy<Value = Deed> {
    (0_u8..16, any::<usize>(), -4_i32..6).prop_map(|(kind, which, number)| Deed {
        kind,
        which,
        number,
    })
}

fn pick<'a, T: 'a>(
    list: impl IntoIterator<Item = &'a T, IntoIter: ExactSizeIterator>,
    which: usize,
) -> Option<&'a T> {
    let mut list = list.into_iter();
    list.nth(which.checked_rem(list.len())?)
}

/// A roll that waits wherever it can, with as many tokens as the pools have.
fn roll(game: &Game, deed: &Deed) -> Option<Command> {
    let roller = pick(&game.roster, deed.which)?;
    let check = pick(game.system.spec().checks, deed.which / 7)?;
    let mut filled = game.fill(check, Some(roller.id));
    for field in check.fields {
        let is_spent = field.spends.is_some() && deed.number > 0;
        if filled.fields.value(field.id).is_some() && !is_spent {
            continue;
        }
        let number = deed.number.to_string();
        for guess in [number.as_str(), "d8", "12", "3", "trained", "moderate"] {
            let filled_in = game.fill_in(&mut filled, Some(roller.id), field, guess);
            if filled_in.is_ok() {
                break;
            }
        }
    }
    Some(Command::Roll(Box::new(RollCommand {
        who: Some(roller.id),
        filled,
        faces: Faces::Rolled,
        choose: Vec::new(),
        by: ChosenBy::Gm,
        wait: true,
        hidden_from: Vec::new(),
        noticed: false,
        clock: None,
        helpers: Vec::new(),
        group: false,
    })))
}

/// The next answer to a roll that waits.
fn answer(game: &Game, waiting: &Unfinished, which: usize) -> Option<Command> {
    let roll = &waiting.roll;
    let asked = roll.machine(game.system).ok()?.after(&roll.trail).ok()?;
    let Progress::Waits(Ask::Choose { choices, .. }) = asked else {
        return None;
    };
    Some(Command::Answer {
        check: waiting.id,
        chose: pick(&choices.options, which)?.name.clone(),
        by: ChosenBy::Gm,
        faces: Faces::Rolled,
    })
}

fn act(game: &Game, deed: &Deed) -> Option<Act> {
    let pool = pick(&game.pools, deed.which).map(|pool| pool.id);
    let waiting = pick(&game.unfinished, deed.which);
    let command = match deed.kind {
        0..=4 => roll(game, deed)?,
        5..=8 => answer(game, waiting?, deed.which / 5)?,
        9 => Command::Abandon(waiting?.id),
        10 => Command::Tokens {
            pool: pool?,
            by: deed.number,
        },
        11 => Command::SetTokens {
            pool: pool?,
            to: deed.number,
        },
        12 => Command::MoveTokens {
            from: pool?,
            to: pick(&game.pools, deed.which / 3)?.id,
            amount: deed.number,
        },
        13 => Command::EndSession,
        _ => return Some(Act::Undo),
    };
    Some(command.into())
}

/// The tokens that a roll had set aside until this change.
fn set_aside_before(change: &Change) -> i64 {
    if !matches!(change.entity, EntityRef::Unfinished(_)) || !change.to.is_null() {
        return 0;
    }
    let all = change.from["set_aside"].as_array();
    let all = all.into_iter().flatten();
    all.filter_map(|one| one["tokens"].as_i64()).sum()
}

/// What the pools gain with a roll that ends is what was set aside for it and what its effects say.
fn pays_what_it_says(entry: &Entry, system: System) {
    let EventKind::Rolled(roll) = &entry.event.what else {
        return;
    };
    let outcome = roll.derive(system).unwrap();
    assert_eq!(roll.unpaid(&outcome), None);

    let is_told_by_tokens = [System::HFRPG, System::HEART_RUSH].contains(&system);
    if !is_told_by_tokens {
        return;
    }
    let mut gained = 0;
    let mut due = 0;
    for change in &entry.event.changes {
        if change.part == Part::Tokens {
            gained += change.to.as_i64().unwrap() - change.from.as_i64().unwrap();
        }
        due += set_aside_before(change);
    }
    for effect in &roll.effects {
        // A defender whose numbers were typed is nobody in the game.
        if let Effect::Token { amount, owner, .. } = effect
            && owner.as_deref() != Some("defender")
        {
            due += i64::from(*amount);
        }
    }
    assert_eq!(gained, due, "{:?}", entry.event);
}

/// The pools and the rolls that wait.
fn tokens(table: &Table) -> String {
    table.read(&Seat::gm(), |seen| {
        let game = seen.game();
        format!("{:#?}{:#?}", game.pools, game.unfinished)
    })
}

fn evening(system: System, deeds: &[Deed]) {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), system);
    for name in ["Ana", "Bo", "Cy"] {
        let mut character = Character::new(name, Sheet::new(system));
        // Ana and Bo share the pools of a player.
        if name != "Cy" {
            "Kim".clone_into(&mut character.player);
        }
        let added = table.submit(&Seat::gm(), &Command::add(character).into());
        added.unwrap();
    }
    if system == System::HEART_RUSH {
        run_command(&table, "set Ana aspects captain 3, hot 2");
    }

    let start = tokens(&table);
    let mut acts = 0;
    for deed in deeds {
        let act = table.read(&Seat::gm(), |seen| act(seen.game(), deed));
        let Some(act) = act else {
            continue;
        };
        if act == Act::Undo && acts == 0 {
            continue;
        }
        // A refusal changes nothing.
        let before = tokens(&table);
        match table.submit(&Seat::gm(), &act) {
            Err(_) => assert_eq!(tokens(&table), before, "{act:?}"),
            Ok(entry) => {
                acts = if act == Act::Undo { acts - 1 } else { acts + 1 };
                pays_what_it_says(&entry, system);
            }
        }
        let game = table.game();
        for pool in &game.pools {
            assert_eq!(pool.tokens, pool.within(pool.tokens), "{pool:?}");
        }
    }

    for _ in 0..acts {
        table.submit(&Seat::gm(), &Act::Undo).unwrap();
    }
    assert_eq!(tokens(&table), start);
    table.flush(PATIENCE).unwrap();
    let verified = verify(&Reader::new(&data.path().join("unsaved-1")), system).unwrap();
    assert_eq!(verified.wrong, Vec::new());
}

#[test]
fn waiting_rolls_never_use_the_same_tokens_in_any_system() {
    for system in System::shipped() {
        let config = Config {
            cases: 8,
            failure_persistence: None,
            ..Config::default()
        };
        let mut runner = TestRunner::new(config);
        let deeds = proptest::collection::vec(deed(), 1..30);
        let played = runner.run(&deeds, |deeds| {
            evening(system, &deeds);
            Ok(())
        });
        played.unwrap_or_else(|error| panic!("{}: {error}", system.id()));
    }
}

/// A folder with this journal.
fn with_journal(data: &Path, journal: &str) -> PathBuf {
    let folder = data.join("older");
    fs::create_dir_all(folder.join("journal")).unwrap();
    fs::write(folder.join("journal/000001.jsonl"), journal).unwrap();
    folder
}

/// Puts the rules beside the game that the journal of the system from a file names, and reads them.
fn keep_older_rules(folder: &Path) {
    const RULES: &str = include_str!("older/four-dice-aspects.toml");
    const SHA256: &str = "047a26ccb5c291460b02e4f3c7884717d7cb791568d5363867e4667dd689297e";

    fs::write(folder.join(format!("system-{SHA256}.toml")), RULES).unwrap();
    load_kept_rules(&folder.into());
}

#[rstest]
#[case::tokens(
    System::HFRPG,
    include_str!("older/tokens-used-twice.jsonl"),
    "#9: the entry uses 2 penalty tokens, but the pool had 1 bonus token"
)]
#[case::points(
    System::HEART_RUSH,
    include_str!("older/points-not-paid.jsonl"),
    "#6: 3 Destiny Points were due, and the pool paid 0"
)]
#[case::file(
    System::FOUR_DICE_ASPECTS,
    include_str!("older/fate-used-twice.jsonl"),
    "#9: the entry uses 3 fate points, but the pool had 0 fate points"
)]
fn a_log_in_which_a_pool_pays_more_than_it_held_is_named(
    #[case] system: System,
    #[case] journal: &str,
    #[case] due: &str,
) {
    let data = tempfile::tempdir().unwrap();
    let folder = with_journal(data.path(), journal);
    keep_older_rules(&folder);
    let wrong = verify(&Reader::new(&folder), system).unwrap().wrong;
    let told: Vec<String> = wrong
        .iter()
        .map(|(number, what)| format!("#{number}: {what}"))
        .collect();
    assert_eq!(told, [due]);
}

/// The older program left two rolls waiting that count on the same two penalty tokens.
#[test]
fn rolls_that_an_older_program_left_waiting_end_with_the_tokens_that_there_are() {
    let data = tempfile::tempdir().unwrap();
    let folder = with_journal(data.path(), include_str!("older/waiting.jsonl"));
    fs::write(folder.join("game.toml"), include_str!("older/waiting.toml")).unwrap();
    let table = open(&folder);
    let held = |table: &Arc<Table>| table.game().pools[0].tokens;
    let refused = |words: &str| run_command_as(&table, &Seat::gm(), words).unwrap_err();

    // A new roll begins without the tokens that both of them wait with.
    let third = run_command_as(
        &table,
        &Seat::gm(),
        "roll Ma acs attribute=2 competency=5 faces=5,3",
    );
    let third = third.unwrap();
    let trail = &third.roll().unwrap().trail;
    assert_eq!(*trail, [Answer::Faces(vec![5, 3])]);
    assert_eq!(held(&table), -1);

    run_command(&table, "answer Sh 1,1");
    assert_eq!(held(&table), 0);
    let why = refused("answer Ma 1,1");
    assert_eq!(
        why,
        "Ma's roll needs 2 penalty tokens, but has set aside only 0; cancel the roll and roll again"
    );
    run_command(&table, "cancel roll Ma");
    assert_eq!(held(&table), 0);
    for _ in 0..3 {
        run_command(&table, "undo");
    }
    assert_eq!(held(&table), -2);
    table.flush(PATIENCE).unwrap();
    drop(table);
    let wrong = verify(&Reader::new(&folder), System::HFRPG).unwrap().wrong;
    assert_eq!(wrong, Vec::new());
}
