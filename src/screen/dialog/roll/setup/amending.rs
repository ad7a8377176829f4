//! A resolved check being read again: its fields as they were, and what is otherwise about them.

use super::{LONGEST_TEXT, Line, RowId, Setup};
use crate::rules::{CheckSpec, Kind, Value};
use crate::screen::dialog::entry::around;
use crate::screen::dialog::roll::value::Given;
use crate::session::{Filled, Roll};
use crate::table::{Question, SeatView};

/// The row in which the faces of dice that are missing are typed.
pub(in crate::screen::dialog::roll) const MISSING: &str = "missing-dice";

/// A roll that is read again.
#[derive(Clone, Debug)]
pub(in crate::screen::dialog::roll) struct Again {
    /// The fields as they were read.
    pub(super) read: Filled,
    /// The choices that it comes to.
    pub(in crate::screen::dialog::roll) questions: Vec<Question>,
    /// What was answered here, by the place of the choice.
    answers: Vec<Option<String>>,
    /// Whether dice are missing.
    is_missing: bool,
}

impl Again {
    /// Its fields, its choices, and the faces of missing dice.
    pub(super) fn rows(&self, check: &CheckSpec) -> Vec<RowId> {
        let fields = check.fields.iter().map(|field| RowId::Field(field.id));
        let answers = (0..self.questions.len()).map(RowId::Answer);
        let missing = self.is_missing.then_some(RowId::Field(MISSING));
        fields.chain(answers).chain(missing).collect()
    }
}

impl Setup {
    /// That roll, to be read again.
    pub(in crate::screen::dialog::roll) fn amending(
        roll: &Roll,
        seen: &SeatView<'_>,
    ) -> Option<Self> {
        let check = roll.spec(seen.system()).ok()?;
        let who = roll.id.filter(|id| seen.character(*id).is_some());
        let mut setup = Self::new(who, check, seen);
        let fields = roll.all_fields(seen.system()).ok()?;
        for (id, line) in &mut setup.lines {
            line.set(fields.text(id));
        }
        setup.again = Some(Again {
            read: Filled {
                fields,
                sources: roll.sources.clone(),
            },
            questions: Vec::new(),
            answers: Vec::new(),
            is_missing: false,
        });
        setup.starts.clear();
        setup.usual.clear();
        setup.given.clear();
        setup.fill(seen);
        let usual = ["modifier", "bonus", "advantage"].into_iter();
        let mut usual = usual.filter_map(|id| check.field(id));
        let first = usual.next().or_else(|| check.fields.first());
        setup.focus = RowId::Field(first.map_or("", |field| field.id));
        Some(setup)
    }

    /// What is otherwise than it was read, as a person writes it.
    pub(in crate::screen::dialog::roll) fn otherwise(&self) -> Vec<(String, String)> {
        let Some(again) = &self.again else {
            return Vec::new();
        };
        let mut otherwise = Vec::new();
        for field in self.check.fields {
            let now = self.filled.fields.value(field.id);
            let is_same = now == again.read.fields.value(field.id)
                && self.filled.source(field.id) == again.read.source(field.id);
            let Some(now) = now.filter(|_| !is_same) else {
                continue;
            };
            let given = self.given.iter().find(|(id, _)| *id == field.id);
            let words = match given {
                Some((_, Given::Pick(name))) => name.clone(),
                _ => match now {
                    Value::Flag(on) => if *on { "yes" } else { "no" }.to_owned(),
                    now => now.to_string(),
                },
            };
            let spent = field.spends.is_some() && matches!(field.kind, Kind::Number { .. });
            otherwise.push((field.id.to_owned(), words));
            // A named aspect brings its rank; how much of it is spent is said after the name.
            if spent && matches!(given, Some((_, Given::Pick(_)))) {
                otherwise.push((field.id.to_owned(), now.to_string()));
            }
        }
        let last = again.answers.iter().rposition(Option::is_some);
        let asked = again.questions.iter().zip(&again.answers);
        for (question, answer) in asked.take(last.map_or(0, |last| last + 1)) {
            let now = question.options.get(question.chose);
            let chose = answer.clone().or_else(|| now.map(|one| one.name.clone()));
            otherwise.extend(chose.map(|chose| ("choose".to_owned(), chose)));
        }
        otherwise
    }

    /// Takes in what the reading comes to: which choices, and whether dice are missing.
    pub(in crate::screen::dialog::roll) fn learn(
        &mut self,
        questions: Vec<Question>,
        is_missing: bool,
    ) {
        let Some(again) = &mut self.again else {
            return;
        };
        // An answer is kept while the same is asked in its place.
        let asked = |place: usize| again.questions.get(place).map(|question| question.choice);
        let kept = questions.iter().enumerate().map(|(place, question)| {
            let same = asked(place) == Some(question.choice);
            again.answers.get(place).filter(|_| same).cloned().flatten()
        });
        again.answers = kept.collect();
        again.questions = questions;
        again.is_missing = is_missing;
        let has_line = self.lines.iter().any(|(id, _)| *id == MISSING);
        if is_missing && !has_line {
            self.lines.push((MISSING, Line::new("", LONGEST_TEXT)));
        } else if !is_missing {
            self.lines.retain(|(id, _)| *id != MISSING);
            if self.focus == RowId::Field(MISSING) {
                self.focus = RowId::Field(self.check.fields.first().map_or("", |field| field.id));
            }
        }
    }

    /// Answers a choice otherwise.
    pub(super) fn step_answer(&mut self, place: usize, by: i32) {
        let Some(again) = &mut self.again else {
            return;
        };
        let Some(question) = again.questions.get_mut(place) else {
            return;
        };
        question.chose = around(question.chose, by, question.options.len());
        let chosen = question.options.get(question.chose);
        if let Some(answer) = again.answers.get_mut(place) {
            *answer = chosen.map(|one| one.name.clone());
        }
    }
}
