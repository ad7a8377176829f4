//! A roll read again: "I forgot the +1". The same faces, other fields, and what is otherwise for it.

use ratatui::layout::Position;

use super::setup::Setup;
use super::value::Given;
use crate::dice::Face;
use crate::rules::{Kind, Value};
use crate::screen::action::{Action, Context};
use crate::screen::dialog::field_row::LONGEST_TEXT;
use crate::screen::dialog::form::{Id, Row, Went, around};
use crate::screen::dialog::reading::{Block, Part, Scroll};
use crate::screen::dialog::roll_summary::{capital, follows, headline};
use crate::screen::dialog::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::theme::Role;
use crate::session::{CommandError, Faces, Filled, Roll};
use crate::table::{Act, Amendment, Entry, Question, SeatView, read_again};

/// A roll that is read again.
#[derive(Debug)]
pub(super) struct Again {
    /// The fields as they were read.
    pub(super) read: Filled,
    /// The choices that it comes to.
    questions: Vec<Question>,
    /// What was answered here, by the place of the choice.
    answers: Vec<Option<String>>,
    /// Whether dice are missing.
    is_missing: bool,
}

impl Again {
    /// Its choices, and the faces of missing dice.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        let answers = self.questions.iter().zip(0..).map(|(question, place)| {
            let option = question.options.get(question.chose);
            let words = option.map_or("", |option| &option.label);
            Row::shown(Id::Nth("answer", place), capital(question.choice), words)
                .help("How this choice is answered.")
        });
        let missing = self.is_missing.then(|| {
            Row::text("missing", "Missing dice", "", LONGEST_TEXT)
                .hint("nothing")
                .beside("empty: rolled")
                .help(
                    "The faces of dice that were not rolled before, in this order; left empty they \
                     are rolled. None that fell is rolled again.",
                )
        });
        answers.chain(missing)
    }

    /// Takes in what the reading comes to. An answer is kept while the same is asked in its place.
    fn learn(&mut self, questions: Vec<Question>, is_missing: bool) {
        let kept = questions.iter().enumerate().map(|(place, question)| {
            let before = self.questions.get(place)?;
            let answer = self.answers.get(place)?;
            answer.clone().filter(|_| before.choice == question.choice)
        });
        self.answers = kept.collect();
        self.questions = questions;
        self.is_missing = is_missing;
    }

    /// Answers a choice otherwise.
    pub(super) fn step(&mut self, place: u32, by: i32) {
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        if let Some(question) = self.questions.get_mut(place)
            && let Some(answer) = self.answers.get_mut(place)
        {
            question.chose = around(question.chose, by, question.options.len());
            let chosen = question.options.get(question.chose);
            *answer = chosen.map(|one| one.name.clone());
        }
    }

    /// What was answered otherwise, as a person writes it.
    fn otherwise(&self) -> impl Iterator<Item = (String, String)> {
        let last = self.answers.iter().rposition(Option::is_some);
        let asked = self.questions.iter().zip(&self.answers);
        asked
            .take(last.map_or(0, |last| last + 1))
            .filter_map(|(question, answer)| {
                let now = question.options.get(question.chose);
                let chose = answer.clone().or_else(|| now.map(|one| one.name.clone()));
                Some(("choose".to_owned(), chose?))
            })
    }
}

impl Setup {
    /// That roll, to be read again.
    fn amending(roll: &Roll, seen: &SeatView<'_>) -> Option<Self> {
        let check = roll.spec(seen.system()).ok()?;
        let who = roll.id.filter(|id| seen.character(*id).is_some());
        let mut setup = Self::new(who, check, seen);
        for field in check
            .fields
            .iter()
            .filter(|field| matches!(field.kind, Kind::Text))
        {
            setup.form.forget(Id::Field(field.id));
        }
        setup.again = Some(Again {
            read: Filled {
                fields: roll.all_fields(seen.system()).ok()?,
                sources: roll.sources.clone(),
            },
            questions: Vec::new(),
            answers: Vec::new(),
            is_missing: false,
        });
        setup.forget_starts();
        setup.refresh(seen);
        let usual = ["modifier", "bonus", "advantage"].into_iter();
        let mut usual = usual.filter_map(|id| check.field(id));
        let first = usual.next().or_else(|| check.fields.first());
        setup
            .form
            .go_to(Id::Field(first.map_or("", |field| field.id)));
        Some(setup)
    }

    /// What is otherwise than it was read, as a person writes it.
    fn otherwise(&self) -> Vec<(String, String)> {
        let Some(again) = &self.again else {
            return Vec::new();
        };
        let mut otherwise = Vec::new();
        for field in self.check.fields {
            let now = self.fields().value(field.id);
            let is_same = now == again.read.fields.value(field.id)
                && self.filled.source(field.id) == again.read.source(field.id);
            let Some(now) = now.filter(|_| !is_same) else {
                continue;
            };
            let given = self.given.iter().find(|(id, _)| *id == field.id);
            let words = match (given, now) {
                (Some((_, Given::Pick(name))), _) => name.clone(),
                (_, Value::Flag(true)) => "yes".to_owned(),
                (_, Value::Flag(false)) => "no".to_owned(),
                (_, now) => now.to_string(),
            };
            otherwise.push((field.id.to_owned(), words));
            // A named aspect brings its rank; how much of it is spent is said after the name.
            let spends = field.spends.is_some() && matches!(field.kind, Kind::Number { .. });
            if spends && matches!(given, Some((_, Given::Pick(_)))) {
                otherwise.push((field.id.to_owned(), now.to_string()));
            }
        }
        otherwise.extend(again.otherwise());
        otherwise
    }
}

