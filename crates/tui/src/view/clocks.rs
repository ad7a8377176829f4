//! The progress clocks: as faces if they fit, and otherwise as lines.

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::state::{Panel, Tab};
use crate::app::update::mouse::Spot;
use crate::view::item_view::{self, ItemCell, ItemView};
use crate::view::layout::{self, OWNER, PanelLayout};
use crate::view::pinned::pinned_notes;
use crate::view::sheets::{Fact, FactGroup};
use crate::view::{Painter, ViewContext};
use crate::widget::clock::{Clock, LARGEST};
use crate::widget::{
    Column, GUTTER, GridColumns, after, below, join, left, line_columns, row, top, wrap_line,
};
use tableside_game::{ClockKind, EntityKind, LinkEffect, Pin, Visibility};
use tableside_table::{ClockView, SeatView, about_clock};

/// The indices of the face and the bar among the columns of [`clock_columns`].
const FACE_AND_BAR: [usize; 2] = [0, 2];
/// The number of cached forecasts. A large screen shows about as many faces.
const MAX_OUTLOOKS: usize = 64;
/// The heading above the clocks that the rules give to characters.
const OWNED_CLOCKS: &str = "Characters' own";

/// Draws the tab if all clocks fit as pictures. `places` has the place of each line.
pub(super) fn draw_faces<'a>(painter: &mut Painter<'a>, body: Rect, places: &[Rect]) {
    let context = painter.context;
    let list = context.state.list(Panel::Clocks);
    let mut last_owner = None;

    for (id, area) in list.lines().iter().zip(places.iter().copied()) {
        let Some(id) = *id else {
            painter.redraw_if_changed(area, (), |painter: &mut Painter<'a>| {
                let heading = context.line(OWNED_CLOCKS, Role::Heading);
                painter.draw_line(after(area, GUTTER), &heading);
            });
            continue;
        };
        let Some(view) = ClockView::find(context, id) else {
            continue;
        };

        let is_owned = view.clock.rule.is_some();
        if is_owned && last_owner != view.clock.owner {
            last_owner = view.clock.owner;
            let line = Rect::new(body.x + 1, area.y, OWNER, 1);
            draw_owner(painter, &view, line);
        }

        let contents = after(area, GUTTER);
        let name = if is_owned {
            area
        } else {
            view.name_area(context, contents)
        };
        let cell = ItemCell {
            area,
            gutter: left(row(area, 0), GUTTER),
            name,
        };
        item_view::draw_cell(painter, cell, id, view.card_key(context), |painter| {
            if is_owned {
                draw_owned_clock(&view, painter, contents);
            } else {
                view.draw_card(painter, contents);
            }
        });
    }
}

/// Draws the name of an owner before the owner's clocks.
fn draw_owner(painter: &mut Painter<'_>, view: &ClockView<'_>, line: Rect) {
    let context = painter.context;
    let name = owner(view, context).unwrap_or("");
    let area = left(after(line, GUTTER), OWNER - GUTTER - 1);
    painter.redraw_if_changed(area, name, |painter| {
        let name = context.look.fit_name(name, area.width);
        painter.draw_line(area, &context.line(name, Role::Text));
    });
}

/// Draws a character's clock in a line: its name, a bar, and its count.
fn draw_owned_clock<'a>(view: &ClockView<'a>, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let picture = face(view, context);
    let bar = picture.bar(12);
    let bar_width = line_columns(&bar);
    let name_width = area.width.saturating_sub(bar_width + 8);
    painter.draw_line(left(area, name_width), &name(view, context));

    let picture_area = after(area, name_width + 1);
    let bar_area = left(picture_area, bar_width);
    painter.hits.push((bar_area, Spot::Face(view.clock.id)));
    let count = context.line(picture.count(), Role::Text);
    painter.draw_line(picture_area, &join([bar, count], " "));
}

