//! The progress clocks: as faces if they fit, and otherwise as lines.

mod card_words;
mod faces;
mod text;

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::update::mouse::Spot;
use crate::view::item_view::ItemView;
use crate::view::layout::{self, PanelLayout};
use crate::view::pinned::pinned_notes;
use crate::view::sheets::{Fact, FactGroup};
use crate::view::{Painter, ViewContext};
use crate::widget::clock::{Clock, LARGEST};
use crate::widget::{Column, GridColumns, below, top};
use card_words::CardWords;
use tableside_game::{ClockKind, Pin, Visibility};
use tableside_table::{ClockView, about_clock};
use text::{automation, clock_name, full_name, outlook, owner_name};

pub(super) use faces::draw_faces;
pub(super) use text::{longest_name, standing};

/// The indices of the face and the bar among the columns of [`LeadingColumns`].
const FACE_AND_BAR: [usize; 2] = [0, 2];
/// The least columns of a name on the table.
const LEAST_NAME: u16 = 11;
/// The columns of a bar on the table, and the least columns of the names beside it.
const BAR: u16 = 10;
const LEAST_NAME_BESIDE_BAR: u16 = 24;
/// The heading above the clocks that the rules give to characters.
const OWNED_CLOCKS: &str = "Characters' own";

impl<'a> ItemView<'a> for ClockView<'a> {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.clock(id.try_as_clock()?)
    }

    /// A press on the face or the bar advances the clock.
    fn pressable_columns(&self, _: ViewContext<'a>) -> Vec<(usize, Spot)> {
        let spot = Spot::Face(self.clock.id);
        FACE_AND_BAR.map(|column| (column, spot)).to_vec()
    }

    fn heading(&self, _: ViewContext<'a>) -> &'a str {
        OWNED_CLOCKS
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let mut clocks = context.view.clocks();
        let has_owners = clocks.any(|view| owner_name(&view, context).is_some());
        let has_owner_column = has_owners && width > 80;

        // The automation follows the name if the other columns still fit.
        let usual_name_width = if width > 80 { 40 } else { 29 };
        let bar_width = if width > 56 { 12 } else { 8 };

        let leading = LeadingColumns {
            face: Column::fixed("", 1),
            name: Column::new("Clock", (12, 48))
                .at_first(usual_name_width)
                .ends(),
            bar: Column::fixed("Filled", bar_width).priority(2),
            count: Column::fixed("", 7),
        };
        let mut columns = leading.add_cells(context, move |view| {
            full_name(view, has_owner_column, context)
        });

        let kind_column = Column::fixed("Kind", 10).priority(4);
        columns.add(kind_column, move |view| {
            context.line(view.clock.kind.into_str(), Role::Muted)
        });
        let visibility_column = Column::fixed("Seen", 8).priority(3);
        columns.add(visibility_column, move |view| {
            visibility_cell(view.clock.visibility, context)
        });
        if has_owner_column {
            let owner_column = Column::new("Whose", (5, 24)).priority(5).ends();
            columns.add(owner_column, move |view| {
                let owner = owner_name(view, context).unwrap_or("");
                context.line(owner, Role::Muted)
            });
        }

        columns
    }

    fn panel_columns(
        context: ViewContext<'a>,
        panel: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        if panel.cell.height != 1 {
            return None;
        }

        let longest_name = context.state.table.measured.longest_clock_name;
        let name_beside_bar = layout::clock_name_width(panel.cell.width).saturating_sub(BAR + 1);
        let has_bar = name_beside_bar >= longest_name.max(LEAST_NAME_BESIDE_BAR);
        let bar_width = if has_bar { BAR } else { 0 };
        let leading = LeadingColumns {
            // Where clocks share a line, more of the name is more useful than the face.
            face: Column::fixed("", 1).priority(2),
            name: Column::new("", (LEAST_NAME, LEAST_NAME)).ends(),
            bar: Column::fixed("", bar_width).priority(1),
            count: Column::new("", (3, 6)),
        };
        Some(leading.add_cells(context, move |view| clock_name(view, context)))
    }

    fn card_key(&self, context: ViewContext<'a>) -> Option<u64> {
        let clock = self.clock;
        let face = face(self, context);
        let progress = (face.filled, face.fresh, face.segments);
        let names = (&clock.name, owner_name(self, context));
        let facts = (automation(self, context), outlook(self, context));
        let standing = standing(self, context.view);
        let state = (clock.kind, clock.visibility, standing);
        let key = (progress, names, facts, state);
        Some(FxBuildHasher.hash_one(key))
    }

    /// Draws a face, and the name and as many facts as fit beside or below it.
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

    /// The name may have several rows, and is beside or below the face.
    fn name_area(&self, context: ViewContext<'a>, card: Rect) -> Rect {
        CardWords::new(self, card, context).name_area
    }

    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str) {
        let owner = owner_name(self, context).unwrap_or("");
        (&self.clock.name, owner)
    }

    /// Draws a face that leaves seven rows for the facts, but is at least five rows high.
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
        let mut texts = about_clock(self, context.view);
        if clock.of_scene {
            texts.push("ends with the scene".to_owned());
        }

        let mut facts = Vec::new();
        for text in texts {
            let line = context.line(text, Role::Muted);
            facts.push(Fact::unnamed(line));
        }
        for note in pinned_notes(Pin::Clock(clock.id), context) {
            facts.push(Fact::unnamed(note));
        }
        vec![FactGroup::new("", facts)]
    }
}

/// The first columns of each list of clocks. The face is one character.
struct LeadingColumns {
    face: Column,
    name: Column,
    bar: Column,
    count: Column,
}

impl LeadingColumns {
    /// Adds the functions that return the cells.
    fn add_cells<'a>(
        self,
        context: ViewContext<'a>,
        name_cell: impl Fn(&ClockView<'a>) -> Line<'a> + 'a,
    ) -> GridColumns<'a, ClockView<'a>> {
        let bar_width = self.bar.min_width();
        let mut columns = GridColumns::default();

        columns.add(self.face, move |view| face(view, context).glyph().into());
        columns.add(self.name.grows(), name_cell);
        columns.add(self.bar, move |view| face(view, context).bar(bar_width));
        columns.add(self.count.right(), move |view| {
            let count = face(view, context).count();
            context.line(count, Role::Text)
        });

        columns
    }
}

fn visibility_cell(visibility: Visibility, context: ViewContext<'_>) -> Line<'static> {
    let role = if visibility == Visibility::Visible {
        Role::Muted
    } else {
        Role::Hidden
    };
    context.line(visibility.into_str(), role)
}

fn draw_face(view: &ClockView<'_>, painter: &mut Painter<'_>, area: Rect) {
    let picture = face(view, painter.context);
    (&picture).render(area, painter.buffer);
    painter.hits.push((area, Spot::Face(view.clock.id)));
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
