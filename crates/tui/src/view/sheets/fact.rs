//! The facts on a sheet, in groups side by side.

use ratatui::layout::{Rect, Size};
use ratatui::text::Line;

use crate::Role;
use crate::view::Painter;
use crate::widget::{after, below, columns, left, line_columns, row, top, wrap_line};

/// The spaces between two columns of groups.
const GAP: u16 = 3;
/// The least columns of a group.
const LEAST_GROUP: u16 = 16;
/// The columns of a text that are kept beside its name. Longer texts wrap.
const SHORT_TEXT: u16 = 14;

/// A fact on a sheet. A fact without a name takes the whole width of its group.
#[derive(Clone, Debug, Hash)]
pub(in crate::view) struct Fact<'a> {
    name: &'a str,
    text: Line<'a>,
}

/// Facts that stay together, below a heading that may be empty.
#[derive(Clone, Debug, Hash)]
pub(in crate::view) struct FactGroup<'a> {
    heading: &'a str,
    facts: Vec<Fact<'a>>,
}

impl<'a> Fact<'a> {
    pub(in crate::view) fn new(name: &'a str, text: Line<'a>) -> Self {
        Self { name, text }
    }

    /// Returns a fact that has no name.
    pub(in crate::view) fn unnamed(text: Line<'a>) -> Self {
        Self { name: "", text }
    }

    /// Returns true if the text fits in the row of the name.
    fn is_in_row(&self, name_width: u16, width: u16) -> bool {
        line_columns(&self.text) + name_width <= width
    }

    fn height(&self, name_width: u16, width: u16) -> u16 {
        let has_name = !self.name.is_empty();
        if has_name && self.is_in_row(name_width, width) {
            return 1;
        }

        let text_lines = wrap_line(&self.text, width).len();
        let text_rows = u16::try_from(text_lines).unwrap_or(u16::MAX);
        if has_name {
            text_rows.saturating_add(1)
        } else {
            text_rows.max(1)
        }
    }
}

impl<'a> FactGroup<'a> {
    pub(in crate::view) fn new(heading: &'a str, facts: Vec<Fact<'a>>) -> Self {
        Self { heading, facts }
    }

    pub(in crate::view) fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Returns true if the group has no heading and none of its facts has a name.
    fn has_only_sentences(&self) -> bool {
        let is_unnamed = self.facts.iter().all(|fact| fact.name.is_empty());
        self.heading.is_empty() && is_unnamed
    }

    /// Returns the columns of the names with the spaces after them.
    fn name_width(&self) -> u16 {
        let widest = self.facts.iter().map(|fact| columns(fact.name)).max();
        match widest {
            None | Some(0) => 0,
            Some(widest) => widest + 2,
        }
    }

    /// Returns the columns that every name needs together with a short text.
    fn least_width(&self) -> u16 {
        let name_width = self.name_width();
        let texts = self.facts.iter().map(|fact| line_columns(&fact.text));
        let widest_text = texts.max().unwrap_or(0).min(SHORT_TEXT);
        (name_width + widest_text).max(LEAST_GROUP)
    }

    fn height(&self, width: u16) -> u16 {
        let name_width = self.name_width();
        let heading = u16::from(!self.heading.is_empty());
        self.facts.iter().fold(heading, |height, fact| {
            height.saturating_add(fact.height(name_width, width))
        })
    }

    fn draw(&self, painter: &mut Painter<'_>, area: Rect) {
        let context = painter.context;
        let mut free = area;
        if !self.heading.is_empty() {
            let heading = context.line(self.heading, Role::Heading);
            painter.draw_line(row(free, 0), &heading);
            free = below(free, 1);
        }

        let name_width = self.name_width();
        for fact in &self.facts {
            let name = context.line(fact.name, Role::Muted);
            free = if fact.name.is_empty() {
                painter.draw_paragraph(free, &fact.text)
            } else if fact.is_in_row(name_width, area.width) {
                painter.draw_line(left(row(free, 0), name_width), &name);
                painter.draw_line(after(row(free, 0), name_width), &fact.text);
                below(free, 1)
            } else {
                let text_area = painter.draw_paragraph(free, &name);
                painter.draw_paragraph(text_area, &fact.text)
            };
        }
    }
}

/// Groups in columns side by side, in their order. A first group of sentences takes the whole width above them.
pub(in crate::view) struct Arrangement<'g, 'a> {
    lead: Option<&'g FactGroup<'a>>,
    lead_height: u16,
    /// The groups of each column.
    columns: Vec<&'g [FactGroup<'a>]>,
    column_width: u16,
    height: u16,
}

