//! Free dice: what is rolled, what it may come to, and what was rolled before.

use std::collections::HashSet;

use crate::app::background::DiceOdds;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, TypedValue,
};
use crate::widget::curve::sparks;
use crate::widget::field::Field;
use crate::{Action, Role};
use tableside_commands::{FreeDice, ParseError, parse_free_dice};
use tableside_dice::notation::{Notation, NotationOdds, OddsTooLarge};
use tableside_game::EventKind;
use tableside_table::SeatView;

/// The longest expression, in letters.
const LONGEST: usize = 200;

/// So many expressions that were rolled before can be taken again.
const MOST_BEFORE: usize = 20;

/// So many totals are drawn side by side at most.
const MOST_TOTALS: usize = 60;

/// Words that say how a roll is made. They stand among the dice.
const ASIDE_WORDS: [&str; 6] = ["hidden", "closed", "noticed", "wait", "shown", "openly"];

/// The line that is typed, and those that were rolled before.
struct DiceDialog {
    /// The newest first.
    before: Vec<String>,
    /// Which of them stands in the line, counted from 1; 0 for what is typed.
    at: usize,
    /// What was typed before one of them took its place.
    typed: String,
    /// The dice whose odds are computed in the background, and the odds once they are known.
    slow_odds: Option<SlowOdds>,
}

/// Odds that take too long for a key.
struct SlowOdds {
    dice: Notation,
    odds: Option<Result<NotationOdds, OddsTooLarge>>,
}

/// Asks for dice.
pub fn dice_form(view: &SeatView<'_>) -> Dialog {
    let thrown = view.log().filter_map(|entry| match &entry.event.what {
        EventKind::Thrown(thrown) if thrown.table.is_empty() => Some(thrown.notation.clone()),
        _ => None,
    });
    let mut known = HashSet::new();
    let before = thrown.filter(|notation| known.insert(notation.clone()));
    let before = before.take(MOST_BEFORE).collect();
    let help = "As in 2d6+1, 4d6kh3, 3d6!, 10d10>=8, adv+5, 7d6/2 (rounded down) or 6x 4d6kh3 # stats. \
                The word hidden keeps the roll from the players.";
    let row = Row::text("line", "Dice", "", LONGEST).needed();
    let row = row.hint("2d6+1").help(help);
    let dialog = DiceDialog {
        before,
        at: 0,
        typed: String::new(),
        slow_odds: None,
    };
    Dialog::new(Form::new("Roll dice", vec![row]), dialog, view)
}

impl DialogSpec for DiceDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let at = match event {
            DialogEvent::Action(Action::PreviousField) => (self.at + 1).min(self.before.len()),
            DialogEvent::Action(Action::NextField) => self.at.saturating_sub(1),
            _ => return None,
        };
        let typed = self.at.checked_sub(1);
        let typed = typed.and_then(|at| self.before.get_mut(at));
        *typed.unwrap_or(&mut self.typed) = form.text("line");
        self.at = at;
        let line = at.checked_sub(1).and_then(|at| self.before.get(at));
        let line = line.unwrap_or(&self.typed);
        form.row_mut("line")?.entry = TypedValue::Text(Field::new(line, LONGEST));
        Some(DialogAction::Stay)
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let words = form.text("line");
        match parse_free_dice(&words, view) {
            Ok(Some(dice)) => Ok(dice.act.into()),
            Err(error @ ParseError::Dice { .. }) => Err(error.to_string()),
            Ok(None) | Err(_) => Err(match words.parse::<Notation>() {
                Err(error) => error.to_string(),
                Ok(_) => "this contains no dice; write dice such as 2d6+1".to_owned(),
            }),
        }
    }

    fn take_dice_question(&mut self, form: &Form) -> Option<Notation> {
        let words = form.text("line");
        let dice: Vec<&str> = words
            .split_whitespace()
            .filter(|word| !ASIDE_WORDS.contains(word))
            .collect();
        let dice: Notation = dice.join(" ").parse().ok()?;
        let is_known = self
            .slow_odds
            .as_ref()
            .is_some_and(|slow_odds| slow_odds.dice.has_same_odds(&dice));
        if is_known || dice.is_quick() || !dice.has_odds() {
            return None;
        }

        self.slow_odds = Some(SlowOdds {
            dice: dice.clone(),
            odds: None,
        });
        Some(dice)
    }

    fn take_dice_odds(&mut self, odds: &DiceOdds) {
        if let Some(slow_odds) = &mut self.slow_odds
            && slow_odds.dice == odds.dice
        {
            slow_odds.odds = Some(odds.odds.clone());
        }
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Ok(Some(FreeDice { expression, .. })) = parse_free_dice(&form.text("line"), view)
            && let Ok(dice) = expression.parse::<Notation>()
        {
            blocks.extend(self.odds_blocks(&dice, canvas.area.width));
        }
        if !self.before.is_empty() {
            let before = self.before.iter().take(6).map(String::as_str);
            let before = before.collect::<Vec<_>>().join(" · ");
            blocks.push(Block::led(Role::Muted, "↑ ", before));
        }
        blocks
    }
}

impl DiceDialog {
    /// The odds of the dice in the line. While they are computed in the background, a line says so.
    fn odds_blocks(&self, dice: &Notation, width: u16) -> Vec<Block> {
        let slow_odds = self
            .slow_odds
            .as_ref()
            .filter(|slow_odds| slow_odds.dice.has_same_odds(dice));
        let odds = match slow_odds {
            Some(slow_odds) => slow_odds.odds.clone(),
            None if dice.is_quick() => Some(dice.odds()),
            None if !dice.has_odds() => Some(Err(OddsTooLarge)),
            None => return Vec::new(),
        };

        let mut blocks = match odds {
            Some(Ok(odds)) => told(&odds, width),
            Some(Err(error)) => vec![Block::words(Role::Muted, error.to_string())],
            None => vec![Block::words(Role::Muted, "computing the odds…")],
        };
        if dice.repetitions() > 1 {
            let note = format!("each of {} rolls", dice.repetitions());
            blocks.push(Block::words(Role::Muted, note));
        }
        blocks
    }
}

/// The odds of the total: its bounds, its average, and how likely each is beside the likeliest.
fn told(odds: &NotationOdds, width: u16) -> Vec<Block> {
    let end = |end: Option<i64>| end.map_or_else(|| "∞".to_owned(), |end| end.to_string());
    let (least, most) = (end(odds.min), end(odds.max));
    let mean = odds.mean.as_ref().map(|mean| mean.to_f64().value());
    let mean = mean.map_or_else(String::new, |mean| format!(", {mean:.1} on average"));
    let mut blocks = vec![Block::words(Role::Text, format!("{least} to {most}{mean}"))];
    let chances = odds.distribution.chances();
    let chances = chances.map(|(_, chance)| chance.to_f64().value());
    let chances: Vec<f64> = chances.collect();
    let room = usize::from(width / 2).min(MOST_TOTALS);
    if (3..=room).contains(&chances.len()) {
        blocks.push(Block::words(Role::Info, sparks(&chances)));
    }
    blocks
}
