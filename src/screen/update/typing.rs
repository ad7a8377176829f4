//! The help, the filter and the palette: what is on top of a tab without being a dialog.

use super::Effect;
use super::palette::{self, Asked, Does};
use super::walk::distance;
use crate::screen::action::Action;
use crate::screen::dialog::RollDialog;
use crate::screen::keymap::Keymap;
use crate::screen::state::{Mode, ScreenState};
use crate::table::{SeatView, command_language};

impl ScreenState {
    pub(super) fn toggle_help(&mut self) -> Effect {
        self.mode = match std::mem::take(&mut self.mode) {
            Mode::Help { under, .. } => *under,
            mode => Mode::Help {
                top: 0,
                under: Box::new(mode),
            },
        };
        Effect::Nothing
    }

    pub(super) fn act_in_help(&mut self, action: Action) -> Effect {
        let by = distance(action, usize::from(self.size.1 / 2));
        match (&mut self.mode, by) {
            (Mode::Help { .. }, None) if action == Action::Close => return self.toggle_help(),
            (Mode::Help { top, .. }, Some(by)) => {
                let to = usize::from(*top).saturating_add_signed(by);
                *top = u16::try_from(to).unwrap_or(u16::MAX / 2);
            }
            _ => {}
        }
        Effect::Nothing
    }

    pub(super) fn type_in(&mut self, text: &str, seen: &SeatView<'_>) {
        match &mut self.mode {
            Mode::Filter(field, _) => {
                field.paste(text);
                let filter = field.value().to_owned();
                self.set_filter(filter);
            }
            Mode::Palette(palette) => {
                palette.field.paste(text);
                palette.find(seen);
            }
            Mode::Themes(themes) => themes.leap(text),
            Mode::Browse | Mode::Greeting | Mode::Help { .. } | Mode::Dialog(_) => {}
        }
    }

    pub(super) fn act_in_filter(&mut self, action: Action) -> Effect {
        let Mode::Filter(field, before) = &mut self.mode else {
            return Effect::Nothing;
        };
        let filter = match action {
            Action::Close => std::mem::take(before),
            Action::Submit => field.value().to_owned(),
            action => {
                field.apply(action);
                let filter = field.value().to_owned();
                self.set_filter(filter);
                return Effect::Nothing;
            }
        };
        self.mode = Mode::Browse;
        self.set_filter(filter);
        Effect::Nothing
    }

    pub(super) fn act_in_palette(
        &mut self,
        action: Action,
        keymap: &Keymap,
        seen: &SeatView<'_>,
    ) -> Effect {
        let by = distance(action, usize::from(self.size.1 / 2));
        let Mode::Palette(palette) = &mut self.mode else {
            return Effect::Nothing;
        };
        // In a line that is typed these go to its ends.
        let by = by.filter(|_| !matches!(action, Action::LineStart | Action::LineEnd));
        if let Some(by) = by {
            palette.step(by);
            return Effect::Nothing;
        }
        match action {
            Action::Close => self.mode = Mode::Browse,
            Action::Open | Action::Submit => return self.take_up(keymap, seen),
            action => {
                palette.field.apply(action);
                palette.find(seen);
            }
        }
        Effect::Nothing
    }

    /// Does what was found in the palette, or says there why words mean nothing.
    fn take_up(&mut self, keymap: &Keymap, seen: &SeatView<'_>) -> Effect {
        let Mode::Palette(palette) = &mut self.mode else {
            return Effect::Nothing;
        };
        let item = palette.chosen();
        let read = match item.does {
            Does::Action(_) | Does::Open(..) => None,
            Does::Command(spec, thing) => Some(spec.act_on(vec![thing], seen)),
            Does::Say => Some(command_language::read(&item.words, seen)),
        };
        let asked = read.map(|read| palette::as_meant(read, seen));
        if let Some(Err(why)) = asked {
            palette.problem = Some(why.to_string());
            return Effect::Nothing;
        }
        self.mode = Mode::Browse;
        palette::remember(&mut self.recent, &item.words);
        match (item.does, asked) {
            (Does::Action(action), _) => self.act_from_afar(action, keymap, seen),
            (Does::Open(action, thing), _) => {
                let opened = self.open_on(action, &thing, seen);
                opened.unwrap_or(Effect::Nothing)
            }
            (_, Some(Ok(Asked::Act(act)))) => Effect::Submit(act),
            (_, Some(Ok(Asked::Roll(roll)))) => {
                let dialog = RollDialog::prepared(&roll, seen);
                self.open_or(dialog, "that check is not of this system")
            }
            (_, None | Some(Err(_))) => Effect::Nothing,
        }
    }
}
