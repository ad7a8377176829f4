//! Every check of every system, with many settings: effects without a recipient, and the words that people read.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;
use tableside::commands::act_in_words;
use tableside::game::{CharacterId, Command, EventKind, Filled, RollCommand, describe_roll};
use tableside::rules::{Kind, System, Value};
use tableside::table::{
    Entry, EntryFormat, LogForm, LogWriter, Part, Seat, SeatView, Table, plain_status,
};

use crate::bench::Bench;
use crate::games;
use crate::played::{run_command, run_command_as};

/// Settings of each check that are tried.
const SETTINGS: u64 = 12;

/// Ids that are ordinary words of sentences about dice: `13 vs 12`, `Rolled d20`, `6 less 4`.
const ORDINARY_WORDS: [&str; 3] = ["against", "rolled", "less"];

/// A small random number generator, so that every run tries the same settings.
struct Settings(u64);

impl Settings {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// A value for a field: one of its words or dice, or a number that stays small.
    fn value(&mut self, kind: Kind) -> Option<Value> {
        if let Kind::Number { min, max } = kind {
            let span = usize::try_from(max.min(min + 20) - min + 1).unwrap();
            let step = i32::try_from(self.below(span)).unwrap();
            return Some(Value::Number(min + step));
        }

        let values = kind.all_values();
        if values.is_empty() {
            return None;
        }
        let at = self.below(values.len());
        Some(values[at].clone())
    }
}

fn table_of(system: System) -> Arc<Table> {
    let table = games::empty(system);
    for words in [
        "Mira party",
        "Bo party",
        "Goblin adversary",
        "Orc adversary",
    ] {
        run_command(&table, &format!("add character {words}"));
    }
    run_command(&table, "add clock Progress 8 effort");
    table
}

/// Rolls every check of the game with many settings. A setting that the rules refuse is left out.
fn roll_everything(table: &Arc<Table>, rollers: &[Option<CharacterId>]) -> Vec<Arc<Entry>> {
    let gm = Seat::gm();
    let mut settings = Settings(7);
    let mut entries = Vec::new();

    for check in table.game().system.spec().checks {
        for setting in 0..SETTINGS {
            let at = settings.below(rollers.len());
            let who = rollers[at];
            let mut filled: Filled = table.read(&gm, |seen| seen.fill(check, who));

            for field in check.fields {
                let is_set = filled.fields.value(field.id).is_some();
                let is_changed = setting % 4 != 0 && settings.below(3) == 0;
                if (!is_set && !field.is_required()) || (is_set && !is_changed) {
                    continue;
                }
                if let Some(value) = settings.value(field.kind) {
                    filled.fields.set(field.id, value).ok();
                }
            }

            let roll = RollCommand::new(who, filled);
            if let Ok(entry) = table.submit(&gm, &Command::Roll(Box::new(roll)).into()) {
                entries.push(entry);
            }
        }
    }

    entries
}

/// The texts that people read about the whole game, each with the place where they read it.
fn texts(table: &Arc<Table>, entries: &[Arc<Entry>]) -> Vec<(&'static str, String)> {
    let gm = Seat::gm();
    let mut texts = Vec::new();

    table.read(&gm, |seen| {
        texts.push(("status", plain_status("game", seen).join("\n")));

        let page = Json::Object(tableside::screen::table_json("game", seen));
        let mut drawn = Vec::new();
        strings(&page, "", &mut drawn);
        texts.push(("page", drawn.join("\n")));

        for entry in entries {
            let game: &tableside::game::Game = seen;
            texts.push(("do", entry.event.aloud(game, None).join("\n")));
            texts.push(("log", entry.event.text(seen.system())));
            texts.push(("explanation", explanation(entry, seen)));
            if let EventKind::Rolled(roll) = &entry.event.what {
                texts.push(("roll", describe_roll(roll, seen.system())));
            }
        }

        let time = |_, _: &str| String::new();
        for form in [LogForm::Markdown, LogForm::Csv] {
            let format = EntryFormat::new(form, session_of(seen), &time);
            let mut writer = LogWriter::new(form, "game");
            for entry in entries {
                let logged = seen.logged(entry).unwrap();
                let text = writer.add(&format.render(logged));
                if form == LogForm::Markdown {
                    texts.push(("markdown", text));
                } else {
                    texts.push(("csv", without_ids(&text, entry)));
                }
            }
        }
    });

    let mut bench = Bench::sit_down(table, (160, 45));
    texts.push(("table", bench.text()));
    bench.press("5");
    texts.push(("log tab", bench.text()));
    for _ in 0..6 {
        bench.press("Enter");
        texts.push(("result box", bench.text()));
        bench.press("Esc Down");
    }
    texts
}

fn session_of(seen: &SeatView<'_>) -> tableside::game::Game {
    let game: &tableside::game::Game = seen;
    game.clone()
}

/// A row of CSV without the columns for programs, which name the check and the outcome by id.
fn without_ids(row: &str, entry: &Entry) -> String {
    let Some(roll) = entry.roll() else {
        return row.to_owned();
    };
    row.replacen(&format!(",{},{},", roll.check, roll.outcome), ",,,", 1)
}

