//! The characters: cards on the table, everybody in columns on a tab, and a whole sheet beside them.

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::listed::Listed;
use super::painter::{Painter, Source};
use super::{clocks, tokens};
use crate::rules::{self, Field, Kind};
use crate::screen::layout::Deck;
use crate::screen::list::ListId;
use crate::screen::roll_requests;
use crate::screen::rows::{self, Value};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::grid::{Column, Columns};
use crate::screen::widget::{HIDDEN, below, columns, join, left, line_columns, right};
use crate::session::{Allegiance, Character};

/// The first column of the list that holds a value.
const FIRST_VALUE: usize = 2;

impl<'a> Listed<'a> for &'a Character {
    fn find(from: Source<'a>, id: ListId) -> Option<Self> {
        from.seen.session().character(id.character()?)
    }

    fn parts(&self, from: Source<'a>) -> Vec<(usize, Spot)> {
        let values = 0..rows::values(from.seen.system()).len();
        let spots = values.map(|value| (FIRST_VALUE + value, Spot::Value(self.id, value)));
        spots.collect()
    }

    fn heading(&self, _: Source<'a>) -> &'a str {
        match self.side {
            Allegiance::Party => "Party",
            Allegiance::Ally => "Allies",
            Allegiance::Adversary => "Adversaries",
            Allegiance::Apathetic => "Others",
        }
    }

    fn cursor(from: Source<'a>) -> Option<usize> {
        let has_values = !rows::values(from.seen.system()).is_empty();
        has_values.then_some(FIRST_VALUE + from.state.stat)
    }

    /// Name, player, the system's values, whether it has acted, conditions, what it can do, notes.
    fn columns(from: Source<'a>, width: u16) -> Columns<'a, Self> {
        let system = from.seen.system();
        let muted = move |words: String| from.say(words, Role::Muted);
        let mut all = Columns::default();
        all.add(Column::new("Name", (11, 24)), move |one: &Self| {
            name(one, from)
        });
        let player = Column::new("Player", (6, 14)).priority(9);
        all.add(player, move |one| {
            from.say(one.player.as_str(), Role::Muted)
        });
        let mut has_stats = false;
        for (index, shown) in rows::values(system).into_iter().enumerate() {
            let is_vital = match shown {
                Value::Stat(stat) => {
                    has_stats = true;
                    rows::vitals(system).any(|vital| vital.id == stat.id)
                }
                Value::Clock(_) | Value::Pool(_) => true,
            };
            // What the cursor is on stays, then what changes most.
            let priority = match (index == from.state.stat, is_vital) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 4,
            };
            let column = Column::new(shown.heading(), (0, 8)).right();
            all.add(column.priority(priority), move |one| {
                value(one, shown, from).into()
            });
        }
        let acted_column = Column::fixed("Acted", 5).priority(2);
        all.add(acted_column, move |one| acted(one, from).into());
        // They are cut before a value gives way to them.
        let at_first = if width >= 100 { 18 } else { 10 };
        let suffered = Column::new("Conditions", (0, 40)).at_first(at_first);
        all.add(suffered.priority(3), move |one| conditions(one, true, from));
        if from.seen.roster().any(|one| !rows::ranks(one).is_empty()) {
            // Where the sheet has no columns of its own, it comes before all else.
            let priority = if has_stats { 10 } else { 5 };
            let can_do = Column::new("Can do", (0, 90)).at_first(20);
            all.add(can_do.priority(priority), move |one| {
                muted(rows::ranks(one))
            });
        }
        if from.seen.roster().any(|one| notes(one, from).is_some()) {
            let column = Column::new("Notes", (0, 48)).at_first(24).priority(11);
            all.add(column, move |one| {
                muted(notes(one, from).unwrap_or_default().replace('\n', " "))
            });
        }
        all
    }

    fn in_a_line(_: Source<'a>, _: &Deck) -> Option<Columns<'a, Self>> {
        None
    }

    /// The name, what changes most, what is held and suffered. A high card has the values, too.
    fn card(&self, paint: &mut Painter<'a>, area: Rect) {
        let from = paint.from;
        let system = from.seen.system();
        let area = left(area, area.width.saturating_sub(1));
        let is_low = area.height < 3;
        let aside = if is_low {
            stats(self, rows::vitals(system), from)
        } else {
            vec![from.say(self.player.as_str(), Role::Muted)]
        };
        let aside = join(aside, "  ");
        let done = if self.acted {
            acted(self, from)
        } else {
            Span::raw(" ")
        };
        let apart = if line_columns(&aside) > 0 { "  " } else { "" };
        let aside = join([aside, done.into()], apart);
        // A name has a third of the line at least, and half where only the player stands beside it.
        let room = area.width - area.width / if is_low { 3 } else { 2 };
        let taken = paint.line_right(right(area, room), &aside);
        let name_room = (area.width - taken).saturating_sub(1);
        paint.line(left(area, name_room), &name(self, from));
        let mut rest = below(area, 1);
        let mut last = holdings(self, from);
        if !is_low {
            // A long list goes on beneath, as far as nothing else has to be said there.
            let lines = rest.height - u16::from(!last.spans.is_empty());
            for line in values(self, (area.width, lines.min(2)), from) {
                paint.line(rest, &line);
                rest = below(rest, 1);
            }
        } else if last.spans.is_empty() && rows::values(system).is_empty() {
            last = from.say(rows::ranks(self), Role::Muted);
        }
        paint.line(rest, &last);
    }

    fn title(&self, _: Source<'a>) -> (&'a str, &'a str) {
        (&self.name, &self.player)
    }

    /// The whole sheet.
    fn facts(&self, from: Source<'a>) -> Vec<(&'a str, Line<'a>)> {
        let flags = [
            (true, self.side.id()),
            (self.hidden, "hidden from players"),
            (self.absent, "away"),
            (self.acted, "has acted"),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set);
        let flags: Vec<&str> = flags.map(|(_, words)| words).collect();
        let mut facts = vec![("", from.say(flags.join(", "), Role::Muted))];
        let suffered = conditions(self, false, from);
        facts.extend((!suffered.spans.is_empty()).then_some(("", suffered)));
        let standing = self.sheet.standing(&from.seen.house);
        facts.extend(standing.map(|standing| ("", from.say(standing.means, Role::Danger))));
        let locks = from.seen.locks().filter(|(one, _)| one.id == self.id);
        facts.extend(locks.map(|(_, about)| {
            let about = if about.is_empty() { "it" } else { about };
            let words = format!("may not try again: {about}");
            ("", from.say(words, Role::Warning))
        }));
        let gap = || ("", Line::default());
        facts.push(gap());
        let sheet = self
            .sheet
            .iter()
            .map(|(stat, value)| (stat.label, value.to_string()));
        let sheet = sheet.filter(|(_, value)| !value.is_empty());
        facts.extend(sheet.map(|(label, value)| (label, from.say(value, Role::Text))));
        facts.push(gap());
        facts.extend(from.seen.pools_of(Some(self.id)).map(|pool| {
            let held = [tokens::pips(pool, 10, from), tokens::amount(pool, from)];
            (pool.name.as_str(), join(held, "  "))
        }));
        facts.extend(clocks::of(self.id, from).map(|seen| {
            let face = clocks::face(&seen, from);
            let count = from.say(face.count(), Role::Text);
            (seen.clock.name.as_str(), join([face.bar(12), count], "  "))
        }));
        if let Some(notes) = notes(self, from) {
            let heading = from.say("Notes", Role::Heading);
            facts.extend([gap(), ("", heading), ("", from.say(notes, Role::Text))]);
        }
        facts
    }
}

/// The notes on a character, where this seat may read them and there are any.
fn notes<'a>(character: &'a Character, from: Source<'a>) -> Option<&'a str> {
    from.seen.notes(character).filter(|notes| !notes.is_empty())
}

/// Stats with their values; a harm that is not there is not told.
fn stats(
    character: &Character,
    stats: impl Iterator<Item = &'static Field>,
    from: Source<'_>,
) -> Vec<Line<'static>> {
    let is_told = |stat: &&Field| !is_harm(stat) || character.sheet.number(stat.id) != Some(0);
    let told = stats.filter(is_told).map(|stat| {
        let label = from.span(format!("{} ", stat.short), Role::Muted);
        Line::from(vec![label, value(character, Value::Stat(stat), from)])
    });
    told.collect()
}

