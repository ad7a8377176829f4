//! The rows of a check being set up.

use super::people::{is_raised_by_help, players};
use super::{Closed, Setup, clocks, value};
use crate::rules::{Field, Kind, Preset, Source, Value};
use crate::screen::dialog::field_row::LONGEST_TEXT;
use crate::screen::dialog::form::{Id, Row};
use crate::screen::roll_requests;
use crate::session::PoolKind;
use crate::table::{Role as SeatRole, SeatView};

/// Players who are not among those that are known.
pub(super) fn others(names: &str) -> Row {
    Row::text("others", "  others", names, LONGEST_TEXT)
        .hint("nothing")
        .help("Further players by name, a comma between them.")
}

impl Setup {
    /// The rows, from the first.
    pub(super) fn rows(&self, seen: &SeatView<'_>) -> Vec<Row> {
        let fields = self.check.fields;
        if let Some(again) = &self.again {
            let fields = fields.iter().map(|field| self.field_row(field, seen));
            return fields.chain(again.rows()).collect();
        }
        let mut rows = vec![self.who_row(seen), self.check_row(seen)];
        let opens = fields.iter().find(|field| is_raised_by_help(field));
        for field in fields {
            rows.push(self.field_row(field, seen));
            if opens.is_some_and(|opens| opens.id == field.id) {
                rows.extend(self.helper_rows(seen));
            }
        }
        if opens.is_none() {
            rows.extend(self.helper_rows(seen));
        }
        if clocks(seen).next().is_some() {
            rows.push(self.clock_row(seen));
        }
        if seen.seat().role == SeatRole::Gm {
            rows.extend(self.closed_rows(seen));
        }
        rows
    }

    fn who_row(&self, seen: &SeatView<'_>) -> Row {
        let who = self.who.and_then(|id| seen.character(id));
        if let Some(group) = &self.group {
            let name = roll_requests::group_name(seen.system(), group.kind);
            let found = who.filter(|_| !group.why.is_empty());
            return Row::shown("who", "Who", name)
                .beside(found.map_or("", |who| &who.name))
                .help(group.why.clone());
        }
        Row::shown("who", "Who", who.map_or("nobody", |who| &who.name))
            .beside(who.map_or("", |who| &who.player))
            .help("Whose sheet the values come from; or the worst or the best rolls for all.")
    }

    fn check_row(&self, seen: &SeatView<'_>) -> Row {
        let checks = seen.system().spec().checks;
        let at = checks.iter().position(|check| *check == self.check);
        let beside = match checks.len() {
            1 => String::new(),
            count => format!("{} of {count}", at.unwrap_or(0) + 1),
        };
        let row = Row::shown("check", "Check", self.check.label);
        row.beside(beside).help(self.check.help)
    }

    fn field_row(&self, field: &'static Field, seen: &SeatView<'_>) -> Row {
        let id = Id::Field(field.id);
        let value = self.fields().value(field.id);
        let shown = match (value, field.kind, field.preset) {
            (value, Kind::Text, _) => {
                let text = value.map_or_else(String::new, ToString::to_string);
                let row = Row::text(id, field.label, &text, LONGEST_TEXT);
                return row.hint("nothing").help(field.help);
            }
            (None, _, Preset::House(rule)) => seen.house().number(rule).to_string(),
            (None, ..) => "none".to_owned(),
            (Some(Value::Text(word)), Kind::Word(_), _) => word.replace('-', " "),
            (Some(value), ..) => value.to_string(),
        };
        let is_preset = value.is_none() || value == field.preset_value().as_ref();
        let row = Row::shown(id, field.label, shown)
            .beside(self.beside(field, value, seen))
            .quiet(is_preset && self.filled.source(field.id).is_none())
            .wrong(self.field_problem(field, seen))
            .help(field.help);
        match field.kind {
            Kind::Number { .. } | Kind::Die => row.typed_over(),
            Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Ranks { .. } => row,
        }
    }

    /// What is wrong with a field: with what is typed there, or with what it would spend.
    pub(super) fn field_problem(&self, field: &Field, seen: &SeatView<'_>) -> Option<String> {
        let id = Id::Field(field.id);
        if let Some(typed) = self.form.typed(id) {
            let is_begun = self.form.focused() == Some(id) && value::begins_a_die(field, typed);
            if let Some(problem) = value::read(field, typed).err().filter(|_| !is_begun) {
                return Some(problem);
            }
        }
        if self.again.is_some() {
            // What it spent is returned first.
            return None;
        }
        let (kind, needs) = (field.spends?, self.fields().maybe_number(field.id)?);
        let pool = value::pool(kind, self.who?, seen)?;
        let has = pool.tokens.max(0);
        let who = seen.character(self.who?)?;
        (needs > has && pool.kind == PoolKind::Rule(kind))
            .then(|| format!("{} has {}", who.name, kind.words(has)))
    }

