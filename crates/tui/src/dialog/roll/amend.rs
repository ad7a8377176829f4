//! The dialog that amends a roll, for example if a player forgot a bonus. The faces stay, other values change, and the
//! dialog shows the new result.

use crate::dialog::check_form::{CheckFields, FieldTexts};
use crate::dialog::field_row::MAX_TEXT_CHARS;
use crate::dialog::roll::roll_title;
use crate::dialog::roll_summary::{effect_blocks, headline_parts};
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogSpec, Form, FormResult, Row, RowId, StyledText,
};
use crate::theme::Role;
use tableside_game::{CommandError, Faces, Filled, Roll, read_faces};
use tableside_table::{Act, Amendment, Headline, Question, SeatView, read_again};
use tableside_text::capitalise;

/// The ids of the fields that are amended most often, the most frequent first.
const USUAL_FIELDS: [&str; 3] = ["modifier", "bonus", "advantage"];

pub struct AmendDialog {
    entry: u64,
    /// The values of the roll in the log.
    original: Filled,
    fields: CheckFields,
    /// The questions of the amended roll.
    questions: Vec<Question>,
    /// The amended roll. `None` while all values are unchanged, or while the change is refused.
    amendment: Option<Amendment>,
}

fn answer_id(question: &Question, place: u32) -> RowId {
    RowId::Nth(question.choice, place)
}

impl AmendDialog {
    /// Opens the dialog for a roll of the log, or returns the reason why the roll cannot be amended.
    pub fn open(number: u64, view: &SeatView<'_>) -> Result<Dialog, CommandError> {
        view.may_amend(number)?;
        let entry = view.entry(number).ok_or(CommandError::Gone("entry"))?;
        let Some(roll) = entry.event.what.resolved() else {
            return Err(CommandError::Gone("entry"));
        };

        let check = roll.spec(view.system())?;
        let original = roll.filled(view.system())?;
        let character = roll.id.filter(|id| view.character(*id).is_some());
        let spec = Self {
            entry: number,
            fields: CheckFields::new(check, character, original.clone()),
            original,
            questions: view.questions_of(number),
            amendment: None,
        };

        let form = Form {
            title: format!("{}, read again", roll_title(roll, view)),
            ..Form::default()
        }
        .with_submit_label("amend");
        let first_field = USUAL_FIELDS
            .iter()
            .find_map(|id| check.field(id))
            .or_else(|| check.fields.first());
        let focus = RowId::Field(first_field.map_or("", |field| field.id));
        Ok(Dialog::new(form, spec, view).with_focus(focus))
    }

    /// Returns the changes as a player would write them: fields, and all answers up to the last changed one.
    fn changes(&self, form: &Form) -> FieldTexts {
        let mut changes = self.fields.given.clone();
        let mut answers = FieldTexts::new();
        for (question, place) in self.questions.iter().zip(0..) {
            let row = form.row(answer_id(question, place));
            let selected = match row {
                Some(row) => form.choice(row.id),
                None => question.chose,
            };
            if let Some(option) = question.options.get(selected) {
                answers.push(("choose".to_owned(), option.name.clone()));
            }

            // Unchanged answers matter only before a changed one.
            if row.is_some_and(Row::is_changed) {
                changes.append(&mut answers);
            }
        }
        changes
    }

    /// Returns the names of the dice that the amended roll needs and that were not rolled before.
    fn missing_dice(&self) -> Vec<&'static str> {
        match &self.amendment {
            Some(amendment) => amendment.missing.iter().map(|die| die.name()).collect(),
            None => Vec::new(),
        }
    }

    /// Computes the amended roll.
    fn update_amendment(&mut self, form: &Form, view: &SeatView<'_>) {
        self.amendment = None;
        self.fields.refusal = None;

        match view.amendment(self.entry, &self.changes(form)) {
            Ok(amendment) => {
                self.questions.clone_from(&amendment.questions);
                self.amendment = Some(amendment);
            }
            Err(CommandError::Unchanged) => self.questions = view.questions_of(self.entry),
            Err(refusal) => self.fields.refusal = Some(refusal.to_string()),
        }
    }

    fn rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let mut rows = Vec::new();
        for field in self.fields.check.fields {
            rows.push(self.fields.row(field, form, view));
        }
        for (question, place) in self.questions.iter().zip(0..) {
            let id = answer_id(question, place);
            let labels = question.options.iter().map(|option| option.label.as_str());
            let row = Row::choice(id, capitalise(question.choice), labels, question.chose)
                .help("The answer to this question.");
            rows.push(row);
        }

        if !self.missing_dice().is_empty() {
            let help = "The faces of the dice that were not rolled before, in this order. If it is empty, \
                        the program rolls them.";
            let row = Row::text("missing", "Missing dice", "", MAX_TEXT_CHARS)
                .hint("nothing")
                .beside("empty: rolled")
                .help(help)
                .of_numbers();
            rows.push(row);
        }
        rows
    }
}

/// Returns the result of a roll as a line that begins with a word.
fn result_block(word: &str, roll: &Roll, view: &SeatView<'_>) -> Option<Block> {
    let (spec, outcome) = read_again(roll, view.system())?;
    let mut parts: Vec<StyledText> = vec![(Role::Muted, format!("{word} "))];
    parts.extend(headline_parts(&Headline::of(roll, spec, &outcome)));
    Some(Block::Parts(parts))
}

impl DialogSpec for AmendDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        self.fields.fill(self.original.clone(), &[], view);
        self.update_amendment(form, view);
        form.lay_out(self.rows(form, view));
        form.preview.refusal.clone_from(&self.fields.refusal);

        let missing_dice = self.missing_dice();
        form.caption.note = view.tag(self.entry);
        if !missing_dice.is_empty() {
            form.caption.note += &format!(", {} missing", missing_dice.join(", "));
        }
    }

    fn on_input(&mut self, result: FormResult, form: &mut Form, view: &SeatView<'_>) {
        self.fields.on_input(result, form, view);
    }

    /// Returns the amendment. The program rolls missing dice, unless the player typed their faces.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        if self.amendment.is_none() {
            let problem = match &self.fields.refusal {
                Some(refusal) => refusal.clone(),
                None => "change a value first".to_owned(),
            };
            return Err(problem);
        }

        let typed_faces = read_faces(&form.text("missing"))?;
        let faces = if typed_faces.is_empty() || self.missing_dice().is_empty() {
            Faces::Rolled
        } else {
            Faces::Typed(typed_faces)
        };
        let act = Act::Amend {
            entry: self.entry,
            fields: self.changes(form),
            faces,
        };
        Ok(act.into())
    }

    /// Shows the old result, the new result, and its effects.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Some(entry) = view.entry(self.entry)
            && let Some(roll) = entry.roll()
        {
            blocks.extend(result_block("was", roll, view));
        }

        match &self.amendment {
            Some(amendment) if amendment.missing.is_empty() => {
                if let Some(roll) = amendment.event.what.roll() {
                    blocks.extend(result_block("now", roll, view));
                }
                blocks.extend(effect_blocks(&amendment.event, view));
            }
            Some(_) => {
                let dice = self.missing_dice();
                let verb = if dice.len() == 1 { "is" } else { "are" };
                let text = format!("now {} {verb} rolled, the others stay.", dice.join(", "));
                blocks.push(Block::words(Role::Info, text));
            }
            None if self.fields.refusal.is_none() => {
                let text = "the result is the same";
                blocks.push(Block::muted(text));
            }
            None => {}
        }
        blocks
    }
}