#[derive(Debug)]
pub struct AmendDialog {
    entry: u64,
    title: String,
    setup: Setup,
    /// What it would come to; `None` while nothing is otherwise.
    would: Result<Option<Amendment>, String>,
}

impl AmendDialog {
    /// Opens it on that entry; or returns why it cannot be read again.
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
        };
        opened.read(seen);
        Ok(opened)
    }

    /// Finds out what it would come to.
    fn read(&mut self, seen: &SeatView<'_>) {
        let would = seen.amendment(self.entry, &self.setup.otherwise());
        let learned = match &would {
            Ok(amendment) => Some((amendment.questions.clone(), !amendment.missing.is_empty())),
            Err(CommandError::Unchanged) => Some((seen.questions_of(self.entry), false)),
            Err(_) => None,
        };
        if let (Some(again), Some((questions, is_missing))) = (&mut self.setup.again, learned) {
            again.learn(questions, is_missing);
        }
        self.would = match would {
            Ok(amendment) => Ok(Some(amendment)),
            Err(CommandError::Unchanged) => Ok(None),
            Err(refusal) => Err(refusal.to_string()),
        };
        self.setup.lay_out(seen);
        let wrong = self.would.as_ref().err().cloned();
        self.setup.form.problem = self.setup.refused.clone().or(wrong);
    }

    /// The names of the dice that are missing.
    fn missing(&self) -> Vec<&'static str> {
        let would = self.would.as_ref().ok().and_then(Option::as_ref);
        let dice = would.map_or(&[][..], |amendment| &amendment.missing);
        dice.iter().map(|die| die.name()).collect()
    }

    /// Where the missing faces come from: what is typed, else they are rolled.
    fn faces(&self) -> Result<Faces, String> {
        if self.missing().is_empty() {
            return Ok(Faces::Rolled);
        }
        let typed = self.setup.form.text("missing");
        let words = typed.split([' ', ',', ';']).filter(|word| !word.is_empty());
        let faces: Result<Vec<Face>, String> = words
            .map(|word| {
                let face = word.parse();
                face.map_err(|_no_face| format!("{word:?} is no face of a die"))
            })
            .collect();
        Ok(match faces? {
            faces if faces.is_empty() => Faces::Rolled,
            faces => Faces::Typed(faces),
        })
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.read(seen);
        let problem = match (&self.would, self.faces()) {
            (Err(_), _) => return DialogAction::Stay,
            (Ok(_), Err(problem)) => problem,
            (Ok(None), Ok(_)) => "nothing is otherwise yet: change a value first".to_owned(),
            (Ok(Some(_)), Ok(faces)) => {
                let (entry, fields) = (self.entry, self.setup.otherwise());
                return Act::Amend {
                    entry,
                    fields,
                    faces,
                }
                .into();
            }
        };
        self.setup.refuse(Some(problem));
        DialogAction::Stay
    }

    /// What was read, what would be, and what would change with it.
    fn told(&self, seen: &SeatView<'_>, ascii: bool) -> Vec<Block> {
        let head = |words: &str, roll: &Roll| {
            let (spec, outcome) = read_again(roll, seen.system())?;
            let mut parts: Vec<Part> = vec![(Role::Muted, format!("{words} "))];
            parts.extend(headline(spec, &outcome, ascii));
            Some(Block::Parts(parts))
        };
        let entry = seen.entry(self.entry);
        let was = entry.as_ref().and_then(|entry| head("was", entry.roll()?));
        let mut blocks: Vec<Block> = was.into_iter().collect();
        match &self.would {
            Ok(Some(amendment)) if amendment.missing.is_empty() => {
                let roll = amendment.event.what.roll();
                blocks.extend(roll.and_then(|roll| head("now", roll)));
                blocks.extend(follows(&amendment.event, seen, ascii));
            }
            Ok(Some(_)) => {
                let dice = self.missing();
                let are = if dice.len() == 1 { "is" } else { "are" };
                let words = format!("now {} {are} rolled, the others stay.", dice.join(", "));
                blocks.push(Block::words(Role::Info, words));
            }
            Ok(None) => {
                let words = "now the same: nothing changed yet";
                blocks.push(Block::words(Role::Muted, words));
            }
            Err(_) => {}
        }
        blocks
    }
}

impl Dialog for AmendDialog {
    fn contexts(&self) -> &'static [Context] {
        self.setup.form.contexts()
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
        self.setup.form.takes_letters()
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        match self.setup.handle(event, seen) {
            Went::Left => return DialogAction::Close,
            Went::Submitted => return self.submit(seen),
            Went::On | Went::Changed | Went::Stepped(_) => self.read(seen),
        }
        DialogAction::Stay
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, _seen: &SeatView<'_>) {
        self.setup.refuse(result.err().map(str::to_owned));
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.setup.refresh(seen);
        self.read(seen);
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let tag = seen.tag(self.entry);
        let note = match self.missing().as_slice() {
            [] => tag,
            dice => format!("{tag}, {} missing", dice.join(", ")),
        };
        let told = self.told(seen, canvas.look.ascii);
        let form = &self.setup.form;
        form.draw_over((&self.title, &note), &told, &Scroll::default(), canvas)
    }
}
