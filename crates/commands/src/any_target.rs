//! Commands that act on several kinds of targets: `hide`, `rename`, `delete`.

use super::error::refused;
use super::slots::combine;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, Target};
use tableside_game::{Command, Visibility};
use tableside_table::SeatView;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::Hide,
        "hide THING",
        "Hide a character or a clock from players",
        hide,
    )
    .applies_if(is_not_hidden),
    CommandSpec::new(
        CommandId::Show,
        "show/reveal THING",
        "Show a character or a clock to players",
        show,
    )
    .applies_if(is_not_visible),
    CommandSpec::new(
        CommandId::Rename,
        "rename THING to NAME",
        "Rename a character, a clock or a pool",
        rename,
    ),
    CommandSpec::new(
        CommandId::Duplicate,
        "duplicate/copy THING",
        "Duplicate a character, a clock or a pool",
        duplicate,
    ),
    CommandSpec::new(
        CommandId::Delete,
        "delete/remove THING",
        "Delete a character, a clock or a pool; undo restores it",
        delete,
    ),
];

fn is_not_hidden(target: &Target, view: &SeatView<'_>) -> bool {
    let visibility = target.visibility(view);
    visibility.is_some_and(|visibility| visibility != Visibility::Hidden)
}

fn is_not_visible(target: &Target, view: &SeatView<'_>) -> bool {
    let visibility = target.visibility(view);
    visibility.is_some_and(|visibility| visibility != Visibility::Visible)
}

fn hide(args: &Args<'_>) -> ActResult {
    set_visibility(args, Visibility::Hidden)
}

fn show(args: &Args<'_>) -> ActResult {
    set_visibility(args, Visibility::Visible)
}

fn set_visibility(args: &Args<'_>, visibility: Visibility) -> ActResult {
    match args.slots.targets.first() {
        Some(Target::Clock(_)) => args.edit_clocks(|clock| clock.visibility = visibility),
        Some(Target::Pool(_)) => {
            let reason = "a pool cannot be hidden or shown; hide or show its owner";
            Err(refused(reason))
        }
        _ => {
            let is_hidden = visibility == Visibility::Hidden;
            args.edit_characters(|character| character.hidden = is_hidden)
        }
    }
}

fn rename(args: &Args<'_>) -> ActResult {
    let name = args.name();
    match args.slots.targets.first() {
        Some(Target::Clock(_)) => args.edit_clocks(|clock| name.clone_into(&mut clock.name)),
        Some(Target::Pool(_)) => args.edit_pool(|pool| name.clone_into(&mut pool.name)),
        _ => args.edit_characters(|character| name.clone_into(&mut character.name)),
    }
}

fn duplicate(args: &Args<'_>) -> ActResult {
    let targets = args.slots.targets.iter();
    let subjects = targets.filter_map(|target| target.subject());
    combine(subjects.map(Command::Duplicate))
}

fn delete(args: &Args<'_>) -> ActResult {
    let targets = args.slots.targets.iter();
    let subjects = targets.filter_map(|target| target.subject());
    combine(subjects.map(Command::Remove))
}
