//! Looks up the readers of a note, the entity to which a note is pinned, and notes themselves.

use super::ParseError;
use super::error::refused;
use super::form::SlotKind;
use super::known_names::list_known_names;
use super::name_lookup::{KnownName, NameMatch, Resemblance, find_name};
use super::target_lookup::{list_present_party, split_list};
use tableside_game::{Character, CharacterId, CommandError, Named, NoteId, Pin, Readers, SeatId};
use tableside_table::{SeatRole, SeatView};
use tableside_text::{did_you_mean, fold, is_same_name};

/// A value that was found by typed names, and the uncertainty of the names.
pub(super) struct Found<T> {
    pub(super) value: T,
    /// The sum of the uncertainties of the names; 0 if all are exact.
    pub(super) uncertainty: u32,
}

/// The reader that a typed name means: a character, or a player by the index in the list of known players.
#[derive(Clone, Copy, Debug, PartialEq)]
enum NamedReader {
    Character(CharacterId),
    Player(usize),
}

/// A player whose name comes from a seat or from the sheets of characters.
struct KnownPlayer {
    name: String,
    characters: Vec<CharacterId>,
    /// The player's seat. `None` if only sheets name the player.
    seat: Option<SeatId>,
}

/// Looks up readers: `Mira`, `Mira and Bo`, `Ana` for the characters that Ana plays, `gm`, `all`, `party` or `me`.
pub(super) fn look_up_readers(
    typed: &str,
    view: &SeatView<'_>,
) -> Result<Found<Readers>, ParseError> {
    let players = list_players(view);
    let names = list_reader_names(&players, view);
    let error = match look_up_reader(typed, &names, &players, view) {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };

    let listed_names = split_list(typed);
    if listed_names.len() < 2 {
        return Err(error);
    }

    let mut all = Found {
        value: Readers::Author,
        uncertainty: 0,
    };
    for name in listed_names {
        let reader = look_up_reader(name, &names, &players, view)?;
        all.value = join_readers(all.value, reader.value)?;
        all.uncertainty += reader.uncertainty;
    }
    Ok(all)
}

/// Finds the readers that a name means: a character, the characters of a player, `gm`, or `players` for all seats.
pub fn readers_named(name: &str, view: &SeatView<'_>) -> Result<Readers, ParseError> {
    Ok(look_up_readers(name, view)?.value)
}

/// Looks up a single name. A character or player whose name is a word for a group, such as `all`, takes precedence over
/// the group.
fn look_up_reader(
    typed: &str,
    names: &[KnownName<NamedReader>],
    players: &[KnownPlayer],
    view: &SeatView<'_>,
) -> Result<Found<Readers>, ParseError> {
    let result = find_name_with_care("character or player", typed, names);
    if !is_exact_match(&result)
        && let Some(value) = readers_by_word(&fold(typed), view)
    {
        return Ok(Found {
            value,
            uncertainty: 0,
        });
    }

    let name_match = result?;
    let value = match name_match.value {
        NamedReader::Character(id) => name_characters(&[id], view),
        NamedReader::Player(index) => match players.get(index) {
            Some(player) => readers_of_player(player, view),
            None => Readers::Author,
        },
    };
    Ok(Found {
        value,
        uncertainty: name_match.resemblance.uncertainty(),
    })
}

/// Looks up the entity to which a note is pinned: a character, a clock, or the present scene.
pub(super) fn look_up_pin(typed: &str, view: &SeatView<'_>) -> Result<Found<Pin>, ParseError> {
    let names = list_known_names(SlotKind::CharactersAndClocks, None, view);
    let result = find_name_with_care("character or clock", typed, &names);
    let is_scene = matches!(&*fold(typed), "scene" | "the scene" | "this scene");
    if is_scene && !is_exact_match(&result) {
        return Ok(Found {
            value: Pin::Scene(view.scenes.len().saturating_sub(1)),
            uncertainty: 0,
        });
    }

    let name_match = result?;
    let target = name_match.value;
    let pin = match target.try_as_clock() {
        Some(id) => Pin::Clock(id),
        None => Pin::Character(
            target
                .try_as_character()
                .ok_or(CommandError::Gone("clock"))?,
        ),
    };
    Ok(Found {
        value: pin,
        uncertainty: name_match.resemblance.uncertainty(),
    })
}

/// Looks up a note that the seat may read, by the beginning of its text. `last` means the newest note.
pub(super) fn look_up_note(typed: &str, view: &SeatView<'_>) -> Result<Found<NoteId>, ParseError> {
    if fold(typed) == "last"
        && let Some(newest) = view.written_notes().next_back()
    {
        return Ok(Found {
            value: newest.id,
            uncertainty: 0,
        });
    }

    let notes = view.written_notes();
    let names: Vec<KnownName<NoteId>> = notes
        .map(|note| KnownName::new(note.title(), note.id))
        .collect();
    let name_match = find_name("note", typed, &names)?;
    Ok(Found {
        value: name_match.value,
        uncertainty: name_match.resemblance.uncertainty(),
    })
}

