//! The rows for the visibility of a roll.

use std::collections::BTreeSet;

use crate::dialog::field_row::MAX_TEXT_CHARS;
use crate::dialog::form::{Form, Row, RowId};
use crate::dialog::roll::RollDialog;
use crate::dialog::roll::row_ids::{NOTICED, OTHERS, PLAYER, SEEN_BY};
use tableside_table::SeatView;

/// The label of the row for the visibility of a roll.
pub(super) const SEEN_BY_LABEL: &str = "Seen by";

// The choices in the row for the visibility of a roll.
const SEEN_BY_ALL: usize = 0;
const HIDDEN_FROM_ALL: usize = 1;
pub(super) const HIDDEN_FROM_SOME: usize = 2;

impl RollDialog {
    /// Returns the rows for the visibility of the roll.
    pub(super) fn visibility_rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let initial = match self.initially_hidden_from.as_slice() {
            [] => SEEN_BY_ALL,
            names if names.iter().any(|name| name == "*") => HIDDEN_FROM_ALL,
            _ => HIDDEN_FROM_SOME,
        };
        let selected = match form.row(SEEN_BY) {
            Some(_) => form.choice(SEEN_BY),
            None => initial,
        };

        let gm_alone = format!("only the {}", view.system().spec().gm);
        let choices = ["everybody", &gm_alone, "not all"];
        let mut row = Row::choice(SEEN_BY, SEEN_BY_LABEL, choices, initial)
            .help("Hide the roll and its result from players.")
            .quiet(selected == SEEN_BY_ALL);
        if selected == HIDDEN_FROM_SOME {
            let names = hidden_from(form, view);
            row.beside = format!("hidden from {}", names.join(", "));
            if names.is_empty() {
                let gm = view.system().spec().gm;
                let problem =
                    format!("choose a player to hide it from, or show it only to the {gm}");
                row.problem = Some(problem);
            }
        }

        let mut rows = vec![row];
        if selected == HIDDEN_FROM_SOME {
            rows.extend(self.player_rows(form, view));
        }
        if selected != SEEN_BY_ALL {
            let options = ["nothing", "that a roll was made"];
            let initially_noticed = usize::from(self.initially_noticed);
            let row = Row::choice(NOTICED, "They see", options, initially_noticed)
                .help("What the other players see of a hidden roll.");
            rows.push(row);
        }
        rows
    }

    /// Returns a row for each player from whom the roll can be hidden, and a row for other names.
    fn player_rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let players = view.players();
        let mut rows = Vec::new();

        for (name, number) in players.iter().zip(0..) {
            let id = RowId::Nth(PLAYER, number);
            let is_hidden = self.initially_hidden_from.contains(name);
            let options = ["sees it", "does not see it"];
            let row = Row::choice(id, format!("  {name}"), options, usize::from(is_hidden))
                .quiet(form.choice(id) == 0)
                .help("Show or hide the roll and its result.");
            rows.push(row);
        }

        let other_names: Vec<&str> = self
            .initially_hidden_from
            .iter()
            .filter(|name| !players.contains(name))
            .map(String::as_str)
            .collect();
        let row = Row::text(OTHERS, "  others", &other_names.join(", "), MAX_TEXT_CHARS)
            .hint("nothing")
            .help("More players by name, with commas between them.");
        rows.push(row);
        rows
    }
}

/// Returns the players from whom the roll is hidden. `*` stands for all of them.
pub(super) fn hidden_from(form: &Form, view: &SeatView<'_>) -> Vec<String> {
    match form.choice(SEEN_BY) {
        SEEN_BY_ALL => return Vec::new(),
        HIDDEN_FROM_ALL => return vec!["*".to_owned()],
        _ => {}
    }

    let mut names = BTreeSet::new();
    for (name, number) in view.players().into_iter().zip(0..) {
        if form.is_on(RowId::Nth(PLAYER, number)) {
            names.insert(name);
        }
    }
    for typed_name in form.text(OTHERS).split(',') {
        let trimmed_name = typed_name.trim();
        if !trimmed_name.is_empty() {
            names.insert(trimmed_name.to_owned());
        }
    }
    names.into_iter().collect()
}
