//! The rows of a check that is being set up.

use crate::app::roll_requests;
use crate::dialog::form::{Form, Row, RowId};
use crate::dialog::roll::RollDialog;
use crate::dialog::roll::opponent::{opponents_fields, state_or_player};
use crate::dialog::roll::row_ids::{AGAINST, CHECK, CLOCK, HELPER, HELPERS, MORE, WHO};
use crate::dialog::roll::setup::{party, possible_helpers};
use crate::dialog::roll::visibility_rows::SEEN_BY_LABEL;
use tableside_game::{Character, CharacterId, ClockId};
use tableside_rules::Asked;
use tableside_table::{ClockView, SeatRole, SeatView};

/// The texts of the rows for helpers.
struct HelperTexts {
    label: &'static str,
    nobody: &'static str,
    help: &'static str,
}

impl RollDialog {
    /// Returns the rows: fields that change with each roll, then fields that change at times, then fields that seldom
    /// change. Seldom changed fields with their usual values are folded into one row.
    pub(super) fn rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let mut rows = vec![self.character_row(view), self.check_row(view)];
        rows.extend(self.opponent_row(view));

        let mut folded_labels: Vec<&str> = Vec::new();
        for asked in [Asked::Always, Asked::AtTimes, Asked::Seldom] {
            self.push_field_rows(asked, &mut rows, &mut folded_labels, form, view);
            if asked == Asked::AtTimes {
                rows.extend(self.helper_rows(form, view));
                if clocks(view).next().is_some() {
                    rows.push(self.clock_row(form, view));
                }
            }
        }

        if view.role() == SeatRole::Gm {
            let visibility_rows = self.visibility_rows(form, view);
            let is_usual = visibility_rows.iter().all(|row| row.is_quiet);
            if is_usual && !self.is_unfolded {
                folded_labels.push(SEEN_BY_LABEL);
            } else {
                rows.extend(visibility_rows);
            }
        }

