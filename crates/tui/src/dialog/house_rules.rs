//! The house rules: the questions that the rules leave to the table, and their possible answers.

use crate::dialog::field_row::with_spaces;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, RowId};
use crate::theme::Role;
use tableside_game::Command;
use tableside_rules::{HouseRule, Kind};
use tableside_table::SeatView;

/// The minimum and the maximum number of lines for the answers to the rule in focus. With a minimum, the frame keeps
/// its size from rule to rule.
const ANSWER_ROWS: (u16, u16) = (3, 8);

struct HouseRulesDialog {
    rules: &'static [HouseRule],
}

pub fn house_rules_form(view: &SeatView<'_>) -> Dialog {
    let rules = view.system().spec().house;
    let rows = rules.iter().map(|rule| rule_row(rule, view)).collect();
    let mut form = Form::new("House rules", rows);
    form.layout.lines_below = ANSWER_ROWS;
    Dialog::new(form, HouseRulesDialog { rules }, view)
}

/// Returns the row of a rule, with its current answer.
fn rule_row(rule: &'static HouseRule, view: &SeatView<'_>) -> Row {
    let id = RowId::Field(rule.id);
    let value = view.house.value(rule);
    if let Kind::Number { min, max } = rule.kind() {
        return Row::number(id, rule.label, value.number(), (min, max))
            .needed()
            .help(rule.question);
    }

    let mut answers = Vec::new();
    let mut selected = 0;
    for (answer, _) in rule.words() {
        if value.text() == Some(answer) {
            selected = answers.len();
        }
        answers.push(with_spaces(answer));
    }
    Row::choice(id, rule.label, answers, selected).help(rule.question)
}

/// Returns the meaning of an answer. A number has no further meaning.
fn meaning_of(rule: &HouseRule, wanted: &str) -> String {
    let mut words = rule.words();
    match words.find(|(answer, _)| with_spaces(answer) == wanted) {
        Some((_, meaning)) => meaning.to_owned(),
        None => "default".to_owned(),
    }
}

fn default_answer(rule: &HouseRule) -> String {
    with_spaces(&rule.default_value().to_string())
}

/// Explains the answers to a rule, the selected answer first, and quotes the rules.
fn answer_blocks(rule: &HouseRule, row: &Row) -> Vec<Block> {
    let default = default_answer(rule);
    let chosen = row.value();

    let mut chosen_blocks = Vec::new();
    let mut other_blocks = Vec::new();
    for (answer, meaning) in rule.words() {
        let answer = with_spaces(answer);
        let note = if answer == default { " (default)" } else { "" };
        let text = format!("{answer}{note}: {meaning}");
        if answer == chosen {
            chosen_blocks.push(Block::led(Role::Text, "● ", text));
        } else {
            other_blocks.push(Block::led(Role::Muted, "○ ", text));
        }
    }

    let mut blocks = chosen_blocks;
    blocks.extend(other_blocks);
    if let Kind::Number { min, max } = rule.kind() {
        let text = format!("A number from {min} to {max}; {default} is the default.");
        blocks.push(Block::text(text));
    }
    blocks.push(Block::words(Role::Info, rule.page));
    blocks
}

/// Returns the command that sets a rule to the answer in its row.
fn set_rule(rule: &HouseRule, row: &Row, form: &Form) -> Command {
    // The row shows an answer with spaces instead of hyphens, so look up its id. A number has no id.
    let answer = rule.words().nth(form.choice(row.id));
    Command::SetHouse {
        rule: rule.id.to_owned(),
        value: match answer {
            Some((answer, _)) => answer.to_owned(),
            None => row.value(),
        },
    }
}

impl DialogSpec for HouseRulesDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        for (row, rule) in form.rows.iter_mut().zip(self.rules) {
            // Another seat may have changed a rule that this player did not change.
            let present = rule_row(rule, view);
            if !row.is_changed() && row.value() != present.value() {
                *row = present;
            }

            let default = default_answer(rule);
            row.beside = if row.value() == default {
                meaning_of(rule, &default)
            } else {
                format!("default: {default}")
            };
        }
    }

    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let mut commands = Vec::new();
        for (rule, row) in self.rules.iter().zip(&form.rows) {
            if row.is_changed() {
                commands.push(set_rule(rule, row, form));
            }
        }
        Ok(Command::together(commands).into())
    }

    fn blocks(&self, form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let Some(rule) = self.rules.get(form.focus) else {
            return Vec::new();
        };
        let Some(row) = form.rows.get(form.focus) else {
            return Vec::new();
        };
        answer_blocks(rule, row)
    }
}
