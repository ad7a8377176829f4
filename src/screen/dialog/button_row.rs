//! A row of buttons with its own memory: which one is marked, and which letter presses which.

use ratatui::layout::{Position, Rect};

use super::entry::around;
use super::page::bare;
use super::wrap::spell;
use crate::screen::action::Action;
use crate::screen::input::Key;
use crate::screen::widget::buttons::{Button, Buttons};
use crate::screen::widget::{Look, columns};

/// Buttons, one of which is marked.
#[derive(Clone, Debug, Default)]
pub(super) struct Press {
    /// What they say.
    pub(super) labels: Vec<String>,
    /// The letters that press them.
    pub(super) letters: Vec<Option<char>>,
    /// What stands beside them.
    pub(super) notes: Vec<String>,
    /// The one that Enter would press.
    pub(super) focus: usize,
}

impl Press {
    /// Buttons that say this, each with the letter that presses it, the last one marked.
    pub(super) fn lettered(labels: Vec<String>, letters: Vec<Option<char>>) -> Self {
        Self {
            letters,
            notes: vec![String::new(); labels.len()],
            focus: labels.len().saturating_sub(1),
            labels,
        }
    }

    /// Hears an action: the button that was pressed, if one was.
    pub(super) fn act(&mut self, action: Action) -> Option<usize> {
        let by = match action {
            Action::Press | Action::RollNow | Action::Submit => return Some(self.focus),
            Action::NextButton | Action::Right => 1,
            Action::PreviousButton | Action::Left => -1,
            _ => return None,
        };
        self.focus = around(self.focus, by, self.labels.len());
        None
    }

    /// Hears a key that is bound to nothing: the button that it presses.
    pub(super) fn key(&mut self, key: Key) -> Option<usize> {
        let letter = key.letter()?.to_lowercase().next()?;
        let pressed = self.letters.iter().position(|one| *one == Some(letter));
        let pressed = if letter == ' ' {
            Some(self.focus)
        } else {
            pressed
        };
        self.focus = pressed.unwrap_or(self.focus);
        pressed
    }

    /// The button at a place of the screen, if they are drawn in that area.
    pub(super) fn at(&mut self, at: Position, area: Rect) -> Option<usize> {
        let areas = bare(|look| self.show(area.width, look, |buttons| buttons.areas(area)));
        let pressed = areas.iter().position(|spot| spot.contains(at));
        self.focus = pressed.unwrap_or(self.focus);
        pressed
    }

    /// Whether what stands beside each button has room there.
    fn has_room(&self, width: u16) -> bool {
        let both = self.labels.iter().zip(&self.notes);
        let mut wide = both.map(|(label, note)| columns(label) + columns(note) + AROUND);
        wide.all(|own| own <= width)
    }

    /// What stands beside the marked button, where there is no room for it there.
    pub(super) fn aside(&self, width: u16) -> Option<&str> {
        let note = self.notes.get(self.focus)?;
        (!self.has_room(width)).then_some(note)
    }

    /// Hands them over to be drawn in so many columns, or measured.
    pub(super) fn show<T>(
        &self,
        width: u16,
        look: Look<'_>,
        then: impl FnOnce(&Buttons<'_>) -> T,
    ) -> T {
        let has_room = self.has_room(width);
        let spelled = |words: &String| spell(words, &look).into_owned();
        let labels: Vec<String> = self.labels.iter().map(spelled).collect();
        let buttons: Vec<Button<'_>> = labels
            .iter()
            .zip(&self.letters)
            .zip(&self.notes)
            .map(|((label, letter), note)| Button {
                label,
                letter: *letter,
                note: if has_room { note } else { "" },
            })
            .collect();
        then(&Buttons {
            buttons: &buttons,
            focus: Some(self.focus),
            look,
        })
    }
}

/// The brackets of a button, and the blank before what stands beside it.
const AROUND: u16 = 5;

/// A letter for each label: its first one that no label before took.
pub(super) fn letters(labels: &[String]) -> Vec<Option<char>> {
    let mut taken = Vec::new();
    labels
        .iter()
        .map(|label| {
            let own = label.chars().flat_map(char::to_lowercase);
            let mut free = own.filter(|letter| letter.is_alphanumeric() && !taken.contains(letter));
            let letter = free.next();
            drop(free);
            taken.extend(letter);
            letter
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_a_letter_of_its_own() {
        let labels = ["Fail", "Free", "Re-roll the 1", "F"].map(str::to_owned);
        assert_eq!(letters(&labels), [Some('f'), Some('r'), Some('e'), None]);
    }
}
