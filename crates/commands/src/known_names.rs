//! The names of characters, clocks, pools, prepared scenes, stats and random tables, which typed words can refer to.

use super::error::gone;
use super::form::SlotKind;
use super::name_lookup::{KnownName, find_name, find_name_surely};
use super::{ParseError, Target};
use tableside_game::{CharacterId, ClockId, RandomTable, RandomTables, TokenPool};
use tableside_table::SeatView;
use tableside_text::{is_same_name, normalise_number};

/// Lists the names that a slot of this kind accepts. With `owner`, only the pools of that owner are listed.
pub(super) fn list_known_names(
    kind: SlotKind,
    owner: Option<Target>,
    view: &SeatView<'_>,
) -> Vec<KnownName<Target>> {
    let mut names = Vec::new();
    match kind {
        SlotKind::Clock => add_clocks(&mut names, view),
        SlotKind::Pool => add_pools(&mut names, owner, view),
        SlotKind::PreparedScene => add_prepared_scenes(&mut names, view),
        SlotKind::Stat => add_stats(&mut names, view),
        SlotKind::CharacterClockOrPool => {
            add_characters(&mut names, view);
            add_clocks(&mut names, view);
            add_pools(&mut names, owner, view);
        }
        SlotKind::CharactersAndClocks => {
            add_characters(&mut names, view);
            add_clocks(&mut names, view);
        }
        SlotKind::Character
        | SlotKind::Characters
        | SlotKind::Owner
        | SlotKind::Number
        | SlotKind::NumberOrDice
        | SlotKind::Entry
        | SlotKind::EntryTag
        | SlotKind::Name
        | SlotKind::Dice
        | SlotKind::Readers
        | SlotKind::Pin
        | SlotKind::Note
        | SlotKind::Text => add_characters(&mut names, view),
    }
    names
}

fn add_characters(names: &mut Vec<KnownName<Target>>, view: &SeatView<'_>) {
    for character in view.roster() {
        let target = Target::Character(character.id);
        names.push(KnownName::new(&character.name, target));
    }
}

fn add_clocks(names: &mut Vec<KnownName<Target>>, view: &SeatView<'_>) {
    for clock_view in view.clocks() {
        let clock = clock_view.clock;
        let target = Target::Clock(clock.id);
        if clock.owner.is_some() {
            add_with_owner(names, view.owner_name(clock.owner), &clock.name, target);
        }
        names.push(KnownName::new(&clock.name, target));
    }
}

fn add_pools(names: &mut Vec<KnownName<Target>>, owner: Option<Target>, view: &SeatView<'_>) {
    for pool in view.pools() {
        if owner.is_some_and(|owner| owner != owner_of(pool)) {
            continue;
        }

        let target = Target::Pool(pool.id);
        if pool.owner.is_some() && owner.is_none() {
            add_with_owner(names, view.owner_name(pool.owner), &pool.name, target);
        }
        names.push(KnownName::new(&pool.name, target));
        names.push(KnownName::new(pool.id_word(), target));
    }
}

fn owner_of(pool: &TokenPool) -> Target {
    match pool.owner {
        Some(id) => Target::Character(id),
        None => Target::Table,
    }
}

/// Adds the names `Mira Stress`, `Mira's Stress` and `Mira: Stress`.
fn add_with_owner(names: &mut Vec<KnownName<Target>>, owner: &str, name: &str, target: Target) {
    for link in [" ", "'s ", ": "] {
        let owned_name = format!("{owner}{link}{name}");
        names.push(KnownName::new(owned_name, target));
    }
}

fn add_prepared_scenes(names: &mut Vec<KnownName<Target>>, view: &SeatView<'_>) {
    for scene in view.prepared() {
        let target = Target::PreparedScene(scene.id);
        names.push(KnownName::new(&scene.name, target));
    }
}

fn add_stats(names: &mut Vec<KnownName<Target>>, view: &SeatView<'_>) {
    for stat in view.system().spec().stats {
        for name in [stat.id, stat.label, stat.short] {
            names.push(KnownName::new(name, Target::Stat(stat.id)));
        }
    }
}

/// Finds a clock by its name.
pub fn clock_named(name: &str, view: &SeatView<'_>) -> Result<ClockId, ParseError> {
    let clocks = list_known_names(SlotKind::Clock, None, view);
    let clock = find_name_surely("clock", name, &clocks)?;
    clock.try_as_clock().ok_or(gone("clock"))
}

/// Finds a character by its name.
pub fn character_named(name: &str, view: &SeatView<'_>) -> Result<CharacterId, ParseError> {
    let characters = list_known_names(SlotKind::Character, None, view);
    let character = find_name_surely("character", name, &characters)?;
    character.try_as_character().ok_or(gone("character"))
}

/// Finds a random table by its title or the name of its file.
pub(super) fn random_table_named<'a>(
    name: &str,
    tables: &'a RandomTables,
) -> Result<&'a RandomTable, ParseError> {
    let mut table_names = Vec::new();
    for (index, table) in tables.tables.iter().enumerate() {
        table_names.push(KnownName::new(&table.title, index));
        table_names.push(KnownName::new(&table.name, index));
    }

    let unknown_name = match find_name("random table", name, &table_names) {
        Ok(name_match) => {
            let table = tables.tables.get(name_match.value);
            return table.ok_or(gone("random table"));
        }
        Err(error) => error,
    };

    let mut broken_tables = tables.broken.iter();
    match broken_tables.find(|table| is_same_name(&table.name, name)) {
        Some(error) => Err(ParseError::RandomTable(error.clone())),
        None => Err(unknown_name),
    }
}

/// Parses a number as players type it: `3`, `+2`, `-1`, `two`, `a`.
pub(super) fn parse_number(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];

    let word = normalise_number(word).to_lowercase();
    if matches!(word.as_str(), "a" | "an") {
        return Some(1);
    }
    for (number, spelled) in (0..).zip(WORDS) {
        if word == spelled {
            return Some(number);
        }
    }

    let digits = word.strip_prefix('+').unwrap_or(&word);
    digits.parse().ok()
}
