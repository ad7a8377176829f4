//! Damage, rest, first aid, and trying again: what happens to bodies and minds, with what it leads to.

use super::DialogAction;
use super::form::{Form, FormDialog, FormSpec, Row};
use super::reading::Block;
use crate::rules::{Consequence, FirstAid, Key, System};
use crate::screen::theme::Role;
use crate::screen::widget::Look;
use crate::session::{Allegiance, Character, CharacterId, Command, Rest};
use crate::table::{SeatView, read_again};

/// What happens to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// Damage is taken, and perhaps half of it shrugged off.
    Damage,
    Rest,
    /// First aid, or the treatment of wounds.
    Aid,
    /// What may not be tried again is tried again.
    Unlock,
}

#[derive(Debug)]
pub struct HarmForm {
    what: Harm,
    who: Vec<CharacterId>,
    system: System,
    /// What is locked, in the order of the choice.
    locks: Vec<String>,
    /// What it would lead to, or why it cannot be.
    foreseen: Result<String, String>,
}

/// The rests that there are, in the order of the choice.
const RESTS: [Rest; 3] = [Rest::Short, Rest::Long, Rest::LongFailed];

/// The kinds of First Aid, in the order of the choice.
const AIDS: [(Consequence, &str); 2] = [
    (Consequence::Blood, "wounds"),
    (Consequence::Stress, "traumas"),
];

/// The most damage, and the highest total of a check.
const MOST: i32 = 999;

