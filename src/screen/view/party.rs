//! The characters: cards on the table, and everybody in columns on a tab.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use super::{clocks, tokens};
use crate::rules::{self, Field, Kind};
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::roll_requests;
use crate::screen::rows::{self, Value};
use crate::screen::state::{self, Tab};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::grid::{Column, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::screen::widget::{after, below, columns, join, left, line_columns, right, row};
use crate::session::{Allegiance, Character, CharacterId, Condition};
use crate::table::ClockView;

/// The columns of a stat's name in the detail, with the blanks behind it: at the least, and at most.
const NAMES: (u16, u16) = (18, 30);

/// Draws the cards in sight on the table.
pub(super) fn panel(paint: &mut Painter<'_>, deck: &Deck) {
    if deck.rows() == 0 {
        return;
    }
    let state = paint.state;
    if state.party.lines().is_empty() {
        let why = "Nobody is here yet.";
        return paint.empty(deck.inner, why, Action::New, "makes a character.");
    }
    let is_here = state.panel == state::Panel::Party;
    let spot = |id| Spot::Character(id, None);
    paint.cells(deck, (&state.party, is_here), spot, |paint, area, id| {
        if let Some(character) = paint.seen.character(id) {
            card(paint, area, character);
        }
    });
}

/// Draws the tab.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let state = paint.state;
    let panes = layout::panes(Tab::Party, body, state.details);
    if state.party.lines().is_empty() {
        let why = "Nobody is here yet.";
        paint.empty_list(panes.list, why, "makes a character.");
    } else {
        list(paint, panes.list);
    }
    let selected = state.party.id().and_then(|id| paint.seen.character(id));
    if let (Some(area), Some(character)) = (panes.detail, selected) {
        detail(paint, area, character);
    }
}

/// A character: the name, what changes most, what is held and suffered. A high card has the values, too.
fn card(paint: &mut Painter<'_>, area: Rect, character: &Character) {
    let area = left(area, area.width.saturating_sub(1));
    let is_low = area.height < 3;
    let aside = if is_low {
        vitals(paint, character)
    } else {
        Line::from(paint.span(character.player.as_str(), Role::Muted))
    };
    let mut done = acted(character, paint);
    if done.content.is_empty() {
        done = Span::raw(" ");
    }
    let has_words = line_columns(&aside) > 0;
    let aside = join([aside, done.into()], if has_words { "  " } else { "" });
    // A name has a third of the line at least, and half where only the player stands beside it.
    let room = area.width - area.width / if is_low { 3 } else { 2 };
    let taken = line_columns(&aside).min(room);
    paint.line(right(area, taken), &aside);
    let name_room = (area.width - taken).saturating_sub(1);
    paint.line(left(area, name_room), &name(character, paint));
    let mut rest = below(area, 1);
    let mut last = holdings(character, paint);
    if !is_low {
        // A long list goes on beneath, as far as nothing else has to be said there.
        let lines = rest.height - u16::from(!last.spans.is_empty());
        for line in values(paint, character, (area.width, lines.min(2))) {
            paint.line(rest, &line);
            rest = below(rest, 1);
        }
    } else if last.spans.is_empty() && rows::values(paint.seen.system()).is_empty() {
        last = Line::from(paint.span(rows::ranks(character), Role::Muted));
    }
    paint.line(rest, &last);
}

/// What changes most, as far as there is any of it.
fn vitals(paint: &Painter<'_>, character: &Character) -> Line<'static> {
    let stats = rows::vitals(paint.seen.system());
    join(stats_with_values(paint, character, stats), "  ")
}

/// Stats with their values; a harm that is not there is not told.
fn stats_with_values(
    paint: &Painter<'_>,
    character: &Character,
    stats: impl Iterator<Item = &'static Field>,
) -> Vec<Line<'static>> {
    let is_told = |stat: &&Field| {
        let is_harm = matches!(stat.id, "wounds" | "traumas");
        !is_harm || character.sheet.number(stat.id) != Some(0)
    };
    let told = stats.filter(is_told).map(|stat| {
        let label = paint.span(format!("{} ", stat.short), Role::Muted);
        Line::from(vec![label, value(character, Value::Stat(stat), paint)])
    });
    told.collect()
}

