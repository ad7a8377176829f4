//! Everything that can be done from the palette.

use std::collections::HashSet;

use crate::app::action::{Action, Context};
use crate::app::keymap::Keymap;
use crate::app::offered::{is_offered, is_own};
use crate::dialog::palette::{Item, ItemAction, RollItem};
use tableside_commands::{CommandId, CommandSpec, Target, commands};
use tableside_game::{CharacterId, Named, Roll, RollCommand};
use tableside_rules::Whose;
use tableside_table::SeatView;

/// The most that is listed; with five hundred of each kind of things there would be too many to read.
const MOST: usize = 12_000;

/// The most entries of one sheet that are listed to be rolled.
const MOST_PICKS: usize = 24;

/// The dialogs that open on one thing: the action whose key opens it, and how the palette calls it.
const fn dialogs_on(thing: &Target) -> &'static [(Action, &'static str)] {
    use Action::{Amount, Award, Conditions, Forecast, Link, MoveTokens, Open, Roll};
    match thing {
        Target::Character(_) => &[
            (Roll, "roll"),
            (Open, "edit"),
            (Conditions, "conditions of"),
            (Award, "award"),
        ],
        Target::Clock(_) => &[(Open, "edit"), (Link, "link"), (Forecast, "forecast")],
        Target::Pool(_) => &[
            (Amount, "set"),
            (MoveTokens, "move"),
            (Award, "award"),
            (Open, "edit"),
        ],
        Target::PreparedScene(_) | Target::Stat(_) | Target::Table => &[],
    }
}

/// The places whose actions are listed, besides those of the open tab.
const CONTEXTS: [Context; 8] = {
    use Context::{Always, Clocks, Everywhere, List, Log, Party, Table, Tokens};
    [Everywhere, List, Table, Party, Clocks, Tokens, Log, Always]
};

/// Everything that can be done, what belongs to the open tab first.
pub(super) fn items(here: &[Context], keymap: &Keymap, view: &SeatView<'_>) -> Vec<Item> {
    let own = here
        .iter()
        .filter(|place| !matches!(place, Context::Always | Context::Everywhere | Context::List));
    let places = own.chain(&CONTEXTS);
    let actions = places.flat_map(|place| keymap.bindings(*place));
    let mut known = HashSet::new();
    let actions = actions
        .map(|binding| binding.action)
        .filter(|action| is_listed(*action) && is_offered(*action, view) && known.insert(*action));
    let actions = actions.map(|action| Item {
        words: action.describe().to_owned(),
        does: ItemAction::Action(action),
    });
    let mut items: Vec<Item> = actions.collect();
    // What is wanted most of a thing comes first of all that its name finds.
    let owned = |owner: Option<CharacterId>, name: &str| match owner {
        Some(_) => format!("{} {name}", view.owner_name(owner)),
        None => name.to_owned(),
    };
    let allowed = view.allowed();
    let clocks = view.clocks().map(|one| one.clock);
    let clocks = clocks.filter(|one| is_own(one.owner, allowed.table_clocks, view));
    // The table's own go before those that the rules gave to characters.
    let mut clocks: Vec<_> = clocks.collect();
    clocks.sort_by_key(|one| one.rule.is_some());
    let clocks = clocks.into_iter();
    let clocks = clocks.map(|one| (Target::Clock(one.id), owned(one.owner, &one.name)));
    let pools = view.pools();
    let pools = pools.filter(|one| is_own(one.owner, allowed.table_pools, view));
    let pools = pools.map(|one| (Target::Pool(one.id), owned(one.owner, &one.name)));
    let scenes = view.prepared();
    let scenes = scenes.map(|one| (Target::PreparedScene(one.id), one.name.clone()));
    on_things(&mut items, &clocks.collect::<Vec<_>>(), view);
    let who = view.roster();
    let who = who.filter(|one| is_own(Some(one.id), false, view));
    let who = who.map(|one| (Target::Character(one.id), one.name.clone()));
    let who: Vec<_> = who.collect();
    on_things(&mut items, &who, view);
    for (thing, name) in &who {
        rolls(&mut items, thing, name, view);
    }
    on_things(&mut items, &pools.collect::<Vec<_>>(), view);
    on_things(&mut items, &scenes.collect::<Vec<_>>(), view);
    let tables = view.random_tables();
    let tables = tables.tables.iter();
    items.extend(tables.map(|table| Item {
        words: format!("table {}", table.name),
        does: ItemAction::RollOnTable(table.name.clone()),
    }));
    if view.seat().sees_all() && view.system().is_kept() {
        items.push(Item {
            words: "take the new rules".to_owned(),
            does: ItemAction::Command(CommandId::TakeRules, None),
        });
    }
    items.truncate(MOST);
    items
}

