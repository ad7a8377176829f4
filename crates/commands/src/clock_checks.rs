//! The functions of the commands that attach checks to clocks and change attached checks.

use super::Args;
use super::check_reader::read_check;
use super::error::refused;
use super::spec::ActResult;
use tableside_game::AttachedCheck;

pub(super) fn set_outcome_ticks(args: &Args<'_>) -> ActResult {
    let outcome = args.name().to_lowercase();
    edit_checks(args, |check| {
        check.ticks.retain(|(known, _)| *known != outcome);
        check.ticks.push((outcome.clone(), args.amount()));
    })
}

pub(super) fn count_rolls(args: &Args<'_>) -> ActResult {
    edit_checks(args, |check| check.counts_all_rolls = args.has("all"))
}

/// Changes the attached check of each named clock. Refuses clocks without a check.
fn edit_checks(args: &Args<'_>, change: impl Fn(&mut AttachedCheck)) -> ActResult {
    if let Some(clock) = args.clocks().find(|clock| clock.check.is_none()) {
        let name = &clock.name;
        let reason = format!("no check fills {name} yet; attach one with: attach {name} CHECK");
        return Err(refused(reason));
    }

    args.edit_clocks(|clock| {
        if let Some(check) = &mut clock.check {
            change(check);
        }
    })
}

pub(super) fn attach(args: &Args<'_>) -> ActResult {
    let roller = args.first_character();
    let request = read_check(args.text(), roller, None, args.view)?;
    request.allow_only("attach", &[])?;

    let check = AttachedCheck {
        who: roller,
        fields: request.fields,
        ..AttachedCheck::new(&request.check)
    };
    args.edit_clocks(|clock| clock.check = Some(Box::new(check.clone())))
}

pub(super) fn detach(args: &Args<'_>) -> ActResult {
    args.edit_clocks(|clock| clock.check = None)
}
