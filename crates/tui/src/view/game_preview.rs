//! The contents of a game for the list of games: its scene, the cards of its characters, and its clocks.

use crate::Role;
use crate::app::rows;
use crate::view::card::{shown_value, suffered};
use crate::view::clocks::filled_role;
use tableside_game::{Allegiance, Character, ClockKind};
use tableside_rules::CardEntry;
use tableside_table::{ClockView, SeatView, scene};
use tableside_text::pluralise;

/// The most cards. A line below them counts the other characters.
const MOST_CARDS: usize = 12;

/// The most clocks.
const MOST_CLOCKS: usize = 6;

/// The most values of a card that have no maximum.
const MOST_PLAIN_VALUES: usize = 5;

/// What a list of games shows of a game.
#[derive(Clone, Debug, Default)]
pub struct GamePreview {
    /// The reason why the game cannot be opened, or is incomplete.
    pub(crate) warning: Option<String>,
    /// The scene, or a text in place of the contents.
    pub(crate) head: Option<String>,
    pub(crate) cards: Vec<PreviewCard>,
    /// The number of characters without a card.
    pub(crate) other_characters: usize,
    pub(crate) clocks: Vec<PreviewClock>,
}

/// The card of a character.
#[derive(Clone, Debug)]
pub(crate) struct PreviewCard {
    pub(crate) name: String,
    /// The role of the name, which shows the side.
    pub(crate) role: Role,
    /// The values with a maximum, such as hit points.
    pub(crate) bars: Vec<PreviewBar>,
    /// The most important other values, each with its name: `AC 16`.
    pub(crate) values: Vec<String>,
    /// The health, the absence and the conditions.
    pub(crate) marks: Vec<(String, Role)>,
}

/// A value with a maximum.
#[derive(Clone, Debug)]
pub(crate) struct PreviewBar {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) now: i32,
    pub(crate) most: i32,
    pub(crate) role: Role,
}

/// A clock.
#[derive(Clone, Debug)]
pub(crate) struct PreviewClock {
    pub(crate) name: String,
    pub(crate) filled: Option<u16>,
    pub(crate) segments: u16,
    pub(crate) role: Role,
    pub(crate) is_pulled: bool,
}

impl GamePreview {
    /// Describes a game as a seat sees it.
    pub fn of(view: &SeatView<'_>) -> Self {
        let mut characters: Vec<&Character> = Vec::new();
        for side in Allegiance::ALL {
            characters.extend(view.roster().filter(|character| character.side == side));
        }
        let cards = characters
            .iter()
            .take(MOST_CARDS)
            .map(|character| PreviewCard::of(character, view))
            .collect();
        let clocks = view
            .clocks()
            .filter(|clock| clock.clock.rule.is_none())
            .take(MOST_CLOCKS)
            .map(|clock| PreviewClock::of(&clock))
            .collect();

        Self {
            warning: None,
            head: view.scene().began.map(|_| scene(view)),
            cards,
            other_characters: characters.len().saturating_sub(MOST_CARDS),
            clocks,
        }
    }

    /// A text in place of the contents.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            head: Some(text.into()),
            ..Self::default()
        }
    }

    /// Adds a reason why the game cannot be opened, or is incomplete.
    #[must_use]
    pub fn with_warning(self, warning: String) -> Self {
        Self {
            warning: Some(warning),
            ..self
        }
    }

    /// Returns the number of characters without a card in words.
    pub(crate) fn describe_others(&self) -> Option<String> {
        match self.other_characters {
            0 => None,
            count => Some(format!("and {}", pluralise(count, "other"))),
        }
    }
}

impl PreviewCard {
    fn of(character: &Character, view: &SeatView<'_>) -> Self {
        let mut bars = Vec::new();
        let mut values = Vec::new();
        for entry in view.system().spec().card.first.iter().copied() {
            let Some(shown) = shown_value(character, entry, view) else {
                continue;
            };
            if shown.text.is_empty() || shown.is_hidden(entry, view) {
                continue;
            }
            match bounds(character, entry, view) {
                Some((now, most)) => bars.push(PreviewBar {
                    name: entry.short(),
                    text: shown.text,
                    now,
                    most,
                    role: shown.role,
                }),
                None if values.len() < MOST_PLAIN_VALUES => {
                    values.push(format!("{} {}", entry.short(), shown.text));
                }
                None => {}
            }
        }

        let role = match character.side {
            _ if character.absent => Role::Muted,
            Allegiance::Adversary => Role::Adversary,
            Allegiance::Ally => Role::Ally,
            _ => Role::Title,
        };
        Self {
            name: character.name.clone(),
            role,
            bars,
            values,
            marks: suffered(character, view),
        }
    }
}

/// Returns a value and its maximum, if it has one.
fn bounds(character: &Character, entry: CardEntry, view: &SeatView<'_>) -> Option<(i32, i32)> {
    match entry {
        CardEntry::Stat(stat) => {
            let most = character.sheet.most(stat)?;
            let now = character.sheet.number(stat.id)?;
            Some((now, most))
        }
        CardEntry::Pool(spec) => {
            let pool = rows::rule_pool(view, character.id, spec)?;
            Some((pool.tokens, pool.cap?))
        }
        CardEntry::Clock(_) | CardEntry::Conditions => None,
    }
}

impl PreviewClock {
    fn of(view: &ClockView<'_>) -> Self {
        let clock = view.clock;
        Self {
            name: clock.name.clone(),
            filled: view.filled.map(u16::from),
            segments: clock.segments.count().into(),
            role: filled_role(clock.kind),
            is_pulled: clock.kind == ClockKind::TugOfWar,
        }
    }
}
