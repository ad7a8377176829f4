//! What happens to bodies and minds, with what it leads to: damage, rest, first aid, and trying again.

use super::DialogAction;
use super::follow_ups::effect_levels;
use super::form::{FormDialog, Row, ask};
use crate::rules::{Consequence, FirstAid};
use crate::screen::action::Action;
use crate::session::{Allegiance, Character, CharacterId, Command, Rest, Roll};
use crate::table::SeatView;

/// The most damage, and the highest total of a check.
const MOST: i32 = 999;

/// The form of that action for these; else says why there is nothing of it in this system, or for this
/// character.
pub fn harm_form(
    action: Action,
    who: Vec<CharacterId>,
    seen: &SeatView<'_>,
) -> Result<FormDialog, String> {
    let first = who.iter().find_map(|id| seen.character(*id));
    let first = first.ok_or("nobody is here yet")?;
    let form = match (action, seen.system().spec().first_aid) {
        (Action::Damage, _) => damage(first, who, seen),
        (Action::Rest, _) => Ok(rest(first, who, seen)),
        (Action::Unlock, _) => unlock(first, seen),
        (_, FirstAid::TreatsWounds) => Ok(treat_wounds(first, who, seen)),
        (_, FirstAid::RemovesHarm) => Ok(first_aid(first, who, seen)),
        (_, FirstAid::None | FirstAid::EndsDying) => Err(format!(
            "the rules of {} say nothing of first aid for {}",
            seen.system().spec().name,
            first.name
        )),
    };
    Ok(form?.foretells().open(seen))
}

/// `Mira: damage`, or of several.
fn title(first: &Character, who: &[CharacterId], words: &str) -> String {
    match who {
        [_] => format!("{}: {words}", first.name),
        all => format!("{} marked: {words}", all.len()),
    }
}

/// The same for all of them.
fn each(who: &[CharacterId], make: impl Fn(CharacterId) -> Command) -> DialogAction {
    Command::together(who.iter().copied().map(make).collect()).into()
}

fn damage(
    first: &Character,
    who: Vec<CharacterId>,
    seen: &SeatView<'_>,
) -> Result<FormDialog, String> {
    let has = |stat: &str| first.sheet.value(stat).is_some();
    if !has("hit-points") {
        return Err(format!(
            "{} knows no hit points; tick a clock, or set a condition",
            seen.system().spec().name
        ));
    }
    let amount = Row::number("amount", "Damage", None, (1, MOST)).needed();
    let mut rows = vec![amount.help("How much, before any of it is shrugged off.")];
    if has("heart-now") {
        let half = Row::flag("shrug-off", "Shrug off half", false);
        rows.push(half.help("Half of it, for a step of the heart die; not below d4."));
    }
    let title = title(first, &who, "damage");
    Ok(ask(title, rows, move |form, _| {
        let (amount, shrug_off) = (form.number("amount")?, form.is_on("shrug-off"));
        Ok(each(&who, |who| Command::Damage {
            who,
            amount,
            shrug_off,
        }))
    }))
}

fn rest(first: &Character, who: Vec<CharacterId>, _seen: &SeatView<'_>) -> FormDialog {
    const RESTS: [(Rest, &str); 3] = [
        (Rest::Short, "short, ten minutes"),
        (Rest::Long, "long, a night"),
        (Rest::LongFailed, "long, and it fails"),
    ];
    let mut rows = Vec::new();
    if first.sheet.value("heart-now").is_some() {
        let rest = Row::choice("rest", "Rest", RESTS.map(|(_, words)| words), 0);
        rows.push(rest.help(
            "Short: the heart die back. Long: every wound 1 less, and healed. Failed: half of what is \
             missing, and a condition.",
        ));
    }
    let whom = match who.as_slice() {
        [_] => first.name.clone(),
        all => format!("the {} marked", all.len()),
    };
    let all = Row::choice("who", "Who", [whom, "the whole party".to_owned()], 0);
    rows.push(all.help("Those who are absent do not rest with the party."));
    ask(title(first, &who, "rest"), rows, move |form, seen| {
        let rest = match form.row("rest") {
            Some(_) => RESTS[form.choice("rest")].0,
            None => Rest::Long,
        };
        let party = |one: &&Character| one.side == Allegiance::Party && one.is_here();
        let all: Vec<CharacterId> = match form.choice("who") {
            0 => who.clone(),
            _ => seen.roster().filter(party).map(|one| one.id).collect(),
        };
        Ok(each(&all, |who| Command::Rest { who, rest }))
    })
}

