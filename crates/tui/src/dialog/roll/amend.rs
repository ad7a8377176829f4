//! A roll read again: "I forgot the +1". The same faces, other fields, and what that changes.

use crate::dialog::check_form::{CheckFields, Texts};
use crate::dialog::field_row::LONGEST_TEXT;
use crate::dialog::roll::roll_title;
use crate::dialog::roll_summary::{effect_blocks, headline_parts};
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogSpec, Form, FormResult, Row, RowId, StyledText,
};
use crate::theme::Role;
use tableside_game::{CommandError, Faces, Filled, Roll, read_faces};
use tableside_table::{Act, Amendment, Headline, Question, SeatView, read_again};
use tableside_text::capitalise;

pub struct AmendDialog {
    entry: u64,
    /// The fields as they were read.
    read: Filled,
    fields: CheckFields,
    /// The choices that it comes to.
    questions: Vec<Question>,
    /// What it would come to; `None` while nothing is changed.
    would: Option<Amendment>,
}

fn answer_id(question: &Question, place: u32) -> RowId {
    RowId::Nth(question.choice, place)
}

impl AmendDialog {
    /// Opens it on that entry; or returns why it cannot be read again.
    pub fn open(entry: u64, view: &SeatView<'_>) -> Result<Dialog, CommandError> {
        view.may_amend(entry)?;
        let gone = || CommandError::Gone("entry");
        let known = view.entry(entry).ok_or_else(gone)?;
        let roll = known.event.what.resolved().ok_or_else(gone)?;
        let check = roll.spec(view.system())?;
        let read = roll.filled(view.system())?;
        let who = roll.id.filter(|id| view.character(*id).is_some());
        let title = format!("{}, read again", roll_title(roll, view));
        let spec = Self {
            entry,
            fields: CheckFields::new(check, who, read.clone()),
            read,
            questions: view.questions_of(entry),
            would: None,
        };
        let mut usual = ["modifier", "bonus", "advantage"].into_iter();
        let first = usual.find_map(|id| check.field(id));
        let first = first.or_else(|| check.fields.first());
        let first = first.map_or("", |field| field.id);
        let form = Form {
            title,
            ..Form::default()
        };
        Ok(Dialog::new(form, spec, view).with_focus(RowId::Field(first)))
    }

    /// What was changed of the reading, as a person writes it: fields, and answers up to the last one
    /// that was changed.
    fn otherwise(&self, form: &Form) -> Texts {
        let rows = self.questions.iter().zip(0..);
        let rows: Vec<_> = rows
            .map(|(question, place)| (question, form.row(answer_id(question, place))))
            .collect();
        let is_changed = |(_, row): &(_, Option<&Row>)| row.is_some_and(Row::is_changed);
        let last = rows.iter().rposition(is_changed);
        let answers = rows.iter().take(last.map_or(0, |last| last + 1));
        let answers = answers.filter_map(|(question, row)| {
            let at = row.map_or(question.chose, |row| form.choice(row.id));
            let option = question.options.get(at);
            Some(("choose".to_owned(), option?.name.clone()))
        });
        self.fields.given.iter().cloned().chain(answers).collect()
    }

    /// The names of the dice that are missing.
    fn missing(&self) -> Vec<&'static str> {
        let missing = self.would.iter().flat_map(|would| &would.missing);
        missing.map(|die| die.name()).collect()
    }
}

impl DialogSpec for AmendDialog {
    /// Finds out what it would come to, and shows it.
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        self.fields.fill(self.read.clone(), &[], view);
        self.fields.against = None;
        match view.amendment(self.entry, &self.otherwise(form)) {
            Ok(amendment) => {
                self.questions.clone_from(&amendment.questions);
                self.would = Some(amendment);
            }
            Err(refusal) => {
                self.would = None;
                if refusal == CommandError::Unchanged {
                    self.questions = view.questions_of(self.entry);
                } else {
                    self.fields.against = Some(refusal.to_string());
                }
            }
        }
        let fields = self.fields.check.fields.iter();
        let mut rows: Vec<Row> = fields
            .map(|field| self.fields.row(field, form, view))
            .collect();
        rows.extend(self.questions.iter().zip(0..).map(|(question, place)| {
            let labels = question.options.iter().map(|option| option.label.as_str());
            let (id, label) = (answer_id(question, place), capitalise(question.choice));
            Row::choice(id, label, labels, question.chose).help("How this choice is answered.")
        }));
        if !self.missing().is_empty() {
            let row = Row::text("missing", "Missing dice", "", LONGEST_TEXT);
            rows.push(row.hint("nothing").beside("empty: rolled").help(
                "The faces of dice that were not rolled before, in this order; left empty they are \
                 rolled. None that fell is rolled again.",
            ));
        }
        form.lay_out(rows);
        form.against.clone_from(&self.fields.against);
        let tag = view.tag(self.entry);
        form.note = match self.missing().as_slice() {
            [] => tag,
            dice => format!("{tag}, {} missing", dice.join(", ")),
        };
    }

    fn take_input(&mut self, went: FormResult, form: &mut Form, view: &SeatView<'_>) {
        self.fields.take_input(went, form, view);
    }

    /// The act; missing faces are those that are typed, else they are rolled.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        if self.would.is_none() {
            let nothing = "nothing is changed yet: change a value first".to_owned();
            return Err(self.fields.against.clone().unwrap_or(nothing));
        }
        let faces = match read_faces(&form.text("missing"))? {
            faces if faces.is_empty() || self.missing().is_empty() => Faces::Rolled,
            faces => Faces::Typed(faces),
        };
        let act = Act::Amend {
            entry: self.entry,
            fields: self.otherwise(form),
            faces,
        };
        Ok(act.into())
    }

    /// What was read, what would be, and what would change with it.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let head = |words: &str, roll: Option<&Roll>| {
            let (spec, outcome) = read_again(roll?, view.system())?;
            let mut parts: Vec<StyledText> = vec![(Role::Muted, format!("{words} "))];
            parts.extend(headline_parts(&Headline::of(spec, &outcome)));
            Some(Block::Parts(parts))
        };
        let entry = view.entry(self.entry);
        let was = head("was", entry.as_ref().and_then(|entry| entry.roll()));
        let mut blocks: Vec<Block> = was.into_iter().collect();
        match &self.would {
            Some(amendment) if amendment.missing.is_empty() => {
                blocks.extend(head("now", amendment.event.what.roll()));
                blocks.extend(effect_blocks(&amendment.event, view));
            }
            Some(_) => {
                let dice = self.missing();
                let are = if dice.len() == 1 { "is" } else { "are" };
                let words = format!("now {} {are} rolled, the others stay.", dice.join(", "));
                blocks.push(Block::words(Role::Info, words));
            }
            None if self.fields.against.is_none() => {
                let words = "now the same: nothing changed yet";
                blocks.push(Block::words(Role::Muted, words));
            }
            None => {}
        }
        blocks
    }
}
