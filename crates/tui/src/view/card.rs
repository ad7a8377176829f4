//! The contents of a character's card, and their texts on the tab and the sheet.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::Role;
use crate::app::list::ListId;
use crate::app::roll_requests;
use crate::app::rows::{self, CardValue, PartyColumn};
use crate::app::state::{Panel, Tab};
use crate::view::{ViewContext, clocks, tokens};
use crate::widget::{CUT, HIDDEN, bar, columns, join, line_columns};
use tableside_game::{Allegiance, Character, CharacterId, EntityKind};
use tableside_rules::{self, Field, Kind};
use tableside_table::SeatView;

/// Returns true if a stat is shown. Harm is not shown while it is 0.
pub(super) fn is_told(character: &Character, stat: &Field) -> bool {
    !is_harm(stat) || character.sheet.number(stat.id) != Some(0)
}

/// Returns the wanted stats with their names and values. If `is_short` is true, dice have no names.
pub(super) fn stats(
    character: &Character,
    is_short: bool,
    context: ViewContext<'_>,
    is_wanted: impl Fn(&'static Field) -> bool,
) -> Vec<Line<'static>> {
    let stats = rows::stats(context.view.system());
    let stats = stats.filter(|stat| is_wanted(stat) && is_told(character, stat));
    let told = stats.map(|stat| {
        let is_named = !is_short || !matches!(stat.kind, Kind::Die);
        let label = is_named.then(|| context.span(format!("{} ", stat.short), Role::Muted));
        let value = value(character, PartyColumn::Stat(stat), context);
        let line = label.into_iter().chain([value]).collect();
        stepped(line, character, context, |value| is_stat(value, stat))
    });
    told.collect()
}

/// Returns the lines below the name of a card: vital stats and marks, the other stats, holdings, and ranks.
///
/// If they need too many rows, they share rows, and the holdings come before the other stats.
pub(super) fn layers(
    character: &Character,
    (width, rows): (u16, u16),
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let rows = usize::from(rows);
    if character.health.is_some() {
        return flow((&marks(character, context), 0), (width, rows), "  ");
    }
    let cells = if rows > 1 { width / 4 } else { width / 7 };
    // Marks change more often than most of the other values.
    let [bars, others] = vitals(character, cells.min(12), context);
    let low = [bars, marks(character, context), others].concat();
    let held = holdings(character, rows, context);
    let stats = stats(character, false, context, |stat| !rows::is_vital(stat));
    let all = (width, usize::MAX);
    let told = [&low, &stats, &held].map(|parts| flow((parts, 0), all, "  "));
    let mut told = told.concat();
    if told.len() > rows {
        let first = low.len() + held.len();
        let all = [low, held, stats].concat();
        told = flow((&all, first), (width, rows), "  ");
    }
    let can_do = rows::ranks(character);
    let can_do = can_do.split_inclusive(", ").map(str::trim_end);
    let can_do = can_do.filter(|part| !part.is_empty());
    let can_do = can_do.map(|part| context.line(part.to_owned(), Role::Muted));
    let can_do: Vec<Line<'_>> = can_do.collect();
    // A blank row separates the cards, unless a card has nothing but ranks.
    let is_set_apart = rows > 2 && !told.is_empty();
    let free = (rows - told.len()).saturating_sub(is_set_apart.into());
    told.extend(flow((&can_do, 0), (width, free), " "));
    told
}

/// Returns the values of a card with a single row: low values, marks, holdings, and the other vital stats.
pub(super) fn in_a_row(character: &Character, context: ViewContext<'_>) -> Vec<Line<'static>> {
    if character.health.is_some() {
        return marks(character, context);
    }
    let is_low = |stat: &'static Field| {
        worded(character, PartyColumn::Stat(stat), context.view).1 != Role::Text
    };
    let vitals = |low: bool| {
        let is_wanted = |stat| rows::is_vital(stat) && is_low(stat) == low;
        stats(character, true, context, is_wanted)
    };
    let [marks, held] = [marks(character, context), holdings(character, 1, context)];
    [vitals(true), marks, held, vitals(false)].concat()
}

