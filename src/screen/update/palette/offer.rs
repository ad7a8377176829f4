//! What the palette offers: the screen's actions, and acts on everybody and everything, each in the words
//! in which the command line takes it, too.

use crate::screen::action::{Action, Context};
use crate::screen::keymap::Keymap;
use crate::session::{
    Character, CharacterId, Clock, ClockId, Command, Filled, Named, PoolId, Roll, RollCommand,
    TokenPool, Visibility, Who,
};
use crate::table::{Act, SeatView};

/// The most acts on things that are offered; with five hundred of each there would be too many to read.
const MOST: usize = 12_000;

/// The most entries of one sheet that are offered to be rolled.
const MOST_PICKS: usize = 24;

/// Something that can be done.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::screen) struct Offer {
    /// What it says.
    pub(in crate::screen) words: String,
    /// What it does.
    pub(in crate::screen) does: Does,
    /// The action whose key does the same, where one is at the thing.
    pub(in crate::screen) key: Option<Action>,
}

/// What an offer does.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::screen) enum Does {
    /// An action of the screen.
    Action(Action),
    /// An act.
    Act(Box<Act>),
    /// Opens a dialog.
    Open(Opens),
    /// What its words say.
    Say,
}

/// A dialog to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::screen) enum Opens {
    /// A check by that character.
    Roll(CharacterId),
    /// A character.
    Character(CharacterId),
    /// The conditions of a character.
    Conditions(CharacterId),
    /// A clock.
    Clock(ClockId),
    /// A pool.
    Pool(PoolId),
    /// A number of tokens.
    Amount(PoolId),
    /// Tokens to another owner.
    Transfer(PoolId),
}

impl Offer {
    /// Another name that it is found by.
    pub(super) fn label(&self) -> Option<&'static str> {
        match self.does {
            Does::Action(action) => Some(action.label()),
            Does::Act(_) | Does::Open(_) | Does::Say => None,
        }
    }

    fn act(words: String, act: impl Into<Act>, key: Action) -> Self {
        Self {
            words,
            does: Does::Act(Box::new(act.into())),
            key: Some(key),
        }
    }

    fn open(words: String, opens: Opens, key: Action) -> Self {
        Self {
            words,
            does: Does::Open(opens),
            key: Some(key),
        }
    }
}

/// The places whose actions are listed, besides those of the open tab.
const PLACES: [Context; 8] = [
    Context::Everywhere,
    Context::List,
    Context::Table,
    Context::Party,
    Context::Clocks,
    Context::Tokens,
    Context::Log,
    Context::Always,
];

/// Everything that can be done, what belongs to the open tab first.
pub(super) fn all(here: &[Context], keymap: &Keymap, seen: &SeatView<'_>) -> Vec<Offer> {
    let own = here
        .iter()
        .filter(|place| !matches!(place, Context::Always | Context::Everywhere | Context::List));
    let mut actions: Vec<Action> = Vec::new();
    for place in own.chain(&PLACES) {
        for binding in keymap.bindings(*place) {
            if is_listed(binding.action) && !actions.contains(&binding.action) {
                actions.push(binding.action);
            }
        }
    }
    let mut offers: Vec<Offer> = actions
        .into_iter()
        .map(|action| Offer {
            words: action.describe().to_owned(),
            does: Does::Action(action),
            key: Some(action),
        })
        .collect();
    // What is wanted most of a thing comes first of all that its name finds.
    for one in seen.clocks() {
        of_clock(&mut offers, one.clock, seen);
    }
    for character in seen.roster() {
        of_character(&mut offers, character, seen);
    }
    for pool in seen.pools() {
        of_pool(&mut offers, pool, seen);
    }
    offers.truncate(MOST);
    offers
}

/// Whether an action is worth looking for: arrows are not.
fn is_listed(action: Action) -> bool {
    let walks = matches!(
        action,
        Action::Close
            | Action::Palette
            | Action::Up
            | Action::Down
            | Action::Left
            | Action::Right
            | Action::PageUp
            | Action::PageDown
            | Action::First
            | Action::Last
    );
    !walks
}

fn of_clock(offers: &mut Vec<Offer>, clock: &Clock, seen: &SeatView<'_>) {
    let id = clock.id;
    let name = match clock.owner {
        Some(_) => format!("{} {}", seen.owner_name(clock.owner), clock.name),
        None => clock.name.clone(),
    };
    let see = |visibility: Visibility| {
        Command::EditClock(Box::new(Clock {
            visibility,
            ..clock.clone()
        }))
    };
    let tick = |by| Command::Tick { clock: id, by };
    offers.extend([
        Offer::act(format!("tick {name}"), tick(1), Action::Advance),
        Offer::act(format!("untick {name}"), tick(-1), Action::Back),
        Offer::open(format!("edit {name}"), Opens::Clock(id), Action::Open),
    ]);
    if clock.visibility != Visibility::Hidden {
        let hide = see(Visibility::Hidden);
        offers.push(Offer::act(format!("hide {name}"), hide, Action::Visibility));
    }
    if clock.visibility != Visibility::Visible {
        let show = see(Visibility::Visible);
        offers.push(Offer::act(format!("show {name}"), show, Action::Visibility));
    }
    offers.extend([
        Offer::act(
            format!("duplicate {name}"),
            Command::DuplicateClock(id),
            Action::Duplicate,
        ),
        Offer::act(
            format!("delete {name}"),
            Command::RemoveClock(id),
            Action::Delete,
        ),
    ]);
}

