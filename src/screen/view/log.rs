//! What happened, newest first: the last rolls on the table, and every entry on a tab.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use super::listed::empty;
use super::luck;
use super::painter::{Painter, Source};
use crate::rules::{CheckSpec, Outcome, Tone};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::dialog::{Canvas, ExplainDialog};
use crate::screen::layout::{self, Deck};
use crate::screen::list::ListId;
use crate::screen::state;
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::die::{DiceRow, DieBox};
use crate::screen::widget::grid::{Column, Columns, GAP, GUTTER, Grid, draw_marks};
use crate::screen::widget::odds::percent;
use crate::screen::widget::panel::Panel;
use crate::screen::widget::wrap::wrap_line;
use crate::screen::widget::{Look, after, below, join, left, owned, row, top};
use crate::session::{EventKind, Roll, Tested, thrown_in_words};
use crate::table::{Entry, SeatView};
use crate::text::fit;

/// From so many columns on the dice and what followed stand beside the words on the tab, and on the table.
const WIDE: (u16, u16) = (90, 100);
/// From so many columns on an entry says what one takes for granted, and what followed beside it.
const ROOMY: u16 = 60;
/// What happened keeps so many columns on a wide screen, however much stands beside it.
const LEAST: u16 = 56;
/// So many later entries are looked through for what struck one.
const LATER: usize = 200;
/// Beneath what is told of an entry, luck wants so many rows.
const LUCK: u16 = 8;
/// The columns that the words beside the dice of a roll keep.
const BESIDE: u16 = 40;

