//! Damage, rest, first aid, and trying again: what happens to bodies and minds, with what it leads to.

mod items;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Reply;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use super::scroll::{Block, Scroll};
use crate::rules::{Consequence, FirstAid, System};
use crate::screen::theme::Role;
use crate::screen::widget::Look;
use crate::session::{Allegiance, CharacterId, Command, Rest};
use crate::table::SeatView;

/// What happens to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// Damage is taken, and perhaps half of it shrugged off.
    Damage,
    /// A rest.
    Rest,
    /// First aid, or the treatment of wounds.
    Aid,
    /// What may not be tried again is tried again.
    Unlock,
}

/// Damage, rest, first aid, and trying again.
#[derive(Clone, Debug)]
pub struct HarmForm {
    what: Harm,
    who: Vec<CharacterId>,
    system: System,
    /// What is locked, in the order of the choice.
    locks: Vec<String>,
    form: Form,
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

impl HarmForm {
    /// Opens it for these; else says why there is nothing of it.
    pub fn open(what: Harm, who: Vec<CharacterId>, seen: &SeatView<'_>) -> Result<Self, String> {
        let first = who.iter().find_map(|id| seen.character(*id));
        let first = first.ok_or("nobody is here yet")?;
        let locked = seen.locks().filter(|(one, _)| one.id == first.id);
        let locks: Vec<String> = locked.map(|(_, about)| about.to_owned()).collect();
        let items = items::items(what, &who, first, &locks, seen)?;
        let whom = match who.as_slice() {
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
        let mut form = Form::new(items).titled(format!("{whom}: {words}"));
        form.tail = (1, 3);
        let mut opened = Self {
            what,
            who,
            system: seen.system(),
            locks,
            form,
            foreseen: Ok(String::new()),
        };
        opened.check(seen);
        Ok(opened)
    }

    fn number(&self, id: &str) -> Result<Option<i32>, String> {
        self.form.item(id).map_or(Ok(None), Item::maybe_number)
    }

    /// What is to be done; nothing while something is still to be said.
    fn commands(&self, seen: &SeatView<'_>) -> Result<Option<Command>, String> {
        let each = |make: &dyn Fn(CharacterId) -> Command| {
            let who = self.who.iter().copied();
            Some(Command::together(who.map(make).collect()))
        };
        Ok(match self.what {
            Harm::Damage => self.number("amount")?.and_then(|amount| {
                let shrug_off = self.form.flag("shrug-off");
                each(&|who| Command::Damage {
                    who,
                    amount,
                    shrug_off,
                })
            }),
            Harm::Rest => {
                let rest = match self.form.item("rest") {
                    Some(_) => RESTS.get(self.form.choice("rest")).copied(),
                    None => None,
                };
                let rest = rest.unwrap_or(Rest::Long);
                let party = |one: &&crate::session::Character| {
                    one.side == Allegiance::Party && one.is_here()
                };
                let who = match self.form.choice("who") {
                    0 => self.who.clone(),
                    _ => seen.roster().filter(party).map(|one| one.id).collect(),
                };
                let all = who.into_iter().map(|who| Command::Rest { who, rest });
                Some(Command::together(all.collect()))
            }
            Harm::Aid if self.system.spec().first_aid == FirstAid::TreatsWounds => self
                .number("total")?
                .and_then(|total| each(&|who| Command::TreatWounds { who, total })),
            Harm::Aid => self.number("levels")?.and_then(|levels| {
                let (of, _) = AIDS.get(self.form.choice("of"))?;
                each(&|who| Command::FirstAid {
                    who,
                    of: *of,
                    levels,
                })
            }),
            Harm::Unlock => {
                let about = self.locks.get(self.form.choice("about"));
                let who = self.who.first().copied();
                about.zip(who).map(|(about, who)| Command::Unlock {
                    who,
                    about: about.clone(),
                    why: self.form.text("why"),
                })
            }
        })
    }

    fn check(&mut self, seen: &SeatView<'_>) {
        self.form.check(|_, item| item.maybe_number().err());
        self.foreseen = match self.commands(seen) {
            Ok(Some(command)) => seen
                .foresee(&command)
                .map_err(|refusal| refusal.to_string()),
            // Told beside the field.
            Ok(None) | Err(_) => Ok(String::new()),
        };
    }
}

impl Filled for HarmForm {
    its_form!();

    fn entered(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        self.check(seen);
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> Reply {
        self.check(seen);
        let built = match (self.commands(seen), &self.foreseen) {
            (_, Err(problem)) => Err(problem.clone()),
            (Ok(Some(command)), Ok(_)) => Ok(command),
            (Ok(None), Ok(_)) => {
                let label = self.form.items.first().map_or("", |item| &item.label);
                Err(format!("{label} is still to be said"))
            }
            (Err(problem), Ok(_)) => Err(problem),
        };
        self.form.finish(built)
    }

    fn draw(
        &self,
        _seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (below, cursor) = self.form.draw_above(&self.form.title, look, area, buffer);
        let blocks = match &self.foreseen {
            Ok(words) => [Block::words(Role::Info, words.as_str())],
            Err(problem) if self.form.problem.is_some() => [Block::words(Role::Muted, problem)],
            Err(problem) => [Block::words(Role::Danger, format!("! {problem}"))],
        };
        Scroll::default().draw(&blocks, *look, below, buffer);
        cursor
    }
}
