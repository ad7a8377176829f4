//! The items of the palette: actions of the screen, commands and dialogs on one entity, rolls, and random tables.

use std::collections::HashSet;

use crate::app::action::{Action, Context};
use crate::app::keymap::Keymap;
use crate::app::offered::{is_offered, is_own};
use crate::dialog::palette::{FieldEntry, Item, ItemAction, NewEntity, RollItem};
use tableside_commands::{CommandId, CommandSpec, Target, commands};
use tableside_game::CharacterId;
use tableside_rules::{CheckSpec, Whose};
use tableside_table::SeatView;

/// The maximum number of items. With five hundred entities of each kind, more items would be too slow to search after
/// each key.
const MAX_ITEMS: usize = 12_000;

/// The maximum number of entries of a sheet that have an item for a roll.
const MAX_SHEET_ENTRIES: usize = 24;

/// Stands for the name in the text of a command. No name contains this character.
const NAME_PLACEHOLDER: &str = "\0";

/// The contexts whose actions are listed, besides those of the open tab.
const CONTEXTS: [Context; 8] = {
    use Context::{Always, Clocks, Everywhere, List, Log, Party, Table, Tokens};
    [Everywhere, List, Table, Party, Clocks, Tokens, Log, Always]
};

/// An entity that items act on, and its name in the palette.
struct NamedTarget {
    target: Target,
    name: String,
}

/// Lists all items. The actions of the open tab come first.
///
/// Equally good matches keep this order, so a clock comes before the characters, and a tick before other commands.
pub(super) fn items(here: &[Context], keymap: &Keymap, view: &SeatView<'_>) -> Vec<Item> {
    let mut items = action_items(here, keymap, view);
    if view.seat().sees_all() && !view.is_view() {
        for entity in NewEntity::ALL {
            items.push(Item {
                text: format!("new {}", entity.name()),
                does: ItemAction::Create(entity),
            });
        }
    }
    let characters = characters(view);
    add_target_items(&mut items, &clocks(view), view);
    add_target_items(&mut items, &characters, view);
    for character in &characters {
        add_rolls(&mut items, character, view);
    }
    add_target_items(&mut items, &pools(view), view);
    add_target_items(&mut items, &prepared_scenes(view), view);

    for creature in &view.creatures().creatures {
        let text = format!("add creature {}", creature.name);
        let does = ItemAction::Typed;
        items.push(Item { text, does });
    }
    for table in &view.random_tables().tables {
        items.push(Item {
            text: format!("table {}", table.name),
            does: ItemAction::RollOnTable(table.name.clone()),
        });
    }
    if view.seat().sees_all() && view.system().is_kept() {
        items.push(Item {
            text: "load the new rules".to_owned(),
            does: ItemAction::Command(CommandId::TakeRules, None),
        });
    }
    items.truncate(MAX_ITEMS);
    items
}

fn action_items(here: &[Context], keymap: &Keymap, view: &SeatView<'_>) -> Vec<Item> {
    let is_of_tab = |context: &&Context| {
        !matches!(
            context,
            Context::Always | Context::Everywhere | Context::List
        )
    };
    // Players and watchers change little on the tab, so the actions that are available everywhere come first.
    let here = if view.seat().sees_all() { here } else { &[] };
    let contexts = here.iter().filter(is_of_tab).chain(&CONTEXTS);

    let mut items = Vec::new();
    let mut listed_actions = HashSet::new();
    for binding in contexts.flat_map(|context| keymap.bindings(*context)) {
        let action = binding.action;
        if is_listed(action) && is_offered(action, view) && listed_actions.insert(action) {
            items.push(Item {
                text: action.describe().to_owned(),
                does: ItemAction::Action(action),
            });
        }
    }
    items
}

/// Returns true if the palette lists an action. Movements of the cursor are not listed.
fn is_listed(action: Action) -> bool {
    use Action::{Close, Left, New, Palette, Right};
    let moves_cursor = action.distance(1).is_some();
    // The palette has an item for each entity that can be created.
    !moves_cursor && !matches!(action, Close | New | Palette | Left | Right)
}