/// Distributes parts over rows. A sign stands for parts that do not fit.
///
/// The sign never replaces one of the first `first` parts, and is left out if only these fit.
pub(super) fn flow(
    (parts, first): (&[Line<'static>], usize),
    (width, rows): (u16, usize),
    between: &'static str,
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (nth, part) in parts.iter().enumerate() {
        let is_last = lines.len() == rows;
        let has_sign = is_last && nth >= first && nth + 1 < parts.len();
        let needed = columns(between) + line_columns(part) + 2 * u16::from(has_sign);
        match lines.last_mut() {
            Some(line) if line_columns(line) + needed <= width => {
                *line = join([std::mem::take(line), part.clone()], between);
            }
            _ if !is_last => lines.push(part.clone()),
            // A part that is only text may be cut. Numbers are dropped as a whole.
            Some(line) if nth < first && part.spans.len() == 1 => {
                *line = join([std::mem::take(line), part.clone()], between);
                break;
            }
            Some(line) if nth != first && line_columns(line) + 2 <= width => {
                *line = join([std::mem::take(line), CUT.into()], " ");
                break;
            }
            _ => break,
        }
    }
    lines
}

/// Returns the vital stats: those with a maximum, each with a bar, and the others.
fn vitals(character: &Character, cells: u16, context: ViewContext<'_>) -> [Vec<Line<'static>>; 2] {
    let bar_of = |stat: &'static Field| {
        let most = character.sheet.most(stat)?;
        let now = character.sheet.number(stat.id)?;
        let bar = bar((now, most), cells, health(now, most), context.look);
        let value = value(character, PartyColumn::Stat(stat), context).into();
        let line = join([bar, value], " ");
        Some(stepped(line, character, context, |value| {
            is_stat(value, stat)
        }))
    };
    let is_barred = |stat| cells > 0 && bar_of(stat).is_some();
    let vitals = rows::stats(context.view.system()).filter(|stat| rows::is_vital(stat));
    let barred = vitals.filter(|stat| is_barred(stat)).filter_map(bar_of);
    let is_other = |stat| rows::is_vital(stat) && !is_barred(stat);
    [barred.collect(), stats(character, false, context, is_other)]
}

/// Returns the role of a number with a maximum.
fn health(now: i32, most: i32) -> Role {
    match now.saturating_mul(4) {
        quarters if quarters <= most => Role::Danger,
        quarters if quarters <= most * 2 => Role::Warning,
        _ => Role::Success,
    }
}

/// Whether keys on the table step a value of that card that somebody picked. The one that they step unasked is not
/// marked: every move of the cursor would painter two cards anew.
pub(super) fn is_stepped(character: &Character, context: ViewContext<'_>) -> bool {
    let state = context.state;
    let here = state.list(Panel::Party).id();
    let is_in_hand = state.tab == Tab::Table && state.panel == Panel::Party;
    state.card_value.is_some() && is_in_hand && here == Some(ListId::Character(character.id))
}

fn is_stat(value: CardValue, stat: &Field) -> bool {
    matches!(value, CardValue::Stat(one) if one.id == stat.id)
}

/// Returns the line of a value, underlined if keys change this value.
fn stepped(
    mut line: Line<'static>,
    character: &Character,
    context: ViewContext<'_>,
    is_it: impl Fn(CardValue) -> bool,
) -> Line<'static> {
    let place = context.state.card_value;
    let at_hand = || {
        // A tick of a clock does not change the order of the values.
        let revision = context.view.revision_of(EntityKind::Character);
        let value = || CardValue::at(place, character.id, context.view);
        *context.cached(1, (revision, character.id, place), value)
    };
    let here = is_stepped(character, context).then(at_hand).flatten();
    if here.is_some_and(|(_, value)| is_it(value)) {
        let mut spans = line.spans.iter_mut().rev();
        if let Some(span) = spans.find(|span| !span.content.is_empty()) {
            let loud = Modifier::UNDERLINED | Modifier::BOLD;
            span.style = span.style.add_modifier(loud);
        }
    }
    line
}

/// Returns the name of a character. Its role shows the side, and a sign shows that the character is hidden.
pub(super) fn name(character: &Character, room: u16, context: ViewContext<'_>) -> Line<'static> {
    let role = match character.side {
        _ if character.absent => Role::Muted,
        _ if character.hidden => Role::Hidden,
        Allegiance::Party | Allegiance::Neutral | Allegiance::Crew => Role::Text,
        Allegiance::Ally => Role::Ally,
        Allegiance::Adversary => Role::Adversary,
    };
    let sign = character.hidden.then(|| context.line(HIDDEN, Role::Hidden));
    let room = room.saturating_sub(if character.hidden { 2 } else { 0 });
    let name = context.line(context.look.fit_name(&character.name, room), role);
    join(sign.into_iter().chain([name]), " ")
}

/// Returns the short text of a value.
pub(super) fn value(
    character: &Character,
    value: PartyColumn,
    context: ViewContext<'_>,
) -> Span<'static> {
    let (shown, role) = worded(character, value, context.view);
    context.span(shown, if character.absent { Role::Muted } else { role })
}

