//! The functions of the commands that call on characters to roll, and withdraw such calls.

use super::Args;
use super::check_reader::read_check;
use super::error::{list_choices, refused};
use super::rolls::group_kind;
use super::slots::combine;
use super::spec::ActResult;
use tableside_game::{Call, CallCommand, Command, EntityRef, GroupKind};

pub(super) fn call_for_roll(args: &Args<'_>) -> ActResult {
    let view = args.view;
    let request = read_check(args.text(), args.first_character(), None, view)?;
    request.allow_only("call", &["help", "shown"])?;
    let check = request.spec(view)?;

    let call = match group_kind(args) {
        Some(kind) => {
            let pick = view.group(check, kind, &request.fields, &[])?;
            let mut helpers = request.helper_ids(view)?;
            for id in &pick.helpers {
                if !helpers.contains(id) {
                    helpers.push(*id);
                }
            }
            CallCommand {
                fields: view.called_with(&pick, &request.fields),
                who: vec![pick.who],
                check: request.check,
                helpers,
                group: kind == GroupKind::Worst,
                shown: request.options.shown,
            }
        }
        None => CallCommand {
            who: args.character_ids().collect(),
            helpers: request.helper_ids(view)?,
            check: request.check,
            fields: request.fields,
            group: false,
            shown: request.options.shown,
        },
    };
    Ok(Command::Call(call).into())
}

/// Cancels the calls of the named character, or the only call.
pub(super) fn cancel_call(args: &Args<'_>) -> ActResult {
    let named = args.first_character();
    let calls: Vec<&Call> = args
        .view
        .calls()
        .filter(|call| named.is_none() || Some(call.who) == named)
        .collect();

    if calls.is_empty() {
        let reason = match named {
            Some(_) => format!("{} has no open call to cancel", args.view.owner_name(named)),
            None => "there is no open call to cancel".to_owned(),
        };
        return Err(refused(reason));
    }
    if calls.len() > 1 && named.is_none() {
        let mut names: Vec<String> = Vec::new();
        for call in &calls {
            let name = args.view.owner_name(Some(call.who));
            if !names.iter().any(|listed| listed == name) {
                names.push(name.to_owned());
            }
        }
        let choices = list_choices(&names);
        let reason = format!("several calls are open; name the character: {choices}");
        return Err(refused(reason));
    }

    let removals = calls
        .iter()
        .map(|call| Command::Remove(EntityRef::Call(call.id)));
    combine(removals)
}