/// Lists the clocks that the seat may change. Clocks from the rules come last.
fn clocks(view: &SeatView<'_>) -> Vec<NamedTarget> {
    let may_change_table_clocks = view.allowed().table_clocks;
    let mut clocks = Vec::new();
    for view_of_clock in view.clocks() {
        if is_own(view_of_clock.clock.owner, may_change_table_clocks, view) {
            clocks.push(view_of_clock.clock);
        }
    }
    clocks.sort_by_key(|clock| clock.rule.is_some());

    clocks
        .into_iter()
        .map(|clock| NamedTarget {
            target: Target::Clock(clock.id),
            name: name_with_owner(&clock.name, clock.owner, view),
        })
        .collect()
}

fn pools(view: &SeatView<'_>) -> Vec<NamedTarget> {
    let may_change_table_pools = view.allowed().table_pools;
    view.pools()
        .filter(|pool| is_own(pool.owner, may_change_table_pools, view))
        .map(|pool| NamedTarget {
            target: Target::Pool(pool.id),
            name: name_with_owner(&pool.name, pool.owner, view),
        })
        .collect()
}

fn characters(view: &SeatView<'_>) -> Vec<NamedTarget> {
    view.roster()
        .filter(|character| is_own(Some(character.id), false, view))
        .map(|character| NamedTarget {
            target: Target::Character(character.id),
            name: character.name.clone(),
        })
        .collect()
}

fn prepared_scenes(view: &SeatView<'_>) -> Vec<NamedTarget> {
    view.prepared()
        .map(|scene| NamedTarget {
            target: Target::PreparedScene(scene.id),
            name: scene.name.clone(),
        })
        .collect()
}

fn name_with_owner(name: &str, owner: Option<CharacterId>, view: &SeatView<'_>) -> String {
    match owner {
        Some(_) => format!("{} {name}", view.owner_name(owner)),
        None => name.to_owned(),
    }
}

/// A command on a target, with its text for any name.
struct CommandTemplate {
    spec: &'static CommandSpec,
    /// The text, with [`NAME_PLACEHOLDER`] for the name.
    text: String,
}

/// Lists the commands that need a target of this kind and no other value.
///
/// Commands for every kind of entity with a name come after the commands for this kind.
fn command_templates(target: &Target) -> Vec<CommandTemplate> {
    let mut templates = Vec::new();
    for spec in commands() {
        if let Some(text) = spec.words_for(target, NAME_PLACEHOLDER) {
            templates.push(CommandTemplate { spec, text });
        }
    }
    templates.sort_by_key(|template| template.spec.is_general());
    templates
}

/// Adds the commands and the dialogs on each target. All targets are of the same kind.
fn add_target_items(items: &mut Vec<Item>, targets: &[NamedTarget], view: &SeatView<'_>) {
    let Some(first) = targets.first() else {
        return;
    };
    let templates = command_templates(&first.target);
    for target in targets {
        add_items_of_target(items, target, &templates, view);
    }
}

/// Adds the most usual command first, then the dialogs, then the other commands.
fn add_items_of_target(
    items: &mut Vec<Item>,
    named: &NamedTarget,
    templates: &[CommandTemplate],
    view: &SeatView<'_>,
) {
    let target = named.target;
    let dialogs = dialog_items(named, view);
    let mut has_dialogs = false;
    for CommandTemplate { spec, text } in templates {
        if !spec.applies(&target, view) || !may_run(spec, &target, view) {
            continue;
        }

        // A dialog of the same text replaces the command, because it asks for the missing values.
        let text = text.replace(NAME_PLACEHOLDER, &named.name);
        let same_dialog = dialogs.iter().find(|dialog| dialog.text == text);
        let item = match same_dialog {
            Some(dialog) => dialog.clone(),
            None => Item {
                text,
                does: ItemAction::Command(spec.id, Some(target)),
            },
        };
        items.push(item.clone());

        if !has_dialogs {
            let other_dialogs = dialogs.iter().filter(|dialog| **dialog != item);
            items.extend(other_dialogs.cloned());
            has_dialogs = true;
        }
    }
}