/// Returns the short text of a value and its role.
pub(super) fn worded(
    character: &Character,
    value: PartyColumn,
    view: &SeatView<'_>,
) -> (String, Role) {
    let shown = match value {
        // If the seat sees only a word for the health, it sees no values.
        _ if character.health.is_some() => None,
        PartyColumn::Stat(stat) => character.sheet.value(stat.id).map(|value| {
            let shown = in_words(value);
            let now = value.number().unwrap_or(0);
            match character.sheet.most(stat) {
                Some(most) if now * 2 > most => (format!("{shown}/{most}"), Role::Text),
                Some(most) => (format!("{shown}/{most}"), health(now, most)),
                None if is_down(character, stat) => (shown, Role::Warning),
                None => (shown, Role::Text),
            }
        }),
        PartyColumn::Clock(spec) => rows::rule_clock(view, character.id, spec).map(|clock| {
            let role = match clock.filled {
                _ if clock.is_full() => Role::Danger,
                0 => Role::Muted,
                _ => Role::CountdownFill,
            };
            (format!("{}/{}", clock.filled, clock.segments.count()), role)
        }),
        PartyColumn::Pool(spec) => rows::rule_pool(view, character.id, spec).map(|pool| {
            let role = match pool.tokens {
                0 => Role::Muted,
                ..0 => Role::TokenDebt,
                1.. => Role::Token,
            };
            (tokens::number(pool.tokens), role)
        }),
    };
    shown.unwrap_or((String::new(), Role::Muted))
}

pub(super) fn in_words(value: &tableside_rules::Value) -> String {
    let number = value.number().map(tokens::number);
    number.unwrap_or_else(|| value.to_string())
}

/// Returns true if a stat counts harm.
fn is_harm(stat: &Field) -> bool {
    matches!(stat.id, "wounds" | "traumas")
}

/// Returns true for a die below its maximum, or for harm above 0.
fn is_down(character: &Character, stat: &Field) -> bool {
    let sheet = &character.sheet;
    match (stat.kind, sheet.value(stat.id)) {
        (Kind::Die, Some(tableside_rules::Value::Die(die))) => {
            let bound = stat.at_most.and_then(|bound| sheet.die(bound));
            bound.is_some_and(|bound| *die < bound)
        }
        (_, Some(tableside_rules::Value::Number(harm))) => is_harm(stat) && *harm > 0,
        _ => false,
    }
}

/// Returns the word for the health of a character.
///
/// If the seat sees nothing else of the sheet, there is a word for unhurt characters too.
pub(super) fn standing(character: &Character, view: &SeatView<'_>) -> Option<(&'static str, Role)> {
    if let Some(health) = character.health {
        let role = match health {
            "unhurt" => Role::Success,
            "hurt" => Role::Warning,
            _ => Role::Danger,
        };
        return (!health.is_empty()).then_some((health, role));
    }
    Some((view.standing_of(character)?.word, Role::Danger))
}

/// Returns the health, the absence, the call for a roll and the conditions of a character.
pub(super) fn suffered(character: &Character, view: &SeatView<'_>) -> Vec<(String, Role)> {
    let standing = standing(character, view).map(|(word, role)| (word.to_owned(), role));
    let away = character.absent.then(|| ("away".to_owned(), Role::Muted));
    let call = view.calls().find(|call| call.who == character.id);
    let call = call.map(|call| format!("to roll: {}", roll_requests::describe_call(call, view)));
    let call = call.map(|words| (words, Role::Notice));
    let conditions = character.conditions.iter();
    let conditions = conditions.map(|one| (one.to_string(), Role::Warning));
    let words = [standing, away, call].into_iter().flatten();
    words.chain(conditions).collect()
}