/// Finds a name only if it matches at the beginnings of its words, because a text for the wrong reader would reveal a
/// secret.
fn find_name_with_care<T: Copy + PartialEq>(
    kind: &'static str,
    typed: &str,
    names: &[KnownName<T>],
) -> Result<NameMatch<T>, ParseError> {
    let name_match = find_name(kind, typed, names)?;
    if name_match.resemblance <= Resemblance::WordBeginnings {
        return Ok(name_match);
    }

    let suggested_name = names
        .iter()
        .find(|known_name| known_name.value == name_match.value)
        .map(|known_name| known_name.name.as_str());
    Err(ParseError::UnknownName {
        kind,
        typed: typed.to_owned(),
        suggestion: did_you_mean(suggested_name),
    })
}

fn is_exact_match<T>(result: &Result<NameMatch<T>, ParseError>) -> bool {
    match result {
        Ok(name_match) => name_match.resemblance == Resemblance::Equal,
        Err(_) => false,
    }
}

/// Returns the readers that a word for a group means.
fn readers_by_word(folded: &str, view: &SeatView<'_>) -> Option<Readers> {
    let word = folded.strip_prefix("the ").unwrap_or(folded);
    match word {
        "me" | "myself" => Some(Readers::Author),
        "all" | "everybody" | "everyone" | "players" => Some(Readers::Everybody),
        "party" => {
            let party = list_present_party(view);
            let ids: Vec<CharacterId> = party
                .iter()
                .filter_map(|target| target.try_as_character())
                .collect();
            Some(name_characters(&ids, view))
        }
        word => {
            let is_gm = word == "gm" || word == fold(view.system().spec().gm);
            is_gm.then_some(Readers::Gm)
        }
    }
}

fn list_reader_names(players: &[KnownPlayer], view: &SeatView<'_>) -> Vec<KnownName<NamedReader>> {
    let mut names = Vec::new();
    for character in view.roster() {
        let reader = NamedReader::Character(character.id);
        names.push(KnownName::new(&character.name, reader));
    }
    for (index, player) in players.iter().enumerate() {
        let is_character = view
            .roster()
            .any(|character| is_same_name(&character.name, &player.name));
        if !is_character {
            names.push(KnownName::new(&player.name, NamedReader::Player(index)));
        }
    }
    names
}

/// Lists the players of visible characters and the players at the table. For the GM, it also lists the seats that may
/// join.
fn list_players(view: &SeatView<'_>) -> Vec<KnownPlayer> {
    let mut players: Vec<KnownPlayer> = Vec::new();
    for character in view.roster() {
        if !character.player.is_empty() {
            let player = player_named(&mut players, &character.player);
            player.add_character(character);
        }
    }

    for seat in view.present() {
        if seat.role == SeatRole::Gm {
            continue;
        }
        let player = player_named(&mut players, &seat.name);
        player.seat = Some(seat.id);
        for id in &seat.characters {
            if let Some(character) = view.character(*id) {
                player.add_character(character);
            }
        }
    }

    for listed in view.listed().unwrap_or_default() {
        if listed.role == SeatRole::Gm {
            continue;
        }
        let player = player_named(&mut players, &listed.name);
        player.seat = Some(listed.id);
        for character in view.roster() {
            if listed.characters.contains(&character.name) {
                player.add_character(character);
            }
        }
    }
    players
}

/// Returns the player with this name. Adds the player to the list if the name is new.
fn player_named<'a>(players: &'a mut Vec<KnownPlayer>, name: &str) -> &'a mut KnownPlayer {
    let known_index = players
        .iter()
        .position(|player| is_same_name(&player.name, name));
    let index = known_index.unwrap_or(players.len());
    if known_index.is_none() {
        players.push(KnownPlayer {
            name: name.to_owned(),
            characters: Vec::new(),
            seat: None,
        });
    }
    &mut players[index]
}

impl KnownPlayer {
    fn add_character(&mut self, character: &Character) {
        if !self.characters.contains(&character.id) {
            self.characters.push(character.id);
        }
    }
}

fn readers_of_player(player: &KnownPlayer, view: &SeatView<'_>) -> Readers {
    match player.seat {
        Some(seat) if player.characters.is_empty() => Readers::Seat {
            seat,
            name: player.name.clone(),
        },
        _ => name_characters(&player.characters, view),
    }
}

fn name_characters(ids: &[CharacterId], view: &SeatView<'_>) -> Readers {
    let characters = ids.iter().filter_map(|id| view.character(*id));
    Readers::Characters(characters.map(Named::from).collect())
}

/// Combines two groups of readers. The author and the GM may read every note for players, so the result need not name
/// them.
fn join_readers(first: Readers, second: Readers) -> Result<Readers, ParseError> {
    match (first, second) {
        (Readers::Everybody, _) | (_, Readers::Everybody) => Ok(Readers::Everybody),
        (Readers::Author, other) | (other, Readers::Author) => Ok(other),
        (Readers::Gm, other) | (other, Readers::Gm) => Ok(other),
        (Readers::Characters(mut characters), Readers::Characters(others)) => {
            for named in others {
                if characters.iter().all(|known| known.id != named.id) {
                    characters.push(named);
                }
            }
            Ok(Readers::Characters(characters))
        }
        (first, second) if first == second => Ok(first),
        (Readers::Seat { name, .. }, _) | (_, Readers::Seat { name, .. }) => {
            let reason = format!("{name} plays no character, so write to {name} separately");
            Err(refused(reason))
        }
    }
}