/// The texts in a document for the page, except values that the page uses as names of styles.
fn strings(json: &Json, key: &str, texts: &mut Vec<String>) {
    match json {
        Json::String(text) if !["role", "kind", "tone", "look", "pool"].contains(&key) => {
            texts.push(text.clone());
        }
        Json::Array(values) => values.iter().for_each(|value| strings(value, key, texts)),
        Json::Object(values) => {
            for (key, value) in values {
                strings(value, key, texts);
            }
        }
        _ => {}
    }
}

fn explanation(entry: &Entry, seen: &SeatView<'_>) -> String {
    let (title, parts) = seen.explain(entry.number).unwrap();
    let mut lines = vec![title];
    for part in parts {
        match part {
            Part::Aside(text)
            | Part::Step(_, text)
            | Part::Text(text)
            | Part::Followed(text)
            | Part::Narration(text) => lines.push(text),
            Part::Headline(headline) => lines.push(headline.words()),
            _ => {}
        }
    }
    lines.join("\n")
}

/// The words of a text; a hyphen is part of a word.
fn words_of(text: &str) -> Vec<&str> {
    let splits = |letter: char| !(letter.is_alphanumeric() || letter == '-' || letter == '_');
    text.split(splits).filter(|word| !word.is_empty()).collect()
}

/// Ids that no text for people may contain: those with a hyphen or an underscore that differ from what people call
/// the same thing.
fn written_ids(system: System) -> BTreeSet<String> {
    let spec = system.spec();
    let mut named: Vec<(&str, &str)> = Vec::new();
    named.extend(spec.stats.iter().map(|stat| (stat.id, stat.label)));
    named.extend(spec.house.iter().map(|rule| (rule.id, rule.label)));
    named.extend(spec.pools.iter().map(|pool| (pool.id.as_str(), pool.name)));
    named.extend(
        spec.clocks
            .iter()
            .map(|clock| (clock.id.as_str(), clock.name)),
    );

    for check in spec.checks {
        named.push((check.id, check.label));
        named.extend(check.fields.iter().map(|field| (field.id, field.label)));
        named.extend(
            check
                .outcomes
                .iter()
                .map(|outcome| (outcome.id, outcome.label)),
        );
        named.extend(check.choices.iter().map(|choice| (choice.id, "")));
    }

    let is_written = |id: &str, label: &str| id.contains(['-', '_']) && id != label.to_lowercase();
    named
        .into_iter()
        .filter(|(id, label)| is_written(id, label))
        .map(|(id, _)| id.to_owned())
        .collect()
}

/// Names that stand before a number only where an internal value is shown: `best 5`, `cn 12`.
fn value_names(system: System, entries: &[Arc<Entry>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();

    for check in system.spec().checks {
        for field in check.fields {
            if field.label.to_lowercase() != field.id.replace('-', " ") {
                names.insert(field.id.replace('-', " "));
            }
        }
    }

    for entry in entries {
        let Some(roll) = entry.roll() else { continue };
        let check = roll.spec(system).unwrap();
        let outcome = roll.derive(system).unwrap();
        for (key, _) in outcome.keys {
            if check.words_of(key).is_none() {
                names.insert(key.replace(['-', '_'], " "));
            }
        }
        for die in outcome.dice {
            if die.role.label() != Some(die.role.name()) {
                names.insert(die.role.name().replace(['-', '_'], " "));
            }
        }
    }

    // A name that is also a word for people is no secret.
    let mut spoken = labels(system);
    for entry in entries {
        let dice = entry.roll().unwrap().derive(system).unwrap().dice;
        let labels = dice.iter().filter_map(|die| die.role.label());
        spoken.extend(labels.map(str::to_owned));
    }
    names.retain(|name| !spoken.contains(name));
    names.retain(|name| !ORDINARY_WORDS.contains(&name.as_str()));
    // The size of a die is its name: d20.
    let is_die = |name: &str| {
        let size = name.strip_prefix('d').unwrap_or_default();
        size.parse::<u8>().is_ok()
    };
    names.retain(|name| !is_die(name));
    names
}

/// Labels in small letters: a value beside its own label is meant for people.
fn labels(system: System) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    let spec = system.spec();
    labels.extend(spec.stats.iter().map(|stat| stat.label.to_lowercase()));
    let short = spec.stats.iter().map(|stat| stat.short.to_lowercase());
    labels.extend(short.filter(|short| !short.is_empty()));
    labels.extend(spec.pools.iter().map(|pool| pool.name.to_lowercase()));
    labels.extend(spec.clocks.iter().map(|clock| clock.name.to_lowercase()));
    for check in spec.checks {
        labels.extend(check.fields.iter().map(|field| field.label.to_lowercase()));
        labels.extend(check.shown.iter().map(|(_, words)| (*words).to_owned()));
    }
    labels.sort_by_key(|label| std::cmp::Reverse(label.len()));
    labels
}