impl HarmForm {
    /// Opens it for these; else says why there is nothing of it in this system, or for this character.
    pub fn open(
        what: Harm,
        who: Vec<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Result<FormDialog<Self>, String> {
        let first = who.iter().find_map(|id| seen.character(*id));
        let first = first.ok_or("nobody is here yet")?;
        let locked = seen.locks().filter(|(one, _)| one.id == first.id);
        let opened = Self {
            what,
            system: seen.system(),
            locks: locked.map(|(_, about)| about.to_owned()).collect(),
            foreseen: Ok(String::new()),
            who,
        };
        let rows = opened.rows(first, seen)?;
        let whom = match opened.who.as_slice() {
            [_] => first.name.clone(),
            all => format!("{} marked", all.len()),
        };
        let words = match what {
            Harm::Damage => "damage",
            Harm::Rest => "rest",
            Harm::Aid if seen.system().spec().first_aid == FirstAid::TreatsWounds => "treat wounds",
            Harm::Aid => "First Aid",
            Harm::Unlock => "try again",
        };
        let mut form = Form::new(format!("{whom}: {words}"), rows);
        form.tail = (1, 3);
        Ok(FormDialog::new(form, opened, seen))
    }

    fn rows(&self, first: &Character, seen: &SeatView<'_>) -> Result<Vec<Row>, String> {
        let has = |stat: &str| first.sheet.value(stat).is_some();
        let (name, spec) = (&first.name, seen.system().spec());
        Ok(match self.what {
            Harm::Damage if !has("hit-points") => {
                return Err(format!(
                    "{} knows no hit points; tick a clock, or set a condition",
                    spec.name
                ));
            }
            Harm::Damage => {
                let amount = Row::number("amount", "Damage", None, (1, MOST))
                    .help("How much, before any of it is shrugged off.");
                let half = Row::flag("shrug-off", "Shrug off half", false)
                    .help("Half of it, for a step of the heart die; not below d4.");
                [amount]
                    .into_iter()
                    .chain(has("heart-now").then_some(half))
                    .collect()
            }
            Harm::Rest => {
                let whom = match self.who.as_slice() {
                    [_] => name.clone(),
                    all => format!("the {} marked", all.len()),
                };
                let who = Row::choice("who", "Who", [whom, "the whole party".to_owned()], 0)
                    .help("Those who are absent do not rest with the party.");
                let words = ["short, ten minutes", "long, a night", "long, and it fails"];
                let rest = Row::choice("rest", "Rest", words, 0).help(
                    "Short: the heart die back. Long: every wound 1 less, and healed. Failed: half \
                     of what is missing, and a condition.",
                );
                has("heart-now")
                    .then_some(rest)
                    .into_iter()
                    .chain([who])
                    .collect()
            }
            Harm::Aid => return aid(first, seen),
            Harm::Unlock if self.locks.is_empty() => {
                return Err(format!(
                    "nothing is locked for {name}; what may be tried again freely is not"
                ));
            }
            Harm::Unlock => {
                let words = self.locks.iter().map(|about| match about.as_str() {
                    "" => "it",
                    about => about,
                });
                let reasons = ["inspiration", "a clue", "rest"];
                vec![
                    Row::choice("about", "Try again", words, 0)
                        .help("What was failed, and is to be tried again."),
                    Row::choice("why", "After", reasons, 0)
                        .help("What changed: inspiration, a clue, or rest."),
                ]
            }
        })
    }

    /// What is to be done; `None` while something is still to be said.
    fn commands(&self, form: &Form, seen: &SeatView<'_>) -> Result<Option<Command>, String> {
        let number = |id: &'static str| form.row(id).map_or(Ok(None), Row::maybe_number);
        let each = |make: &dyn Fn(CharacterId) -> Command| {
            let who = self.who.iter().copied();
            Some(Command::together(who.map(make).collect()))
        };
        Ok(match self.what {
            Harm::Damage => number("amount")?.and_then(|amount| {
                let shrug_off = form.is_on("shrug-off");
                each(&|who| Command::Damage {
                    who,
                    amount,
                    shrug_off,
                })
            }),
            Harm::Rest => {
                let rest = form
                    .row("rest")
                    .and_then(|_| RESTS.get(form.choice("rest")));
                let rest = rest.copied().unwrap_or(Rest::Long);
                let party = |one: &&Character| one.side == Allegiance::Party && one.is_here();
                let who = match form.choice("who") {
                    0 => self.who.clone(),
                    _ => seen.roster().filter(party).map(|one| one.id).collect(),
                };
                let all = who.into_iter().map(|who| Command::Rest { who, rest });
                Some(Command::together(all.collect()))
            }
            Harm::Aid if self.system.spec().first_aid == FirstAid::TreatsWounds => {
                number("total")?.and_then(|total| each(&|who| Command::TreatWounds { who, total }))
            }
            Harm::Aid => number("levels")?.and_then(|levels| {
                let (of, _) = *AIDS.get(form.choice("of"))?;
                each(&|who| Command::FirstAid { who, of, levels })
            }),
            Harm::Unlock => {
                let about = self.locks.get(form.choice("about"));
                about
                    .zip(self.who.first())
                    .map(|(about, who)| Command::Unlock {
                        who: *who,
                        about: about.clone(),
                        why: form.text("why"),
                    })
            }
        })
    }
}

/// Which entry a number was read from.
fn from_entry(number: u64, seen: &SeatView<'_>) -> String {
    match seen.tag(number).as_str() {
        "" => "from the last roll".to_owned(),
        tag => format!("from {tag}"),
    }
}

fn aid(first: &Character, seen: &SeatView<'_>) -> Result<Vec<Row>, String> {
    match seen.system().spec().first_aid {
        FirstAid::TreatsWounds => {
            let last = last_check(seen, "skill");
            let total = last.and_then(|(total, ..)| total);
            let from = last.map_or(String::new(), |(_, number, _)| from_entry(number, seen));
            let row = Row::number("total", "Check total", total, (1, MOST)).help(
                "The total of a medicine check comes off every wound that was not treated yet; one's \
                 own with disadvantage.",
            );
            Ok(vec![row.beside(from)])
        }
        FirstAid::RemovesHarm => {
            let may = AIDS.map(|(_, stat)| seen.treatable(first, stat));
            let last = last_check(seen, "strategy");
            let levels = last.and_then(|(_, number, levels)| Some((levels?, number)));
            let from = levels.map_or(String::new(), |(_, number)| from_entry(number, seen));
            let levels = levels.map(|(levels, _)| levels);
            let words = [("Wounds", may[0]), ("Traumas", may[1])]
                .map(|(word, may)| format!("{word} (at most {may})"));
            Ok(vec![
                Row::number("levels", "Effect levels", levels, (1, 9))
                    .beside(from)
                    .help("The effect levels of the roll: each removes one."),
                Row::choice("of", "Removes", words, usize::from(may[0] < may[1])).help(
                    "At most what the scene brought. The roll: difficulty 20 for Wounds, 16 for \
                     Traumas, Safe.",
                ),
            ])
        }
        FirstAid::None | FirstAid::EndsDying => Err(format!(
            "the rules of {} say nothing of first aid for {}",
            seen.system().spec().name,
            first.name
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

impl FormSpec for HarmForm {
    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        form.check(|_, row| row.maybe_number().err());
        self.foreseen = match self.commands(form, seen) {
            Ok(Some(command)) => seen
                .foresee(&command)
                .map_err(|refusal| refusal.to_string()),
            // Told beside the field.
            Ok(None) | Err(_) => Ok(String::new()),
        };
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        self.foreseen.clone()?;
        let label = form.rows.first().map_or("", |row| &row.label);
        let command = self.commands(form, seen)?;
        let command = command.ok_or_else(|| format!("{label} is still to be said"))?;
        Ok(command.into())
    }

    fn tail(&self, form: &Form, _look: Look<'_>) -> Vec<Block> {
        vec![match &self.foreseen {
            Ok(words) => Block::words(Role::Info, words),
            Err(problem) if form.problem.is_some() => Block::words(Role::Muted, problem),
            Err(problem) => Block::words(Role::Danger, format!("! {problem}")),
        }]
    }
}
