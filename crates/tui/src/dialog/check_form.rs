//! The fields of a check while they are filled in: what a person gave, as it is written, and the rows that
//! show what it comes to.

use std::sync::Arc;

use crate::dialog::field_row::{LONGEST_TEXT, with_spaces};
use crate::dialog::form::{Form, FormResult, Row, RowId, around};
use tableside_dice::Die;
use tableside_game::{CharacterId, Filled, Origin, Roll};
use tableside_rules::ValueSource::{self, Derived, OneOf, Ranked};
use tableside_rules::{Asked, CheckSpec, Field, Kind, Sheet, Value, Whose};
use tableside_table::{Entry, SeatView};

/// Fields as a person writes them: by value, or by a name from a sheet.
pub(super) type Texts = Vec<(String, String)>;

/// The fields of a check, which are among the rows of a form.
#[derive(Debug)]
pub(super) struct CheckFields {
    pub(super) check: &'static CheckSpec,
    /// Whose sheet the values come from.
    pub(super) who: Option<CharacterId>,
    /// What a person gave, the last at the end; kept while checks are looked through.
    pub(super) given: Texts,
    /// The values that it comes to.
    pub(super) filled: Filled,
    /// What the rules have against it.
    pub(super) against: Option<String>,
}

impl CheckFields {
    pub(super) fn new(check: &'static CheckSpec, who: Option<CharacterId>, filled: Filled) -> Self {
        Self {
            check,
            who,
            given: Vec::new(),
            filled,
            against: None,
        }
    }

    /// Fills the fields: from `base`, then with what they begin with, then with what a person gave. What
    /// another check or another sheet does not take stays out of it.
    pub(super) fn fill(&mut self, base: Filled, begins: &[(String, String)], view: &SeatView<'_>) {
        let (check, who) = (self.check, self.who);
        let filled = &mut self.filled;
        *filled = base;
        for (id, text) in begins {
            if let Some(field) = check.field(id) {
                view.fill_in(filled, who, field, text).ok();
            }
        }
        self.given.retain(|(id, text)| {
            let Some(field) = check.field(id) else {
                return true;
            };
            let own = filled.clone();
            view.fill_in(filled, who, field, text).ok();
            // A value that the sheet gives anyway is the sheet's again, and says so.
            let source = own.source(id);
            let is_own = source.is_some()
                && own.fields.value(id) == filled.fields.value(id)
                && filled.source(id).is_none_or(|now| Some(now) == source);
            if is_own {
                *filled = own;
            }
            !is_own
        });
    }

    /// Takes the value of the field in focus, if it was stepped or typed.
    pub(super) fn take_input(&mut self, went: FormResult, form: &mut Form, view: &SeatView<'_>) {
        let Some(RowId::Field(id)) = form.focused() else {
            return;
        };
        let text = self.check.field(id).and_then(|field| match went {
            FormResult::Stepped(by) => self.stepped(field, by, view),
            FormResult::Changed => typed(field, form),
            _ => None,
        });
        if let Some((field, text)) = self.check.field(id).zip(text) {
            self.give(field, text, form);
        }
    }

    /// Gives a field a value or a name. Of two that exclude each other the one given last counts.
    pub(super) fn give(&mut self, field: &Field, text: String, form: &mut Form) {
        let (id, other) = (field.id, field.excludes);
        self.given
            .retain(|(known, _)| known != id && Some(known.as_str()) != other);
        form.untype(|id| other.map(RowId::Field) == Some(id));
        self.given.push((id.to_owned(), text));
    }

    /// The field's next value, or the one before; none where it cannot be stepped.
    fn stepped(&self, field: &'static Field, by: i32, view: &SeatView<'_>) -> Option<String> {
        if let Kind::Number { min, max } = field.kind
            && view.picks(self.who, field).is_empty()
        {
            // A number is no list: beyond its end there is nothing.
            let next = match self.filled.fields.value(field.id) {
                Some(Value::Number(number)) => number.saturating_add(by).clamp(min, max),
                _ => middle(field),
            };
            return Some(next.to_string());
        }
        let (options, at) = self.options(field, view);
        let first = options.iter().position(|text| field.parse(text).is_err());
        let next = match at {
            Some(at) => around(at, by, options.len()),
            // What nobody said is not in the row yet: from there a step leads to a name.
            None if by < 0 => first.map_or(0, |first| around(first, -1, options.len())),
            None => first.unwrap_or(0),
        };
        options.into_iter().nth(next)
    }

