//! The rows of a check being set up.

use std::collections::BTreeSet;

use crate::app::roll_requests;
use crate::dialog::field_row::LONGEST_TEXT;
use crate::dialog::form::{Form, Row, RowId};
use crate::dialog::roll::RollDialog;
use crate::dialog::roll::opponent::opponents_fields;
use crate::dialog::roll::setup::{others, party};
use tableside_game::ClockId;
use tableside_rules::Asked;
use tableside_table::{SeatRole, SeatView};

/// The label of the row for who sees a check.
const SEEN_BY: &str = "Seen by";

/// Who sees a check, by the places of the words for it: everybody, the GM alone, or all but some.
const TO_NOBODY: usize = 1;
pub(super) const TO_SOME: usize = 2;

impl RollDialog {
    /// The rows, from the first: what is changed each time, what is changed at times, and the rest, which is
    /// folded away as far as it is as usual.
    pub(super) fn rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let mut rows = vec![self.who_row(view), self.check_row(view)];
        rows.extend(self.against_row(view));
        let mut folded: Vec<&str> = Vec::new();
        for asked in [Asked::Always, Asked::AtTimes, Asked::Seldom] {
            let fields = self.fields.check.fields.iter();
            for field in fields.filter(|field| field.asked == asked) {
                let mut row = self.fields.row(field, form, view);
                row.problem = row.problem.or_else(|| self.too_much(field, view));
                if self.fields.is_usual(field) && row.problem.is_none() && !self.is_unfolded {
                    folded.push(field.label);
                } else {
                    rows.push(row);
                }
            }
            if asked == Asked::AtTimes {
                rows.extend(self.helper_rows(form, view));
                rows.extend(clocks(view).next().map(|_| self.clock_row(form, view)));
            }
        }
        if view.role() == SeatRole::Gm {
            let closed = self.closed_rows(form, view);
            if closed.iter().all(|row| row.is_quiet) && !self.is_unfolded {
                folded.push(SEEN_BY);
            } else {
                rows.extend(closed);
            }
        }
        if !folded.is_empty() {
            let row = Row::managed("more", "More…", "as usual").beside(folded.join(", "));
            rows.push(row.quiet(true));
        }
        rows
    }

    /// Whom it is against, where the other side's values come from a sheet.
    fn against_row(&self, view: &SeatView<'_>) -> Option<Row> {
        opponents_fields(self.fields.check).next()?;
        let (known, at) = self.opponents(view);
        let one = known[at].and_then(|id| view.character(id));
        let row = Row::managed("against", "Against", one.map_or("nobody", |one| &one.name));
        let row = row.beside(one.map_or("", |one| &one.player));
        Some(row.help("Whose sheet the values of the other side come from."))
    }

    fn who_row(&self, view: &SeatView<'_>) -> Row {
        let who = self.fields.who.and_then(|id| view.character(id));
        let Some(kind) = self.group else {
            return Row::managed("who", "Who", who.map_or("nobody", |who| &who.name))
                .beside(who.map_or("", |who| &who.player))
                .help("Whose sheet the values come from; or the worst or the best rolls for all.");
        };
        let row = Row::managed("who", "Who", roll_requests::group_name(view.system(), kind));
        match &self.pick {
            Some(pick) => row
                .beside(who.map_or("", |who| &who.name))
                .help(roll_requests::describe_pick(pick, kind, view)),
            None => row,
        }
    }

    fn check_row(&self, view: &SeatView<'_>) -> Row {
        let (check, checks) = (self.fields.check, view.system().spec().checks);
        let at = checks.iter().position(|one| *one == check);
        let beside = match checks.len() {
            1 => String::new(),
            count => format!("{} of {count}", at.unwrap_or(0) + 1),
        };
        let row = Row::managed("check", "Check", check.label);
        row.beside(beside).help(check.help)
    }

    /// The row of the helpers, opened while the focus is in it.
    fn helper_rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let (is_group, who) = (self.group.is_some(), self.fields.who);
        let (label, nobody, help, people) = match self.fields.check.helping {
            _ if is_group => (
                "The others",
                "on their own",
                "Who is in on it; one who takes no part can be left out.",
                party(view).collect(),
            ),
            Some(helping) => ("Helpers", "nobody", helping.help, others(who, view)),
            None => return Vec::new(),
        };
        if people.is_empty() {
            return Vec::new();
        }
        let in_vain = |one| {
            let vain = || view.explain_useless_help(&self.fields.filled, one);
            (!is_group).then(vain).flatten()
        };
        let helpers = self.helping().into_iter();
        let helpers: Vec<_> = helpers.filter_map(|id| view.character(id)).collect();
        let row = |words: &str| Row::managed("helpers", label, words).help(help);
        let mut rows = vec![match helpers.as_slice() {
            [] => row(nobody).quiet(true),
            [one] => row(&one.name).beside(in_vain(one).unwrap_or_default()),
            all => {
                let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
                row(&names.len().to_string()).beside(names.join(", "))
            }
        }];
        let focused = form.focused();
        if !matches!(
            focused,
            Some(RowId::Row("helpers") | RowId::Nth("helper", _))
        ) {
            return rows;
        }
        let people = people.into_iter().filter_map(|id| view.character(id));
        rows.extend(people.map(|one| {
            let is_in = self.turned.contains(&one.id) != is_group;
            let words = match (is_group, is_in) {
                (true, true) => "takes part",
                (true, false) => "stays out",
                (false, true) => "helps",
                (false, false) => "no",
            };
            let vain = is_in.then(|| in_vain(one)).flatten();
            let id = RowId::Nth("helper", one.id.0);
            Row::managed(id, format!("  {}", one.name), words)
                .beside(vain.unwrap_or_else(|| one.player.clone()))
                .quiet(!is_in)
                .help(help)
        }));
        rows
    }

    fn clock_row(&self, form: &Form, view: &SeatView<'_>) -> Row {
        let known: Vec<ClockId> = clocks(view).collect();
        let begins = known.iter().position(|id| Some(*id) == self.clock);
        let names = clocks(view).filter_map(|id| Some(view.clock(id)?.clock.name.as_str()));
        let words = ["none"].into_iter().chain(names);
        let row = Row::choice("clock", "Clock", words, begins.map_or(0, |at| at + 1));
        let row = row.help("The clock that is filled by what comes of it.");
        let Some(clock) = self.clock(form, view).and_then(|id| view.clock(id)) else {
            return row.quiet(true);
        };
        let of = clock.clock.segments.count();
        let filled = clock.filled.map(|filled| format!("{filled} of {of}, "));
        // What was said of outcomes of this check goes before what the kind of the clock takes.
        let check = self.fields.check;
        let own = clock.clock.check.iter().filter(|own| own.check == check.id);
        let own = own.flat_map(|own| &own.ticks).filter_map(|(id, ticks)| {
            let label = check.outcome(check.outcome_named(id)?).label;
            Some(format!(", {label} {ticks:+}"))
        });
        let does = filled.unwrap_or_default() + clock.clock.kind.describe();
        row.beside(own.fold(does, |does, own| does + own.as_str()))
    }

    /// The clock that it fills.
    pub(super) fn clock(&self, form: &Form, view: &SeatView<'_>) -> Option<ClockId> {
        match form.row("clock") {
            Some(_) => clocks(view).nth(form.choice("clock").checked_sub(1)?),
            None => self.clock,
        }
    }

    /// Before whose eyes it is rolled.
    fn closed_rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let begins = match self.hidden.as_slice() {
            [] => 0,
            names if names.iter().any(|name| name == "*") => TO_NOBODY,
            _ => TO_SOME,
        };
        let closed = form.row("closed").map_or(begins, |_| form.choice("closed"));
        let hidden = hidden_from(form, view);
        let is_picked = closed == TO_SOME;
        let beside = is_picked.then(|| format!("hidden from {}", hidden.join(", ")));
        let nobody = "nobody is named from whom it is hidden: pick a player, or close it to all";
        let nobody = (is_picked && hidden.is_empty()).then(|| nobody.to_owned());
        let gm = format!("the {} alone", view.system().spec().gm);
        let words = ["everybody", &gm, "not all"];
        let row = Row::choice("closed", SEEN_BY, words, begins).beside(beside.unwrap_or_default());
        let row = row.help("Whether players see the roll and what came of it.");
        let mut rows = vec![row.quiet(closed == 0).wrong(nobody)];
        if is_picked {
            let players = view.players();
            let others = self.hidden.iter().filter(|name| !players.contains(name));
            let others: Vec<&str> = others.map(String::as_str).collect();
            rows.extend(players.iter().zip(0..).map(|(name, place)| {
                let id = RowId::Nth("player", place);
                let begins = usize::from(self.hidden.contains(name));
                let words = ["sees it", "does not see it"];
                Row::choice(id, format!("  {name}"), words, begins)
                    .quiet(form.choice(id) == 0)
                    .help("Whether this player sees the roll and what came of it.")
            }));
            let others = Row::text("others", "  others", &others.join(", "), LONGEST_TEXT);
            let help = "Further players by name, a comma between them.";
            rows.push(others.hint("nothing").help(help));
        }
        if closed > 0 {
            let words = ["nothing of it", "that something is rolled"];
            let row = Row::choice("noticed", "They see", words, self.noticed.into());
            rows.push(row.help(
                "Whether those who do not see it learn that something is rolled, or nothing.",
            ));
        }
        rows
    }
}

/// From whom it is hidden.
pub(super) fn hidden_from(form: &Form, view: &SeatView<'_>) -> Vec<String> {
    match form.choice("closed") {
        0 => Vec::new(),
        TO_NOBODY => vec!["*".to_owned()],
        _ => {
            let players = view.players().into_iter().zip(0..);
            let picked = players.filter(|(_, place)| form.is_on(RowId::Nth("player", *place)));
            let typed = form.text("others");
            let typed = typed.split(',').map(|name| name.trim().to_owned());
            let typed = typed.filter(|name| !name.is_empty());
            let all = picked.map(|(name, _)| name).chain(typed);
            all.collect::<BTreeSet<String>>().into_iter().collect()
        }
    }
}

/// The clocks that a check may be for.
fn clocks<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = ClockId> + 'a {
    let own = view.clocks().filter(|view| view.clock.rule.is_none());
    own.map(|view| view.clock.id)
}
