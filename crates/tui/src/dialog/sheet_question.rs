//! The form for a question that a sheet asks, such as the name of a new trauma.

use crate::dialog::{Dialog, Form, Row, ask_over};
use tableside_game::{CharacterId, LONGEST_NAME, SheetQuestion};
use tableside_table::SeatView;

/// A question of a sheet: the character and the id of the stat.
pub(crate) type QuestionId = (CharacterId, &'static str);

/// Returns the open questions of all characters that the seat sees, each with the number of missing names.
pub(crate) fn open_questions(view: &SeatView<'_>) -> Vec<(QuestionId, usize)> {
    view.sheet_questions()
        .map(|question| ((question.character.id, question.stat.id), question.missing))
        .collect()
}

fn find_question<'a>(id: QuestionId, view: &'a SeatView<'_>) -> Option<SheetQuestion<'a>> {
    view.sheet_questions()
        .find(|question| (question.character.id, question.stat.id) == id)
}

/// Returns the text of a question. `None` if it is no longer open.
pub(crate) fn question_text(id: QuestionId, view: &SeatView<'_>) -> Option<String> {
    find_question(id, view).map(|question| question.text())
}

/// Asks for a name: one of the suggested ones, or another one. `None` if the question is no longer open.
pub(crate) fn sheet_question_form(id: QuestionId, view: &SeatView<'_>) -> Option<Dialog> {
    let question = find_question(id, view)?;
    let answers = question.answers();

    let mut rows = Vec::new();
    if !answers.is_empty() {
        let row = Row::choice("answer", question.stat.label, answers, 0)
            .by_typing()
            .help("Type the beginning of a name, or use Left and Right.");
        rows.push(row);
    }
    let other = Row::text("other", "Another", "", LONGEST_NAME)
        .hint("none")
        .help("A name that is not in the list.");
    rows.push(other);

    let form = Form::new(question.text(), rows);
    Some(ask_over(
        form,
        view,
        |_, _| {},
        move |form, view| {
            let question = find_question(id, view).ok_or("This question is already answered.")?;
            let other = form.text("other");
            let answers = question.answers();
            let name = if other.is_empty() {
                *answers.get(form.choice("answer")).ok_or("Enter a name.")?
            } else {
                &other
            };
            Ok(question.add(name).into())
        },
    ))
}