/// Parts in lines of so many columns, none of them broken; what has no room in the last line is cut
/// there.
fn in_lines(
    parts: Vec<Line<'static>>,
    between: &'static str,
    (width, lines): (u16, u16),
) -> Vec<Line<'static>> {
    let mut rows = vec![Line::default()];
    for part in parts {
        let is_last = rows.len() >= usize::from(lines);
        let row = rows.last_mut().expect("begun with a line");
        let taken = line_columns(row) + columns(between) + line_columns(&part);
        if is_last || row.spans.is_empty() || taken <= width {
            *row = join([std::mem::take(row), part], between);
        } else {
            rows.push(part);
        }
    }
    rows
}

/// All values of the sheet where a line has room for them, else those that change most; where none
/// does, as many as these lines have room for.
fn values(paint: &Painter<'_>, character: &Character, room: (u16, u16)) -> Vec<Line<'static>> {
    let stats = rows::values(paint.seen.system()).into_iter();
    let stats = stats.filter_map(|value| match value {
        Value::Stat(stat) => Some(stat),
        Value::Clock(_) | Value::Pool(_) => None,
    });
    let stats = stats_with_values(paint, character, stats);
    if stats.is_empty() {
        let ranks = rows::ranks(character);
        let ranks = ranks.split_inclusive(", ").map(str::trim_end);
        let ranks = ranks.map(|part| paint.span(part.to_owned(), Role::Muted).into());
        return in_lines(ranks.collect(), " ", room);
    }
    let mut all = ["  ", " "]
        .into_iter()
        .map(|between| join(stats.clone(), between));
    if let Some(line) = all.find(|line| line_columns(line) <= room.0) {
        return vec![line];
    }
    let vitals = vitals(paint, character);
    if vitals.spans.is_empty() {
        in_lines(stats, "  ", room)
    } else {
        vec![vitals]
    }
}

fn list(paint: &mut Painter<'_>, area: Rect) {
    let lines = paint.state.party.lines();
    let values = rows::values(paint.seen.system());
    let optional = optional_columns(paint);
    let columns = grid_columns(paint, &values, (area.width, optional));
    let rows: Vec<Row<'_>> = lines
        .iter()
        .enumerate()
        .map(
            |(line, id)| match id.and_then(|id| paint.seen.character(id)) {
                Some(character) => grid_row(paint, character, &values, optional),
                None => heading(paint, lines.get(line + 1).copied().flatten()),
            },
        )
        .collect();
    let cursor = (!values.is_empty()).then_some(2 + paint.state.stat);
    let spot = |id, column: Option<usize>| match column {
        None => Some(Spot::Character(id, None)),
        Some(column) => {
            let value = column.checked_sub(2)?;
            (value < values.len()).then_some(Spot::Character(id, Some(value)))
        }
    };
    let list = (&paint.state.party, cursor);
    paint.list(area, (&columns, &rows), list, spot);
}

/// Name, player, the system's values, whether it has acted, conditions, what it can do, notes.
fn grid_columns(
    paint: &Painter<'_>,
    values: &[Value],
    (room, has_optional): (u16, [bool; 2]),
) -> Vec<Column<'static>> {
    let mut grid = vec![
        Column::new("Name", Width::Fit(11, 24)),
        Column::new("Player", Width::Fit(6, 14)).priority(9),
    ];
    for (index, value) in values.iter().enumerate() {
        let is_vital = match value {
            Value::Stat(stat) => rows::vitals(paint.seen.system()).any(|vital| vital.id == stat.id),
            Value::Clock(_) | Value::Pool(_) => true,
        };
        // What the cursor is on stays, then what changes most.
        let priority = match (index == paint.state.stat, is_vital) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 4,
        };
        let column = Column::new(value.heading(), Width::Fit(0, 8));
        grid.push(column.right().priority(priority));
    }
    // Where the sheet has no columns of its own, what it can do comes before all else.
    let has_stats = values.iter().any(|value| matches!(value, Value::Stat(_)));
    // They are cut before a value gives way to them.
    let conditions = if room >= 100 { 18 } else { 10 };
    grid.extend([
        Column::new("Acted", Width::Fixed(5)).priority(2),
        Column::new("Conditions", Width::UpTo(conditions, 40)).priority(3),
    ]);
    let priority = if has_stats { 10 } else { 5 };
    let optional = [
        Column::new("Can do", Width::UpTo(20, 90)).priority(priority),
        Column::new("Notes", Width::UpTo(24, 48)).priority(11),
    ];
    let optional = optional.into_iter().zip(has_optional);
    grid.extend(optional.filter_map(|(column, is_there)| is_there.then_some(column)));
    grid
}