    /// Where a value comes from, what it is called, or how much there is of it.
    fn beside(&self, field: &'static Field, value: Option<&Value>, seen: &SeatView<'_>) -> String {
        if let Some(source) = self.filled.source(field.id) {
            return source.to_string();
        }
        if let Some(Value::Number(number)) = value
            && let Some(name) = field.name_of(*number)
        {
            return name.to_owned();
        }
        let pool = field.spends.zip(self.who);
        if let Some(pool) = pool.and_then(|(kind, who)| value::pool(kind, who, seen)) {
            return format!("of {} {}", pool.tokens.max(0), pool.name);
        }
        match (field.preset, field.source) {
            (Preset::House(..), _) if value.is_none() => "house rule".to_owned(),
            (_, Source::Ranked { .. } | Source::OneOf(_) | Source::Derived)
                if !seen.picks(self.who, field).is_empty() && !self.is_given(field.id) =>
            {
                "none picked".to_owned()
            }
            _ => String::new(),
        }
    }

    /// The row of the helpers, opened while the focus is in it.
    fn helper_rows(&self, seen: &SeatView<'_>) -> Vec<Row> {
        let others = self.others(seen);
        if others.is_empty() || !(self.takes_help() || self.group.is_some()) {
            return Vec::new();
        }
        let helping = self.helping();
        let helpers = helping.iter().filter_map(|id| seen.character(*id));
        let helpers: Vec<_> = helpers.collect();
        let in_vain = |one| match self.group {
            None => seen.helps_in_vain(&self.filled, one),
            Some(_) => None,
        };
        let (label, nobody, help) = match self.group {
            Some(_) => (
                "The others",
                "on their own",
                "Who is in on it; one who takes no part can be left out.",
            ),
            None => (
                "Helpers",
                "nobody",
                self.check.helping.map_or("", |one| one.help),
            ),
        };
        let row = |words: &str| Row::shown("helpers", label, words).help(help);
        let mut rows = vec![match helpers.as_slice() {
            [] => row(nobody).quiet(true),
            [one] => row(&one.name).beside(in_vain(one).unwrap_or_default()),
            all => {
                let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
                row(&names.len().to_string()).beside(names.join(", "))
            }
        }];
        let is_open = matches!(
            self.form.focused(),
            Some(Id::Row("helpers") | Id::Nth("helper", _))
        );
        let people = others.into_iter().filter(|_| is_open);
        rows.extend(people.filter_map(|id| {
            let one = seen.character(id)?;
            let (does, words, help) = match &self.group {
                Some(group) if group.has(id) => {
                    (true, "takes part", "Whether this one is in on it.")
                }
                Some(_) => (false, "stays out", "Whether this one is in on it."),
                None if self.helpers.contains(&id) => (true, "helps", help),
                None => (false, "no", help),
            };
            let beside = does.then(|| in_vain(one)).flatten();
            let row = Row::shown(Id::Nth("helper", id.0), format!("  {}", one.name), words);
            let row = row.beside(beside.unwrap_or_else(|| one.player.clone()));
            Some(row.quiet(!does).help(help))
        }));
        rows
    }

    fn clock_row(&self, seen: &SeatView<'_>) -> Row {
        let clock = self.clock.and_then(|id| seen.clock(id));
        let help = "The clock that is filled by what comes of it.";
        let row = |words: &str| Row::shown("clock", "Clock", words).help(help);
        let Some(clock) = clock else {
            return row("none").quiet(true);
        };
        let of = clock.clock.segments.count();
        let filled = clock.filled.map(|filled| format!("{filled} of {of}, "));
        let does = clock.clock.kind.describe();
        row(&clock.clock.name).beside(filled.unwrap_or_default() + does)
    }

    /// Before whose eyes it is rolled.
    fn closed_rows(&self, seen: &SeatView<'_>) -> Vec<Row> {
        let hidden = self.hidden_from();
        let (words, beside) = match &self.closed {
            Closed::Open => ("everybody".to_owned(), String::new()),
            Closed::All => {
                let gm = seen.system().spec().gm;
                (format!("the {gm} alone"), String::new())
            }
            Closed::To(_) if hidden.is_empty() => ("not all".to_owned(), "choose below".to_owned()),
            Closed::To(_) => {
                let beside = format!("hidden from {}", hidden.join(", "));
                ("not all".to_owned(), beside)
            }
        };
        let row = Row::shown("closed", "Seen by", words).beside(beside);
        let row = row.help("Whether players see the roll and what came of it.");
        let mut rows = vec![row.quiet(self.closed == Closed::Open)];
        if let Closed::To(names) = &self.closed {
            let players = players(seen).into_iter().zip(0..);
            rows.extend(players.map(|(name, place)| {
                let hidden = names.contains(&name);
                let words = if hidden { "does not see it" } else { "sees it" };
                Row::shown(Id::Nth("player", place), format!("  {name}"), words)
                    .quiet(!hidden)
                    .help("Whether this player sees the roll and what came of it.")
            }));
            rows.push(others(""));
        }
        if self.closed != Closed::Open {
            let words = if self.noticed {
                "that something is rolled"
            } else {
                "nothing of it"
            };
            rows.push(Row::shown("noticed", "They see", words).help(
                "Whether those who do not see it learn that something is rolled, or nothing.",
            ));
        }
        rows
    }
}
