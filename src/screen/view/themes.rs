//! The list of all themes, drawn beside what it changes.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use crate::rules::Tone;
use crate::screen::state::Mode;
use crate::screen::theme::{Role, Theme};
use crate::screen::tone;
use crate::screen::update::mouse::Spot;
use crate::screen::update::themes::{ThemeChoice, Themes};
use crate::screen::widget::dialog::{DialogFrame, scroll_to};
use crate::screen::widget::row;

/// The columns of its content: names, and a taste of each.
const WIDTH: u16 = 40;
/// The columns of a taste: five outcomes, and a blank at either side.
const TASTE: u16 = 11;

/// The theme that is tried on, while one is.
pub(super) fn tried(mode: &Mode) -> Option<&Theme> {
    match mode {
        Mode::Themes(themes) => Some(themes.worn()),
        Mode::Help { under, .. } => tried(under),
        Mode::Browse | Mode::Greeting | Mode::Filter(..) | Mode::Palette(_) | Mode::Dialog(_) => {
            None
        }
    }
}

/// Draws it at the right, where it leaves most of what it changes in sight.
pub(super) fn draw(paint: &mut Painter<'_>, themes: &Themes, screen: Rect) {
    let count = u16::try_from(themes.choices().len()).unwrap_or(u16::MAX);
    let wide = WIDTH + 6;
    let beside = Rect {
        x: screen.right().saturating_sub(wide.min(screen.width)),
        width: wide.min(screen.width),
        ..screen
    };
    // Two lines for what is wrong with a theme, or what is special about it.
    let dialog = DialogFrame {
        foot: "Enter keeps it   Esc goes back",
        ..DialogFrame::new("Colours", WIDTH, count.saturating_add(3), paint.look)
    };
    let shown = dialog.area(beside).height.saturating_sub(2);
    let dialog = DialogFrame {
        height: shown,
        ..dialog
    };
    (&dialog).render(beside, paint.buffer);
    let inner = dialog.inner(beside);
    let words = inner.height.saturating_sub(count).clamp(1, 3) - 1;
    // What is wrong is told even where it takes lines from the list.
    let words = words.max(if themes.problem().is_some() { 2 } else { 0 });
    let list = Rect {
        height: inner.height.saturating_sub(words + u16::from(words > 0)),
        ..inner
    };
    let room = usize::from(list.height.max(1));
    let top = scroll_to(0, room, themes.at(), themes.at());
    let choices = themes.choices().iter().enumerate().skip(top);
    for ((index, choice), down) in choices.zip(0..list.height) {
        let line = row(list, down);
        paint.spots.put(line, Spot::Item(index));
        choice_line(paint, choice, line, index == themes.at());
    }
    paint.more(
        Rect {
            y: list.y.saturating_sub(1),
            height: list.height + 1,
            ..list
        },
        top,
        themes.choices().len(),
    );
    let area = Rect {
        y: inner.bottom() - words,
        height: words,
        ..inner
    };
    let said = match themes.problem() {
        Some(problem) => paint.span(problem.to_owned(), Role::Danger),
        None => paint.span(themes.worn().description().to_owned(), Role::Muted),
    };
    paint.text(area, &Line::from(said));
}

/// A theme: its name, and a taste of its colours on its own ground.
fn choice_line(paint: &mut Painter<'_>, choice: &ThemeChoice, line: Rect, is_here: bool) {
    let role = if is_here { Role::Title } else { Role::Text };
    if is_here {
        let marker = paint.span(paint.look.glyphs().marker, Role::Marker);
        paint.line(line, &Line::from(marker));
    }
    let words = Rect {
        x: line.x + 2.min(line.width),
        width: line.width.saturating_sub(TASTE + 3),
        ..line
    };
    let mut name = Line::from(paint.span(choice.name.clone(), role));
    if choice.is_own {
        name.push_span(paint.span("  yours", Role::Muted));
    }
    paint.line(words, &name);
    let aside = match &choice.theme {
        Ok(theme) => taste(theme, paint),
        Err(_) => Line::from(paint.span("mistaken", Role::Danger)),
    };
    paint.line_right(line, &aside);
}

fn taste(theme: &Theme, paint: &Painter<'_>) -> Line<'static> {
    let tones = [
        Tone::Triumph,
        Tone::Good,
        Tone::Mixed,
        Tone::Bad,
        Tone::Disaster,
    ];
    let depth = paint.look.depth;
    let base: Style = theme.base(depth);
    let mut line = Line::from(Span::styled(" ", base));
    for tone in tones {
        let style = base.patch(theme.style(tone::role(tone), depth));
        line.push_span(Span::styled(tone::sign(tone, paint.look.ascii), style));
        line.push_span(Span::styled(" ", base));
    }
    line
}