/// Whether anybody can do anything that the columns do not say, and has notes.
fn optional_columns(paint: &Painter<'_>) -> [bool; 2] {
    let has = |is: &dyn Fn(&Character) -> bool| paint.seen.roster().any(is);
    [
        has(&|one| !rows::ranks(one).is_empty()),
        has(&|one| paint.seen.notes(one).is_some_and(|notes| !notes.is_empty())),
    ]
}

fn grid_row<'a>(
    paint: &Painter<'a>,
    character: &'a Character,
    values: &[Value],
    has_optional: [bool; 2],
) -> Row<'a> {
    let notes = paint.seen.notes(character).unwrap_or_default();
    let mut cells = vec![
        name(character, paint),
        paint.span(character.player.as_str(), Role::Muted).into(),
    ];
    cells.extend(
        values
            .iter()
            .map(|one| value(character, *one, paint).into()),
    );
    cells.extend([
        acted(character, paint).into(),
        conditions(character, true, paint),
    ]);
    let optional = [rows::ranks(character), notes.replace('\n', " ")];
    for (words, is_there) in optional.into_iter().zip(has_optional) {
        if is_there {
            cells.push(paint.span(words, Role::Muted).into());
        }
    }
    Row {
        cells,
        marked: paint.state.party.marked().contains(&character.id),
    }
}