impl<'a> ItemView<'a> for ClockView<'a> {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.clock(id.try_as_clock()?)
    }

    /// A press on the face or the bar advances the clock.
    fn parts(&self, _: ViewContext<'a>) -> Vec<(usize, Spot)> {
        let spot = Spot::Face(self.clock.id);
        FACE_AND_BAR.map(|column| (column, spot)).to_vec()
    }

    fn heading(&self, _: ViewContext<'a>) -> &'a str {
        OWNED_CLOCKS
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let has_owners = context
            .view
            .clocks()
            .any(|view| owner(&view, context).is_some());
        let has_column = has_owners && width > 80;
        // The automation follows the name if the other columns still fit.
        let has_automation = context
            .view
            .clocks()
            .any(|view| automation(&view, context).is_some());
        let is_roomy = has_automation && width > 100;
        let name = Column::new("Clock", (12, if is_roomy { 40 } else { 29 })).ends();
        let bar = Column::fixed("Filled", if width > 56 { 12 } else { 8 });
        let count = Column::fixed("", 7);
        let mut all = clock_columns(context, [name, bar.priority(2), count], move |view| {
            full_name(view, has_column, context)
        });
        let kind = Column::fixed("Kind", 10).priority(4);
        all.add(kind, move |view| {
            context.line(view.clock.kind.into_str(), Role::Muted)
        });
        let visibility = Column::fixed("Seen", 7).priority(3);
        all.add(visibility, move |view| {
            let visibility = view.clock.visibility;
            let is_seen = visibility == Visibility::Visible;
            let role = if is_seen { Role::Muted } else { Role::Hidden };
            context.line(visibility.into_str(), role)
        });
        if has_column {
            let column = Column::new("Whose", (5, 16)).priority(5);
            all.add(column.ends(), move |view| {
                context.line(owner(view, context).unwrap_or(""), Role::Muted)
            });
        }
        all
    }

    fn panel_columns(
        context: ViewContext<'a>,
        deck: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        let bar = if deck.cell.width >= 46 { 10 } else { 0 };
        let columns = [
            Column::new("", (8, 8)).ends(),
            Column::fixed("", bar).priority(1),
            Column::fixed("", 6),
        ];
        (deck.cell.height == 1)
            .then(|| clock_columns(context, columns, move |view| name(view, context)))
    }

    fn card_key(&self, context: ViewContext<'a>) -> Option<u64> {
        let clock = self.clock;
        let face = face(self, context);
        let key = (
            (face.filled, face.fresh, face.segments),
            (&clock.name, owner(self, context)),
            (automation(self, context), outlook(self, context)),
            (clock.kind, clock.visibility, standing(self, context.view)),
        );
        Some(FxBuildHasher.hash_one(key))
    }

    /// Draws a face, and beside or below it the name and the facts that fit.
    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        let context = painter.context;
        let (face_area, _) = layout::face_and_words(area);
        draw_face(self, painter, face_area);

        let words = CardWords::new(self, area, context);
        painter.draw_wrapped(words.name_area, words.name);
        let mut free = words.fact_area;
        for lines in words.facts {
            free = painter.draw_wrapped(free, lines);
        }
    }

    /// The name may have several rows, and stands beside or below the face.
    fn name_area(&self, context: ViewContext<'a>, card: Rect) -> Rect {
        CardWords::new(self, card, context).name_area
    }

    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str) {
        (&self.clock.name, owner(self, context).unwrap_or(""))
    }

    /// Draws a face that leaves seven rows to the facts, but is at least five rows high.
    fn draw_picture(&self, painter: &mut Painter<'a>, area: Rect) -> Rect {
        let max_rows = area.height.saturating_sub(7);
        let rows = max_rows.min(area.width / 2).min(LARGEST);
        let odd_rows = (rows.max(6) - 1) | 1;

        let face_area = top(below(area, 1), odd_rows);
        draw_face(self, painter, face_area);
        below(area, face_area.height + 2)
    }

    fn fact_groups(&self, context: ViewContext<'a>) -> Vec<FactGroup<'a>> {
        let clock = self.clock;
        let mut facts = Vec::new();
        for text in about_clock(self, context.view) {
            facts.push(Fact::unnamed(context.line(text, Role::Muted)));
        }
        if clock.of_scene {
            let text = "ends with the scene";
            facts.push(Fact::unnamed(context.line(text, Role::Muted)));
        }
        for note in pinned_notes(Pin::Clock(clock.id), context) {
            facts.push(Fact::unnamed(note));
        }
        vec![FactGroup::new("", facts)]
    }
}

/// The text on the card of a clock, and its places.
struct CardWords<'a> {
    name: Vec<Line<'a>>,
    name_area: Rect,
    facts: Vec<Vec<Line<'a>>>,
    fact_area: Rect,
}

