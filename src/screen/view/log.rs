//! What happened, newest first: the last rolls on the table, and every entry on a tab.

use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::listed::empty;
use super::painter::{Painter, Source};
use crate::rules::{CheckSpec, Outcome};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::dialog::{Canvas, ExplainDialog};
use crate::screen::layout::{self, Deck};
use crate::screen::list::ListId;
use crate::screen::state::{self, Tab};
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::die::{DiceRow, DieBox};
use crate::screen::widget::grid::{Column, Columns, GAP, GUTTER, draw_marks};
use crate::screen::widget::panel::Panel;
use crate::screen::widget::{Look, after, below, join, left, row, top};
use crate::session::{EventKind, Roll, thrown_in_words};
use crate::table::{Entry, SeatView};
use crate::text::fit;

/// From so many columns on the dice and what followed stand beside the words on the tab, and on the table.
const WIDE: (u16, u16) = (90, 100);
/// From so many columns on an entry says what one takes for granted, and what followed beside it.
const ROOMY: u16 = 60;
/// What happened keeps so many columns on a wide screen, however much stands beside it.
const LEAST: u16 = 56;
/// The columns of the dice where they lie as boxes, and those that the words beside them keep.
const BOXES: (u16, u16) = (6, 40);

/// Draws the last rolls on the table, one of them with its dice as they lie.
pub(super) fn panel(paint: &mut Painter<'_>, deck: &Deck) {
    let rolls = paint.state.list(state::Panel::Rolls);
    let is_here = paint.state.panel == state::Panel::Rolls;
    let newest = rolls.lines().first().copied().flatten();
    let shown = if is_here { rolls.id() } else { newest };
    let shown = shown.and_then(|id| paint.seen.entry(id.roll()?));
    if let Some(entry) = shown.filter(|_| deck.lead.height > 0) {
        lead(paint, after(deck.lead, GUTTER), &entry);
    }
    let in_sight = rolls.lines().iter().flatten().skip(rolls.top());
    let in_sight = in_sight.take(deck.rows()).filter_map(|id| id.roll());
    let selected = rolls.id().and_then(ListId::roll).filter(|_| is_here);
    list(paint, deck.inner, true, (in_sight.collect(), selected));
}

/// Draws the tab.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let log = &paint.state.log;
    let panes = layout::panes(Tab::Log, body, paint.state.details);
    if log.len() == 0 {
        return empty(paint, below(panes.list, 1), state::Panel::Rolls);
    }
    let area = left(panes.list, panes.list.width.saturating_sub(1));
    let lines = log.top()..log.top() + layout::room(area);
    let in_sight = lines.map_while(|line| log.row(line)).collect();
    list(paint, area, false, (in_sight, log.selected()));
    paint.more(area, log.top(), log.len());
    let selected = log.selected().and_then(|number| paint.seen.entry(number));
    if let (Some(area), Some(entry)) = (panes.detail, selected) {
        detail(paint, area, &entry);
    }
}

/// Draws the entries of these numbers, one of which keys act on.
fn list(
    paint: &mut Painter<'_>,
    area: Rect,
    is_panel: bool,
    (in_sight, selected): (Vec<u64>, Option<u64>),
) {
    let from = paint.from;
    let columns = columns(from, area.width, is_panel);
    let entries = in_sight.iter().map(|number| from.seen.entry(*number));
    let grid = columns.lay_out(entries, area.width, GAP);
    if !is_panel {
        grid.draw_head(None, from.look, row(area, 0), paint.buffer);
    }
    let places = area.rows().skip(usize::from(!is_panel));
    for ((nth, number), line) in in_sight.into_iter().enumerate().zip(places) {
        paint.hits.push((line, Spot::Listed(ListId::Roll(number))));
        let is_here = selected == Some(number);
        draw_marks((is_here, false), from.look, line, paint.buffer);
        grid.draw_row(nth, None, from.look, line, paint.buffer);
    }
}

