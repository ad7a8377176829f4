//! The form for a question that a sheet asks, such as the name of a new trauma.

use crate::dialog::{Dialog, DialogAction, Form, Row, ask_over};
use tableside_game::{CharacterId, LONGEST_NAME, SheetQuestion};
use tableside_table::SeatView;

/// Identifies a question of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct QuestionId {
    pub(crate) character: CharacterId,
    /// The id of the stat.
    pub(crate) stat: &'static str,
}

impl QuestionId {
    fn of(question: &SheetQuestion<'_>) -> Self {
        Self {
            character: question.character.id,
            stat: question.stat.id,
        }
    }
}

/// Returns the open questions of all characters that the seat sees, each with the number of missing names.
pub(crate) fn open_questions(view: &SeatView<'_>) -> Vec<(QuestionId, usize)> {
    let mut questions = Vec::new();
    for question in view.sheet_questions() {
        questions.push((QuestionId::of(&question), question.missing));
    }
    questions
}

fn find_question<'a>(id: QuestionId, view: &'a SeatView<'_>) -> Option<SheetQuestion<'a>> {
    view.sheet_questions()
        .find(|question| QuestionId::of(question) == id)
}

/// Returns the text of a question. `None` if it is no longer open.
pub(crate) fn question_text(id: QuestionId, view: &SeatView<'_>) -> Option<String> {
    find_question(id, view).map(|question| question.text())
}

/// Asks for a name, with suggestions. `None` if the question is no longer open.
pub(crate) fn sheet_question_form(id: QuestionId, view: &SeatView<'_>) -> Option<Dialog> {
    let question = find_question(id, view)?;
    let answers = question.answers();

    let mut rows = Vec::new();
    if !answers.is_empty() {
        let row = Row::choice("answer", question.stat.label, answers, 0)
            .by_typing()
            .help("Type the beginning of a name, or use ⟨lower⟩ and ⟨raise⟩.");
        rows.push(row);
    }
    let other_row = Row::text("other", "Another", "", LONGEST_NAME)
        .hint("none")
        .help("A name that is not in the list.");
    rows.push(other_row);

    let form = Form::new(question.text(), rows);
    let dialog = ask_over(
        form,
        view,
        |_, _| {},
        move |form, view| answer_question(id, form, view),
    );
    Some(dialog)
}

fn answer_question(
    id: QuestionId,
    form: &Form,
    view: &SeatView<'_>,
) -> Result<DialogAction, String> {
    let question = find_question(id, view).ok_or("this question has already been answered")?;
    let typed_name = form.text("other");
    if !typed_name.is_empty() {
        return Ok(question.add(&typed_name).into());
    }

    let answers = question.answers();
    let name = answers.get(form.choice("answer")).ok_or("type a name")?;
    Ok(question.add(name).into())
}