impl<'a> CardWords<'a> {
    fn new(view: &ClockView<'a>, card: Rect, context: ViewContext<'a>) -> Self {
        let (face_area, words_area) = layout::face_and_words(card);
        let name: Line<'_> = name(view, context)
            .into_iter()
            .map(|span| span.patch_style(Modifier::BOLD))
            .collect();
        let name = wrap_line(&name, words_area.width);
        // A long name leaves the last row to the count.
        let max_name_rows = words_area.height.max(2) - 1;
        let name_rows = u16::try_from(name.len()).unwrap_or(1).min(max_name_rows);

        let fact_rows = words_area.height.saturating_sub(name_rows);
        let count = face(view, context).count();
        let facts: Vec<Vec<Line<'_>>> = card_facts(view, count, fact_rows, context)
            .iter()
            .map(|line| wrap_line(line, words_area.width))
            .collect();

        // Text beside a face is centred.
        let line_count: usize = facts.iter().map(Vec::len).sum();
        let used_rows = u16::try_from(line_count).map_or(fact_rows, |rows| rows.min(fact_rows));
        let is_beside = words_area.x > face_area.x;
        let indent = if is_beside {
            (fact_rows - used_rows) / 2
        } else {
            0
        };

        let text_area = below(words_area, indent);
        Self {
            name,
            name_area: top(text_area, name_rows),
            facts,
            fact_area: below(text_area, name_rows),
        }
    }
}

/// Returns the lines below the name on a card: the count with the kind or the owner, the owner, the automation and the
/// forecast.
fn card_facts<'a>(
    view: &ClockView<'a>,
    count: String,
    rows: u16,
    context: ViewContext<'a>,
) -> Vec<Line<'a>> {
    let clock = view.clock;
    let mut first_line = vec![context.line(count, Role::Text)];
    if clock.visibility != Visibility::Visible {
        first_line.push(context.line(clock.visibility.into_str(), Role::Hidden));
    }

    let mut facts = Vec::new();
    let kind = context.line(clock.kind.into_str(), Role::Muted);
    match owner(view, context) {
        // If a long name leaves no line for the owner, the owner replaces the kind.
        Some(owner) if rows < 2 => first_line.push(context.line(owner, Role::Muted)),
        Some(owner) => {
            first_line.push(kind);
            facts.push(context.line(owner, Role::Muted));
        }
        None => first_line.push(kind),
    }
    facts.insert(0, join(first_line, "  "));

    if let Some(automation) = automation(view, context) {
        facts.push(context.line(automation, Role::Muted));
    }
    if let Some(outlook) = outlook(view, context) {
        facts.push(context.line(outlook, Role::Info));
    }
    facts
}

/// Returns the columns that each list of clocks starts with: a face, the name, a bar, and a count.
fn clock_columns<'a>(
    context: ViewContext<'a>,
    [name, bar, count]: [Column; 3],
    named: impl Fn(&ClockView<'a>) -> Line<'a> + 'a,
) -> GridColumns<'a, ClockView<'a>> {
    let mut all = GridColumns::default();
    let width = bar.least();
    all.add(Column::fixed("", 1), move |view| {
        face(view, context).glyph().into()
    });
    all.add(name.grows(), named);
    all.add(bar, move |view| face(view, context).bar(width));
    all.add(count.right(), move |view| {
        context.line(face(view, context).count(), Role::Text)
    });
    all
}

fn draw_face(view: &ClockView<'_>, painter: &mut Painter<'_>, area: Rect) {
    let picture = face(view, painter.context);
    (&picture).render(area, painter.buffer);
    painter.hits.push((area, Spot::Face(view.clock.id)));
}

/// Returns the name of the owner, or "the host" for a clock that all games of a host share.
fn owner<'a>(view: &ClockView<'_>, context: ViewContext<'a>) -> Option<&'a str> {
    let owner = view.clock.owner;
    let host = view.clock.host_clock.map(|_| "the host");
    host.or_else(|| owner.map(|owner| context.view.owner_name(Some(owner))))
}

