//! The house rules: every reading that a table may decide otherwise, with what the page says.

use super::DialogAction;
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use super::reading::{Block, height};
use crate::rules::{HouseRule, Options, Value};
use crate::screen::color_depth::Depth;
use crate::screen::theme::{Role, Theme};
use crate::screen::widget::Look;
use crate::session::Command;
use crate::table::SeatView;

#[derive(Debug)]
pub struct HouseForm {
    rules: &'static [HouseRule],
}

/// Rows for the readings of the rule in focus at the least, and the columns of a line where there is room.
const LEAST_READINGS: u16 = 3;
const WIDTH: u16 = 68;

impl HouseForm {
    /// Opens it with what the table decided so far.
    pub fn open(seen: &SeatView<'_>) -> FormDialog<Self> {
        let rules = seen.system().spec().house;
        let mut form = Form::new("House rules", Vec::new());
        form.lay_out(rules.iter().map(|rule| row(rule, seen)).collect());
        // The frame does not jump from rule to rule.
        let theme = Theme::default();
        let look = Look::new(&theme, Depth::Mono);
        let each = form.rows.iter().zip(rules);
        let rows = each.map(|(row, rule)| height(&readings(rule, row, look), WIDTH, look));
        form.tail = (LEAST_READINGS, rows.max().unwrap_or(0));
        FormDialog::new(form, Self { rules }, seen)
    }
}

fn row(rule: &'static HouseRule, seen: &SeatView<'_>) -> Row {
    let (id, now) = (Id::Field(rule.id), seen.house().value(rule));
    let row = match (rule.options, now) {
        (Options::Words(words), now) => {
            let at = words.iter().position(|word| Value::from(*word) == now);
            Row::choice(id, rule.id, words.iter().copied(), at.unwrap_or(0))
        }
        (Options::Number { min, max, .. }, Value::Number(number)) => {
            Row::number(id, rule.id, Some(number), (min, max))
        }
        (Options::Number { min, max, .. }, _) => Row::number(id, rule.id, None, (min, max)),
    };
    row.help(rule.question)
}

/// What the rule would be.
fn chosen(rule: &HouseRule, row: &Row) -> Result<Value, String> {
    match rule.options {
        Options::Words(_) => Ok(Value::from(row.words().as_str())),
        Options::Number { .. } => row.needed_number().map(Value::Number),
    }
}

/// The readings of a rule, the chosen one first, and where they come from.
fn readings(rule: &HouseRule, row: &Row, look: Look<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let default = rule.default_value();
    match (rule.options, chosen(rule, row)) {
        (Options::Words(_), Ok(chosen)) => {
            let is_chosen = |word: &str| Value::from(word) == chosen;
            let (own, others): (Vec<_>, Vec<_>) =
                rule.words().partition(|(word, _)| is_chosen(word));
            for (word, meaning) in own.into_iter().chain(others) {
                let (role, sign) = if is_chosen(word) {
                    (Role::Text, look.pick("● ", "* "))
                } else {
                    (Role::Muted, look.pick("○ ", "- "))
                };
                let is_default = default == Value::from(word);
                let note = if is_default { " (default)" } else { "" };
                blocks.push(Block::led(role, sign, format!("{word}{note}: {meaning}")));
            }
        }
        (Options::Number { min, max, .. }, _) => {
            let words = format!("A number from {min} to {max}; {default} is the default.");
            blocks.push(Block::words(Role::Text, words));
        }
        (Options::Words(_), Err(_)) => {}
    }
    let page = format!("{}  {}", rule.from, rule.page);
    blocks.push(Block::words(Role::Info, page));
    blocks
}

impl FormSpec for HouseForm {
    // The readings of a rule are longer than what they leave of a small screen.
    const PAGES_TAIL: bool = true;

    fn is_an_edit(&self) -> bool {
        true
    }

    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        for (known, rule) in form.rows.iter_mut().zip(self.rules) {
            // What nobody touched here follows what is decided elsewhere.
            let now = row(rule, seen);
            if !known.is_changed() && known.words() != now.words() {
                *known = now;
            }
            let chosen = chosen(rule, known);
            known.beside = match &chosen {
                Ok(chosen) if *chosen == rule.default_value() => "default".to_owned(),
                Ok(_) => format!("default: {}", rule.default_value()),
                Err(_) => String::new(),
            };
            known.problem = chosen.err();
        }
    }

    fn submit(&mut self, form: &Form, _seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let rules = form.rows.iter().zip(self.rules);
        let changed = rules.filter(|(row, _)| row.is_changed());
        let commands = changed.map(|(row, rule)| Command::SetHouse {
            rule: rule.id.to_owned(),
            value: row.words(),
        });
        Ok(Command::together(commands.collect()).into())
    }

    fn tail(&self, form: &Form, look: Look<'_>) -> Vec<Block> {
        let place = form.place();
        let both = self.rules.get(place).zip(form.rows.get(place));
        both.map_or_else(Vec::new, |(rule, row)| readings(rule, row, look))
    }
}
