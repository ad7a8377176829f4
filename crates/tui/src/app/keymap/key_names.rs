//! The names of keys in texts. `⟨new⟩` in a text stands for the key of the action `new`, `⟨games.archive⟩` for the key
//! that `archive` has in the context `games`.

use std::borrow::Cow;

use crate::app::action::{Action, Context};
use crate::app::keymap::Keymap;

const OPENING: char = '⟨';
const CLOSING: char = '⟩';

/// Names the keys of a place on the screen.
#[derive(Clone, Copy)]
pub struct KeyNames<'a> {
    pub keymap: &'a Keymap,
    /// The contexts whose keys apply there, the most specific first.
    pub contexts: &'a [Context],
}

impl KeyNames<'_> {
    /// Returns the name of the first key of an action. Empty if the action has no key here.
    pub fn name(self, action: Action) -> String {
        let keys = self.keymap.keys_for(action, self.contexts);
        match keys.first() {
            Some(key) => key.label(true),
            None => String::new(),
        }
    }

    /// Replaces the actions in a text by the names of their keys. An action without a key keeps its label, in
    /// quotation marks, under which the palette finds it.
    pub fn fill_in<'t>(self, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let text = text.into();
        if !text.contains(OPENING) {
            return text;
        }

        let mut filled = String::new();
        let mut rest: &str = &text;
        while let Some((before, after)) = rest.split_once(OPENING) {
            filled.push_str(before);
            match after.split_once(CLOSING) {
                Some((name, after_name)) if let Some(key) = self.key_of(name) => {
                    filled.push_str(&key);
                    rest = after_name;
                }
                _ => {
                    filled.push(OPENING);
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled.into()
    }

    /// Returns the key of `new` or `games.new`. `None` for other words.
    fn key_of(self, name: &str) -> Option<String> {
        let (contexts, action) = match name.split_once('.') {
            Some((context, action)) => (context.parse::<Context>().ok()?.chain(), action),
            None => (self.contexts, name),
        };
        let action: Action = action.parse().ok()?;

        let key = KeyNames { contexts, ..self }.name(action);
        if key.is_empty() {
            Some(format!("“{}”", action.label()))
        } else {
            Some(key)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn texts_name_the_keys_that_are_bound() {
        let keymap = Keymap::with_user(
            "[notes]\nnote = \"f5\"\nlines-and-veils = []\n[everywhere]\nroll = \"f6\"",
        );
        let names = KeyNames {
            keymap: &keymap.unwrap(),
            contexts: Context::Notes.chain(),
        };

        let text = "⟨note⟩ writes one, ⟨lines-and-veils⟩ shows them, ⟨everywhere.roll⟩ rolls.";
        assert_eq!(
            names.fill_in(text),
            "F5 writes one, “lines and veils” shows them, F6 rolls."
        );
        assert_eq!(names.fill_in("a ⟨stranger⟩ ⟨"), "a ⟨stranger⟩ ⟨");
    }

    const NAMES_OF_KEYS: [&str; 6] = ["Enter", "Esc", "Escape", "Tab", "Space", "Backspace"];

    /// Verbs that follow the name of a key in a text, as in "n makes one".
    const VERBS_OF_KEYS: [&str; 18] = [
        "adds", "begins", "changes", "closes", "creates", "ends", "enters", "gives", "invites",
        "makes", "opens", "removes", "restores", "rolls", "sets", "shows", "starts", "writes",
    ];

    /// True if a text names a key itself, although the user can bind another one.
    fn names_a_key(text: &str) -> bool {
        let words: Vec<&str> = text
            .split_whitespace()
            .map(|word| word.trim_matches(['.', ',', ';', ':', '(', ')']))
            .collect();
        let has_name = words
            .iter()
            .any(|word| NAMES_OF_KEYS.contains(word) || word.starts_with("Ctrl-"));
        let has_letter = words
            .windows(2)
            .any(|pair| pair[0].len() == 1 && pair[0] > "9" && VERBS_OF_KEYS.contains(&pair[1]));
        let has_pressed_letter = words
            .windows(2)
            .any(|pair| pair[0] == "press" && pair[1].len() == 1 && pair[1] != "a");
        has_name || has_letter || has_pressed_letter || text.contains("Left and Right")
    }

    /// The files of product code in a folder.
    fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // The labels of keys are written there.
            let has_labels = path.ends_with("terminal");
            if path.is_dir() && !has_labels {
                source_files(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("tests.rs")
            {
                files.push(path);
            }
        }
    }

    #[test]
    fn no_text_names_a_key_itself() {
        assert!(names_a_key("There are no notes. n makes one.") && names_a_key("Esc closes"));
        assert!(names_a_key("set it here, then press f"));

        let mut files = Vec::new();
        source_files(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut files,
        );
        assert!(files.len() > 100);

        let mut found = Vec::new();
        for path in files {
            let source = fs::read_to_string(&path).unwrap();
            let product = source.split("#[cfg(test)]").next().unwrap();
            let code_lines = product
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            for line in code_lines {
                // Every other part is inside quotation marks, also on the first and the last line of a longer text.
                let texts = line.split('"').skip(1).step_by(2);
                found.extend(
                    texts
                        .filter(|text| names_a_key(text))
                        .map(|text| format!("{}: {text}", path.display())),
                );
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
