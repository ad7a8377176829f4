//! The list of all themes. The one under the cursor is worn while one looks for another.

use super::Effect;
use super::walk::distance;
use crate::screen::action::Action;
use crate::screen::dialog::typeahead::Jump;
use crate::screen::state::{Mode, ScreenState};
use crate::screen::theme::Theme;

/// A theme that can be chosen, or what is wrong with it.
#[derive(Clone, Debug)]
pub(in crate::screen) struct ThemeChoice {
    /// What it is called.
    pub(in crate::screen) name: String,
    /// The theme; or file, line and problem.
    pub(in crate::screen) theme: Result<Theme, String>,
    /// Whether it is the person's own.
    pub(in crate::screen) is_own: bool,
}

/// The list of all themes.
#[derive(Clone, Debug)]
pub(in crate::screen) struct Themes {
    choices: Vec<ThemeChoice>,
    at: usize,
    /// The last of the themes under the cursor that could be worn.
    worn: Theme,
    jump: Jump,
}

impl Themes {
    /// The person's own themes, then those that everybody has, with the cursor on the one that is worn.
    pub(in crate::screen) fn open(now: &Theme, own: Vec<(String, Result<Theme, String>)>) -> Self {
        let mut choices: Vec<ThemeChoice> = own
            .into_iter()
            .map(|(name, theme)| ThemeChoice {
                name,
                theme,
                is_own: true,
            })
            .collect();
        for theme in Theme::names().filter_map(Theme::named) {
            // A theme of one's own goes before one that came along.
            if choices.iter().all(|choice| choice.name != theme.name()) {
                choices.push(ThemeChoice {
                    name: theme.name().to_owned(),
                    theme: Ok(theme),
                    is_own: false,
                });
            }
        }
        let at = choices.iter().position(|choice| choice.name == now.name());
        Self {
            choices,
            at: at.unwrap_or(0),
            worn: now.clone(),
            jump: Jump::default(),
        }
    }

    /// All of them.
    pub(in crate::screen) fn choices(&self) -> &[ThemeChoice] {
        &self.choices
    }

    /// Where the cursor is.
    pub(in crate::screen) fn at(&self) -> usize {
        self.at
    }

    /// The colours that are shown meanwhile.
    pub(in crate::screen) fn worn(&self) -> &Theme {
        &self.worn
    }

    /// What is wrong with the theme under the cursor.
    pub(in crate::screen) fn problem(&self) -> Option<&str> {
        let choice = self.choices.get(self.at)?;
        choice.theme.as_ref().err().map(String::as_str)
    }

    /// Puts the cursor there.
    pub(in crate::screen) fn go(&mut self, at: usize) {
        self.at = at.min(self.choices.len().saturating_sub(1));
        self.jump.forget();
        if let Some(Ok(theme)) = self.choices.get(self.at).map(|choice| &choice.theme) {
            self.worn = theme.clone();
        }
    }

    /// Moves the cursor.
    pub(in crate::screen) fn step(&mut self, by: isize) {
        self.go(self.at.saturating_add_signed(by));
    }

    /// Goes to the theme that begins with what was typed so far, or to the next one that begins with
    /// the last letter.
    pub(in crate::screen) fn leap(&mut self, letters: &str) {
        let names: Vec<&str> = self
            .choices
            .iter()
            .map(|choice| choice.name.as_str())
            .collect();
        let mut jump = std::mem::take(&mut self.jump);
        let mut at = self.at;
        for letter in letters.chars() {
            at = jump.to(letter, at, &names).unwrap_or(at);
        }
        self.go(at);
        self.jump = jump;
    }
}

impl ScreenState {
    pub(super) fn act_in_themes(&mut self, action: Action) -> Effect {
        let by = distance(action, usize::from(self.size.1 / 2));
        let Mode::Themes(themes) = &mut self.mode else {
            return Effect::Nothing;
        };
        match (action, by) {
            (_, Some(by)) => themes.step(by),
            (Action::Close, _) => self.mode = Mode::Browse,
            (Action::Open | Action::Submit, _) if themes.problem().is_none() => {
                let theme = themes.worn().clone();
                self.mode = Mode::Browse;
                return Effect::Wear(theme);
            }
            _ => {}
        }
        Effect::Nothing
    }
}