impl<'g, 'a> Arrangement<'g, 'a> {
    /// Arranges groups in the number of columns that needs the fewest rows. Short texts stay beside their names.
    pub(in crate::view) fn new(groups: &'g [FactGroup<'a>], width: u16) -> Self {
        let widths = groups.iter().map(FactGroup::least_width);
        let least_width = widths.max().unwrap_or(LEAST_GROUP);
        Self::in_columns_from(least_width, groups, width)
    }

    /// Arranges groups in an area. If they would be cut at its end, short texts may stand below their names, so that
    /// more columns fit.
    pub(in crate::view) fn within(groups: &'g [FactGroup<'a>], area: Size) -> Self {
        let usual = Self::new(groups, area.width);
        if usual.height() <= area.height {
            return usual;
        }

        let narrow = Self::in_columns_from(LEAST_GROUP, groups, area.width);
        if narrow.height() < usual.height() {
            narrow
        } else {
            usual
        }
    }

    /// Arranges groups in columns that are at least this wide.
    fn in_columns_from(least_width: u16, groups: &'g [FactGroup<'a>], width: u16) -> Self {
        match groups {
            [lead, others @ ..] if lead.has_only_sentences() => {
                let arranged = Self::in_columns(least_width, others, width);
                Self {
                    lead: Some(lead),
                    lead_height: lead.height(width),
                    ..arranged
                }
            }
            _ => Self::in_columns(least_width, groups, width),
        }
    }

    fn in_columns(least_width: u16, groups: &'g [FactGroup<'a>], width: u16) -> Self {
        let most_columns = ((width + GAP) / (least_width + GAP)).max(1);
        let group_count = u16::try_from(groups.len()).unwrap_or(u16::MAX).max(1);

        let mut best = Self::with_columns(groups, width, 1);
        for count in 2..=most_columns.min(group_count) {
            let candidate = Self::with_columns(groups, width, count);
            if candidate.height < best.height {
                best = candidate;
            }
        }
        best
    }

    /// Distributes groups over this number of columns, so that the highest column is as low as possible.
    fn with_columns(groups: &'g [FactGroup<'a>], width: u16, count: u16) -> Self {
        let gaps = GAP * (count - 1);
        let column_width = (width.saturating_sub(gaps) / count).max(1);
        let heights: Vec<u16> = groups
            .iter()
            .map(|group| group.height(column_width))
            .collect();

        let height = least_height(&heights, count);
        let mut columns = Vec::new();
        let mut later_groups = groups;
        let mut later_heights = heights.as_slice();
        while !later_groups.is_empty() {
            let group_count = groups_in_column(later_heights, height).max(1);
            let (column, groups_after) = later_groups.split_at(group_count);
            columns.push(column);
            later_groups = groups_after;
            later_heights = &later_heights[group_count..];
        }

        Self {
            lead: None,
            lead_height: 0,
            columns,
            column_width,
            height,
        }
    }

    pub(in crate::view) fn height(&self) -> u16 {
        self.first_row_of_columns().saturating_add(self.height)
    }

    /// Returns the number of rows above the columns: the first group, and a blank row if groups follow it.
    fn first_row_of_columns(&self) -> u16 {
        let has_gap = self.lead.is_some() && !self.columns.is_empty();
        self.lead_height + u16::from(has_gap)
    }

    pub(in crate::view) fn draw(&self, painter: &mut Painter<'_>, area: Rect) {
        if let Some(lead) = self.lead {
            lead.draw(painter, top(area, self.lead_height));
        }

        let mut free = below(area, self.first_row_of_columns());
        for column in &self.columns {
            let mut column_area = left(free, self.column_width);
            for group in *column {
                let height = group.height(self.column_width);
                group.draw(painter, top(column_area, height));
                column_area = below(column_area, height + 1);
            }
            free = after(free, self.column_width + GAP);
        }
    }
}

/// Returns the least height at which the groups fit in this number of columns.
fn least_height(heights: &[u16], column_count: u16) -> u16 {
    // A blank row separates two groups in a column.
    let mut total: u16 = 0;
    for height in heights {
        total = total.saturating_add(*height + 1);
    }

    let highest_group = heights.iter().copied().max().unwrap_or(0);
    let average = total / column_count.max(1);
    let mut height = average.saturating_sub(1).max(highest_group);
    while height < total && split_count(heights, height) > usize::from(column_count) {
        height += 1;
    }
    height
}

/// Returns how many of the groups fit in a column of this height.
fn groups_in_column(heights: &[u16], height: u16) -> usize {
    let mut used = 0_u16;
    let mut count = 0;
    for group in heights {
        let gap = u16::from(count > 0);
        let needed = used.saturating_add(gap).saturating_add(*group);
        if needed > height {
            break;
        }
        used = needed;
        count += 1;
    }
    count
}

/// Returns the number of columns that the groups need at this height.
fn split_count(heights: &[u16], height: u16) -> usize {
    let mut count = 0;
    let mut later_heights = heights;
    while !later_heights.is_empty() {
        let group_count = groups_in_column(later_heights, height).max(1);
        later_heights = &later_heights[group_count..];
        count += 1;
    }
    count
}
