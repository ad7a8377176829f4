//! A roll read again: "I forgot the +1". The same faces, other fields, and what is otherwise for it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::setup::{MISSING, RowId, Setup};
use super::{rows, view};
use crate::dice::{Die, Face};
use crate::screen::action::{Action, Context};
use crate::screen::dialog::page::{Page, bare, text_area};
use crate::screen::dialog::roll_summary::{follows, headline};
use crate::screen::dialog::scroll::{Block, Scroll, height};
use crate::screen::dialog::{Dialog, DialogAction, DialogEvent};
use crate::screen::theme::Role;
use crate::screen::widget::Look;
use crate::session::{CommandError, Faces};
use crate::table::{Act, Amendment, Entry, SeatView, read_again};

/// A roll being read again.
#[derive(Clone, Debug)]
pub struct AmendDialog {
    entry: u64,
    title: String,
    setup: Setup,
    /// What it would come to; nothing while nothing is otherwise.
    would: Result<Option<Amendment>, String>,
    /// Why the table refused it, until something is done about it.
    refused: Option<String>,
}

impl AmendDialog {
    /// Opens it on that entry; or why it cannot be read again.
    pub fn open(entry: u64, seen: &SeatView<'_>) -> Result<Self, String> {
        seen.may_amend(entry)
            .map_err(|refusal| refusal.to_string())?;
        let gone = || CommandError::Gone("entry").to_string();
        let known = seen.entry(entry).ok_or_else(gone)?;
        let roll = known.event.what.resolved().ok_or_else(gone)?;
        let setup = Setup::amending(roll, seen).ok_or_else(gone)?;
        let who = if roll.who.is_empty() {
            String::new()
        } else {
            format!("{}: ", roll.who)
        };
        let mut opened = Self {
            entry,
            title: format!("{who}{}, read again", setup.check.label),
            setup,
            would: Ok(None),
            refused: None,
        };
        opened.read(seen);
        Ok(opened)
    }

    /// Finds out what it would come to.
    fn read(&mut self, seen: &SeatView<'_>) {
        let otherwise = self.setup.otherwise();
        let would = seen.amendment(self.entry, &otherwise);
        self.would = match would {
            Ok(amendment) => {
                let is_missing = !amendment.missing.is_empty();
                self.setup.learn(amendment.questions.clone(), is_missing);
                Ok(Some(amendment))
            }
            Err(CommandError::Unchanged) => {
                let questions = seen.questions_of(self.entry);
                self.setup.learn(questions, false);
                Ok(None)
            }
            Err(refusal) => Err(refusal.to_string()),
        };
    }

    fn missing(&self) -> &[Die] {
        match &self.would {
            Ok(Some(amendment)) => &amendment.missing,
            Ok(None) | Err(_) => &[],
        }
    }

    /// Where the missing faces come from: what is typed, else they are rolled.
    fn faces(&self) -> Result<Faces, String> {
        let typed = self.setup.line(MISSING).map_or("", |line| line.value());
        let words = typed.split([' ', ',', ';']).filter(|word| !word.is_empty());
        let faces: Result<Vec<Face>, String> = words
            .map(|word| {
                let face = word.parse();
                face.map_err(|_no_face| format!("{word:?} is no face of a die"))
            })
            .collect();
        Ok(match faces?.as_slice() {
            [] => Faces::Rolled,
            faces => Faces::Typed(faces.to_vec()),
        })
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.read(seen);
        match (&self.would, self.faces()) {
            (Err(_), _) => DialogAction::Stay,
            (Ok(_), Err(problem)) => {
                self.refused = Some(problem);
                DialogAction::Stay
            }
            (Ok(None), Ok(_)) => {
                self.refused = Some("nothing is otherwise yet: change a value first".to_owned());
                DialogAction::Stay
            }
            (Ok(Some(_)), Ok(faces)) => DialogAction::SubmitAndClose(Act::Amend {
                entry: self.entry,
                fields: self.setup.otherwise(),
                faces,
            }),
        }
    }

    fn act(&mut self, action: Action, seen: &SeatView<'_>) {
        let setup = &mut self.setup;
        match action {
            Action::PreviousField | Action::Up => setup.walk(-1, seen),
            Action::NextField | Action::Down => setup.walk(1, seen),
            Action::Lower | Action::Left => setup.step(-1, seen),
            Action::Raise | Action::Right | Action::Toggle => setup.step(1, seen),
            editing => {
                if let Some(line) = setup.line_mut() {
                    line.apply(editing);
                    setup.fill(seen);
                }
            }
        }
    }

