//! A check that waits for a choice: buttons, each with its odds.

use super::faces::ByHand;
use crate::rules::{
    Answer, Ask, Buttons, CheckSpec, Choices, Odds, Picked, ShownDie, Side, buttons,
};
use crate::screen::dialog::Canvas;
use crate::screen::dialog::press::{Button, Press};
use crate::screen::dialog::reading::{Block, Reading, Scroll, wanted};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::theme::Role;
use crate::screen::widget::odds::percent;
use crate::session::{Command, Faces, Unfinished, UnfinishedId};
use crate::table::SeatView;

#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) check: Unfinished,
    spec: &'static CheckSpec,
    what: Choices,
    /// Whose decision it is.
    by: Side,
    dice: Vec<ShownDie>,
    pub(super) press: Press<Pressed>,
    scroll: Scroll,
    /// Why the table refused an answer.
    pub(super) problem: Option<String>,
}

/// What a button of a waiting check does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    Option,
    /// Sets another check up; this one goes on waiting.
    Another,
    GiveUp,
}

/// Where an unfinished check stands.
#[derive(Clone, Debug)]
pub(super) enum Stands {
    Choice(Box<Waiting>),
    Dice(Box<ByHand>),
}

impl Waiting {
    /// Where that check stands.
    pub(super) fn at(check: &Unfinished, seen: &SeatView<'_>) -> Option<Stands> {
        let roll = &check.roll;
        let system = seen.system();
        let spec = roll.spec(system).ok()?;
        let machine = roll.machine(system).ok()?;
        match machine.after(&roll.trail).ok()? {
            Ask::Choose { what, by } => {
                let odds = buttons(spec, &*machine, &roll.trail).ok().flatten();
                let press = press(spec, &what, odds.as_ref());
                let dice = machine.outcome(&roll.trail).dice;
                let check = check.clone();
                Some(Stands::Choice(Box::new(Self {
                    check,
                    spec,
                    what,
                    by,
                    dice,
                    press,
                    scroll: Scroll::default(),
                    problem: None,
                })))
            }
            Ask::Roll { .. } => {
                let fields = roll.all_fields(system).ok()?;
                let by_hand = ByHand::after(&fields, &roll.house, &roll.trail)?;
                Some(Stands::Dice(Box::new(by_hand)))
            }
            Ask::Done(..) => None,
        }
    }

    /// What is asked, in words.
    fn question(&self) -> &'static str {
        let found = self
            .spec
            .choices
            .iter()
            .find(|choice| choice.id == self.what.choice);
        found.map_or("", |choice| choice.help)
    }

    /// The option that the marked button stands for.
    fn chosen(&self) -> Option<&Picked> {
        self.what.options.get(self.press.focus)
    }

    /// That option as the answer; dice after it are rolled.
    pub(super) fn answer(&self, faces: Faces, seen: &SeatView<'_>) -> Option<Command> {
        Some(Command::Answer {
            check: self.check.id,
            chose: self.chosen()?.name.clone(),
            by: super::by(seen),
            faces,
        })
    }

    /// The dice asked for by hand after that option, if any are.
    pub(super) fn by_hand(&self, seen: &SeatView<'_>) -> Option<ByHand> {
        let roll = &self.check.roll;
        let mut trail = roll.trail.clone();
        trail.push(Answer::Chose {
            choice: self.what.choice.to_owned(),
            chose: self.chosen()?.name.clone(),
            by: super::by(seen),
        });
        ByHand::after(&roll.all_fields(seen.system()).ok()?, &roll.house, &trail)
    }

    pub(super) fn draw(
        &self,
        title: &str,
        note: &str,
        seen: &SeatView<'_>,
        canvas: &mut Canvas<'_>,
    ) {
        let whose = match self.by {
            Side::Actor => "The one who rolls decides.".to_owned(),
            Side::Opponent => "The other side decides.".to_owned(),
            Side::Gm => format!("The {} decides.", seen.system().spec().gm),
        };
        let blocks = [
            Block::Dice(dice_of(&self.dice)),
            Block::Gap,
            Block::words(Role::Text, self.question()),
            Block::words(Role::Muted, whose),
        ];
        let reading = Reading {
            title,
            note,
            blocks: &blocks,
            press: Some(&self.press),
            problem: self.problem.as_deref(),
            width: wanted(canvas.area),
        };
        reading.draw(&self.scroll, canvas);
    }

    /// The number that the session knows it by.
    pub(super) fn id(&self) -> UnfinishedId {
        self.check.id
    }
}

/// The options as buttons. The one that is best for whoever rolls is marked; what the GM decides, or
/// nobody can weigh, begins with what is taken when nobody answers.
fn press(spec: &CheckSpec, what: &Choices, odds: Option<&Buttons>) -> Press<Pressed> {
    let options = what.options.iter().enumerate().map(|(index, one)| Button {
        note: odds.map_or_else(String::new, |odds| note(spec, odds, index)),
        ..Button::new(Pressed::Option, &one.label, None)
    });
    let beside = [
        Button::new(Pressed::Another, "Another check", None),
        Button::new(Pressed::GiveUp, "Give it up", None),
    ];
    let mut press = Press::new(options.chain(beside).collect()).lettered();
    press.focus = match odds {
        Some(odds) if odds.by != Side::Gm => odds.best,
        _ => what.default,
    };
    press
}

/// What an option leads to: its chance of success, or what is likeliest.
fn note(spec: &CheckSpec, odds: &Buttons, index: usize) -> String {
    let Some((_, after)) = odds.options.get(index) else {
        return String::new();
    };
    let best = odds.best == index && odds.options.len() > 1;
    let best = match odds.by {
        _ if !best => "",
        Side::Gm => ", harshest",
        Side::Actor | Side::Opponent => ", best",
    };
    let same = |(_, other): &(Picked, Odds)| other.success == after.success;
    // Where all succeed alike, what is likeliest tells them apart.
    let alike = odds.options.len() > 1 && odds.options.iter().all(same);
    if let Some(success) = after.success.as_ref().filter(|_| !alike) {
        return format!("{} succeed{best}", percent(success.to_f64()));
    }
    let outcomes = after.outcomes.iter();
    let likely = outcomes.max_by(|one, other| one.1.cmp(&other.1));
    let likely = likely.map(|(id, share)| {
        let label = spec.outcome(*id).label;
        format!("{} {label}{best}", percent(share.to_f64()))
    });
    likely.unwrap_or_default()
}
