//! The house rules: every reading that a table may decide otherwise, with what the page says.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use super::page::bare;
use super::scroll::{self, Block, Scroll, height};
use super::{DialogAction, DialogEvent};
use crate::rules::{HouseRule, Options, Value};
use crate::screen::action::Action;
use crate::screen::theme::Role;
use crate::screen::widget::Look;
use crate::session::Command;
use crate::table::SeatView;

/// The house rules of the table.
#[derive(Clone, Debug)]
pub struct HouseForm {
    rules: &'static [HouseRule],
    form: Form,
    /// How far the readings of the rule in focus are scrolled.
    scroll: Scroll,
}

/// Rows for the readings of the rule in focus at the least, and the columns of a line where there is room.
const LEAST_READINGS: u16 = 3;
const WIDTH: u16 = 68;

impl HouseForm {
    /// Opens it with what the table decided so far.
    pub fn open(seen: &SeatView<'_>) -> Self {
        let rules = seen.system().spec().house;
        let items = rules.iter().map(|rule| item(rule, seen)).collect();
        let mut opened = Self {
            rules,
            form: Form::new(items).titled("House rules"),
            scroll: Scroll::default(),
        };
        // The frame does not jump from rule to rule.
        let rows = |focus| bare(|look| height(&opened.readings(focus, false), WIDTH, look));
        let most = (0..rules.len()).map(rows).max().unwrap_or(0);
        opened.form.tail = (LEAST_READINGS, most);
        opened.check();
        opened
    }

    /// What the rule would be.
    fn chosen(rule: &HouseRule, item: &Item) -> Result<Value, String> {
        match rule.options {
            Options::Words(words) => {
                let word = match item.entry {
                    Entry::Word { at, .. } => words.get(at).map_or("", |(word, _)| word),
                    _ => "",
                };
                Ok(Value::from(word))
            }
            Options::Number { .. } => item.number().map(Value::Number),
        }
    }

    fn check(&mut self) {
        for (item, rule) in self.form.items.iter_mut().zip(self.rules) {
            let chosen = Self::chosen(rule, item);
            item.beside = match &chosen {
                Ok(chosen) if *chosen == rule.default_value() => "default".to_owned(),
                Ok(_) => format!("default: {}", rule.default_value()),
                Err(_) => String::new(),
            };
            item.problem = chosen.err();
        }
    }

    /// The readings of a rule, the chosen one first, and where they come from.
    fn readings(&self, focus: usize, ascii: bool) -> Vec<Block> {
        let Some((rule, item)) = self.rules.get(focus).zip(self.form.items.get(focus)) else {
            return Vec::new();
        };
        let mut blocks = Vec::new();
        if let (Options::Words(words), Ok(chosen)) = (rule.options, Self::chosen(rule, item)) {
            let is_chosen = |word: &str| Value::from(word) == chosen;
            let (own, others): (Vec<_>, Vec<_>) =
                words.iter().partition(|(word, _)| is_chosen(word));
            let sign = |is_own| match (is_own, ascii) {
                (true, false) => "● ",
                (true, true) => "* ",
                (false, false) => "○ ",
                (false, true) => "- ",
            };
            let told = |(word, reading): &(&str, &str), is_own: bool| Block::Words {
                role: if is_own { Role::Text } else { Role::Muted },
                lead: sign(is_own).to_owned(),
                words: if rule.default_value() == Value::from(*word) {
                    format!("{word} (default): {reading}")
                } else {
                    format!("{word}: {reading}")
                },
            };
            blocks.extend(own.into_iter().map(|one| told(one, true)));
            blocks.extend(others.into_iter().map(|one| told(one, false)));
        } else if let Options::Number { min, max, .. } = rule.options {
            let default = rule.default_value();
            let words = format!("A number from {min} to {max}; {default} is the default.");
            blocks.push(Block::words(Role::Text, words));
        }
        let page = format!("{}  {}", rule.from, rule.page);
        blocks.push(Block::words(Role::Info, page));
        blocks
    }
}

fn item(rule: &'static HouseRule, seen: &SeatView<'_>) -> Item {
    let now = seen.house().value(rule);
    match rule.options {
        Options::Words(words) => {
            let at = words.iter().position(|(word, _)| Value::from(*word) == now);
            let entry = Entry::word(words.iter().map(|(word, _)| *word), at.unwrap_or(0));
            Item::new(rule.id, rule.id, entry, rule.question)
        }
        Options::Number { min, max, .. } => {
            let number = match now {
                Value::Number(number) => Some(number),
                _ => None,
            };
            let item = Item::new(rule.id, rule.id, Entry::number(number), rule.question);
            item.within(min, max)
        }
    }
}

impl Filled for HouseForm {
    its_form!();

    fn is_an_edit(&self) -> bool {
        true
    }

    fn takes(&mut self, event: &DialogEvent) -> bool {
        // The readings of a rule are longer than what they leave of a small screen.
        let DialogEvent::Action(action @ (Action::PageUp | Action::PageDown)) = event else {
            return false;
        };
        self.scroll.apply(*action);
        true
    }

    fn moved(&mut self) {
        self.scroll = Scroll::default();
    }

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.check();
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        // What nobody touched here follows what is decided elsewhere.
        for (known, rule) in self.form.items.iter_mut().zip(self.rules) {
            if !known.is_changed() {
                *known = item(rule, seen);
            }
        }
        self.check();
    }

    fn submit(&mut self, _seen: &SeatView<'_>) -> DialogAction {
        self.check();
        let rules = self.form.items.iter().zip(self.rules);
        let changed = rules.filter(|(item, _)| item.is_changed());
        let commands: Vec<Command> = changed
            .map(|(item, rule)| Command::SetHouse {
                rule: rule.id.to_owned(),
                value: item.entry.words().into_owned(),
            })
            .collect();
        self.form.finish(Ok(Command::together(commands)))
    }

    fn draw(
        &self,
        _seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (below, cursor) = self.form.draw_above(&self.form.title, look, area, buffer);
        let blocks = self.readings(self.form.focus, look.ascii);
        let more = self.scroll.draw(&blocks, *look, below, buffer);
        scroll::sign(more, *look, below, buffer);
        cursor
    }
}