/// Returns the marks on a card in short: the health, the absence, the call for a roll, wounds, and conditions.
pub(super) fn marks(character: &Character, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let chip = |words: String, role: Role| {
        let role = if character.absent { Role::Muted } else { role };
        let style = context.look.style(role).add_modifier(Modifier::REVERSED);
        Line::from(Span::styled(words, style))
    };
    let standing = standing(character, context.view);
    let standing = standing.map(|(word, role)| chip(word.to_owned(), role));
    let away = character.absent.then(|| context.line("away", Role::Muted));
    let is_called = context.view.calls().any(|call| call.who == character.id);
    let call = is_called.then(|| context.line("to roll", Role::Notice));
    let wounds = character.sheet.iter().filter_map(|(stat, _)| {
        let is_named = is_harm(stat) && matches!(stat.kind, Kind::Ranks { .. });
        let ranks = character.sheet.ranks(stat.id).iter().map(|(_, rank)| rank);
        let sum: i32 = ranks.filter(|_| is_named).sum();
        (sum > 0).then(|| chip(format!("{} {sum}", stat.label.to_lowercase()), Role::Danger))
    });
    let conditions = character.conditions.iter().map(|one| {
        let words = one.to_string();
        let words = words.replace(" rounds)", "r").replace(" round)", "r");
        chip(words.replace(" (", " · "), Role::Warning)
    });
    let words = [standing, away, call].into_iter().flatten();
    words.chain(wounds).chain(conditions).collect()
}

/// Returns the initiative, with a sign if the character is on turn or has acted.
pub(super) fn acted(character: &Character, context: ViewContext<'_>) -> Span<'static> {
    acted_before(character, on_turn(context), context)
}

/// The character whose turn it is.
pub(super) fn on_turn(context: ViewContext<'_>) -> Option<CharacterId> {
    context.view.turns().first().map(|one| one.id)
}

/// The same as [`acted`], for many characters.
pub(super) fn acted_before(
    character: &Character,
    on_turn: Option<CharacterId>,
    context: ViewContext<'_>,
) -> Span<'static> {
    let number = character.initiative.map(|number| number.to_string());
    let on_turn = on_turn == Some(character.id);
    let sign = match (character.acted, on_turn) {
        (true, _) => "✓",
        (false, true) => "▶",
        (false, false) => "",
    };
    let words = number.unwrap_or_default() + sign;
    let role = [Role::Success, Role::Warning][usize::from(on_turn)];
    context.span(words, role)
}

/// Returns the clocks and pools of a character. If there is little room, empty ones are left out.
pub(super) fn holdings(
    character: &Character,
    rows: usize,
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let is_roomy = rows > 3;
    let named = |name: &str| context.line(name.to_owned(), Role::Muted);
    // Only clocks that the rules give. Other clocks are in the panel of the clocks.
    let given = context.view.clocks_of(character.id);
    let given = given.filter(|view| view.clock.rule.is_some());
    let clocks = given.map(|view| {
        let face = clocks::face(&view, context);
        let count = context.line(face.count(), Role::Text);
        let drawn = if is_roomy {
            face.bar(8)
        } else {
            face.glyph().into()
        };
        let line = join([named(&view.clock.name), drawn, count], " ");
        let is_here = |value| matches!(value, CardValue::Clock(id) if id == view.clock.id);
        let line = stepped(line, character, context, is_here);
        (view.filled != Some(0), line)
    });
    let pools = context.view.pools_of(Some(character.id)).map(|pool| {
        let parts = [
            named(tokens::short_name(pool, context)),
            if rows > 1 {
                tokens::held(pool, context)
            } else {
                context.line(tokens::number(pool.tokens), Role::Token)
            },
        ];
        let is_here = |value| matches!(value, CardValue::Pool(id) if id == pool.id);
        let line = stepped(join(parts, " "), character, context, is_here);
        (pool.tokens != 0, line)
    });
    let parts: Vec<(bool, Line<'static>)> = clocks.chain(pools).collect();
    let is_crowded = parts.len() > 2 && !is_roomy;
    let told = parts.into_iter();
    let told = told.filter(|(is_news, _)| *is_news || !is_crowded);
    let mut told: Vec<Line<'static>> = told.map(|(_, line)| line).collect();
    if character.absent {
        for span in told.iter_mut().flat_map(|line| &mut line.spans) {
            span.style = context.look.style(Role::Muted).add_modifier(Modifier::DIM);
        }
    }
    told
}