/// All values of the sheet where a line has room for them, else those that change most; where none
/// does, as many as these lines have room for.
fn values(
    character: &Character,
    (width, lines): (u16, u16),
    from: Source<'_>,
) -> Vec<Line<'static>> {
    let system = from.seen.system();
    let all = stats(character, rows::stats(system), from);
    let vitals = stats(character, rows::vitals(system), from);
    let fits = |between| line_columns(&join(all.clone(), between)) <= width;
    let (parts, between) = if all.is_empty() {
        let ranks = rows::ranks(character);
        let ranks = ranks.split_inclusive(", ").map(str::trim_end);
        let ranks = ranks.map(|part| from.say(part.to_owned(), Role::Muted));
        (ranks.collect(), " ")
    } else if fits("  ") {
        (all, "  ")
    } else if fits(" ") {
        (all, " ")
    } else if vitals.is_empty() {
        (all, "  ")
    } else {
        (vitals, "  ")
    };
    // No part is broken; what has no room in the last line is cut there.
    let mut rows: Vec<Line<'static>> = vec![Line::default()];
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

/// The name of a character, with what is special about it.
fn name<'a>(character: &'a Character, from: Source<'_>) -> Line<'a> {
    let role = match character.side {
        _ if character.absent => Role::Muted,
        _ if character.hidden => Role::Hidden,
        Allegiance::Party | Allegiance::Apathetic => Role::Text,
        Allegiance::Ally => Role::Ally,
        Allegiance::Adversary => Role::Adversary,
    };
    let name = from.say(character.name.as_str(), role);
    let sign = character.hidden.then(|| from.say(HIDDEN, Role::Hidden));
    join(sign.into_iter().chain([name]), " ")
}