    /// What was read, what would be, and what would change with it.
    fn told(&self, seen: &SeatView<'_>, ascii: bool) -> Vec<Block> {
        let lead = |words: &str, block: Block| match block {
            Block::Parts(mut parts) => {
                parts.insert(0, (Role::Muted, format!("{words} ")));
                Block::Parts(parts)
            }
            block => block,
        };
        let entry = seen.entry(self.entry);
        let was = entry
            .as_ref()
            .and_then(|entry| read_again(entry.roll()?, seen.system()));
        let was = was.map(|(spec, outcome)| lead("was", headline(spec, &outcome, ascii)));
        let mut blocks: Vec<Block> = was.into_iter().collect();
        match &self.would {
            Ok(Some(amendment)) if amendment.missing.is_empty() => {
                let roll = amendment.event.what.roll();
                let now = roll.and_then(|roll| read_again(roll, seen.system()));
                let now = now.map(|(spec, outcome)| lead("now", headline(spec, &outcome, ascii)));
                blocks.extend(now);
                blocks.extend(follows(&amendment.event, seen, ascii));
            }
            Ok(Some(amendment)) => {
                let dice: Vec<&str> = amendment.missing.iter().map(|die| die.name()).collect();
                let are = if dice.len() == 1 { "is" } else { "are" };
                let words = format!("now {} {are} rolled, the others stay.", dice.join(", "));
                blocks.push(Block::words(Role::Info, words));
            }
            Ok(None) => blocks.push(Block::words(
                Role::Muted,
                "now the same: nothing changed yet",
            )),
            Err(_) => {}
        }
        blocks
    }

    fn help(&self) -> &'static str {
        match &self.setup.focus {
            RowId::Field(MISSING) => {
                "The faces of dice that were not rolled before, in this order; \
                                      left empty they are rolled. None that fell is rolled again."
            }
            RowId::Field(id) => self.setup.check.field(id).map_or("", |field| field.help),
            RowId::Answer(_) => "How this choice is answered.",
            _ => "",
        }
    }

    /// Lays the rows out as a page.
    fn with_page<T>(
        &self,
        seen: &SeatView<'_>,
        look: Look<'_>,
        area: Rect,
        then: impl FnOnce(&Page<'_>, &[Block]) -> T,
    ) -> T {
        let ids = self.setup.rows(seen);
        let words = rows::words(&self.setup, &ids, seen);
        let rows = rows::rows(&self.setup, &ids, &words);
        let width = view::wanted(area).min(area.width.saturating_sub(4));
        let told = self.told(seen, look.ascii);
        let focus = ids.iter().position(|id| *id == self.setup.focus);
        let all = height(&told, width, look);
        let problem = self.refused.as_deref();
        let wrong = self.would.as_ref().err().map(String::as_str);
        let missing: Vec<&str> = self.missing().iter().map(|die| die.name()).collect();
        let note = match missing.as_slice() {
            [] => seen.tag(self.entry),
            dice => format!("{}, {} missing", seen.tag(self.entry), dice.join(", ")),
        };
        let page = Page {
            note: &note,
            focus: focus.unwrap_or(0),
            help: self.help(),
            problem: problem.or(wrong),
            tail: (all.min(2), all),
            width: view::wanted(area),
            ..Page::new(&self.title, &rows, look)
        };
        then(&page, &told)
    }

    fn click(&mut self, at: Position, area: Rect, seen: &SeatView<'_>) {
        let ids = self.setup.rows(seen);
        let found = bare(|look| {
            self.with_page(seen, look, area, |page, _| {
                let index = page.row_at(area, at)?;
                let values = page.value_area(page.parts(area).list);
                Some((ids.get(index)?.clone(), values))
            })
        });
        let Some((pressed, values)) = found else {
            return;
        };
        if pressed != self.setup.focus {
            self.setup.go(pressed);
        } else if let Some(line) = self.setup.line_mut() {
            line.click(text_area(values, ""), at.x);
        } else if at.x >= values.x {
            let by = if at.x == values.x { -1 } else { 1 };
            self.setup.step(by, seen);
        }
    }
}

impl Dialog for AmendDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::chain_of_form(self.takes_letters())
    }

    fn hints(&self) -> &'static [Action] {
        &[
            Action::Submit,
            Action::NextField,
            Action::Lower,
            Action::Raise,
            Action::Close,
        ]
    }

    fn takes_letters(&self) -> bool {
        matches!(self.setup.focus, RowId::Field(id) if self.setup.line(id).is_some())
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        self.refused = None;
        match event {
            DialogEvent::Action(Action::Close) => return DialogAction::Close,
            DialogEvent::Action(Action::Submit) => return self.submit(seen),
            DialogEvent::Action(action) => self.act(*action, seen),
            DialogEvent::Key(key) => self.setup.type_key(*key, seen),
            DialogEvent::Paste(text) => self.setup.paste(text, seen),
            DialogEvent::Click { at, area } => self.click(*at, *area, seen),
        }
        self.read(seen);
        DialogAction::Stay
    }

    fn on_result(&mut self, told: Result<&Entry, &str>, _seen: &SeatView<'_>) {
        self.refused = told.err().map(str::to_owned);
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.setup.fill(seen);
        self.read(seen);
    }

    fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.with_page(seen, *look, area, |page, told| {
            let (parts, cursor) = page.draw(area, buffer);
            Scroll::default().draw(told, *look, parts.tail, buffer);
            cursor
        })
    }
}