/// Draws the last rolls on the table, one of them with its dice as they lie.
pub(super) fn panel(paint: &mut Painter<'_>, deck: &Deck) {
    let rolls = paint.state.list(state::Panel::Rolls);
    let is_here = paint.state.panel == state::Panel::Rolls;
    // What holds no longer is never shown large.
    let holds = |id: &ListId| {
        id.roll()
            .is_some_and(|number| !paint.seen.is_struck(number))
    };
    let newest = rolls.lines().iter().flatten().copied().find(holds);
    let shown = rolls.id().filter(|id| is_here && holds(id)).or(newest);
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
    let from = paint.from;
    let log = &from.state.log;
    let panes = from.state.panes(body);
    let area = left(panes.list, panes.list.width.saturating_sub(1));
    let lines = log.top()..log.top() + layout::room(area);
    let in_sight: Vec<u64> = lines.map_while(|line| log.row(line)).collect();
    let is_all = in_sight.len() == log.len();
    let drawn_from = (from.seen.revision(), area, &in_sight);
    let in_full = is_all.then(|| from.keep(drawn_from, || InFull::of(from, area, &in_sight)));
    let in_full = in_full.as_deref().and_then(Option::as_ref);
    let places: Option<Vec<Rect>> =
        in_full.map(|all| all.blocks.iter().map(|one| one.area).collect());
    let why_empty = (log.len() == 0).then(|| (log.filter(), log.is_searching()));
    paint.tile_from(panes.list, (places, why_empty), |paint| {
        if why_empty.is_some() {
            empty(paint, below(panes.list, 1), state::Panel::Rolls);
        }
    });
    if why_empty.is_none() {
        match in_full {
            Some(all) => all.draw(paint, area),
            None => list(paint, area, false, (in_sight, log.selected())),
        }
        paint.more(area, log.top(), log.len());
    }
    let selected = log.selected().and_then(|number| from.seen.entry(number));
    match (panes.detail, selected) {
        (Some(area), Some(entry)) => detail(paint, area, &entry),
        (Some(area), None) => paint.tile_from(area, (), |_| {}),
        (None, _) => {}
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
    let told = (from.seen.revision(), area, &in_sight);
    let told = FxBuildHasher.hash_one(told);
    let grid = from.keep(told, || {
        let columns = if is_panel && area.width >= WIDE.1 {
            roll_columns(from)
        } else {
            columns(from, area.width, is_panel)
        };
        let entries = in_sight.iter().map(|number| from.seen.entry(*number));
        columns.lay_out(entries, area.width, if is_panel { GAP - 1 } else { GAP })
    });
    let head = row(area, 0);
    if !is_panel {
        paint.tile_from(head, told, |paint| {
            grid.draw_head(None, from.look, head, paint.buffer);
        });
    }
    let mut numbers = in_sight.into_iter();
    let places = area.rows().skip(usize::from(!is_panel));
    for (line, nth) in places.zip(0..) {
        let number = numbers.next();
        let is_here = number.is_some() && selected == number;
        paint.tile_from(line, (told, number, is_here), |paint| {
            if let Some(number) = number {
                paint.hits.push((line, Spot::Listed(ListId::Roll(number))));
                draw_marks((is_here, false), from.look, line, paint.buffer);
                grid.draw_row(nth, None, from.look, line, paint.buffer);
            }
        });
    }
}

/// Entries in full: all words, and beneath them the dice as they lie and what followed.
struct InFull {
    /// What stands before the words.
    leading: Grid,
    blocks: Vec<InFullEntry>,
    /// Whether dice are drawn as boxes.
    is_boxed: bool,
}

struct InFullEntry {
    number: u64,
    area: Rect,
    /// What happened, and behind the dice what followed.
    lines: Vec<Line<'static>>,
    dice: Vec<DieBox>,
}

impl InFull {
    /// Of entries that all have room for that.
    fn of(from: Source<'_>, area: Rect, numbers: &[u64]) -> Option<Self> {
        if area.width < WIDE.0 {
            return None;
        }
        let entries = numbers.iter().map(|number| from.seen.entry(*number));
        let entries = entries.collect::<Option<Vec<_>>>()?;
        let mut columns = leading(from, false, true);
        let all = Column::new("What happened", (LEAST, LEAST)).grows();
        columns.add(all, |_| Line::default());
        let leading = columns.lay_out(entries.iter().cloned().map(Some), area.width, GAP);
        let wide = Self::words(&leading, area, from).width;
        let blocks = entries.iter().map(|entry| {
            let roll = RollView::of(entry, from.seen);
            let followed = roll.as_ref().map(|roll| join(roll.effects(from), "  "));
            let followed = followed.filter(|_| !from.seen.is_struck(entry.number));
            let words = [Some(entry_line(entry, from)), followed];
            let words = words.into_iter().flatten();
            let lines = words.flat_map(|line| wrap_line(&line, wide));
            let lines = lines.filter(|line| !line.spans.is_empty());
            InFullEntry {
                number: entry.number,
                area: Rect::default(),
                lines: lines.map(owned).collect(),
                dice: roll.map(|roll| roll.dice()).unwrap_or_default(),
            }
        });
        let mut all = Self {
            leading,
            blocks: blocks.collect(),
            is_boxed: true,
        };
        all.place(area, wide, from).or_else(|| {
            all.is_boxed = false;
            all.place(area, wide, from)
        })?;
        Some(all)
    }

    /// Where the words stand in an area.
    fn words(leading: &Grid, area: Rect, from: Source<'_>) -> Rect {
        let what = 2 + usize::from(from.seen.seat().sees_all());
        leading.place(what, area).unwrap_or(area)
    }

    /// Puts the entries beneath each other, where there is room.
    fn place(&mut self, area: Rect, wide: u16, from: Source<'_>) -> Option<()> {
        let mut rest = below(area, 1);
        for one in &mut self.blocks {
            let lines = u16::try_from(one.lines.len()).ok()?;
            let high = lines + one.dice_rows(wide, self.is_boxed, from.look);
            rest.height.checked_sub(high)?;
            one.area = top(rest, high);
            rest = below(rest, high);
        }
        Some(())
    }

    fn draw(&self, paint: &mut Painter<'_>, area: Rect) {
        let from = paint.from;
        let told = (from.seen.revision(), area);
        let head = row(area, 0);
        paint.tile_from(head, told, |paint| {
            self.leading.draw_head(None, from.look, head, paint.buffer);
        });
        for (nth, one) in self.blocks.iter().enumerate() {
            let is_here = from.state.log.selected() == Some(one.number);
            paint.tile_from(one.area, (told, one.number, is_here), |paint| {
                let id = ListId::Roll(one.number);
                paint.hits.push((one.area, Spot::Listed(id)));
                let first = row(one.area, 0);
                draw_marks((is_here, false), from.look, first, paint.buffer);
                let (look, leading) = (from.look, &self.leading);
                leading.draw_row(nth, None, look, first, paint.buffer);
                one.draw(paint, Self::words(leading, one.area, from), self.is_boxed);
            });
        }
    }
}

impl InFullEntry {
    fn dice_rows(&self, wide: u16, is_boxed: bool, look: Look<'_>) -> u16 {
        match (self.dice.as_slice(), is_boxed) {
            ([], _) => 0,
            (_, false) => 1,
            (dice, true) => DiceRow { dice, look }.height(wide),
        }
    }

    fn draw(&self, paint: &mut Painter<'_>, mut words: Rect, is_boxed: bool) {
        let look = paint.look;
        for (nth, line) in self.lines.iter().enumerate() {
            paint.line(words, line);
            words = below(words, 1);
            // The dice lie between what was rolled and what followed.
            if nth == 0 {
                let high = self.dice_rows(words.width, is_boxed, look);
                let dice = &self.dice;
                let dice = DiceRow { dice, look };
                if is_boxed {
                    (&dice).render(top(words, high), paint.buffer);
                } else {
                    paint.line(words, &dice.line());
                }
                words = below(words, high);
            }
        }
    }
}

/// What is told of each entry in so many columns, the same whichever entries are in sight: nothing jumps
/// while one scrolls.
fn columns(from: Source<'_>, width: u16, is_panel: bool) -> Columns<'_, Arc<Entry>> {
    let is_wide = width >= if is_panel { WIDE.1 } else { WIDE.0 };
    let is_brief = is_panel || width < ROOMY;
    let mut all = leading(from, is_panel, is_wide);
    let least = if is_wide {
        (width / 2 - 4).min(LEAST)
    } else {
        40
    };
    let what = Column::new("What happened", (least, least)).grows();
    all.add(what, move |entry| entry_line(entry, from));
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

/// What stands before what happened: number, time, by whom.
fn leading(from: Source<'_>, is_panel: bool, is_wide: bool) -> Columns<'_, Arc<Entry>> {
    let muted = move |words: String| from.say(words, Role::Muted);
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
    all
}

/// What is told of each roll beside the others on a wide screen: each takes the room that the others leave.
fn roll_columns(from: Source<'_>) -> Columns<'_, Arc<Entry>> {
    let mut all = Columns::default();
    let time = Column::fixed("", 6).priority(2);
    all.add(time, move |entry: &Arc<Entry>| {
        from.say(from.setup.zone.time(entry.at), Role::Muted)
    });
    // Free dice have no columns of their own.
    let who = Column::new("", (4, 24)).at_first(16).spills();
    all.add(who, move |entry| match RollView::of(entry, from.seen) {
        Some(roll) => {
            let who = from.say(roll.roll.who.clone(), roll.role(Role::Text));
            join(closed(entry, from).into_iter().chain([who]), " ")
        }
        None => entry_line(entry, from),
    });
    let mut add = |column: Column, tell: fn(&RollView<'_>, Source<'_>) -> Line<'static>| {
        all.add(column, move |entry: &Arc<Entry>| {
            let roll = RollView::of(entry, from.seen);
            roll.map_or_else(Line::default, |roll| tell(&roll, from))
        });
    };
    add(Column::new("", (8, 48)).at_first(20), |roll, from| {
        let tested = from.say(roll.tested.words.clone(), roll.role(Role::Text));
        join([tested, from.say(roll.about(), Role::Muted)], " ")
    });
    add(Column::new("", (6, 29)), |roll, from| {
        roll.outcome_span(from.look).into()
    });
    add(Column::new("", (0, 16)).priority(3), |roll, from| {
        from.say(roll.numbers(), roll.role(Role::Text))
    });
    let dice = Column::new("", (0, 40)).at_first(14).priority(5);
    add(dice, |roll, from| {
        let (dice, look) = (&roll.dice(), from.look);
        DiceRow { dice, look }.line()
    });
    let followed = Column::new("", (0, 120)).at_first(24).priority(4);
    all.add(followed, move |entry| {
        let roll = RollView::of(entry, from.seen);
        roll.map_or_else(Line::default, |roll| roll.followed(entry, from))
    });
    all
}

/// A roll at its largest: what was tested, its dice as they lie, what they came to, the chance that it had, and
/// what followed.
fn lead(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let Some(roll) = RollView::of(entry, from.seen) else {
        let thrown = from.say(entry.event.text(from.seen.system()), Role::Title);
        return paint.line(area, &thrown);
    };
    let look = from.look;
    let room = area.width.saturating_sub(BESIDE);
    let mut dice = roll.dice();
    // Of many dice the boxes say more than what they are for.
    if (DiceRow { dice: &dice, look }).height(room) > 3 {
        for die in &mut dice {
            die.part.clear();
        }
    }
    let all = DiceRow { dice: &dice, look };
    let is_boxed = all.height(room) == 3;
    let widest = if is_boxed { all.width() } else { room.min(30) };
    (&all).render(top(left(area, widest), 3), paint.buffer);
    let words = after(area, widest + 2);
    let tested = from.say(roll.tested.title(&roll.roll.who), Role::Title);
    let label = roll
        .spec
        .told(roll.outcome.outcome, roll.outcome.success)
        .label;
    let sign = tone::sign(roll.tone());
    let loud = from
        .look
        .style(tone::role(roll.tone()))
        .add_modifier(Modifier::BOLD);
    let outcome = Line::from(Span::styled(
        format!("{sign} {}", label.to_uppercase()),
        loud,
    ));
    let chance = entry.chance(from.seen.system());
    let chance =
        chance.map(|chance| from.say(format!("{} to succeed", percent(chance)), Role::Muted));
    let bold = look.style(Role::Text).add_modifier(Modifier::BOLD);
    let numbers = Line::from(Span::styled(roll.numbers(), bold));
    let lines = [
        join([tested, from.say(roll.about(), Role::Muted)], " "),
        join([outcome, numbers], "  "),
        join(
            [chance.unwrap_or_default(), roll.followed(entry, from)],
            "  ",
        ),
    ];
    for (line, place) in lines.iter().zip(words.rows()) {
        paint.line(place, line);
    }
}

/// The entry under the cursor, step by step.
fn detail(paint: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let from = paint.from;
    let number = entry.number;
    let width = Panel::new("", from.look).inner(area).width;
    let drawn_from = (from.seen.revision(), number, width);
    let told = from.keep(drawn_from, || {
        ExplainDialog::beside(number, from.seen, width, from.look)
    });
    let (told, rows) = &*told;
    // Where little is told, there is room for everybody's luck.
    let rows = rows.saturating_add(2).min(area.height);
    let has_room = area.height - rows >= LUCK && !from.recent_rolls().is_empty();
    let rows = if has_room { rows } else { area.height };
    if has_room {
        paint.tile_from(area, rows, |_| {});
    }
    let frame = top(area, rows);
    paint.tile_from(frame, drawn_from, |paint| {
        let scene = &from.seen.scene_of(number).name;
        let foot = if scene.is_empty() {
            format!("by {}", entry.by)
        } else {
            format!("by {} · {scene}", entry.by)
        };
        let tag = from.seen.tag(number);
        let panel = Panel {
            note: &from.setup.zone.day_and_time(entry.at),
            foot: &foot,
            ..Panel::new(&tag, from.look)
        };
        let inner = paint.frame(frame, &panel);
        let mut canvas = Canvas {
            look: from.look,
            area: inner,
            buffer: paint.buffer,
            hits: &mut |_, _| {},
        };
        ExplainDialog::draw_beside(told, &mut canvas);
    });
    if has_room {
        luck::draw(paint, below(area, rows), entry);
    }
}

/// A check with what it says.
struct RollView<'a> {
    /// The check as it was recorded.
    roll: &'a Roll,
    /// Which check.
    spec: &'static CheckSpec,
    /// What it is about.
    tested: Tested,
    /// What it says, read again from its faces.
    outcome: &'a Outcome,
    /// Why it holds no longer, if it does not.
    struck: Option<&'static str>,
}

impl<'a> RollView<'a> {
    /// The check of an entry, where it is a resolved one.
    fn of(entry: &'a Entry, seen: &SeatView<'_>) -> Option<Self> {
        let roll = entry.event.what.resolved()?;
        let system = seen.system();
        Some(Self {
            roll,
            spec: roll.spec(system).ok()?,
            tested: roll.tested(system)?,
            outcome: entry.reading(system)?,
            struck: struck(entry.number, seen),
        })
    }

    /// The role of its words.
    fn role(&self, role: Role) -> Role {
        if self.struck.is_some() {
            Role::Struck
        } else {
            role
        }
    }

    fn tone(&self) -> Tone {
        self.spec
            .told(self.outcome.outcome, self.outcome.success)
            .tone
    }

    /// Its outcome: a sign and a word, in the colour of the tone.
    fn outcome_span(&self, look: Look<'_>) -> Span<'static> {
        let spec = self.spec.told(self.outcome.outcome, self.outcome.success);
        let role = self.role(tone::role(spec.tone));
        let sign = tone::sign(spec.tone);
        Span::styled(format!("{sign} {}", spec.label), look.style(role))
    }

    /// What somebody wrote about it, in brackets.
    fn about(&self) -> String {
        let fields = self.roll.all_fields(self.spec.system);
        let about = fields.map_or(String::new(), |fields| fields.text("about").to_owned());
        if about.is_empty() {
            about
        } else {
            format!("({about})")
        }
    }

    /// Who rolled what, and what came of it.
    fn line(&self, from: Source<'_>) -> Line<'static> {
        // Much that was tested leaves room for the outcome.
        let title = self.tested.title(&self.roll.who);
        let title = fit(&title, usize::from(from.state.size.0 * 2 / 5)).into_owned();
        let role = self.role(Role::Text);
        let lead = from.span(title + ": ", role);
        let mut line = Line::from(vec![lead, self.outcome_span(from.look)]);
        let numbers = self.numbers();
        if !numbers.is_empty() {
            line.push_span(from.span(format!(", {numbers}"), role));
        }
        // Last, for where there is no room for everything, the outcome counts more.
        join([line, from.say(self.about(), Role::Muted)], " ")
    }

    /// What followed in one line; of what holds no longer, why.
    fn followed(&self, entry: &Entry, from: Source<'_>) -> Line<'static> {
        let remark = remark(entry, self.struck.is_some(), from);
        let remark = remark.map(|words| from.say(words, Role::Muted));
        let effects = if self.struck.is_some() {
            Vec::new()
        } else {
            self.effects(from)
        };
        join(effects.into_iter().chain(remark), "  ")
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
            let words = effect.text(from.seen.system());
            let words = words.strip_prefix(&own).unwrap_or(&words).to_owned();
            join(
                [from.say("→", Role::Muted), from.say(words, Role::Text)],
                " ",
            )
        });
        effects.collect()
    }
}

/// Why an entry holds no longer, if it does not.
fn struck(number: u64, seen: &SeatView<'_>) -> Option<&'static str> {
    let by = |later: &Entry| matches!(later.event.what, EventKind::Struck { entry, .. } if entry == number);
    // What was struck long after it is told as what it is like.
    let mut later = seen.log_since(number + 1).take(LATER);
    seen.is_struck(number).then(|| {
        if later.any(|later| by(&later)) {
            "struck"
        } else {
            "taken back"
        }
    })
}

/// An entry in one line. The outcome of a roll has its colour; what holds no longer is struck out, and says so.
pub(super) fn entry_line(entry: &Entry, from: Source<'_>) -> Line<'static> {
    let is_struck = from.seen.is_struck(entry.number);
    let role = match entry.event.what {
        _ if is_struck => Role::Struck,
        EventKind::Scene { .. } | EventKind::Ended => Role::Heading,
        _ => Role::Text,
    };
    let mut line = match RollView::of(entry, from.seen) {
        Some(told) => told.line(from),
        None => from.say(entry.event.text(from.seen.system()), role),
    };
    if let EventKind::Thrown(thrown) = &entry.event.what {
        let dice = format!("  {}", thrown_in_words(thrown));
        line.push_span(from.span(dice, Role::Muted));
    }
    let remark = remark(entry, is_struck, from);
    let remark = remark.map(|words| from.say(format!("({words})"), Role::Muted));
    // At the end it would be the first to be cut.
    join(
        [closed(entry, from), remark, Some(line)]
            .into_iter()
            .flatten(),
        " ",
    )
}

/// That players do not see an entry.
fn closed(entry: &Entry, from: Source<'_>) -> Option<Line<'static>> {
    let is_closed = !entry.event.what.hidden_from().0.is_empty();
    is_closed.then(|| from.say("closed", Role::Hidden))
}

/// What became of an entry, and of what it stands in the place.
fn remark(entry: &Entry, is_struck: bool, from: Source<'_>) -> Option<String> {
    let rolled = |entry: &Entry| matches!(entry.event.what, EventKind::Rerolled { .. });
    let later = from.seen.replaced_by(entry.number);
    let (before_tag, alone, number) = match later.and_then(|later| from.seen.entry(later)) {
        Some(later) if rolled(&later) => ("rolled again: ", "rolled again", later.number),
        Some(later) => ("read again: ", "read again", later.number),
        None if is_struck => return struck(entry.number, from.seen).map(str::to_owned),
        None => (
            "instead of ",
            "once more",
            from.seen.replaces(entry.number)?,
        ),
    };
    Some(match from.seen.tag(number).as_str() {
        "" => alone.to_owned(),
        tag => format!("{before_tag}{tag}"),
    })
}
