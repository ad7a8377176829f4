//! What happens to bodies and minds, with what it leads to: damage, rest, first aid, and trying again.

use crate::app::action::Action;
use crate::dialog::follow_ups::effect_levels;
use crate::dialog::{Dialog, Form, Row, ask};
use tableside_game::{Allegiance, Blow, Character, CharacterId, Command, CommandError, Rest, Roll};
use tableside_rules::{FirstAid, Id, PoolOwner};
use tableside_table::SeatView;

/// The most damage, and the highest total of a check.
const MOST: i32 = 999;

const RESTS: [(Rest, &str); 3] = [
    (Rest::Short, "short, ten minutes"),
    (Rest::Long, "long, a night"),
    (Rest::LongFailed, "long, and it fails"),
];

/// How damage hits, where the rules tell it apart.
const BLOWS: [(Blow, &str); 3] = [
    (Blow::Ordinary, "an ordinary one"),
    (Blow::Critical, "a critical hit"),
    (Blow::KnockOut, "knocks out, in melee"),
];

/// What First Aid removes: its name, and the stat that counts it.
const AIDS: [(Id, &str, &str); 2] = [
    (Id::new("blood"), "Wounds", "wounds"),
    (Id::new("stress"), "Traumas", "traumas"),
];

/// What stands for a lock about nothing in particular.
const ANYTHING: &str = "it";

/// What a form asks, and the command that it comes to for each.
type Asked = (
    &'static str,
    Vec<Row>,
    fn(&Form, CharacterId) -> Result<Command, String>,
);

/// The form of that action for these; else says why there is nothing of it in this system, or for this
/// character.
pub fn health_form(
    action: Action,
    who: Vec<CharacterId>,
    view: &SeatView<'_>,
) -> Result<Dialog, String> {
    let first = who.iter().find_map(|id| view.character(*id));
    let first = first.ok_or("nobody is here yet")?;
    let (words, rows, command) = match action {
        Action::Damage => damage(first, who.len(), view)?,
        Action::Rest => rest(first, who.len(), view)?,
        Action::Unlock => unlock(first, view)?,
        _ => aid(first, view)?,
    };
    let title = match who.as_slice() {
        [_] => format!("{}: {words}", first.name),
        all => format!("{} marked: {words}", all.len()),
    };
    let form = ask(title, rows, view, move |form, view| {
        let party = |one: &&Character| one.side == Allegiance::Party && one.is_here();
        let all: Vec<CharacterId> = match form.choice("party") {
            0 => who.clone(),
            _ => view.roster().filter(party).map(|one| one.id).collect(),
        };
        let all = all.into_iter().map(|who| command(form, who));
        Ok(Command::together(all.collect::<Result<_, _>>()?).into())
    });
    Ok(form.with_preview_lines())
}

fn damage(first: &Character, count: usize, view: &SeatView<'_>) -> Result<Asked, String> {
    let has = |stat: &str| first.sheet.value(stat).is_some();
    if !has("hit-points") {
        let spec = view.system().spec();
        let mut pools = spec.pools.iter();
        let pool = pools.find(|pool| pool.purse != PoolOwner::Table && !pool.at.is_empty());
        let instead = pool.map_or_else(
            || "tick a clock, or set a condition".to_owned(),
            |pool| format!("+ and - change {}", pool.name),
        );
        return Err(format!("{} knows no hit points; {instead}", spec.name));
    }
    let amount = Row::number("amount", "Damage", None, (1, MOST));
    let now = first.sheet.number("hit-points").filter(|_| count == 1);
    let most = first.sheet.most_hit_points();
    let most = most.map_or_else(String::new, |most| format!("/{most}"));
    let now = now.map(|now| format!("hit points {now}{most}"));
    let amount = amount.needed().hint("7, or +7 to heal");
    let amount = amount.beside(now.unwrap_or_default());
    let mut rows = vec![amount.help("7 is damage. +7 heals seven, up to the maximum.")];
    if has("heart-now") {
        let half = Row::flag("shrug-off", "Shrug off half", false);
        rows.push(half.help("Half of it, for a step of the heart die; not below d4."));
    }
    if view.system().spec().dying.is_some() {
        let blow = Row::choice("blow", "Hit", BLOWS.map(|(_, words)| words), 0);
        rows.push(blow.help(
            "At 0 hit points a critical hit is two failed saves. Knocking out in melee leaves 1 hit point.",
        ));
    }
    Ok(("damage or healing", rows, |form, who| {
        let amount = form.number("amount")?;
        let shrug_off = form.is_on("shrug-off");
        let heals = form.text("amount").starts_with('+');
        Ok(match heals {
            true if shrug_off => return Err("healing is not shrugged off".to_owned()),
            true => Command::Heal { who, amount },
            false => Command::Damage {
                who,
                amount,
                shrug_off,
                blow: match form.row("blow") {
                    Some(_) => BLOWS[form.choice("blow")].0,
                    None => Blow::Ordinary,
                },
            },
        })
    }))
}

