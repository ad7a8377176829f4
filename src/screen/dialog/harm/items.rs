//! What is asked about each kind of harm.

use super::{AIDS, Harm};
use crate::rules::{FirstAid, Key};
use crate::screen::dialog::entry::Entry;
use crate::screen::dialog::form::Item;
use crate::session::{Character, CharacterId};
use crate::table::{SeatView, read_again};

/// The most damage, and the highest total of a check.
const MOST: i32 = 999;

/// What is asked; else why there is nothing of it in this system, or for this character.
pub(super) fn items(
    what: Harm,
    who: &[CharacterId],
    first: &Character,
    locks: &[String],
    seen: &SeatView<'_>,
) -> Result<Vec<Item>, String> {
    let has = |stat: &str| first.sheet.value(stat).is_some();
    let name = &first.name;
    match what {
        Harm::Damage if !has("hit-points") => Err(format!(
            "{} knows no hit points; tick a clock, or set a condition",
            seen.system().spec().name
        )),
        Harm::Damage => {
            let help = "How much, before any of it is shrugged off.";
            let mut items =
                vec![Item::new("amount", "Damage", Entry::number(None), help).within(1, MOST)];
            if has("heart-now") {
                let help = "Half of it, for a step of the heart die; not below d4.";
                items.push(Item::new(
                    "shrug-off",
                    "Shrug off half",
                    Entry::Flag(false),
                    help,
                ));
            }
            Ok(items)
        }
        Harm::Rest => {
            let whom = match who {
                [_] => name.clone(),
                all => format!("the {} marked", all.len()),
            };
            let party = "the whole party".to_owned();
            let who = Item::new(
                "who",
                "Who",
                Entry::word([whom, party], 0),
                "Those who are absent do not rest with the party.",
            );
            if !has("heart-now") {
                return Ok(vec![who]);
            }
            let words = ["short, ten minutes", "long, a night", "long, and it fails"];
            let help = "Short: the heart die back. Long: every wound 1 less, and healed. \
                        Failed: half of what is missing, and a condition.";
            let rest = Item::new("rest", "Rest", Entry::word(words, 0), help);
            Ok(vec![rest, who])
        }
        Harm::Aid => aid(first, seen),
        Harm::Unlock if locks.is_empty() => Err(format!(
            "nothing is locked for {name}; what may be tried again freely is not"
        )),
        Harm::Unlock => {
            let words = locks.iter().map(|about| match about.as_str() {
                "" => "it",
                about => about,
            });
            let reasons = ["inspiration", "a clue", "rest"];
            Ok(vec![
                Item::new(
                    "about",
                    "Try again",
                    Entry::word(words, 0),
                    "What was failed, and is to be tried again.",
                ),
                Item::new(
                    "why",
                    "After",
                    Entry::word(reasons, 0),
                    "What changed: inspiration, a clue, or rest.",
                ),
            ])
        }
    }
}

/// Which entry a number was read from.
fn from_entry(number: u64, seen: &SeatView<'_>) -> String {
    match seen.tag(number).as_str() {
        "" => "from the last roll".to_owned(),
        tag => format!("from {tag}"),
    }
}

fn aid(first: &Character, seen: &SeatView<'_>) -> Result<Vec<Item>, String> {
    let name = &first.name;
    match seen.system().spec().first_aid {
        FirstAid::TreatsWounds => {
            let last = last_check(seen, "skill");
            let (total, from) = last.map_or((None, String::new()), |(roll, number, _)| {
                (roll, from_entry(number, seen))
            });
            let help = "The total of a medicine check comes off every wound that was not treated \
                        yet; one's own with disadvantage.";
            let item = Item::new("total", "Check total", Entry::number(total), help);
            Ok(vec![item.within(1, MOST).beside(from)])
        }
        FirstAid::RemovesHarm => {
            let may = AIDS.map(|(_, stat)| seen.treatable(first, stat));
            let at = usize::from(may[0] < may[1]);
            let last = last_check(seen, "strategy");
            let levels = last.and_then(|(_, number, levels)| Some((levels?, number)));
            let from = levels.map_or(String::new(), |(_, number)| from_entry(number, seen));
            let words = [("Wounds", may[0]), ("Traumas", may[1])]
                .map(|(word, may)| format!("{word} (at most {may})"));
            let of = Item::new(
                "of",
                "Removes",
                Entry::word(words, at),
                "At most what the scene brought. The roll: difficulty 20 for Wounds, 16 for Traumas, Safe.",
            );
            let item = Item::new(
                "levels",
                "Effect levels",
                Entry::number(levels.map(|(levels, _)| levels)),
                "The effect levels of the roll: each removes one.",
            );
            Ok(vec![item.within(1, 9).beside(from), of])
        }
        FirstAid::None | FirstAid::EndsDying => Err(format!(
            "the rules of {} say nothing of first aid for {name}",
            seen.system().spec().name
        )),
    }
}

/// The last resolved check of that kind that holds: its total, its entry, its effect levels.
fn last_check(seen: &SeatView<'_>, check: &str) -> Option<(Option<i32>, u64, Option<i32>)> {
    let mut log = seen.log();
    let entry = log.find(|entry| {
        let roll = entry.event.what.resolved();
        roll.is_some_and(|roll| roll.check == check) && !seen.is_struck(entry.number)
    })?;
    let roll = entry.event.what.resolved()?;
    let (_, outcome) = read_again(roll, seen.system())?;
    let levels = outcome.keys.iter().find_map(|(key, value)| match value {
        Key::Number(number) if *key == "effect-levels" && *number > 0 => Some(*number),
        _ => None,
    });
    Some((roll.total, entry.number, levels))
}