/// Whether a dialog of the palette ends with something that this seat may do.
fn opens_for(item: &ItemAction, view: &SeatView<'_>) -> bool {
    match item {
        ItemAction::Open(Action::Open, Target::Clock(_) | Target::Pool(_)) => {
            view.seat().sees_all()
        }
        ItemAction::Open(action, _) => is_offered(*action, view),
        _ => true,
    }
}

/// Whether this seat may do that to this thing itself. What the command needs besides is not known yet, so only a
/// refusal of the seat counts.
fn may_do(spec: &CommandSpec, thing: &Target, view: &SeatView<'_>) -> bool {
    if view.seat().sees_all() {
        return true;
    }
    match spec.act_on(vec![*thing], view) {
        Ok(act) => view.may(&act),
        Err(_) => true,
    }
}

/// What people call an action besides, in small letters.
pub(super) const fn other_words(action: Action) -> &'static str {
    match action {
        Action::TurnOrder => "initiative",
        Action::Visibility => "reveal",
        Action::Notes => "journal",
        Action::Pause => "x-card xcard stop safety",
        Action::LinesAndVeils => "safety",
        Action::Delete => "remove kill",
        Action::New => "add create",
        Action::Damage => "hurt wound harm",
        _ => "",
    }
}

/// Whether an action is worth looking for: arrows are not.
fn is_listed(action: Action) -> bool {
    use Action::{Close, Left, Palette, Right};
    action.distance(1).is_none() && !matches!(action, Close | Palette | Left | Right)
}

/// The commands on each of these things, which are all of one kind, and the dialogs.
fn on_things(items: &mut Vec<Item>, things: &[(Target, String)], view: &SeatView<'_>) {
    const NAME: &str = "\0";
    let Some((like, _)) = things.first() else {
        return;
    };
    let of_kind = commands().filter_map(|spec| Some((spec, spec.words_for(like, NAME)?)));
    let mut of_kind: Vec<(&'static CommandSpec, String)> = of_kind.collect();
    // What is for anything with a name comes after what is for things of this kind.
    of_kind.sort_by_key(|(spec, _)| spec.is_general());
    for (thing, name) in things {
        let dialogs = dialogs_on(thing).iter().map(|(action, words)| Item {
            words: format!("{words} {name}"),
            does: ItemAction::Open(*action, *thing),
        });
        let mut dialogs: Vec<Item> = dialogs.collect();
        dialogs.retain(|item| opens_for(&item.does, view));
        let fitting = of_kind
            .iter()
            .filter(|(spec, _)| spec.applies(thing, view) && may_do(spec, thing, view));
        for (at, (spec, words)) in fitting.enumerate() {
            let words = words.replace(NAME, name);
            // Where a dialog has the same name, it asks for the rest.
            let opens = dialogs.iter().find(|item| item.words == words);
            let does = opens.map_or(ItemAction::Command(spec.id, Some(*thing)), |item| {
                item.does.clone()
            });
            items.push(Item { words, does });
            if at == 0 {
                let known = items.last().cloned();
                let new = dialogs.iter().filter(|item| known.as_ref() != Some(item));
                items.extend(new.cloned());
            }
        }
    }
}

/// Adds the checks of a character, each alone and with the entries of the sheet that it can be rolled with.
fn rolls(items: &mut Vec<Item>, thing: &Target, name: &str, view: &SeatView<'_>) {
    let roller = thing.character(view).map(|character| character.id);
    let mut known = HashSet::new();
    for check in view.system().spec().checks {
        let own_fields = check
            .fields
            .iter()
            .filter(|field| field.whose == Whose::Own);
        let entries = own_fields.flat_map(|field| {
            let entries = view.picks(roller, field).into_iter();
            entries.map(move |entry| Some((field.id, entry)))
        });

        for field in entries.take(MOST_PICKS).chain([None]) {
            let entry = match &field {
                Some((_, entry)) => entry.as_str(),
                None => check.id,
            };
            let words = format!("roll {name} {entry}");
            if known.insert(words.clone()) {
                let does = ItemAction::Roll(RollItem {
                    roller,
                    check: check.id,
                    field,
                });
                items.push(Item { words, does });
            }
        }
    }
}

/// A check as a dialog takes it up, made ready by somebody's words; something may be missing.
pub(super) fn prepared(roll: &RollCommand, view: &SeatView<'_>) -> Roll {
    let recorded = roll.filled.clone().recorded();
    let helpers = roll.helpers.iter().filter_map(|id| view.character(*id));
    Roll {
        id: roll.who,
        check: roll.filled.fields.spec().id.to_owned(),
        fields: recorded.values,
        sources: recorded.sources,
        clock: roll.clock,
        hidden_from: roll.hidden_from.clone(),
        noticed: roll.noticed,
        helpers: helpers.map(Named::from).collect(),
        ..Roll::default()
    }
}