fn heading(paint: &Painter<'_>, next: Option<CharacterId>) -> Row<'static> {
    let next = next.and_then(|id| paint.seen.character(id));
    let words = match next.map(|one| one.side) {
        Some(Allegiance::Ally) => "Allies",
        Some(Allegiance::Adversary) => "Adversaries",
        Some(Allegiance::Apathetic) => "Others",
        Some(Allegiance::Party) | None => "Party",
    };
    Row {
        cells: vec![paint.span(words, Role::Heading).into()],
        marked: false,
    }
}

/// The whole sheet of the character under the cursor.
fn detail(paint: &mut Painter<'_>, area: Rect, character: &Character) {
    let panel = Panel {
        note: &character.player,
        ..Panel::new(&character.name, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let flags = [
        (character.hidden, "hidden from players"),
        (character.absent, "away"),
        (character.acted, "has acted"),
    ];
    let flags = flags
        .into_iter()
        .filter_map(|(is_set, words)| is_set.then_some(words));
    let remarks: Vec<&str> = std::iter::once(character.side.id()).chain(flags).collect();
    let mut lines = vec![Line::from(paint.span(remarks.join(", "), Role::Muted))];
    let conditions = conditions(character, false, paint);
    lines.extend(Some(conditions).filter(|conditions| !conditions.spans.is_empty()));
    if let Some(standing) = character.sheet.standing(paint.seen.house()) {
        lines.push(paint.span(standing.means, Role::Danger).into());
    }
    let locks = paint.seen.locks().filter(|(one, _)| one.id == character.id);
    let locks: Vec<&str> = locks
        .map(|(_, about)| if about.is_empty() { "it" } else { about })
        .collect();
    if !locks.is_empty() {
        let words = format!("may not try again: {}", locks.join(", "));
        lines.push(paint.span(words, Role::Warning).into());
    }
    let mut rest = below(paint.lines(panel.inner(area), &lines), 1);
    let labels = character
        .sheet
        .iter()
        .map(|(stat, _)| columns(stat.label) + 2);
    let names = labels.max().unwrap_or(0).clamp(NAMES.0, NAMES.1);
    // A list beside its name says more than the end of a long name.
    let names = names.min((rest.width / 4).max(NAMES.0)).min(rest.width / 2);
    for (stat, value) in character.sheet.iter() {
        rest = stat_line(paint, (rest, names), stat, value);
    }
    let holdings = holdings_in_full(paint, character);
    rest = paint.lines(below(rest, 1), &holdings);
    let notes = paint
        .seen
        .notes(character)
        .filter(|notes| !notes.is_empty());
    if let Some(notes) = notes {
        let heading = Line::from(paint.span("Notes", Role::Heading));
        let notes = Line::from(paint.span(notes, Role::Text));
        paint.lines(below(rest, 1), &[heading, notes]);
    }
}

/// A number beside its name, which has so many columns; a list that is too long for that under it.
fn stat_line(
    paint: &mut Painter<'_>,
    (area, names): (Rect, u16),
    stat: &rules::Field,
    value: &rules::Value,
) -> Rect {
    let shown = value.to_string();
    if shown.is_empty() {
        return area;
    }
    let label = Line::from(paint.span(stat.label, Role::Muted));
    let beside = after(row(area, 0), names);
    let is_list = matches!(value, rules::Value::Text(_) | rules::Value::Ranks(_));
    let is_beside = !is_list || columns(&shown) <= beside.width;
    let shown = Line::from(paint.span(shown, Role::Text));
    if !is_beside {
        return paint.lines(below(area, 1), &[label, shown]);
    }
    paint.line(left(area, names.saturating_sub(1)), &label);
    paint.line(beside, &shown);
    below(area, 1)
}

/// A line for each pool and clock of the character.
fn holdings_in_full(paint: &Painter<'_>, character: &Character) -> Vec<Line<'static>> {
    let named = |name: &str| Line::from(paint.span(name.to_owned(), Role::Muted));
    let pools = paint.seen.pools_of(Some(character.id)).map(|pool| {
        let (pips, amount) = (tokens::pips(pool, 10, paint), tokens::amount(pool, paint));
        join([named(&pool.name), pips, amount], "  ")
    });
    let own = |seen: &ClockView<'_>| seen.clock.owner == Some(character.id);
    let clocks = paint.seen.clocks().filter(own).map(|seen| {
        let face = clocks::face(&seen, paint);
        let count = paint.span(face.count(), Role::Text);
        join([named(&seen.clock.name), face.bar(12), count.into()], "  ")
    });
    pools.chain(clocks).collect()
}

/// The name of a character, with what is special about it.
fn name<'a>(character: &'a Character, paint: &Painter<'_>) -> Line<'a> {
    let role = match character.side {
        _ if character.absent => Role::Muted,
        _ if character.hidden => Role::Hidden,
        Allegiance::Party | Allegiance::Apathetic => Role::Text,
        Allegiance::Ally => Role::Ally,
        Allegiance::Adversary => Role::Adversary,
    };
    let mut line = Line::from(paint.span(character.name.as_str(), role));
    if character.hidden {
        let sign = paint.look.glyphs().hidden;
        line.spans
            .insert(0, paint.span(format!("{sign} "), Role::Hidden));
    }
    line
}

/// A value of a character, as short as it goes.
fn value(character: &Character, value: Value, paint: &Painter<'_>) -> Span<'static> {
    let (shown, role) = match value {
        Value::Stat(stat) => {
            let shown = match character.sheet.value(stat.id) {
                Some(rules::Value::Number(number)) => tokens::number(*number, paint),
                Some(value) => value.to_string(),
                None => String::new(),
            };
            let is_down = is_down(character, stat);
            (shown, if is_down { Role::Warning } else { Role::Text })
        }
        Value::Clock(spec) => match rows::rule_clock(paint.seen, character.id, spec) {
            Some(clock) => {
                let role = match clock.filled {
                    _ if clock.is_full() => Role::Danger,
                    0 => Role::Muted,
                    _ => Role::CountdownFill,
                };
                (format!("{}/{}", clock.filled, clock.segments.count()), role)
            }
            None => (String::new(), Role::Muted),
        },
        Value::Pool(spec) => match rows::rule_pool(paint.seen, character.id, spec) {
            Some(pool) => {
                let role = match pool.tokens {
                    0 => Role::Muted,
                    ..0 => Role::TokenDebt,
                    1.. => Role::Token,
                };
                (tokens::number(pool.tokens, paint), role)
            }
            None => (String::new(), Role::Muted),
        },
    };
    paint.span(shown, if character.absent { Role::Muted } else { role })
}

/// Whether a die has shrunk below the one that it may have, or a harm is there.
fn is_down(character: &Character, stat: &Field) -> bool {
    let sheet = &character.sheet;
    match (stat.kind, sheet.value(stat.id)) {
        (Kind::Die, Some(rules::Value::Die(die))) => {
            let bound = stat.at_most.and_then(|bound| sheet.die(bound));
            bound.is_some_and(|bound| *die < bound)
        }
        (Kind::Number { .. }, Some(rules::Value::Number(harm))) => {
            matches!(stat.id, "wounds" | "traumas") && *harm > 0
        }
        _ => false,
    }
}

/// Conditions in one line: `prone, slowed 2 (3 rounds)`, or where there is little room `slowed 2 (3r)`.
fn conditions(character: &Character, is_short: bool, paint: &Painter<'_>) -> Line<'static> {
    let dim = |role| if character.absent { Role::Muted } else { role };
    let mut words: Vec<Line<'static>> = Vec::new();
    if let Some(standing) = character.sheet.standing(paint.seen.house()) {
        words.push(paint.span(standing.word, dim(Role::Danger)).into());
    }
    if character.absent {
        words.push(paint.span("away", Role::Muted).into());
    }
    let mut called = paint.seen.calls().filter(|call| call.who == character.id);
    if let Some(call) = called.next() {
        let words_of_it = if is_short {
            "to roll".to_owned()
        } else {
            format!("to roll: {}", roll_requests::told(call, paint.seen))
        };
        words.push(paint.span(words_of_it, Role::Notice).into());
    }
    let condition = |one| Line::from(paint.span(condition_text(one, is_short), dim(Role::Warning)));
    words.extend(character.conditions.iter().map(condition));
    join(words, ", ")
}

fn condition_text(condition: &Condition, is_short: bool) -> String {
    let value = condition.value;
    let value = value.map_or(String::new(), |value| format!(" {value}"));
    let rounds = match condition.rounds {
        None => String::new(),
        Some(rounds) if is_short => format!(" ({rounds}r)"),
        Some(1) => " (1 round)".to_owned(),
        Some(rounds) => format!(" ({rounds} rounds)"),
    };
    let fades = if condition.fades { " fading" } else { "" };
    format!("{}{value}{fades}{rounds}", condition.name)
}

/// That it has acted this round.
fn acted(character: &Character, paint: &Painter<'_>) -> Span<'static> {
    let done = paint.look.glyphs().done;
    paint.span(if character.acted { done } else { "" }, Role::Success)
}

/// What a character holds and suffers, in one line. Of many things the empty ones are no news.
fn holdings(character: &Character, paint: &Painter<'_>) -> Line<'static> {
    let named = |name: &str| Line::from(paint.span(format!("{name} "), Role::Muted));
    // A clock that the rules gave; others stand among the clocks.
    let is_own =
        |seen: &ClockView<'_>| seen.clock.owner == Some(character.id) && seen.clock.rule.is_some();
    let clocks = paint.seen.clocks().filter(is_own).map(|seen| {
        let face = clocks::face(&seen, paint);
        let mut line = named(&seen.clock.name);
        line.push_span(face.glyph());
        line.push_span(paint.span(format!(" {}", face.count()), Role::Text));
        (seen.filled != Some(0), line)
    });
    let pools = paint.seen.pools_of(Some(character.id)).map(|pool| {
        let mut line = named(tokens::short_name(pool, paint));
        line.spans.extend(tokens::held(pool, paint).spans);
        (pool.tokens != 0, line)
    });
    let parts: Vec<(bool, Line<'static>)> = clocks.chain(pools).collect();
    let is_crowded = parts.len() > 2;
    let told = parts
        .into_iter()
        .filter(|(is_news, _)| *is_news || !is_crowded);
    let told = told.map(|(_, line)| line);
    let mut line = join(told.chain([conditions(character, true, paint)]), "  ");
    if character.absent {
        for span in &mut line.spans {
            span.style = paint.look.style(Role::Muted).add_modifier(Modifier::DIM);
        }
    }
    line
}
