//! The palette: every action, and every command on everything that has a name, found by a few letters.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::change::dialogs_on;
use super::walk::distance;
use crate::rules::Whose;
use crate::screen::action::{Action, Context};
use crate::screen::keymap::Keymap;
use crate::screen::widget::field::Field;
use crate::session::{CharacterId, Command, Named, Roll, RollCommand, Who};
use crate::table::command_language::{self, CommandSpec, ParseError, Thing, commands};
use crate::table::{Act, SeatView};

/// The longest search.
const LONGEST: usize = 300;

/// So many of what was done last are remembered.
const MOST_RECENT: usize = 12;

/// The most that is shown of what was found.
const MOST_FOUND: usize = 200;

/// The most that is listed; with five hundred of each kind of things there would be too many to read.
const MOST: usize = 12_000;

/// The most entries of one sheet that are listed to be rolled.
const MOST_PICKS: usize = 24;

/// Something that can be done.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::screen) struct Item {
    /// What it says.
    pub(in crate::screen) words: String,
    /// What it does.
    pub(in crate::screen) does: Does,
}

/// What an item of the palette does.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::screen) enum Does {
    /// An action of the screen.
    Action(Action),
    /// A command, to that thing.
    Command(&'static CommandSpec, Thing),
    /// Opens the dialog of that action on that thing.
    Open(Action, Thing),
    /// What its words say.
    Say,
}

impl Item {
    /// The action whose key does the same to what is in hand.
    pub(in crate::screen) fn action(&self) -> Option<Action> {
        match self.does {
            Does::Action(action) | Does::Open(action, _) => Some(action),
            Does::Command(spec, _) => Action::named(spec.key),
            Does::Say => None,
        }
    }

    /// Another name that it is found by.
    fn label(&self) -> Option<&'static str> {
        match self.does {
            Does::Action(action) => Some(action.label()),
            Does::Command(..) | Does::Open(..) | Does::Say => None,
        }
    }
}

/// The palette.
#[derive(Clone, Debug)]
pub(in crate::screen) struct Palette {
    /// What is looked for.
    pub(in crate::screen) field: Field,
    /// What was found, the best first.
    pub(in crate::screen) found: Vec<Item>,
    /// The one that Enter would do.
    pub(in crate::screen) at: usize,
    /// Why nothing came of the words, until they change.
    pub(in crate::screen) problem: Option<String>,
    all: Vec<Item>,
    /// The words of what was done last, the newest first.
    recent: Vec<String>,
}

impl Palette {
    /// The palette with everything in it: what was done last, then what belongs to the open tab.
    pub(in crate::screen) fn open(
        here: &[Context],
        keymap: &Keymap,
        recent: &[String],
        seen: &SeatView<'_>,
    ) -> Self {
        let mut palette = Self {
            field: Field::new("", LONGEST),
            found: Vec::new(),
            at: 0,
            problem: None,
            all: items(here, keymap, seen),
            recent: recent.to_vec(),
        };
        palette.find(seen);
        palette
    }

    /// Finds again after the search changed.
    pub(in crate::screen) fn find(&mut self, seen: &SeatView<'_>) {
        let sought = self.field.value().trim().to_owned();
        self.at = 0;
        self.problem = None;
        let age = |item: &Item| self.recent.iter().position(|words| *words == item.words);
        if sought.is_empty() {
            let mut found: Vec<&Item> = self.all.iter().collect();
            found.sort_by_key(|item| age(item).unwrap_or(usize::MAX));
            self.found = found.into_iter().take(MOST_FOUND).cloned().collect();
            return;
        }
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(&sought, CaseMatching::Ignore, Normalization::Smart);
        let mut letters = Vec::new();
        let mut score =
            |words: &str| pattern.score(Utf32Str::new(words, &mut letters), &mut matcher);
        let scored = self.all.iter().filter_map(|item| {
            let by_label = item.label().and_then(&mut score).map(|score| score + 1);
            let best = by_label.max(score(&item.words))?;
            // What was just done is wanted again more often than its like.
            let again = age(item).map_or(0, |age| {
                16_u32.saturating_sub(u32::try_from(age).unwrap_or(16))
            });
            Some((best + again, item))
        });
        let mut scored: Vec<(u32, &Item)> = scored.collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        // Letters strewn over a long line are no find beside a good one.
        let best = scored.first().map_or(0, |(score, _)| *score);
        scored.retain(|(score, _)| *score * 3 >= best * 2);
        let found = scored.into_iter().take(MOST_FOUND);
        self.found = found.map(|(_, item)| item.clone()).collect();
        self.take_said(&sought, seen);
    }