        if !folded_labels.is_empty() {
            let row = Row::managed(MORE, "More…", "default")
                .beside(folded_labels.join(", "))
                .quiet(true);
            rows.push(row);
        }
        rows
    }

    /// Appends the rows of the fields that change this often, except folded fields, whose labels are collected.
    fn push_field_rows(
        &self,
        asked: Asked,
        rows: &mut Vec<Row>,
        folded_labels: &mut Vec<&str>,
        form: &Form,
        view: &SeatView<'_>,
    ) {
        for field in self.fields.check.fields {
            if field.asked != asked || !self.fields.filled.fields.has_effect(field) {
                continue;
            }
            let mut row = self.fields.row(field, form, view);
            if row.problem.is_none() {
                row.problem = self.overspending(field, view);
            }

            let can_be_folded = self.fields.is_usual(field) && row.problem.is_none();
            if can_be_folded && !self.is_unfolded {
                folded_labels.push(field.label);
            } else {
                rows.push(row);
            }
        }
    }

    /// Returns the row for the opponent, if values come from an opponent's sheet.
    fn opponent_row(&self, view: &SeatView<'_>) -> Option<Row> {
        opponents_fields(self.fields.check).next()?;
        let opponents = self.opponents(view);
        let opponent = opponents.options[opponents.selected].and_then(|id| view.character(id));
        let name = opponent.map_or("nobody", |opponent| &opponent.name);

        let row = Row::managed(AGAINST, "Against", name)
            .beside(state_or_player(opponent, view))
            .help("The opponent whose sheet supplies the other values.");
        Some(row)
    }

    fn character_row(&self, view: &SeatView<'_>) -> Row {
        let character = self.fields.who.and_then(|id| view.character(id));
        let name = character.map(|character| character.name.as_str());

        let Some(kind) = self.group else {
            return Row::managed(WHO, "Who", name.unwrap_or("nobody"))
                .beside(state_or_player(character, view))
                .help(self.who_help(view));
        };

        let row = Row::managed(WHO, "Who", roll_requests::group_name(view.system(), kind));
        match &self.pick {
            Some(pick) => row
                .beside(name.unwrap_or_default())
                .help(roll_requests::describe_pick(pick, kind, view)),
            None => row,
        }
    }

    fn check_row(&self, view: &SeatView<'_>) -> Row {
        let check = self.fields.check;
        let checks = view.system().spec().checks;
        let index = checks.iter().position(|known| *known == check).unwrap_or(0);
        let position = if checks.len() == 1 {
            String::new()
        } else {
            format!("{} of {}", index + 1, checks.len())
        };
        Row::managed(CHECK, "Check", check.label)
            .beside(position)
            .help(check.help)
    }

    /// Returns the row of the helpers. While it has the focus, a row for each possible helper follows.
    fn helper_rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let is_group = self.group.is_some();
        let (texts, people) = match self.fields.check.helping {
            _ if is_group => {
                let texts = HelperTexts {
                    label: "The others",
                    nobody: "on their own",
                    help: "The characters who take part.",
                };
                (texts, party(view).collect())
            }
            Some(helping) => {
                let texts = HelperTexts {
                    label: "Helpers",
                    nobody: "nobody",
                    help: helping.help,
                };
                (texts, possible_helpers(self.fields.who, view))
            }
            None => return Vec::new(),
        };
        if people.is_empty() {
            return Vec::new();
        }

        let mut rows = vec![self.helpers_row(&texts, view)];
        let has_focus = matches!(form.focused(), Some(HELPERS | RowId::Nth(HELPER, _)));
        if has_focus {
            rows.extend(self.possible_helper_rows(&people, texts.help, view));
        }
        rows
    }

    /// Returns the row that lists the helpers.
    fn helpers_row(&self, texts: &HelperTexts, view: &SeatView<'_>) -> Row {
        let helpers: Vec<&Character> = self
            .helpers()
            .into_iter()
            .filter_map(|id| view.character(id))
            .collect();
        let row = |value: &str| Row::managed(HELPERS, texts.label, value).help(texts.help);

        match helpers.as_slice() {
            [] => row(texts.nobody).quiet(true),
            [helper] => {
                let reason = self.reason_of_useless_help(helper, view);
                row(&helper.name).beside(reason.unwrap_or_default())
            }
            helpers => {
                let count = helpers.len().to_string();
                let names: Vec<&str> = helpers.iter().map(|helper| helper.name.as_str()).collect();
                row(&count).beside(names.join(", "))
            }
        }
    }

    fn possible_helper_rows(
        &self,
        people: &[CharacterId],
        help: &'static str,
        view: &SeatView<'_>,
    ) -> Vec<Row> {
        let is_group = self.group.is_some();
        let mut rows = Vec::new();

        for character in people.iter().filter_map(|id| view.character(*id)) {
            let takes_part = if is_group {
                !self.left_out.contains(&character.id)
            } else {
                self.chosen_helpers.contains(&character.id)
            };
            let value = match (is_group, takes_part) {
                (true, true) => "takes part",
                (true, false) => "stays out",
                (false, true) => "helps",
                (false, false) => "no",
            };
            let reason = if takes_part {
                self.reason_of_useless_help(character, view)
            } else {
                None
            };

            let id = RowId::Nth(HELPER, character.id.0);
            let row = Row::managed(id, format!("  {}", character.name), value)
                .beside(reason.unwrap_or_else(|| character.player.clone()))
                .quiet(!takes_part)
                .help(help);
            rows.push(row);
        }
        rows
    }

    /// Returns the reason why a helper does not improve the check.
    fn reason_of_useless_help(&self, helper: &Character, view: &SeatView<'_>) -> Option<String> {
        if self.group.is_some() {
            return None;
        }
        view.explain_useless_help(&self.fields.filled, helper)
    }

    fn clock_row(&self, form: &Form, view: &SeatView<'_>) -> Row {
        let mut names = vec!["none"];
        let mut selected = 0;
        for id in clocks(view) {
            if Some(id) == self.initial_clock {
                selected = names.len();
            }
            if let Some(clock_view) = view.clock(id) {
                names.push(clock_view.clock.name.as_str());
            }
        }
        let row =
            Row::choice(CLOCK, "Clock", names, selected).help("The clock that the result fills.");

        let picked_clock = self.clock(form, view).and_then(|id| view.clock(id));
        match picked_clock {
            Some(clock_view) => row.beside(self.describe_clock(&clock_view)),
            None => row.quiet(true),
        }
    }

    /// Describes a clock: its progress, its kind, and the ticks of this check's outcomes.
    fn describe_clock(&self, clock_view: &ClockView<'_>) -> String {
        let clock = clock_view.clock;
        let mut description = String::new();
        if let Some(filled) = clock_view.filled {
            description = format!("{filled} of {}, ", clock.segments.count());
        }
        description += clock.kind.describe();

        // The ticks of this check's outcomes take precedence over those of the kind of clock.
        let check = self.fields.check;
        if let Some(clock_check) = &clock.check
            && clock_check.check == check.id
        {
            for (outcome_id, ticks) in &clock_check.ticks {
                if let Some(outcome) = check.outcome_named(outcome_id) {
                    let label = check.outcome(outcome).label;
                    description += &format!(", {label} {ticks:+}");
                }
            }
        }
        description
    }

    /// Returns the clock that the check fills.
    pub(super) fn clock(&self, form: &Form, view: &SeatView<'_>) -> Option<ClockId> {
        if form.row(CLOCK).is_none() {
            return self.initial_clock;
        }
        // The first choice is no clock.
        let index = form.choice(CLOCK).checked_sub(1)?;
        clocks(view).nth(index)
    }
}

/// Returns the clocks that a check can fill.
fn clocks<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = ClockId> + 'a {
    view.clocks()
        .map(|clock_view| clock_view.clock)
        .filter(|clock| clock.rule.is_none())
        .map(|clock| clock.id)
}
