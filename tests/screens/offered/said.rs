//! Whatever keys do to the game can be said in plain words, too.

use tableside::commands::commands;
use tableside::screen::action::Context;
use tableside::screen::keymap::Keymap;

/// Actions that change only a screen, or the place where a game is kept, or who may join.
const OF_SCREEN: &[&str] = &[
    "close",
    "quit-now",
    "suspend",
    "redraw",
    "tab-table",
    "tab-party",
    "tab-clocks",
    "tab-tokens",
    "tab-log",
    "next-tab",
    "previous-tab",
    "palette",
    "help",
    "filter",
    "cover",
    "theme",
    "name-game",
    "seats",
    "invite",
    "accept",
    "decline",
    "copy",
    "games",
    "quit",
    "up",
    "down",
    "left",
    "right",
    "page-up",
    "page-down",
    "first",
    "last",
    "open",
    "mark",
    "details",
    "next-panel",
    "previous-panel",
    "previous-value",
    "next-value",
    "explain",
    "statistics",
    "export",
    "forecast",
    "resume",
    "purse",
];

/// The first words of a command for each other action.
const SAID: &[(&str, &str)] = &[
    ("roll", "roll WHO"),
    ("call-roll", "call "),
    ("undo", "undo"),
    ("redo", "redo"),
    ("dice", "roll DICE"),
    ("next-scene", "next|new scene"),
    ("end-session", "end ~the session"),
    ("house-rules", "house "),
    ("new", "add|new character"),
    ("delete", "delete"),
    ("duplicate", "duplicate"),
    ("duplicate-many", "duplicate"),
    ("acted", "acted"),
    ("next-round", "next|new round"),
    ("turn-order", "initiative"),
    ("end-turn", "end|next ~the turn"),
    ("step-up", "raise"),
    ("step-down", "lower"),
    ("conditions", "condition "),
    ("note", "note"),
    ("note-about", "note"),
    ("damage", "damage"),
    ("rest", "rest"),
    ("first-aid", "aid"),
    ("unlock", "unlock"),
    ("taken-out", "condition "),
    ("side", "side"),
    ("absent", "absent"),
    ("award", "give|award"),
    ("advance", "tick|advance"),
    ("back", "untick|back"),
    ("more-segments", "segments"),
    ("fewer-segments", "segments"),
    ("visibility", "hide"),
    ("link", "link"),
    ("bring-scene", "bring"),
    ("gain", "gain"),
    ("spend", "spend"),
    ("amount", "set [OWNER] POOL"),
    ("move-tokens", "move"),
    ("repeat", "repeat"),
    ("amend", "amend"),
    ("strike", "strike"),
    ("editor", "note"),
    ("closed", "roll WHO"),
];

#[test]
fn every_key_of_a_list_has_its_words() {
    let keymap = Keymap::default();
    let forms: Vec<&str> = commands().map(|command| command.text).collect();
    let places = [
        Context::Always,
        Context::Everywhere,
        Context::List,
        Context::Table,
        Context::Party,
        Context::Clocks,
        Context::Tokens,
        Context::Log,
    ];
    let mut tried = 0;
    for place in places {
        for binding in keymap.bindings(place) {
            let action: &'static str = binding.action.into_str();
            if OF_SCREEN.contains(&action) {
                continue;
            }
            let said = SAID.iter().find(|(name, _)| *name == action);
            let (_, words) = said.unwrap_or_else(|| panic!("{action} cannot be said in words"));
            let has = forms.iter().any(|form| form.starts_with(words));
            assert!(has, "{action}: no command begins with {words:?}");
            tried += 1;
        }
    }
    assert!(tried > 35, "{tried}");
}