    /// Puts what was typed first where it says a command by itself, in the words of the item that is the
    /// same. One letter too many is no command yet, and one too few may be another's name: both are told
    /// in time.
    fn take_said(&mut self, sought: &str, seen: &SeatView<'_>) {
        let Ok(parsed) = command_language::parse(sought, seen) else {
            return;
        };
        let is_whole = match parsed.act(seen) {
            Ok(_) => true,
            Err(ParseError::Open { .. }) => false,
            Err(_) => return,
        };
        let of_thing = parsed.of_thing();
        let same = |item: &Item| match (&item.does, of_thing) {
            (Does::Command(spec, thing), Some((said, of))) if is_whole => {
                *spec == said && *thing == of
            }
            _ => item.words.eq_ignore_ascii_case(sought),
        };
        let known = self.found.iter().position(same);
        // What is only begun is better taken from what was found.
        let begun = sought.to_lowercase();
        let begins = |item: &Item| !is_whole && item.words.to_lowercase().starts_with(&begun);
        if known.is_none() && self.found.iter().any(begins) {
            return;
        }
        let item = known.map(|at| self.found.remove(at));
        let item = item.unwrap_or_else(|| say(sought.to_owned()));
        self.found.insert(0, item);
    }

    /// Moves the cursor.
    pub(in crate::screen) fn step(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// What Enter would do: what is marked, or what was typed.
    pub(in crate::screen) fn chosen(&self) -> Item {
        let marked = self.found.get(self.at).cloned();
        marked.unwrap_or_else(|| say(self.field.value().trim().to_owned()))
    }
}

fn say(words: String) -> Item {
    let does = Does::Say;
    Item { words, does }
}

/// Remembers what was done, the newest first.
pub(in crate::screen) fn remember(recent: &mut Vec<String>, words: &str) {
    recent.retain(|known| known != words);
    recent.insert(0, words.to_owned());
    recent.truncate(MOST_RECENT);
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
fn items(here: &[Context], keymap: &Keymap, seen: &SeatView<'_>) -> Vec<Item> {
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
    let actions = actions.into_iter().map(|action| Item {
        words: action.describe().to_owned(),
        does: Does::Action(action),
    });
    let mut items: Vec<Item> = actions.collect();
    // What is wanted most of a thing comes first of all that its name finds.
    let owned = |owner: Option<CharacterId>, name: &str| match owner {
        Some(_) => format!("{} {name}", seen.owner_name(owner)),
        None => name.to_owned(),
    };
    let clocks = seen.clocks().map(|one| one.clock);
    let clocks = clocks.map(|one| (Thing::Clock(one.id), owned(one.owner, &one.name)));
    let pools = seen.pools();
    let pools = pools.map(|one| (Thing::Pool(one.id), owned(one.owner, &one.name)));
    let scenes = seen.prepared();
    let scenes = scenes.map(|one| (Thing::Scene(one.id), one.name.clone()));
    on_things(&mut items, &clocks.collect::<Vec<_>>(), seen);
    let who = seen.roster();
    let who: Vec<_> = who
        .map(|one| (Thing::Character(one.id), one.name.clone()))
        .collect();
    on_things(&mut items, &who, seen);
    for (thing, name) in &who {
        rolls(&mut items, thing, name, seen);
    }
    on_things(&mut items, &pools.collect::<Vec<_>>(), seen);
    on_things(&mut items, &scenes.collect::<Vec<_>>(), seen);
    items.truncate(MOST);
    items
}

/// Whether an action is worth looking for: arrows are not.
fn is_listed(action: Action) -> bool {
    use Action::{Close, Left, Palette, Right};
    distance(action, 1).is_none() && !matches!(action, Close | Palette | Left | Right)
}

/// The commands on each of these things, which are all of one kind, and the dialogs.
fn on_things(items: &mut Vec<Item>, things: &[(Thing, String)], seen: &SeatView<'_>) {
    const NAME: &str = "\0";
    let Some((like, _)) = things.first() else {
        return;
    };
    let of_kind = commands().filter_map(|spec| Some((spec, spec.words_for(like, NAME)?)));
    let mut of_kind: Vec<(&'static CommandSpec, String)> = of_kind.collect();
    of_kind.sort_by_key(|(spec, _)| spec.is_general());
    for (thing, name) in things {
        let dialogs = dialogs_on(thing).iter().map(|(action, words)| Item {
            words: format!("{words} {name}"),
            does: Does::Open(*action, *thing),
        });
        let dialogs: Vec<Item> = dialogs.collect();
        let fitting = of_kind.iter().filter(|(spec, _)| spec.applies(thing, seen));
        for (at, (spec, words)) in fitting.enumerate() {
            let words = words.replace(NAME, name);
            // Where a dialog has the same name, it asks for the rest.
            let opens = dialogs.iter().find(|item| item.words == words);
            let does = opens.map_or(Does::Command(spec, *thing), |item| item.does.clone());
            items.push(Item { words, does });
            if at == 0 {
                let known = items.last().cloned();
                let new = dialogs.iter().filter(|item| known.as_ref() != Some(item));
                items.extend(new.cloned());
            }
        }
    }
}

/// What stands on the sheet, and the checks, to be rolled.
fn rolls(items: &mut Vec<Item>, thing: &Thing, name: &str, seen: &SeatView<'_>) {
    let who = thing.character(seen).map(|one| one.id);
    let mut of_sheet: Vec<String> = Vec::new();
    for check in seen.system().spec().checks {
        let own = check
            .fields
            .iter()
            .filter(|field| field.whose == Whose::Own);
        let picks = own.flat_map(|field| seen.picks(who, field));
        let picks: Vec<String> = picks.take(MOST_PICKS).collect();
        for pick in picks.into_iter().chain([check.id.to_owned()]) {
            let words = format!("roll {name} {pick}");
            if !of_sheet.contains(&words) {
                of_sheet.push(words);
            }
        }
    }
    items.extend(of_sheet.into_iter().map(say));
}

/// A check as a dialog takes it up, made ready by somebody's words; something may be missing.
fn prepared(roll: &RollCommand, seen: &SeatView<'_>) -> Roll {
    let given = roll.fields.iter().filter_map(|(field, value)| {
        let value = value?;
        let differs = field.preset_value().as_ref() != Some(value);
        let came = roll.sources.iter().any(|(known, _)| known == field.id);
        (differs || came).then(|| (field.id.to_owned(), value.clone()))
    });
    let id = match roll.who {
        Who::Character(id) => Some(id),
        Who::Nobody => None,
    };
    let who = id.and_then(|id| seen.character(id));
    let helpers = roll.helpers.iter().filter_map(|id| seen.character(*id));
    Roll {
        who: who.map_or(String::new(), |one| one.name.clone()),
        id,
        check: roll.fields.spec().id.to_owned(),
        fields: given.collect(),
        sources: roll.sources.clone(),
        clock: roll.clock,
        hidden_from: roll.hidden_from.clone(),
        noticed: roll.noticed,
        helpers: helpers.map(Named::from).collect(),
        ..Roll::default()
    }
}

/// What a command in words comes to on a screen: an act, or a check to be looked over before it is rolled.
pub(super) enum Asked {
    Act(Act),
    Roll(Box<Roll>),
}

/// Reads a command as a person at a screen means it.
pub(super) fn as_meant(
    read: Result<Act, ParseError>,
    seen: &SeatView<'_>,
) -> Result<Asked, ParseError> {
    match read {
        Ok(Act::Do(command)) => Ok(match *command {
            Command::Roll(roll) => Asked::Roll(Box::new(prepared(&roll, seen))),
            command => Asked::Act(command.into()),
        }),
        Ok(act) => Ok(Asked::Act(act)),
        Err(ParseError::Open { begun, .. }) => Ok(Asked::Roll(Box::new(prepared(&begun, seen)))),
        Err(why) => Err(why),
    }
}

#[cfg(test)]
mod tests;
