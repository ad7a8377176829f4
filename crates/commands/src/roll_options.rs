//! The options of a roll that are typed as words, such as `hidden from Kim`.

use serde::{Deserialize, Serialize};

use tableside_table::SeatView;
use tableside_text::is_same_name;

/// The maximum number of words in a player's name.
const MAX_NAME_WORDS: usize = 8;

/// The options of a roll.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a word that can be typed"
)]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RollOptions {
    /// True if the roll waits at a choice without an answer. Otherwise the choice takes its default.
    pub wait: bool,
    /// True if players do not see the roll.
    pub hidden: bool,
    /// The players that do not see a hidden roll. Empty if the roll is hidden from all players.
    pub hidden_from: Vec<String>,
    /// True if players see that a hidden roll was made.
    pub noticed: bool,
    /// True if all players see the call for the roll.
    pub shown: bool,
}

impl RollOptions {
    /// The players that do not see the roll, in the stored form: `*` stands for all players.
    pub(super) fn stored_hidden_from(&self) -> Vec<String> {
        if self.hidden_from.is_empty() {
            hidden_from_all(self.hidden)
        } else {
            self.hidden_from.clone()
        }
    }

    /// Takes an option from the start of `words`. Returns the number of words taken.
    pub(super) fn take(&mut self, words: &[&str], view: &SeatView<'_>) -> usize {
        let Some((word, after)) = words.split_first() else {
            return 0;
        };

        match word.to_lowercase().as_str() {
            "hidden" | "closed" => {
                self.hidden = true;
                return 1 + self.take_players(after, view);
            }
            "noticed" => {
                self.hidden = true;
                self.noticed = true;
            }
            "wait" => self.wait = true,
            "shown" | "openly" => self.shown = true,
            _ => return 0,
        }
        1
    }

    /// Takes all words. Returns false if one of them is not an option.
    pub(super) fn take_all(&mut self, words: &[&str], view: &SeatView<'_>) -> bool {
        let mut remaining = words;
        while !remaining.is_empty() {
            let taken = self.take(remaining, view);
            if taken == 0 {
                return false;
            }
            remaining = &remaining[taken..];
        }
        true
    }

    /// Takes the names of players after `hidden`, as in `hidden from Kim and Lee`. Returns the number of words taken.
    fn take_players(&mut self, words: &[&str], view: &SeatView<'_>) -> usize {
        let words_for_all = count_words_for_all_players(words);
        if words_for_all > 0 {
            self.hidden_from.clear();
            return words_for_all;
        }

        let players = view.players();
        let mut taken = 0;
        loop {
            let joints = count_joints(&words[taken..]);
            let name_words = &words[taken + joints..];
            let Some(found) = find_player(name_words, &players) else {
                return taken;
            };

            if !self.hidden_from.contains(&found.name) {
                self.hidden_from.push(found.name);
            }
            taken += joints + found.words;
        }
    }
}

/// True if all these words are options of a roll.
pub(super) fn are_options(words: &[&str], view: &SeatView<'_>) -> bool {
    RollOptions::default().take_all(words, view)
}

/// Returns the stored form of a roll that is hidden from all players, or from no player.
pub(super) fn hidden_from_all(is_hidden: bool) -> Vec<String> {
    if is_hidden {
        vec!["*".to_owned()]
    } else {
        Vec::new()
    }
}

/// Phrases for all players, as in `hidden from all players`.
const ALL_PLAYERS: [&str; 7] = [
    "all players",
    "all the players",
    "all",
    "the players",
    "players",
    "everybody",
    "everyone",
];

/// Counts the words at the start of `words` that mean `from all players`. Returns 0 if they mean something else.
fn count_words_for_all_players(words: &[&str]) -> usize {
    let Some((first, after_first)) = words.split_first() else {
        return 0;
    };

    let has_from = first.eq_ignore_ascii_case("from");
    let phrase_words = if has_from { after_first } else { words };
    let from_words = usize::from(has_from);

    for phrase in ALL_PLAYERS {
        let length = phrase.split(' ').count();
        // A single word without "from" may be the name of a skill.
        let is_clear = from_words + length > 1;
        if is_clear
            && let Some(typed) = phrase_words.get(..length)
            && typed.join(" ").eq_ignore_ascii_case(phrase)
        {
            return from_words + length;
        }
    }
    0
}

/// Counts the words at the start of `words` that join names: `from`, `and` and commas.
fn count_joints(words: &[&str]) -> usize {
    let is_joint = |word: &&&str| matches!(word.to_lowercase().as_str(), "from" | "and" | ",");
    words.iter().take_while(is_joint).count()
}

/// The name of a player, and the number of words with which it was typed.
struct TypedPlayer {
    name: String,
    words: usize,
}

/// Finds the longest name of a player at the start of `words`.
fn find_player(words: &[&str], players: &[String]) -> Option<TypedPlayer> {
    let longest = words.len().min(MAX_NAME_WORDS);
    for length in (1..=longest).rev() {
        let typed = words[..length].join(" ");
        let typed = typed.trim_end_matches(',');
        let player = players.iter().find(|player| is_same_name(player, typed));
        if let Some(name) = player {
            return Some(TypedPlayer {
                name: name.clone(),
                words: length,
            });
        }
    }
    None
}
