//! The dialog for free dice: the expression, its odds, and the expressions of earlier rolls.

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

/// The maximum length of an expression, in characters.
const MAX_EXPRESSION_CHARS: usize = 200;

/// The number of earlier expressions that can be used again.
const MAX_EARLIER: usize = 20;

/// The number of earlier expressions that are shown.
const MAX_SHOWN: usize = 6;

/// The maximum number of totals in the curve. Each total has its own column.
const MAX_TOTALS: usize = 60;

/// Words about the roll that may appear among the dice.
const ASIDE_WORDS: [&str; 6] = ["hidden", "closed", "noticed", "wait", "shown", "openly"];

/// The expression, and the expressions of earlier rolls.
struct DiceDialog {
    /// The expressions of earlier rolls, the newest first.
    earlier: Vec<String>,
    /// The index of the earlier expression in the line, or `None` for the typed expression.
    selected: Option<usize>,
    /// The typed expression, while an earlier expression is in the line.
    typed: String,
    /// The dice whose odds a background thread computes.
    slow_odds: Option<SlowOdds>,
}

/// Odds that take too long to compute on a key press.
struct SlowOdds {
    dice: Notation,
    /// `None` until the background thread has computed them.
    odds: Option<Result<NotationOdds, OddsTooLarge>>,
}

/// Opens the form for dice to roll.
pub fn dice_form(view: &SeatView<'_>) -> Dialog {
    let help = "As in 2d6+1, 4d6kh3, 3d6!, 10d10>=8, adv+5, 7d6/2 (rounded down) or 6x 4d6kh3 # stats. \
                The word hidden keeps the roll from the players.";
    let row = Row::text("line", "Dice", "", MAX_EXPRESSION_CHARS)
        .needed()
        .hint("2d6+1")
        .help(help);
    let spec = DiceDialog {
        earlier: earlier_expressions(view),
        selected: None,
        typed: String::new(),
        slow_odds: None,
    };
    let form = Form::new("Roll dice", vec![row]).with_submit_label("roll");
    Dialog::new(form, spec, view)
}

/// Returns the expressions of earlier rolls, each once.
fn earlier_expressions(view: &SeatView<'_>) -> Vec<String> {
    let mut known_expressions = HashSet::new();
    let mut expressions = Vec::new();
    for entry in view.log() {
        let EventKind::Thrown(thrown) = &entry.event.what else {
            continue;
        };
        if thrown.table.is_empty() && known_expressions.insert(thrown.notation.clone()) {
            expressions.push(thrown.notation.clone());
        }
        if expressions.len() == MAX_EARLIER {
            break;
        }
    }
    expressions
}

impl DialogSpec for DiceDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let selected = match event {
            DialogEvent::Action(Action::PreviousField) => self.next_earlier(),
            DialogEvent::Action(Action::NextField) => {
                self.selected.and_then(|selected| selected.checked_sub(1))
            }
            _ => return None,
        };

        // Edits of an earlier expression stay while others are shown.
        *self.expression_mut() = form.text("line");
        self.selected = selected;
        let field = Field::new(self.expression_mut(), MAX_EXPRESSION_CHARS);
        form.shown_row_mut("line")?.entry = TypedValue::Text(field);
        Some(DialogAction::Stay)
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let expression = form.text("line");
        let notation = match parse_free_dice(&expression, view) {
            Ok(Some(dice)) => return Ok(dice.act.into()),
            Err(error @ ParseError::Dice { .. }) => return Err(error.to_string()),
            Ok(None) | Err(_) => expression.parse::<Notation>(),
        };
        match notation {
            Err(error) => Err(error.to_string()),
            Ok(_) => Err("this contains no dice; write dice such as 2d6+1".to_owned()),
        }
    }

    fn take_dice_question(&mut self, form: &Form) -> Option<Notation> {
        let expression = form.text("line");
        let dice: Vec<&str> = expression
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

    fn on_dice_odds(&mut self, odds: &DiceOdds) {
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

        if !self.earlier.is_empty() {
            let shown_count = self.earlier.len().min(MAX_SHOWN);
            let expressions = self.earlier[..shown_count].join(" · ");
            blocks.push(Block::led(Role::Muted, "↑ ", expressions));
        }
        blocks
    }
}

impl DiceDialog {
    /// Returns the index of the expression before the selected one, or of the oldest expression.
    fn next_earlier(&self) -> Option<usize> {
        let earlier = match self.selected {
            Some(selected) => selected + 1,
            None => 0,
        };
        let oldest = self.earlier.len().checked_sub(1)?;
        Some(earlier.min(oldest))
    }

    /// Returns the expression in the line.
    fn expression_mut(&mut self) -> &mut String {
        match self.selected {
            Some(selected) => &mut self.earlier[selected],
            None => &mut self.typed,
        }
    }

    /// Returns the odds of the dice, or a line that announces them while a background thread computes them.
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
            Some(Ok(odds)) => total_blocks(&odds, width),
            Some(Err(error)) => vec![Block::muted(error.to_string())],
            None => vec![Block::muted("computing odds…")],
        };
        if dice.repetitions() > 1 {
            let note = format!("each of {} rolls", dice.repetitions());
            blocks.push(Block::muted(note));
        }
        blocks
    }
}

/// Returns the range of the total, its average, and a small curve of the chances.
fn total_blocks(odds: &NotationOdds, width: u16) -> Vec<Block> {
    let lowest = bound_text(odds.min);
    let highest = bound_text(odds.max);
    let average = match &odds.mean {
        Some(mean) => format!(", {:.1} on average", mean.to_f64().value()),
        None => String::new(),
    };
    let range = format!("{lowest} to {highest}{average}");
    let mut blocks = vec![Block::text(range)];

    let chances: Vec<f64> = odds
        .distribution
        .chances()
        .map(|(_, chance)| chance.to_f64().value())
        .collect();
    let max_totals = usize::from(width / 2).min(MAX_TOTALS);
    if (3..=max_totals).contains(&chances.len()) {
        blocks.push(Block::words(Role::Info, sparks(&chances)));
    }
    blocks
}

/// Returns a bound of the total as text. Exploding dice have no upper bound.
fn bound_text(bound: Option<i64>) -> String {
    match bound {
        Some(bound) => bound.to_string(),
        None => "∞".to_owned(),
    }
}