    /// What a field may be, as a person writes it, round and round; and which of it stands there.
    pub(super) fn options(
        &self,
        field: &'static Field,
        view: &SeatView<'_>,
    ) -> (Vec<String>, Option<usize>) {
        let now = self.filled.fields.value(field.id);
        let names = view.picks(self.who, field);
        let values = match field.kind {
            Kind::Number { .. } if names.is_empty() => {
                let named = field.names.iter();
                named.map(|(number, _)| Value::Number(*number)).collect()
            }
            // Without a helper's skill it would be the best helper's again.
            Kind::Number { .. } if field.is_lent() => Vec::new(),
            Kind::Number { .. } => field.start.clone().into_iter().collect(),
            // A plain die is typed, as a text is.
            Kind::Die if !names.is_empty() => Vec::new(),
            kind => kind.all_values(),
        };
        if names.is_empty() {
            let at = values.iter().position(|value| Some(value) == now);
            return (values.iter().map(ToString::to_string).collect(), at);
        }
        // Words stand after the names on the sheet; for numbers, which are typed, the preset stands before them.
        let values = values.iter().map(ToString::to_string);
        let options: Vec<String> = match field.kind {
            Kind::Number { .. } => values.chain(names).collect(),
            _ => names.into_iter().chain(values).collect(),
        };
        let source = self.filled.source(field.id);
        let is_now = |text: &String| {
            let mut tried = self.filled.clone();
            view.fill_in(&mut tried, self.who, field, text).is_ok()
                && tried.source(field.id) == source
                && tried.fields.value(field.id) == now
        };
        let is_said = source.is_some() || self.is_given(field.id);
        let at = options.iter().position(is_now).filter(|_| is_said);
        (options, at)
    }

    /// Whether a field that is changed seldom stands as it usually does: at its preset, or as the sheet has it and no
    /// condition weighs on it.
    pub(super) fn is_usual(&self, field: &Field) -> bool {
        let is_preset = self.filled.fields.is_preset(field);
        let conditions = self.check.system.spec().conditions;
        let mut weighed = conditions.iter().filter_map(|one| one.weighs);
        let is_read = self.filled.source(field.id).is_some() && !field.is_lent();
        let is_read = is_read && weighed.all(|weighs| weighs.field != field.id);
        field.asked == Asked::Seldom && (is_preset || is_read) && !self.is_given(field.id)
    }

    /// Whether a person gave that field.
    pub(super) fn is_given(&self, id: &str) -> bool {
        self.given.iter().any(|(known, _)| known == id)
    }

    /// The row of a field, with what it comes to.
    pub(super) fn row(&self, field: &'static Field, form: &Form, view: &SeatView<'_>) -> Row {
        let id = RowId::Field(field.id);
        let value = self.filled.fields.value(field.id);
        let words = match value {
            None => "none".to_owned(),
            Some(Value::Text(word)) if field.kind != Kind::Text => with_spaces(word),
            Some(value) => value.to_string(),
        };
        if field.kind == Kind::Text {
            let text = value.map_or("", |_| &words);
            let row = Row::text(id, field.label, text, LONGEST_TEXT);
            return row.hint("nothing").help(field.help);
        }
        let is_preset = value.is_none() || self.filled.fields.is_preset(field);
        let row = Row::managed(id, field.label, words)
            .beside(self.beside(field, value, view))
            .quiet(is_preset && self.filled.source(field.id).is_none())
            .wrong(problem(field, form))
            .help(field.help);
        match field.kind {
            Kind::Number { min, .. } => row.or_number(None, (min.min(0), i32::MAX)),
            Kind::Die => row.or_number(None, (0, i32::MAX)),
            Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Ranks { .. } => row,
        }
    }

    /// Where a value comes from, what it is called, or how much there is of it.
    fn beside(&self, field: &Field, value: Option<&Value>, view: &SeatView<'_>) -> String {
        if let Some(source) = self.filled.source(field.id) {
            return source.to_string();
        }
        if let Some(Value::Number(number)) = value
            && let Some(name) = field.name_of(*number)
        {
            return name.to_owned();
        }
        let pool = field.spends.zip(self.who);
        if let Some(pool) = pool.and_then(|(kind, who)| view.pool_of(kind, Some(who))) {
            return format!("of {} {}", pool.tokens.max(0), pool.name);
        }
        let is_named = matches!(field.source, Ranked { .. } | OneOf { .. } | Derived);
        if is_named && !self.is_given(field.id) && !view.picks(self.who, field).is_empty() {
            return "none picked".to_owned();
        }
        String::new()
    }
}

/// What is typed for a field, if it is a value of it; a die is typed by its number alone.
fn typed(field: &Field, form: &Form) -> Option<String> {
    let id = RowId::Field(field.id);
    let text = match (field.kind, form.typed(id)) {
        (Kind::Die, Some(typed)) => format!("d{}", typed.trim_start_matches('d')),
        (_, Some(typed)) => typed.to_owned(),
        (_, None) => form.text(id),
    };
    field.parse(&text).is_ok().then_some(text)
}

