//! A check that waits for a choice: buttons, each with its odds.

use super::faces::ByHand;
use super::setup::by;
use crate::rules::{Answer, Ask, Buttons, CheckSpec, Choices, Odds, Picked, Side, buttons};
use crate::screen::dialog::Canvas;
use crate::screen::dialog::press::{Button, Press};
use crate::screen::dialog::reading::{Block, Reading, Scroll, wanted};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::theme::Role;
use crate::screen::widget::die::Die;
use crate::screen::widget::odds::percent;
use crate::session::{Command, Faces, Unfinished};
use crate::table::{Act, SeatView};

#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) check: Unfinished,
    what: Choices,
    /// What is asked, and whose decision it is, in words.
    asked: [String; 2],
    dice: Vec<Die>,
    pub(super) press: Press<Pressed>,
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

impl Waiting {
    /// The choice that the check waits for; none where it waits for dice.
    pub(super) fn at(check: &Unfinished, seen: &SeatView<'_>) -> Option<Self> {
        let roll = &check.roll;
        let spec = roll.spec(seen.system()).ok()?;
        let machine = roll.machine(seen.system()).ok()?;
        let Ask::Choose { what, by } = machine.after(&roll.trail).ok()? else {
            return None;
        };
        let mut choices = spec.choices.iter();
        let choice = choices.find(|choice| choice.id == what.choice);
        let whose = match by {
            Side::Actor => "The one who rolls decides.".to_owned(),
            Side::Opponent => "The other side decides.".to_owned(),
            Side::Gm => format!("The {} decides.", seen.system().spec().gm),
        };
        let odds = buttons(spec, &*machine, &roll.trail).ok().flatten();
        Some(Self {
            press: press(spec, &what, odds.as_ref()),
            check: check.clone(),
            what,
            asked: [choice.map_or("", |choice| choice.help).to_owned(), whose],
            dice: dice_of(&machine.outcome(&roll.trail).dice),
            problem: None,
        })
    }

    /// The option that the marked button stands for, as the answer; and the dice asked for by hand after it,
    /// if any are.
    pub(super) fn answer(&self, seen: &SeatView<'_>) -> Option<(Act, Option<ByHand>)> {
        let (by, roll) = (by(seen), &self.check.roll);
        let chose = self.what.options.get(self.press.focus)?.name.clone();
        let act: Act = Command::Answer {
            check: self.check.id,
            chose: chose.clone(),
            by,
            faces: Faces::Rolled,
        }
        .into();
        let choice = self.what.choice.to_owned();
        let answer = Answer::Chose { choice, chose, by };
        let trail = roll.trail.iter().cloned().chain([answer]).collect();
        let fields = roll.all_fields(seen.system()).ok()?;
        let by_hand = ByHand::after(trail, &fields, &roll.house, act.clone());
        Some((act, by_hand))
    }

    pub(super) fn draw(&self, title: String, note: String, canvas: &mut Canvas<'_>) {
        let [asked, whose] = &self.asked;
        let blocks = vec![
            Block::Dice(self.dice.clone()),
            Block::Gap,
            Block::words(Role::Text, asked),
            Block::words(Role::Muted, whose),
        ];
        let reading = Reading {
            title,
            note,
            blocks,
            width: wanted(canvas.area),
        };
        let problem = self.problem.as_deref();
        reading.draw(&self.press, problem, &Scroll::default(), canvas);
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
    let is_best = odds.best == index && odds.options.len() > 1;
    let best = match odds.by {
        _ if !is_best => "",
        Side::Gm => ", harshest",
        Side::Actor | Side::Opponent => ", best",
    };
    let same = |(_, other): &(Picked, Odds)| other.success == after.success;
    // Where all succeed alike, what is likeliest tells them apart.
    let alike = odds.options.len() > 1 && odds.options.iter().all(same);
    if let Some(success) = after.success.as_ref().filter(|_| !alike) {
        return format!("{} succeed{best}", percent(success.to_f64().value()));
    }
    let likely = after.outcomes.iter().max_by_key(|(_, share)| share);
    likely.map_or_else(String::new, |(id, share)| {
        let label = spec.outcome(*id).label;
        format!("{} {label}{best}", percent(share.to_f64().value()))
    })
}