fn treat_wounds(first: &Character, who: Vec<CharacterId>, seen: &SeatView<'_>) -> FormDialog {
    let (total, from) = last_check("skill", seen, |roll| roll.total);
    let row = Row::number("total", "Check total", total, (1, MOST)).needed();
    let row = row.beside(from).help(
        "The total of a medicine check comes off every wound that was not treated yet; one's own with \
         disadvantage.",
    );
    let title = title(first, &who, "treat wounds");
    ask(title, vec![row], move |form, _| {
        let total = form.number("total")?;
        Ok(each(&who, |who| Command::TreatWounds { who, total }))
    })
}

fn first_aid(first: &Character, who: Vec<CharacterId>, seen: &SeatView<'_>) -> FormDialog {
    const AIDS: [(Consequence, &str, &str); 2] = [
        (Consequence::Blood, "Wounds", "wounds"),
        (Consequence::Stress, "Traumas", "traumas"),
    ];
    let may = AIDS.map(|(_, _, stat)| seen.treatable(first, stat));
    let words = [0, 1].map(|at| format!("{} (at most {})", AIDS[at].1, may[at]));
    let (levels, from) = last_check("strategy", seen, |roll| effect_levels(roll, seen));
    let rows = vec![
        Row::number("levels", "Effect levels", levels, (1, 9))
            .needed()
            .beside(from)
            .help("The effect levels of the roll: each removes one."),
        Row::choice("of", "Removes", words, usize::from(may[0] < may[1])).help(
            "At most what the scene brought. The roll: difficulty 20 for Wounds, 16 for Traumas, Safe.",
        ),
    ];
    let title = title(first, &who, "First Aid");
    ask(title, rows, move |form, _| {
        let (levels, (of, ..)) = (form.number("levels")?, AIDS[form.choice("of")]);
        Ok(each(&who, |who| Command::FirstAid { who, of, levels }))
    })
}

fn unlock(first: &Character, seen: &SeatView<'_>) -> Result<FormDialog, String> {
    let locks = seen.locks().filter(|(one, _)| one.id == first.id);
    let locks: Vec<String> = locks.map(|(_, about)| about.to_owned()).collect();
    if locks.is_empty() {
        return Err(format!(
            "nothing is locked for {}; what may be tried again freely is not",
            first.name
        ));
    }
    let words = locks.iter().map(|about| match about.as_str() {
        "" => "it",
        about => about,
    });
    let reasons = ["inspiration", "a clue", "rest"];
    let rows = vec![
        Row::choice("about", "Try again", words, 0)
            .help("What was failed, and is to be tried again."),
        Row::choice("why", "After", reasons, 0).help("What changed: inspiration, a clue, or rest."),
    ];
    let who = first.id;
    Ok(ask(
        title(first, &[who], "try again"),
        rows,
        move |form, _| {
            let about = locks[form.choice("about")].clone();
            let why = form.text("why");
            Ok(Command::Unlock { who, about, why }.into())
        },
    ))
}

/// What the last check of that kind came to that holds, and where it is read from.
fn last_check(
    check: &str,
    seen: &SeatView<'_>,
    of: impl Fn(&Roll) -> Option<i32>,
) -> (Option<i32>, String) {
    let mut log = seen.log();
    let last = log.find(|entry| {
        let roll = entry.event.what.resolved();
        roll.is_some_and(|roll| roll.check == check) && !seen.is_struck(entry.number)
    });
    let number = last.as_ref().map(|entry| entry.number);
    let came = last.and_then(|entry| of(entry.event.what.resolved()?));
    let from = match number.map(|number| seen.tag(number)).as_deref() {
        _ if came.is_none() => String::new(),
        Some("") | None => "from the last roll".to_owned(),
        Some(tag) => format!("from {tag}"),
    };
    (came, from)
}