/// True if a value follows this name: `best 5`, `pool d6 2`, `ac=12`.
fn has_value(text: &str, at: usize, name: &str) -> bool {
    let (before, rest) = text.split_at(at);
    let is_word = before.ends_with([' ', '(', '\n', ',']);
    let rest = rest.get(name.len()..).unwrap_or_default();
    let value = rest
        .strip_prefix(" minus ")
        .or_else(|| rest.strip_prefix(" d"))
        .or_else(|| rest.strip_prefix([' ', '=']));
    is_word && value.is_some_and(|value| value.starts_with(|letter: char| letter.is_ascii_digit()))
}

#[test]
fn no_id_and_no_internal_value_is_shown_to_people() {
    let mut seen_outcomes = 0;
    let mut faults = BTreeSet::new();

    for system in System::shipped() {
        let table = table_of(system);
        let mira = table.game().roster[0].id;
        let entries = roll_everything(&table, &[Some(mira), None]);
        let outcomes: BTreeSet<_> = entries
            .iter()
            .filter_map(|entry| entry.roll())
            .map(|roll| (roll.check.clone(), roll.outcome.clone()))
            .collect();
        seen_outcomes += outcomes.len();

        let ids = written_ids(system);
        let names = value_names(system, &entries);
        let labels = labels(system);

        for (place, text) in texts(&table, &entries) {
            for word in words_of(&text) {
                let word = word.trim_matches('-');
                if ids.contains(word) && !text.contains(&format!("`{word}")) {
                    faults.insert(format!("{}, {place}: {word}", system.spec().id));
                }
            }

            let mut plain = text.to_lowercase();
            for label in &labels {
                plain = plain.replace(label, "");
            }
            // A panel wraps its lines, so a label may begin on the line above its last word.
            let is_wrapped = ["table", "log tab", "result box"].contains(&place);
            let ends_a_label = |name: &str| labels.iter().any(|label| label.ends_with(name));
            for name in &names {
                if is_wrapped && ends_a_label(name) {
                    continue;
                }
                if plain
                    .match_indices(name)
                    .any(|(at, _)| has_value(&plain, at, name))
                {
                    let system = system.spec().id;
                    faults.insert(format!("{system}, {place}: {name}\n{text}"));
                }
            }
        }
    }

    assert!(seen_outcomes > 100, "{seen_outcomes}");
    let mut places = BTreeSet::new();
    let shown: Vec<_> = faults
        .iter()
        .filter(|fault| places.insert(fault.lines().next().unwrap_or_default().to_owned()))
        .take(40)
        .cloned()
        .collect();
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        shown.join("\n")
    );
}

#[test]
fn effects_without_a_recipient_are_applied_once_to_the_chosen_character() {
    let gm = Seat::gm();
    let mut applied = 0;
    let mut said = 0;

    for system in System::shipped() {
        let table = table_of(system);
        let mira = table.game().roster[0].id;
        let entries = roll_everything(&table, &[Some(mira), None]);
        let mut seen_effects = BTreeSet::new();

        for entry in entries {
            let roll = entry.roll().unwrap().clone();
            let groups = table.read(&gm, |seen| seen.pending_effects(&roll));
            let kinds = format!("{groups:?}");
            let kinds: String = kinds
                .chars()
                .filter(|letter| !letter.is_ascii_digit())
                .collect();
            if groups.is_empty() || !seen_effects.insert(kinds) {
                continue;
            }

            // The newest entry of the log is this roll again.
            let Ok(again) = run_command_as(&table, &gm, &format!("repeat {}", entry.number)) else {
                continue;
            };
            let roll = again.roll().unwrap().clone();
            let groups = table.read(&gm, |seen| seen.pending_effects(&roll));
            let Some(group) = groups.first() else {
                continue;
            };

            let name = table.read(&gm, |seen| {
                let candidates = seen.candidates(&roll, group.missing);
                candidates.first().unwrap().name.clone()
            });
            let commands = table.read(&gm, |seen| seen.commands_in_words(group, &name));
            assert!(!commands.is_empty(), "{}: {group:?}", system.spec().id);
            for command in commands {
                let act = act_in_words(&table, &gm, &command);
                assert!(act.is_ok(), "{}: {command}: {act:?}", system.spec().id);
                said += 1;
            }

            let before = table.game();
            let mut bench = Bench::sit_down(&table, (120, 40));
            bench.press("5 Enter");
            if !bench.text().contains("[ 1 ") {
                continue;
            }
            bench.press("1");
            assert_ne!(table.game(), before, "{}: {group:?}", system.spec().id);
            let once = table.game();
            bench.press("1");
            let is_same_group_left = table.game() != once && groups.len() == 1;
            assert!(
                !is_same_group_left,
                "{}: {group:?}\n{}",
                system.spec().id,
                bench.text()
            );
            run_command(&table, "undo");
            applied += 1;
        }
    }

    assert!(applied > 15 && said > 15, "{applied} applied, {said} said");
}
