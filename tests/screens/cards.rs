//! The cards of eight characters: what a system puts first is never cut, and no value changes its place.

use std::sync::Arc;

use tableside::game::{
    Allegiance, Character, CharacterId, Command, Condition, Initiative, InitiativeCommand,
    PoolKind, TokenPool,
};
use tableside::rules::{CardEntry, CardOrder, Kind, Sheet, System, Value, Zeros};
use tableside::table::{Seat, SeatView, Table};

use crate::bench::Bench;
use crate::games;

const SIZES: [(u16, u16); 4] = [(80, 24), (120, 40), (160, 45), (200, 60)];

const NAMES: [&str; 8] = [
    "Mira", "Torben", "Silk", "Bellis", "Ghoul", "Wolf", "Thug", "Witch",
];

/// The text in each stat of `first` that holds a text.
const HARM: &str = "Scar";

fn run(table: &Arc<Table>, command: Command) {
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

fn read<T>(table: &Table, look: impl FnOnce(&SeatView<'_>) -> T) -> T {
    table.read(&Seat::gm(), look)
}

fn id_of(table: &Table, name: &str) -> CharacterId {
    read(table, |view| view.character_named(name).unwrap().id)
}

/// Eight characters, four of them adversaries.
fn eight_characters(system: System) -> Arc<Table> {
    let table = games::empty(system);
    for (index, name) in NAMES.into_iter().enumerate() {
        let mut character = Character::new(name, Sheet::new(system));
        character.player = "Ana".to_owned();
        if index >= 4 {
            character.side = Allegiance::Adversary;
        }
        run(&table, Command::add(character));
    }
    table
}

fn rule_pool(view: &SeatView<'_>, who: CharacterId, entry: CardEntry) -> Option<TokenPool> {
    let CardEntry::Pool(spec) = entry else {
        return None;
    };
    view.pools_of(Some(who))
        .find(|pool| pool.kind == PoolKind::Rule(spec.id))
        .cloned()
}

/// Gives a character a value that depends on its number, so that the cards differ.
fn vary(table: &Arc<Table>, number: i32, who: CharacterId, entry: CardEntry) {
    match entry {
        CardEntry::Stat(stat) => {
            let value = match stat.kind {
                Kind::Number { min, max } => {
                    let lowest = if stat.most.is_some() { 1 } else { min };
                    Value::Number((lowest + number).min(max))
                }
                Kind::Text => Value::from(HARM),
                _ => return,
            };
            let is_set = read(table, |view| {
                let sheet = &view.character(who).unwrap().sheet;
                sheet.value(stat.id) == Some(&value)
            });
            if is_set {
                return;
            }
            run(
                table,
                Command::SetStat {
                    who,
                    stat: stat.id.to_owned(),
                    value,
                },
            );
        }
        CardEntry::Pool(_) => {
            let Some(pool) = read(table, |view| rule_pool(view, who, entry)) else {
                return;
            };
            // The highest amounts have consequences.
            let most = pool.cap.unwrap_or(9).min(9);
            let by = number % most - pool.tokens;
            if by != 0 {
                run(table, Command::Tokens { pool: pool.id, by });
            }
        }
        CardEntry::Clock(spec) => {
            let clock = read(table, |view| {
                let mut clocks = view.clocks_of(who);
                clocks
                    .find(|clock| clock.clock.rule == Some(spec.id))
                    .map(|clock| clock.clock.id)
            });
            let by = number % i32::from(spec.segments);
            if let Some(clock) = clock
                && by != 0
            {
                run(table, Command::Tick { clock, by });
            }
        }
        CardEntry::Conditions => {}
    }
}

fn set_condition(table: &Arc<Table>, who: CharacterId, name: Option<&str>) {
    let conditions = name.map(|name| Condition {
        name: name.into(),
        ..Condition::default()
    });
    let conditions = conditions.into_iter().collect();
    run(table, Command::SetConditions { who, conditions });
}

/// Returns the text of a value as a card must show it. `None` for texts, lists and conditions.
fn due_text(view: &SeatView<'_>, character: &Character, entry: CardEntry) -> Option<String> {
    let text = match entry {
        CardEntry::Stat(stat) => match character.sheet.value(stat.id)? {
            Value::Number(number) => match character.sheet.most(stat) {
                Some(most) => format!("{number}/{most}"),
                None => number.to_string(),
            },
            Value::Die(die) => die.to_string(),
            _ => return None,
        },
        CardEntry::Pool(spec) => {
            let pool = rule_pool(view, character.id, entry)?;
            match (spec.floor, spec.cap) {
                (Some(0), Some(cap @ 2..=10)) => format!("{}/{cap}", pool.tokens),
                _ => pool.tokens.to_string(),
            }
        }
        CardEntry::Clock(spec) => {
            let mut clocks = view.clocks_of(character.id);
            let clock = clocks.find(|clock| clock.clock.rule == Some(spec.id))?;
            format!("{}/{}", clock.filled?, spec.segments)
        }
        CardEntry::Conditions => return None,
    };
    Some(text.replace('-', "−"))
}

/// An abbreviation on the screen, and the value after it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    row: usize,
    column: usize,
    value: String,
}

/// Finds each place of an abbreviation with a value. Marks and bars between them are passed over.
fn find_values(screen: &str, short: &str) -> Vec<Shown> {
    let short: Vec<char> = short.chars().collect();
    let mut found = Vec::new();

    for (row, line) in screen.lines().enumerate() {
        let letters: Vec<char> = line.chars().collect();
        for (column, window) in letters.windows(short.len() + 1).enumerate() {
            let is_word_start = column == 0 || !letters[column - 1].is_alphanumeric();
            let is_label = window.starts_with(&short) && window.ends_with(&[' ']);
            if !is_word_start || !is_label {
                continue;
            }

            let value: String = letters[column + short.len()..]
                .iter()
                .skip_while(|letter| !letter.is_alphanumeric() && **letter != '−')
                .take_while(|letter| !letter.is_whitespace())
                .collect();
            if value.contains(|letter: char| letter.is_ascii_digit()) {
                found.push(Shown { row, column, value });
            }
        }
    }
    found
}

#[test]
fn no_value_that_a_system_puts_first_is_cut() {
    let mut cut = Vec::new();
    for system in System::shipped() {
        let table = eight_characters(system);
        let first = system.spec().card.first;
        for (number, name) in (0..).zip(NAMES) {
            let who = id_of(&table, name);
            for entry in first {
                vary(&table, number, who, *entry);
            }
            set_condition(&table, who, Some("prone"));
        }

        for size in SIZES {
            let bench = Bench::sit_down(&table, size);
            let screen = bench.text();
            for entry in first {
                let mut due: Vec<String> = read(&table, |view| {
                    view.roster()
                        .filter_map(|character| due_text(view, character, *entry))
                        .collect()
                });
                let mut shown: Vec<String> = find_values(&screen, entry.short())
                    .into_iter()
                    .map(|shown| shown.value)
                    .collect();
                due.sort();
                shown.sort();
                if !due.is_empty() && due != shown {
                    cut.push(format!(
                        "{system} at {size:?}: {} is {due:?}, shown {shown:?}\n{screen}",
                        entry.id()
                    ));
                }
            }
        }
    }
    assert!(cut.is_empty(), "{}", cut.join("\n\n"));
}

/// The values of a system whose places must not change, with the places that they have.
fn places(bench: &Bench, system: System) -> Vec<(&'static str, Vec<(usize, usize)>)> {
    let card = &system.spec().card;
    let is_fixed = |entry: &CardEntry| !entry.short().is_empty();
    let mut entries: Vec<CardEntry> = card.first.iter().copied().filter(is_fixed).collect();
    // A card that hides zeros, or puts the highest value first, has a list without fixed places.
    if card.order == CardOrder::AsListed {
        entries.extend(card.then.iter().copied().filter(is_fixed));
    }

    let screen = bench.text();
    let mut places = Vec::new();
    for entry in entries {
        let shown = find_values(&screen, entry.short());
        let cells = shown.iter().map(|shown| (shown.row, shown.column));
        places.push((entry.short(), cells.collect()));
    }
    places
}

/// Fails if a value that was shown before is at another place now.
#[track_caller]
fn check_places(
    before: &[(&str, Vec<(usize, usize)>)],
    after: &[(&str, Vec<(usize, usize)>)],
    may_appear: bool,
    what: &str,
    bench: &Bench,
) {
    for ((short, old), (_, new)) in before.iter().zip(after) {
        let has_moved = old.iter().any(|place| !new.contains(place));
        let is_more = new.len() > old.len() && !may_appear;
        assert!(
            !has_moved && !is_more,
            "{what}: {short} moved from {old:?} to {new:?}\n{}",
            bench.text()
        );
    }
}

#[test]
fn no_value_changes_its_place_during_an_evening() {
    for system in System::shipped() {
        let card = &system.spec().card;
        for size in SIZES {
            let table = eight_characters(system);
            let mut bench = Bench::sit_down(&table, size);
            let mut before = places(&bench, system);
            let may_appear = card.zeros == Zeros::Hide;
            let who = id_of(&table, "Torben");

            let mut check = |bench: &mut Bench, what: &str| {
                bench.look();
                let after = places(bench, system);
                let what = format!("{system} at {size:?}, {what}");
                check_places(&before, &after, may_appear, &what, bench);
                before = after;
            };

            for entry in card.first.iter().chain(card.then) {
                vary(&table, 3, who, *entry);
                check(&mut bench, entry.id());
            }
            set_condition(&table, who, Some("prone"));
            check(&mut bench, "a condition");
            set_condition(&table, who, Some("a condition with a very long name"));
            check(&mut bench, "a long condition");
            run(&table, Command::NextRound);
            check(&mut bench, "a round");
            set_condition(&table, who, None);
            check(&mut bench, "no condition");
        }
    }
}

/// The row of Torben in a fight of 5e, with these hit points after two other conditions.
fn row_in_fight(hit_points: i32, size: (u16, u16)) -> String {
    let table = eight_characters(System::FIVE_E);
    let who = id_of(&table, "Torben");
    let soaked = Condition::new("soaked", None, Some(3));
    let charmed = Condition::new("charmed", None, None);
    run(
        &table,
        Command::SetConditions {
            who,
            conditions: vec![soaked, charmed],
        },
    );
    run(
        &table,
        Command::SetStat {
            who,
            stat: "hit-points".to_owned(),
            value: Value::Number(hit_points),
        },
    );
    run(
        &table,
        Command::Initiative(InitiativeCommand {
            rolls: Vec::new(),
            set: vec![(who, Some(Initiative::from(9)))],
        }),
    );
    Bench::sit_down(&table, size).line("9▶ Torben")
}

#[test]
fn the_gravest_condition_comes_first_in_a_fight() {
    for size in [(80, 24), (120, 40), (160, 45)] {
        let row = row_in_fight(0, size);
        let unconscious = row.find("unconscious").expect(&row);
        let charmed = row.find("charmed").unwrap_or(usize::MAX);
        let soaked = row.find("soaked").unwrap_or(usize::MAX);
        assert!(unconscious < charmed && charmed <= soaked, "{row}");

        let is_whole = charmed < usize::MAX && soaked < usize::MAX;
        let counts_hidden = row.contains("+1") || row.contains("+2");
        assert!(is_whole || counts_hidden, "{row}");
    }
}

#[test]
fn the_counts_of_death_saves_replace_the_armor_class_at_0_hit_points() {
    for size in [(80, 24), (120, 40)] {
        let dying = row_in_fight(0, size);
        assert!(dying.contains("✓0 ✗0") && !dying.contains("AC"), "{dying}");

        let standing = row_in_fight(4, size);
        assert!(standing.contains("AC 10"), "{standing}");
        assert_eq!(standing.find("AC 10"), dying.find("✓0 ✗0"));
    }
}

#[test]
fn a_card_without_room_keeps_the_first_value() {
    for system in System::shipped() {
        let table = eight_characters(system);
        let Some(entry) = system
            .spec()
            .card
            .first
            .iter()
            .find(|entry| !entry.short().is_empty())
        else {
            continue;
        };
        let who = id_of(&table, "Mira");
        set_condition(&table, who, Some("a condition with a very long name"));

        let bench = Bench::sit_down(&table, (40, 12));
        let line = bench.line("Mira");
        let due = read(&table, |view| {
            let character = view.character(who).unwrap();
            due_text(view, character, *entry).unwrap()
        });
        let shown = find_values(&line, entry.short());
        assert!(
            shown.iter().any(|shown| shown.value == due),
            "{system}: {} {due} is not in {line:?}",
            entry.short()
        );
    }
}

#[test]
fn every_abbreviation_has_two_to_seven_letters_and_is_unique() {
    for system in System::shipped() {
        let card = &system.spec().card;
        let mut seen = Vec::new();
        for entry in card.first.iter().chain(card.then) {
            let is_named = match entry {
                CardEntry::Stat(stat) => !matches!(stat.kind, Kind::Text | Kind::Ranks { .. }),
                CardEntry::Pool(_) | CardEntry::Clock(_) => true,
                CardEntry::Conditions => false,
            };
            if !is_named {
                continue;
            }
            let short = entry.short().to_lowercase();
            let length = short.chars().count();
            assert!((2..=7).contains(&length), "{system}: {short}");
            assert!(!seen.contains(&short), "{system}: {short} twice");
            seen.push(short);
        }
    }
}

#[test]
fn players_see_no_value_on_the_card_of_an_opponent() {
    let table = eight_characters(System::FIVE_E);
    let who = id_of(&table, "Ghoul");
    run(
        &table,
        Command::SetStat {
            who,
            stat: "hit-points".to_owned(),
            value: Value::Number(4),
        },
    );
    let bench = Bench::with(&table, (120, 40), |setup| setup.seat = Seat::onlooker());
    assert!(!bench.text().contains("4/10"), "{}", bench.text());
    bench.see("badly hurt");
}

/// Opens the form of a new character and moves the focus to its hit points.
fn open_form_at_hit_points(bench: &mut Bench, name: &str) {
    bench.press("n").type_text(name);
    let sheet = read(&bench.table, |view| Sheet::new(view.system()));
    let rows_of_sheet = sheet
        .iter()
        .filter(|(stat, _)| !sheet.is_maximum(stat.id))
        .position(|(stat, _)| stat.id == "hit-points")
        .unwrap();
    // The name, the player, the side and the flag for hidden characters come first.
    for _ in 0..rows_of_sheet + 4 {
        bench.press("Down");
    }
}

fn hit_points(table: &Table, name: &str) -> (i32, i32) {
    read(table, |view| {
        let sheet = &view.character_named(name).unwrap().sheet;
        let number = |id| sheet.number(id).unwrap();
        (number("hit-points"), number("hit-points-most"))
    })
}

#[test]
fn the_maximum_of_a_new_character_follows_the_hit_points_until_it_is_typed() {
    for system in [System::FIVE_E, System::HEART_RUSH] {
        for (typed, due) in [("33", (33, 33)), ("12/30", (12, 30))] {
            let table = games::empty(system);
            let mut bench = Bench::sit_down(&table, (100, 40));
            open_form_at_hit_points(&mut bench, "Tove");
            bench.type_text(typed).press("Down");
            bench.see(&format!("{}/{}", due.0, due.1));
            bench.press("Enter");
            assert_eq!(hit_points(&table, "Tove"), due, "{system}: {typed}");
        }
    }
}

#[test]
fn typed_hit_points_of_an_existing_character_leave_the_maximum() {
    let table = eight_characters(System::FIVE_E);
    let mut bench = Bench::sit_down(&table, (100, 40));
    bench.press("Enter Enter");
    let focused = |bench: &Bench| bench.line("› Hit points").contains("10/10");
    for _ in 0..20 {
        let text = bench.text();
        if text.lines().any(|line| line.contains("› Hit points")) {
            break;
        }
        bench.press("Down");
    }
    assert!(focused(&bench), "{}", bench.text());
    bench.type_text("4").press("Enter");
    assert_eq!(hit_points(&table, "Mira"), (4, 10));
}