fn of_character(offers: &mut Vec<Offer>, character: &Character, seen: &SeatView<'_>) {
    let who = character.id;
    let name = &character.name;
    offers.push(Offer::open(
        format!("roll {name}"),
        Opens::Roll(who),
        Action::Roll,
    ));
    offers.extend([
        Offer::open(format!("edit {name}"), Opens::Character(who), Action::Open),
        Offer::open(
            format!("conditions of {name}"),
            Opens::Conditions(who),
            Action::Conditions,
        ),
    ]);
    let acted = character.acted;
    let word = if acted { "waits" } else { "acted" };
    let command = Command::SetActed { who, acted: !acted };
    offers.push(Offer::act(format!("{word} {name}"), command, Action::Acted));
    let absent = character.absent;
    let word = if absent { "present" } else { "absent" };
    let command = Command::SetAbsent {
        who,
        absent: !absent,
    };
    offers.push(Offer::act(
        format!("{word} {name}"),
        command,
        Action::Absent,
    ));
    let hidden = character.hidden;
    let word = if hidden { "show" } else { "hide" };
    let command = Command::SetHidden {
        who,
        hidden: !hidden,
    };
    offers.push(Offer::act(
        format!("{word} {name}"),
        command,
        Action::Visibility,
    ));
    offers.extend([
        Offer::act(
            format!("duplicate {name}"),
            Command::DuplicateCharacter(who),
            Action::Duplicate,
        ),
        Offer::act(
            format!("delete {name}"),
            Command::RemoveCharacter(who),
            Action::Delete,
        ),
    ]);
    for check in seen.system().spec().checks {
        let mut picks: Vec<String> = Vec::new();
        for field in check.fields {
            if field.whose == crate::rules::Whose::Own {
                picks.extend(seen.picks(Some(who), field));
            }
        }
        picks.truncate(MOST_PICKS);
        for pick in picks {
            let words = format!("roll {name} {pick}");
            if offers
                .iter()
                .rev()
                .take(MOST_PICKS * 8)
                .all(|offer| offer.words != words)
            {
                offers.push(Offer {
                    words,
                    does: Does::Say,
                    key: None,
                });
            }
        }
        let words = format!("roll {name} {}", check.id);
        offers.push(Offer {
            words,
            does: Does::Say,
            key: None,
        });
    }
}

fn of_pool(offers: &mut Vec<Offer>, pool: &TokenPool, seen: &SeatView<'_>) {
    let id = pool.id;
    let owner = match pool.owner {
        Some(_) => seen.owner_name(pool.owner),
        None => "table",
    };
    let name = &pool.name;
    let tokens = |by| Command::Tokens { pool: id, by };
    let give = Command::Award {
        pool: id,
        amount: 1,
        why: String::new(),
    };
    offers.extend([
        Offer::act(format!("give {owner} 1 {name}"), give, Action::Gain),
        Offer::act(format!("spend {owner} 1 {name}"), tokens(-1), Action::Spend),
        Offer::open(
            format!("set {owner} {name}"),
            Opens::Amount(id),
            Action::Amount,
        ),
        Offer::open(
            format!("move {owner} {name}"),
            Opens::Transfer(id),
            Action::MoveTokens,
        ),
        Offer::open(
            format!("edit {owner} {name}"),
            Opens::Pool(id),
            Action::Open,
        ),
    ]);
}

/// A check as a dialog takes it up, made ready by somebody's words.
pub(super) fn prepared(roll: &RollCommand, seen: &SeatView<'_>) -> Roll {
    let who = match roll.who {
        Who::Character(id) => Some(id),
        Who::Nobody => None,
    };
    let filled = Filled {
        fields: roll.fields.clone(),
        sources: roll.sources.clone(),
    };
    let helpers = roll.helpers.iter().filter_map(|id| seen.character(*id));
    Roll {
        clock: roll.clock,
        hidden_from: roll.hidden_from.clone(),
        noticed: roll.noticed,
        helpers: helpers.map(Named::from).collect(),
        ..prepare(who, &filled, seen)
    }
}

/// The same, of which something may be missing.
pub(super) fn prepare(who: Option<CharacterId>, filled: &Filled, seen: &SeatView<'_>) -> Roll {
    let given = filled.fields.iter().filter_map(|(field, value)| {
        let value = value?;
        let differs = field.preset_value().as_ref() != Some(value);
        let came = filled.source(field.id).is_some();
        (differs || came).then(|| (field.id.to_owned(), value.clone()))
    });
    let name = who
        .and_then(|id| seen.character(id))
        .map(|one| one.name.clone());
    Roll {
        who: name.unwrap_or_default(),
        id: who,
        check: filled.fields.spec().id.to_owned(),
        fields: given.collect(),
        sources: filled.sources.clone(),
        ..Roll::default()
    }
}
