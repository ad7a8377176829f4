//! The questions that a roll raised on a sheet, such as the name of a trauma.

use crate::dialog::follow_ups::{FollowUp, LabelledFollowUp};
use crate::dialog::sheet_question::{open_questions, question_text};
use tableside_game::EntityRef;
use tableside_table::{Entry, SeatRole, SeatView};

/// Returns the open questions of the sheets on which an entry raised a number with names.
pub(in crate::dialog) fn questions_of(entry: &Entry, view: &SeatView<'_>) -> Vec<LabelledFollowUp> {
    let mut questions = Vec::new();
    let raises_question = entry.event.raises_named_stat(view.system());
    if !raises_question || view.role() != SeatRole::Gm || view.is_struck(entry.number) {
        return questions;
    }

    for (id, _) in open_questions(view) {
        let character = EntityRef::Character(id.character);
        let mut changes = entry.event.changes.iter();
        let is_changed = changes.any(|change| change.entity == character);
        if is_changed && let Some(question) = question_text(id, view) {
            questions.push(LabelledFollowUp::open(question, FollowUp::Question(id)));
        }
    }
    questions
}
