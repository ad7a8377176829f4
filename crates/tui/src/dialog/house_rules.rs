//! The house rules: every reading that a table may decide otherwise, with what the page says.

use crate::dialog::field_row::with_spaces;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, RowId};
use crate::theme::Role;
use tableside_game::Command;
use tableside_rules::{HouseRule, Kind};
use tableside_table::SeatView;

/// Rows for the readings of the rule in focus, at the least and at most: the frame does not jump from rule
/// to rule.
const READINGS: (u16, u16) = (3, 8);

/// The rules as the table decided them so far.
pub fn house_rules_form(view: &SeatView<'_>) -> Dialog {
    let rules = view.system().spec().house;
    let rows = rules.iter().map(|rule| row(rule, view)).collect();
    let mut form = Form::new("House rules", rows);
    form.lines_below = READINGS;
    Dialog::new(form, HouseRulesDialog(rules), view)
}

fn row(rule: &'static HouseRule, view: &SeatView<'_>) -> Row {
    let (id, now) = (RowId::Field(rule.id), view.house.value(rule));
    let row = if let Kind::Number { min, max } = rule.kind() {
        Row::number(id, rule.label, now.number(), (min, max)).needed()
    } else {
        let words = rule.words().map(|(word, _)| word);
        let at = words.clone().position(|word| now.text() == Some(word));
        Row::choice(id, rule.label, words.map(with_spaces), at.unwrap_or(0))
    };
    row.help(rule.question)
}

/// The readings of a rule, the chosen one first, and where they come from.
fn readings(rule: &HouseRule, row: &Row) -> Vec<Block> {
    let (default, chosen) = (with_spaces(&rule.default_value().to_string()), row.value());
    let words = rule
        .words()
        .map(|(word, meaning)| (with_spaces(word), meaning));
    let (own, others): (Vec<_>, Vec<_>) = words.partition(|(word, _)| *word == chosen);
    let readings = own.into_iter().chain(others);
    let readings = readings.map(|(word, meaning)| {
        let (role, sign) = if word == chosen {
            (Role::Text, "● ")
        } else {
            (Role::Muted, "○ ")
        };
        let note = if word == default { " (default)" } else { "" };
        Block::led(role, sign, format!("{word}{note}: {meaning}"))
    });
    let mut blocks: Vec<_> = readings.collect();
    if let Kind::Number { min, max } = rule.kind() {
        let words = format!("A number from {min} to {max}; {default} is the default.");
        blocks.push(Block::words(Role::Text, words));
    }
    blocks.push(Block::words(Role::Info, rule.page));
    blocks
}

struct HouseRulesDialog(&'static [HouseRule]);

impl DialogSpec for HouseRulesDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        for (known, rule) in form.rows.iter_mut().zip(self.0) {
            // What nobody touched here follows what is decided elsewhere.
            let now = row(rule, view);
            if !known.is_changed() && known.value() != now.value() {
                *known = now;
            }
            let default = with_spaces(&rule.default_value().to_string());
            known.beside = match known.value() {
                chosen if chosen == default => "default".to_owned(),
                _ => format!("default: {default}"),
            };
        }
    }

    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let rules = self.0.iter().zip(&form.rows);
        let changed = rules.filter(|(_, row)| row.is_changed());
        let commands = changed.map(|(rule, row)| {
            // A word as the file has it, and not as it is shown.
            let word = rule.words().nth(form.choice(row.id));
            Command::SetHouse {
                rule: rule.id.to_owned(),
                value: word.map_or_else(|| row.value(), |(word, _)| word.to_owned()),
            }
        });
        Ok(Command::together(commands.collect()).into())
    }

    fn blocks(&self, form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let focused = self.0.get(form.focus).zip(form.rows.get(form.focus));
        focused.map_or_else(Vec::new, |(rule, row)| readings(rule, row))
    }
}