/// What is told of each entry in so many columns, the same whichever entries are in sight: nothing jumps
/// while one scrolls.
fn columns(from: Source<'_>, width: u16, is_panel: bool) -> Columns<'_, Arc<Entry>> {
    let muted = move |words: String| from.say(words, Role::Muted);
    let is_wide = width >= if is_panel { WIDE.1 } else { WIDE.0 };
    let is_brief = is_panel || width < ROOMY;
    let mut all = Columns::default();
    // Players are told no numbers: a gap between two would tell of what is hidden.
    if !is_panel && from.seen.seat().sees_all() {
        let digits = u16::try_from(from.seen.last_event().to_string().len()).unwrap_or(20);
        all.add(
            Column::fixed("#", digits.max(2)).right(),
            move |entry: &Arc<Entry>| muted(entry.number.to_string()),
        );
    }
    let time = Column::fixed("Time", 5).priority(1);
    all.add(time, move |entry| muted(from.setup.zone.time(entry.at)));
    if !is_panel && is_wide {
        let by = Column::fixed("By", 8).priority(3);
        all.add(by, move |entry| muted(entry.by.clone()));
    }
    let least = if is_wide {
        (width / 2 - 4).min(LEAST)
    } else {
        40
    };
    let what = Column::new("What happened", (least, least)).grows();
    all.add(what, move |entry| entry_line(entry, is_brief, from));
    // On a narrow screen Enter and the details tell the rest.
    if is_wide {
        // A panel tells no notes, and has more room for dice.
        let share = if is_panel { 5 } else { 7 };
        let dice = Column::fixed("Dice", (width / share).min(36));
        all.add(dice.priority(4), move |entry| {
            let dice = RollView::of(entry, from.seen).map(|roll| roll.dice());
            let (dice, look) = (&dice.unwrap_or_default(), from.look);
            DiceRow { dice, look }.line()
        });
    }
    if is_wide || is_panel && width >= ROOMY {
        let room = width.saturating_sub(102).clamp(17, 44);
        let followed = Column::fixed("What followed", room);
        all.add(followed.priority(5), move |entry| {
            let roll = RollView::of(entry, from.seen);
            let is_told = !is_brief || !from.seen.is_struck(entry.number);
            let effects = roll.filter(|_| is_told).map(|roll| roll.effects(from));
            join(effects.unwrap_or_default(), "  ")
        });
    }
    all
}

/// A roll with its dice as they lie.
fn lead(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let Some(roll) = RollView::of(entry, from.seen) else {
        return;
    };
    let (dice, look) = (&roll.dice(), from.look);
    let widest = u16::try_from(dice.len()).map_or(u16::MAX, |dice| dice.saturating_mul(BOXES.0));
    let widest = widest.min(area.width.saturating_sub(BOXES.1)).max(12);
    (&DiceRow { dice, look }).render(top(left(area, widest), 3), paint.buffer);
    let words = after(area, widest + 2);
    let who = match roll.roll.who.as_str() {
        "" => roll.spec.label,
        who => who,
    };
    let is_struck = from.seen.is_struck(entry.number);
    let role = if is_struck { Role::Struck } else { Role::Text };
    let outcome = roll.outcome_span(look, is_struck).into();
    // What seldom differs from roll to roll comes first.
    let check = from.say(roll.spec.label, Role::Muted);
    let followed = if is_struck {
        vec![from.say("taken back", Role::Warning)]
    } else {
        roll.effects(from)
    };
    let lines = [
        from.say(who, Role::Title),
        join([outcome, from.say(roll.numbers(), role)], "  "),
        join([check].into_iter().chain(followed), "  "),
    ];
    for (line, place) in lines.iter().zip(words.rows()) {
        paint.line(place, line);
    }
}

/// The entry under the cursor, step by step.
fn detail(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let scene = &from.seen.scene_of(entry.number).name;
    let foot = if scene.is_empty() {
        format!("by {}", entry.by)
    } else {
        format!("by {} · {scene}", entry.by)
    };
    let tag = from.seen.tag(entry.number);
    let panel = Panel {
        note: &from.setup.zone.day_and_time(entry.at),
        foot: &foot,
        ..Panel::new(&tag, from.look)
    };
    let inner = paint.frame(area, &panel);
    let mut canvas = Canvas {
        look: from.look,
        area: inner,
        buffer: paint.buffer,
        hits: &mut |_, _| {},
    };
    ExplainDialog::draw_beside(entry.number, from.seen, &mut canvas);
}

/// A check with what it says.
struct RollView<'a> {
    /// The check as it was recorded.
    roll: &'a Roll,
    /// Which check.
    spec: &'static CheckSpec,
    /// What it says, read again from its faces.
    outcome: &'a Outcome,
}

impl<'a> RollView<'a> {
    /// The check of an entry, where it is a resolved one.
    fn of(entry: &'a Entry, seen: &SeatView<'_>) -> Option<Self> {
        let roll = entry.event.what.resolved()?;
        let system = seen.system();
        Some(Self {
            roll,
            spec: roll.spec(system).ok()?,
            outcome: entry.reading(system)?,
        })
    }