/// Returns the picture of a clock.
pub(super) fn face<'a>(view: &ClockView<'_>, context: ViewContext<'a>) -> Clock<'a> {
    let kind = view.clock.kind;
    Clock {
        filled: view.filled.map(u16::from),
        fresh: context.state.newly_filled(view).into(),
        segments: view.clock.segments.count().into(),
        role: filled_role(kind),
        is_pulled: kind == ClockKind::TugOfWar,
        look: context.look,
    }
}

/// Returns the role of the filled segments.
pub(super) fn filled_role(kind: ClockKind) -> Role {
    match kind {
        ClockKind::Countdown => Role::CountdownFill,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => Role::ClockFill,
    }
}

/// Returns the name of a clock, with a sign if it is hidden, and its [standing](standing).
fn name<'a>(view: &ClockView<'a>, context: ViewContext<'_>) -> Line<'a> {
    let clock = view.clock;
    let mut line = if clock.visibility == Visibility::Visible {
        context.line(clock.name.as_str(), Role::Text)
    } else {
        let sign = context.line(context.look.hidden_sign(), Role::Hidden);
        join([sign, context.line(clock.name.as_str(), Role::Hidden)], " ")
    };
    if let Some((word, role)) = standing(view, context.view) {
        line.push_span(context.span(format!(" {word}"), role));
    }
    line
}

/// Returns a word for a clock that is full, has lost its race, or waits for another clock.
///
/// A seat that may not see the progress of the clock gets `None`.
pub(super) fn standing<'a>(one: &ClockView<'a>, view: &SeatView<'_>) -> Option<(&'a str, Role)> {
    one.filled?;
    let clock = one.clock;
    let is_pulled = clock.kind == ClockKind::TugOfWar;
    let [first_end, last_end] = clock.end_names();
    if is_pulled && clock.is_full() {
        Some((last_end, Role::Warning))
    } else if is_pulled && clock.filled == 0 {
        Some((first_end, Role::Warning))
    } else if clock.is_full() {
        let is_alone = view.race(clock).is_empty();
        Some((if is_alone { "full" } else { "first" }, Role::Warning))
    } else if view.winner(clock).is_some() {
        Some(("lost", Role::Muted))
    } else {
        let waits = view.waits_for(clock).is_some();
        waits.then_some(("waits", Role::Muted))
    }
}

/// Returns a forecast of when the clock is full, on the Clocks tab only.
///
/// It is computed again when the clock ticks or when a pool changes, which may change the chances of its check.
fn outlook(view: &ClockView<'_>, context: ViewContext<'_>) -> Option<String> {
    let clock = view.clock;
    let can_fill = clock.check.is_some() || clock.every.values().any(|ticks| *ticks > 0);
    if context.state.tab != Tab::Clocks || !can_fill {
        return None;
    }

    let pool_revision = context.view.revision_of(EntityKind::Pool);
    let key = (
        (clock.id, clock.kind, view.filled, clock.segments),
        (&clock.check, &clock.every),
        pool_revision,
    );
    let forecast = context.cached(MAX_OUTLOOKS, key, || {
        context.view.forecast(clock.id)?.ok()?.in_short()
    });
    (*forecast).clone()
}

/// Describes what the clock does by itself, and which clock it affects when it is full.
fn automation(view: &ClockView<'_>, context: ViewContext<'_>) -> Option<String> {
    let mut parts = view.clock.describe_automation();
    if let Some(link) = &view.clock.link
        && let Some(target) = context.view.clock(link.to)
    {
        parts.push(format!(
            "→ {} {}",
            link.effect.into_str(),
            target.clock.name
        ));
    }

    for cause in context.view.clocks() {
        let link = cause.clock.link.filter(|link| link.to == view.clock.id);
        if let Some(link) = link
            && link.effect != LinkEffect::Beside
        {
            parts.push(format!("← {}", cause.clock.name));
        }
    }

    if parts.is_empty() {
        None
    } else {
        Some(parts.join(", "))
    }
}

/// Returns the name and the automation. If no column shows the owner, the owner stands between them.
fn full_name<'a>(
    view: &ClockView<'a>,
    has_owner_column: bool,
    context: ViewContext<'a>,
) -> Line<'a> {
    let mut parts = vec![name(view, context)];
    if !has_owner_column && let Some(owner) = owner(view, context) {
        parts.push(context.line(owner, Role::Muted));
    }
    if let Some(automation) = automation(view, context) {
        parts.push(context.line(automation, Role::Muted));
    }
    join(parts, "  ")
}