/// What is wrong with what is typed for a field.
fn problem(field: &Field, form: &Form) -> Option<String> {
    form.typed(RowId::Field(field.id))?;
    let is_wrong = typed(field, form).is_none();
    is_wrong.then(|| format!("must be {}", field.describe()))
}

/// What the fields of a check begin with: what was picked from the own sheet the last time; where no sheet
/// has a value, the one used last, else one in the middle, so that the check can be rolled at once.
pub(super) fn begins(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Texts {
    let offered = view.fill(check, who);
    let last = last_roll(check, who, view);
    let last = last.as_ref().and_then(|entry| entry.roll());
    let origin = |field: &Field| last?.sources.get(field.id);
    let used = |field: &Field| {
        let value = last?.fields.get(field.id)?;
        origin(field).is_none().then(|| value.to_string())
    };
    let (mut begins, mut picked) = (Texts::new(), Texts::new());
    for field in check.fields {
        let is_picked = field.whose == Whose::Own
            && matches!(field.source, OneOf { .. } | Ranked { offer: true, .. })
            || field.is_required() && matches!(field.source, Ranked { .. });
        let is_own = who.is_some() && last.is_some_and(|roll| roll.id == who);
        let name = origin(field).filter(|_| is_own && is_picked);
        picked
            .extend(name.and_then(|origin| Some((field.id.to_owned(), origin.name()?.to_owned()))));
        let other = field.excludes.and_then(|id| check.field(id));
        let is_taken = other.is_some_and(|other| begins.iter().any(|(id, _)| id == other.id));
        // How risky it is, and on what scale, is mostly as it was the last time.
        let is_kept = matches!(field.kind, Kind::Word(_))
            && (field.asked, field.source) == (Asked::AtTimes, ValueSource::Table);
        if is_taken || offered.fields.value(field.id).is_some() && !is_kept {
            continue;
        }
        let text = if field.is_required() {
            used(field).or_else(|| Some(begin(field)))
        } else if field.optional {
            // Of two that may be left out, one must be given: the one used last, else the first.
            let first = || other.filter(|other| used(other).is_none());
            used(field).or_else(|| first().map(|_| begin(field)))
        } else {
            used(field)
        };
        begins.extend(text.map(|text| (field.id.to_owned(), text)));
    }
    begins.append(&mut picked);
    let standing = who.and_then(|id| view.standing_of(view.character(id)?));
    let asks = standing.iter().flat_map(|standing| standing.asks);
    begins.extend(asks.map(|(id, text)| ((*id).to_owned(), (*text).to_owned())));
    begins
}

/// So many entries back a value is looked for.
const MEMORY: usize = 200;

/// Tells the rolls that the rules ask of somebody who is down: they say nothing of the next.
fn was_asked(view: &SeatView<'_>) -> impl Fn(&Roll) -> bool {
    let mut sheet = Sheet::new(view.system());
    sheet.set("hit-points", Value::Number(0)).ok();
    let standing = sheet.standing(&view.house);
    let asks = standing.map_or(&[][..], |standing| standing.asks);
    move |roll| {
        let has = |(id, text): &(&str, &str)| {
            let value = roll.fields.get(*id).map(ToString::to_string);
            let picked = roll.sources.get(*id).and_then(Origin::name);
            picked.or(value.as_deref()) == Some(*text)
        };
        !asks.is_empty() && asks.iter().all(has)
    }
}

/// The last roll of this check: the character's own, else anybody's.
pub(super) fn last_roll(
    check: &CheckSpec,
    who: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<Arc<Entry>> {
    let was_asked = was_asked(view);
    let is_like = |roll: &Roll| roll.check == check.id && !was_asked(roll);
    let same = |entry: &Arc<Entry>| entry.roll().is_some_and(is_like);
    let rolls = || view.log().take(MEMORY).filter(same);
    let is_own = |entry: &Arc<Entry>| entry.roll().is_some_and(|roll| roll.id == who);
    rolls().find(is_own).or_else(|| rolls().next())
}

fn begin(field: &Field) -> String {
    match field.kind {
        Kind::Die => Die::D8.to_string(),
        Kind::Number { .. } => middle(field).to_string(),
        Kind::Flag => Value::Flag(false).to_string(),
        Kind::Word(words) => {
            let at = words.len().saturating_sub(1) / 2;
            words.get(at).copied().unwrap_or_default().to_owned()
        }
        Kind::Text | Kind::Ranks { .. } => String::new(),
    }
}

/// The number in the middle of those that have names, else of all.
fn middle(field: &Field) -> i32 {
    let Kind::Number { min, max } = field.kind else {
        return 0;
    };
    let at = field.names.len().saturating_sub(1) / 2;
    let named = field.names.get(at).map(|(number, _)| *number);
    // Most values are low ones: a skill of 50, a trait of 10.
    field.begins.or(named).unwrap_or(min + (max - min) / 4)
}