    /// Its outcome: a sign and a word, in the colour of the tone.
    fn outcome_span(&self, look: Look<'_>, is_struck: bool) -> Span<'static> {
        let spec = self.spec.told(self.outcome.outcome, self.outcome.success);
        let role = if is_struck {
            Role::Struck
        } else {
            tone::role(spec.tone)
        };
        let sign = tone::sign(spec.tone);
        Span::styled(format!("{sign} {}", spec.label), look.style(role))
    }

    /// Who rolled what, and what came of it.
    fn line(&self, is_brief: bool, is_struck: bool, from: Source<'_>) -> Line<'static> {
        let role = if is_struck { Role::Struck } else { Role::Text };
        let system = from.seen.system();
        let fields = self.roll.all_fields(system);
        let about = fields.map_or(String::new(), |fields| fields.text("about").to_owned());
        let is_usual = is_brief && system.spec().checks.first() == Some(&self.spec);
        let check = if is_usual { "" } else { self.spec.label };
        // A long name leaves room for the outcome.
        let who = fit(&self.roll.who, usize::from(from.state.size.0 / 4).max(12));
        let words = [&*who, check].into_iter();
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let lead = if words.is_empty() { "" } else { ": " };
        let lead = from.span(words.join(", ") + lead, role);
        let mut line = Line::from(vec![lead, self.outcome_span(from.look, is_struck)]);
        let numbers = self.numbers();
        if !numbers.is_empty() {
            line.push_span(from.span(format!(", {numbers}"), role));
        }
        // Last, for where there is no room for everything, the outcome counts more.
        if !about.is_empty() {
            line.push_span(from.span(format!(" ({about})"), Role::Muted));
        }
        line
    }

    /// The total, and what it was rolled against.
    fn numbers(&self) -> String {
        let numbers = match (self.outcome.total, self.outcome.target) {
            (Some(total), Some(target)) => format!("{total} against {target}"),
            (Some(total), None) => total.to_string(),
            (None, _) => String::new(),
        };
        numbers.replace('-', "−")
    }

    /// Its dice as they lie.
    fn dice(&self) -> Vec<DieBox> {
        dice_of(&self.outcome.dice)
    }

    /// What followed, as it was booked, without the roller's name, which stands beside it.
    fn effects(&self, from: Source<'_>) -> Vec<Line<'static>> {
        let own = format!("{}: ", self.roll.who);
        let effects = self.roll.effects.iter().map(|effect| {
            let words = effect.to_string();
            let words = words.strip_prefix(&own).unwrap_or(&words).to_owned();
            join(
                [from.say("→", Role::Muted), from.say(words, Role::Text)],
                " ",
            )
        });
        effects.collect()
    }
}

/// An entry in one line, or in a brief one without what one takes for granted: the check that a system asks
/// for most. The outcome of a roll has its colour; what was taken back is struck out, and says so.
pub(super) fn entry_line(entry: &Entry, is_brief: bool, from: Source<'_>) -> Line<'static> {
    let is_struck = from.seen.is_struck(entry.number);
    let role = match entry.event.what {
        _ if is_struck => Role::Struck,
        EventKind::Scene { .. } | EventKind::Ended => Role::Heading,
        _ => Role::Text,
    };
    let mut line = match RollView::of(entry, from.seen) {
        Some(told) => told.line(is_brief, is_struck, from),
        None => from.say(entry.event.text(from.seen.system()), role),
    };
    if let EventKind::Thrown(thrown) = &entry.event.what {
        let dice = format!("  {}", thrown_in_words(thrown));
        line.push_span(from.span(dice, Role::Muted));
    }
    if !entry.event.what.hidden_from().0.is_empty() {
        line.spans.insert(0, from.span("closed ", Role::Hidden));
    }
    if let Some(words) = remark(entry, is_struck, from) {
        line.push_span(from.span(words, Role::Muted));
    }
    line
}

/// What became of an entry, and of what it stands in the place.
fn remark(entry: &Entry, is_struck: bool, from: Source<'_>) -> Option<String> {
    let rolled = |entry: &Entry| matches!(entry.event.what, EventKind::Rerolled { .. });
    let later = from.seen.replaced_by(entry.number);
    let (before_tag, alone, number) = match later.and_then(|later| from.seen.entry(later)) {
        Some(later) if rolled(&later) => ("rolled again: ", "rolled again", later.number),
        Some(later) => ("read again: ", "read again", later.number),
        None if is_struck => return Some(" (taken back)".to_owned()),
        None => (
            "instead of ",
            "once more",
            from.seen.replaces(entry.number)?,
        ),
    };
    Some(match from.seen.tag(number).as_str() {
        "" => format!(" ({alone})"),
        tag => format!(" ({before_tag}{tag})"),
    })
}