/// A dialog that opens for an entity.
struct DialogName {
    /// The action whose key opens the dialog.
    action: Action,
    /// The first words of the item, before the name.
    verb: &'static str,
    /// The words after the name.
    ending: &'static str,
}

const fn dialog(action: Action, verb: &'static str) -> DialogName {
    DialogName {
        action,
        verb,
        ending: "",
    }
}

const CHARACTER_DIALOGS: &[DialogName] = &[
    dialog(Action::Roll, "roll"),
    dialog(Action::Open, "edit"),
    dialog(Action::Conditions, "conditions of"),
    dialog(Action::Award, "award"),
    DialogName {
        action: Action::SaveTemplate,
        verb: "save",
        ending: " as template",
    },
];

const CLOCK_DIALOGS: &[DialogName] = &[
    dialog(Action::Open, "edit"),
    dialog(Action::Link, "link"),
    dialog(Action::Forecast, "forecast"),
];

const POOL_DIALOGS: &[DialogName] = &[
    dialog(Action::Amount, "set"),
    dialog(Action::MoveTokens, "move"),
    dialog(Action::Award, "award"),
    dialog(Action::Open, "edit"),
];

const fn dialogs_on(target: &Target) -> &'static [DialogName] {
    match target {
        Target::Character(_) => CHARACTER_DIALOGS,
        Target::Clock(_) => CLOCK_DIALOGS,
        Target::Pool(_) => POOL_DIALOGS,
        Target::PreparedScene(_) | Target::Stat(_) | Target::Table => &[],
    }
}

fn dialog_items(named: &NamedTarget, view: &SeatView<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    for dialog in dialogs_on(&named.target) {
        if may_open(dialog.action, &named.target, view) {
            items.push(Item {
                text: format!("{} {}{}", dialog.verb, named.name, dialog.ending),
                does: ItemAction::Open(dialog.action, named.target),
            });
        }
    }
    items
}

/// Returns true if the seat may perform the action of the dialog.
fn may_open(action: Action, target: &Target, view: &SeatView<'_>) -> bool {
    let edits_table = matches!(target, Target::Clock(_) | Target::Pool(_));
    if action == Action::Open && edits_table {
        view.seat().sees_all()
    } else {
        is_offered(action, view)
    }
}

/// Returns true if the seat may run a command on this target.
///
/// Other values of the command are still missing, so only a refusal for this seat counts.
fn may_run(spec: &CommandSpec, target: &Target, view: &SeatView<'_>) -> bool {
    if view.seat().sees_all() {
        return true;
    }
    match spec.act_on(vec![*target], view) {
        Ok(act) => view.may(&act),
        Err(_) => true,
    }
}

/// Adds the checks of a character, without an entry of the sheet and with each entry that fits.
fn add_rolls(items: &mut Vec<Item>, named: &NamedTarget, view: &SeatView<'_>) {
    let roller = named.target.character(view).map(|character| character.id);
    let mut listed_texts = HashSet::new();
    for &check in view.system().spec().checks {
        let mut entries: Vec<Option<FieldEntry>> = Vec::new();
        entries.extend(sheet_entries(check, roller, view).into_iter().map(Some));
        entries.push(None);

        for entry in entries {
            let name = match &entry {
                Some(entry) => entry.name.as_str(),
                None => check.label,
            };
            let text = format!("roll {} {name}", named.name);
            // Two checks may use the same entry. Only the first check has an item for it.
            if listed_texts.insert(text.clone()) {
                let roll = RollItem {
                    roller,
                    check: check.id,
                    entry,
                };
                let does = ItemAction::Roll(roll);
                items.push(Item { text, does });
            }
        }
    }
}

/// Lists the entries of the roller's sheet for the fields of a check.
fn sheet_entries(
    check: &CheckSpec,
    roller: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Vec<FieldEntry> {
    let mut entries = Vec::new();
    for field in check.fields {
        if field.whose != Whose::Own {
            continue;
        }
        for name in view.picks(roller, field) {
            if entries.len() < MAX_SHEET_ENTRIES {
                entries.push(FieldEntry {
                    field: field.id,
                    name,
                });
            }
        }
    }
    entries
}