fn rest(first: &Character, count: usize, view: &SeatView<'_>) -> Result<Asked, String> {
    let (who, rest) = (first.id, Rest::Long);
    let preview = view.preview(&Command::Rest { who, rest });
    // Where something is locked, a rest may let the others try again.
    if let (Err(why @ CommandError::AtEnd(_)), None) = (preview, view.locks().next()) {
        return Err(why.to_string());
    }
    let mut rows = Vec::new();
    if first.sheet.value("heart-now").is_some() {
        let rest = Row::choice("rest", "Rest", RESTS.map(|(_, words)| words), 0);
        rows.push(rest.help(
            "A short rest brings the heart die back. A long one heals all hit points, too, and each wound is \
             1 less. If it fails, it heals half of what is missing and leaves a condition.",
        ));
    }
    let whom = match count {
        1 => first.name.clone(),
        count => format!("the {count} marked"),
    };
    let who = Row::choice("party", "Who", [whom, "the whole party".to_owned()], 0);
    rows.push(who.help("Those who are absent do not rest with the party."));
    Ok(("rest", rows, |form, who| {
        let rest = form.row("rest").map(|_| RESTS[form.choice("rest")].0);
        let rest = rest.unwrap_or(Rest::Long);
        Ok(Command::Rest { who, rest })
    }))
}

fn aid(first: &Character, view: &SeatView<'_>) -> Result<Asked, String> {
    match view.system().spec().first_aid {
        FirstAid::TreatsWounds => {
            let (total, from) = last_check("skill", view, |roll| roll.total);
            let row = Row::number("total", "Check total", total, (1, MOST)).needed();
            let row = row.beside(from).help(
                "The total of a medicine check comes off every wound that was not treated yet; one's \
                 own with disadvantage.",
            );
            Ok(("treat wounds", vec![row], |form, who| {
                let total = form.number("total")?;
                Ok(Command::TreatWounds { who, total })
            }))
        }
        FirstAid::RemovesHarm => {
            let may = AIDS.map(|(_, _, stat)| view.treatable(first, stat));
            let words = [0, 1].map(|at| format!("{} (at most {})", AIDS[at].1, may[at]));
            let (levels, from) = last_check("strategy", view, |roll| effect_levels(roll, view));
            let levels = Row::number("levels", "Effect levels", levels, (1, 9)).needed();
            let levels = levels.beside(from);
            let of = Row::choice("of", "Removes", words, usize::from(may[0] < may[1]));
            let rows = vec![
                levels.help("The effect levels of the roll: each removes one."),
                of.help(
                    "At most what the scene brought. The roll: difficulty 20 for Wounds, 16 for \
                     Traumas, Safe.",
                ),
            ];
            Ok(("First Aid", rows, |form, who| {
                let (levels, (of, ..)) = (form.number("levels")?, AIDS[form.choice("of")]);
                Ok(Command::FirstAid { who, of, levels })
            }))
        }
        FirstAid::None | FirstAid::EndsDying => Err(format!(
            "the rules of {} say nothing of first aid for {}",
            view.system().spec().name,
            first.name
        )),
    }
}

fn unlock(first: &Character, view: &SeatView<'_>) -> Result<Asked, String> {
    let locks = view.locks().filter(|(one, _)| one.id == first.id);
    let locks = locks.map(|(_, about)| if about.is_empty() { ANYTHING } else { about });
    let locks: Vec<&str> = locks.collect();
    if locks.is_empty() {
        return Err(format!(
            "nothing is locked for {}: anything may be tried again",
            first.name
        ));
    }
    let reasons = ["inspiration", "a clue", "rest"];
    let rows = vec![
        Row::choice("about", "Try again", locks, 0)
            .help("What was failed, and is to be tried again."),
        Row::choice("why", "After", reasons, 0).help("What changed: inspiration, a clue, or rest."),
    ];
    Ok(("try again", rows, |form, who| {
        let about = form.text("about");
        let about = Some(about).filter(|about| about != ANYTHING);
        let (about, why) = (about.unwrap_or_default(), form.text("why"));
        Ok(Command::Unlock { who, about, why })
    }))
}

/// What the last check of that kind came to that holds, and where it is read from.
fn last_check(
    check: &str,
    view: &SeatView<'_>,
    of: impl Fn(&Roll) -> Option<i32>,
) -> (Option<i32>, String) {
    let mut log = view.log();
    let last = log.find_map(|entry| {
        let roll = entry.event.what.resolved();
        let roll = roll.filter(|roll| roll.check == check && !view.is_struck(entry.number));
        Some((of(roll?), view.tag(entry.number)))
    });
    match last {
        Some((Some(came), tag)) if tag.is_empty() => (Some(came), "from the last roll".to_owned()),
        Some((Some(came), tag)) => (Some(came), format!("from {tag}")),
        Some((None, _)) | None => (None, String::new()),
    }
}