/// A value of a character, as short as it goes.
fn value(character: &Character, value: Value, from: Source<'_>) -> Span<'static> {
    let shown = match value {
        Value::Stat(stat) => character.sheet.value(stat.id).map(|value| {
            let shown = match value {
                rules::Value::Number(number) => tokens::number(*number),
                value => value.to_string(),
            };
            let is_down = is_down(character, stat);
            (shown, if is_down { Role::Warning } else { Role::Text })
        }),
        Value::Clock(spec) => rows::rule_clock(from.seen, character.id, spec).map(|clock| {
            let role = match clock.filled {
                _ if clock.is_full() => Role::Danger,
                0 => Role::Muted,
                _ => Role::CountdownFill,
            };
            (format!("{}/{}", clock.filled, clock.segments.count()), role)
        }),
        Value::Pool(spec) => rows::rule_pool(from.seen, character.id, spec).map(|pool| {
            let role = match pool.tokens {
                0 => Role::Muted,
                ..0 => Role::TokenDebt,
                1.. => Role::Token,
            };
            (tokens::number(pool.tokens), role)
        }),
    };
    let (shown, role) = shown.unwrap_or((String::new(), Role::Muted));
    from.span(shown, if character.absent { Role::Muted } else { role })
}

/// Whether a stat counts harm.
fn is_harm(stat: &Field) -> bool {
    matches!(stat.id, "wounds" | "traumas")
}

/// Whether a die has shrunk below the one that it may have, or a harm is there.
fn is_down(character: &Character, stat: &Field) -> bool {
    let sheet = &character.sheet;
    match (stat.kind, sheet.value(stat.id)) {
        (Kind::Die, Some(rules::Value::Die(die))) => {
            let bound = stat.at_most.and_then(|bound| sheet.die(bound));
            bound.is_some_and(|bound| *die < bound)
        }
        (_, Some(rules::Value::Number(harm))) => is_harm(stat) && *harm > 0,
        _ => false,
    }
}

/// Conditions in one line: `prone, slowed 2 (3 rounds)`, or where there is little room `slowed 2 (3r)`.
fn conditions(character: &Character, is_short: bool, from: Source<'_>) -> Line<'static> {
    let dim = |role| if character.absent { Role::Muted } else { role };
    let standing = character.sheet.standing(&from.seen.house);
    let standing = standing.map(|standing| from.say(standing.word, dim(Role::Danger)));
    let away = character.absent.then(|| from.say("away", Role::Muted));
    let mut calls = from.seen.calls().filter(|call| call.who == character.id);
    let call = calls.next().map(|call| {
        let told = (!is_short).then(|| format!(": {}", roll_requests::told(call, from.seen)));
        let words = format!("to roll{}", told.unwrap_or_default());
        from.say(words, Role::Notice)
    });
    let conditions = character.conditions.iter();
    let conditions = conditions.map(|one| {
        let words = one.to_string();
        let words = if is_short {
            words.replace(" rounds)", "r)").replace(" round)", "r)")
        } else {
            words
        };
        from.say(words, dim(Role::Warning))
    });
    let words = [standing, away, call].into_iter().flatten();
    join(words.chain(conditions), ", ")
}

/// That it has acted this round.
fn acted(character: &Character, from: Source<'_>) -> Span<'static> {
    from.span(if character.acted { "✓" } else { "" }, Role::Success)
}

/// What a character holds and suffers, in one line. Of many things the empty ones are no news.
fn holdings(character: &Character, from: Source<'_>) -> Line<'static> {
    let named = |name: &str| from.say(name.to_owned(), Role::Muted);
    // A clock that the rules gave; others stand among the clocks.
    let given = clocks::of(character.id, from).filter(|seen| seen.clock.rule.is_some());
    let clocks = given.map(|seen| {
        let face = clocks::face(&seen, from);
        let count = from.say(face.count(), Role::Text);
        let parts = [named(&seen.clock.name), face.glyph().into(), count];
        (seen.filled != Some(0), join(parts, " "))
    });
    let pools = from.seen.pools_of(Some(character.id)).map(|pool| {
        let parts = [
            named(tokens::short_name(pool, from)),
            tokens::held(pool, from),
        ];
        (pool.tokens != 0, join(parts, " "))
    });
    let parts: Vec<(bool, Line<'static>)> = clocks.chain(pools).collect();
    let is_crowded = parts.len() > 2;
    let told = parts
        .into_iter()
        .filter(|(is_news, _)| *is_news || !is_crowded);
    let told = told.map(|(_, line)| line);
    let mut line = join(told.chain([conditions(character, true, from)]), "  ");
    if character.absent {
        for span in &mut line.spans {
            span.style = from.look.style(Role::Muted).add_modifier(Modifier::DIM);
        }
    }
    line
}
