//! How a check looks while it is set up, while it waits, and when it is resolved.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::faces::ByHand;
use super::resolved::Resolved;
use super::rows;
use super::setup::{Closed, OTHERS, RowId};
use super::waiting::Waiting;
use super::{RollDialog, Stage};
use crate::rules::Side;
use crate::screen::dialog::button_row::Press;
use crate::screen::dialog::page::{Page, bare, longest};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::dialog::scroll::{self, Block, Scroll, height};
use crate::screen::theme::Role;
use crate::screen::widget::dialog::DialogFrame;
use crate::screen::widget::field::FieldView;
use crate::screen::widget::{Look, row};
use crate::table::SeatView;

/// Columns that a check wants, and on a wide screen, where what one more would be worth has room.
const WIDTHS: [u16; 2] = [74, 100];
/// From so many columns on a screen is wide.
const WIDE: u16 = 110;

/// The columns that a check wants on that screen.
pub(super) const fn wanted(area: Rect) -> u16 {
    if area.width < WIDE {
        WIDTHS[0]
    } else {
        WIDTHS[1]
    }
}

/// Draws it; answers with where the cursor belongs.
pub(super) fn draw(
    dialog: &RollDialog,
    seen: &SeatView<'_>,
    look: Look<'_>,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    match &dialog.stage {
        Stage::SetUp => draw_setup(dialog, seen, look, area, buffer),
        Stage::Faces(by_hand, _) => draw_faces(dialog, by_hand, seen, look, area, buffer),
        Stage::Waits(waiting) => {
            draw_waiting(dialog, waiting, seen, look, area, buffer);
            None
        }
        Stage::Resolved(resolved) => draw_resolved(dialog, resolved, seen, look, area, buffer),
    }
}

/// `Mira: Skill check`.
fn title(dialog: &RollDialog, seen: &SeatView<'_>) -> String {
    let setup = &dialog.setup;
    let who = setup.who.and_then(|id| seen.character(id));
    match who {
        Some(who) => format!("{}: {}", who.name, setup.check.label),
        None => setup.check.label.to_owned(),
    }
}

/// How it is rolled, where that is not as usual.
fn note(dialog: &RollDialog, seen: &SeatView<'_>) -> String {
    let setup = &dialog.setup;
    let call = setup.call.and_then(|call| seen.call(call));
    let is_called = call.is_some_and(|call| call.check == setup.check.id);
    let called = is_called.then_some("called for");
    let all = setup.group.is_some().then_some("for all");
    let hand = dialog.by_hand.then_some("by hand");
    let closed = (setup.closed != Closed::Open).then_some("closed");
    let words: Vec<&str> = [called, all, hand, closed].into_iter().flatten().collect();
    words.join(", ")
}

fn draw_setup(
    dialog: &RollDialog,
    seen: &SeatView<'_>,
    look: Look<'_>,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (title, note) = (title(dialog, seen), note(dialog, seen));
    let (parts, cursor) = with_page(dialog, seen, look, area, |page| {
        Page {
            title: &title,
            note: &note,
            ..page.clone()
        }
        .draw(area, buffer)
    });
    let check = dialog.setup.check;
    dialog.chances.draw(check, look, parts.tail, buffer);
    cursor
}

/// Lays the rows out as a page.
fn with_page<T>(
    dialog: &RollDialog,
    seen: &SeatView<'_>,
    look: Look<'_>,
    area: Rect,
    then: impl FnOnce(&Page<'_>) -> T,
) -> T {
    let setup = &dialog.setup;
    let ids = setup.rows(seen);
    let words = rows::words(setup, &ids, seen);
    let rows = rows::rows(setup, &ids, &words);
    let width = wanted(area).min(area.width.saturating_sub(4));
    let focus = ids.iter().position(|id| *id == setup.focus).unwrap_or(0);
    then(&Page {
        focus,
        help: help(dialog),
        longest: longest(setup.check.fields.iter().map(|field| field.help)),
        problem: setup.problem(),
        tail: dialog.chances.height(setup.check, width, look),
        width: wanted(area),
        ..Page::new("", &rows, look)
    })
}

/// The row at a place of the screen, and where values begin.
pub(super) fn row_at(
    dialog: &RollDialog,
    seen: &SeatView<'_>,
    area: Rect,
    at: Position,
) -> Option<(RowId, Rect)> {
    let ids = dialog.setup.rows(seen);
    bare(|look| {
        with_page(dialog, seen, look, area, |page| {
            let index = page.row_at(area, at)?;
            let values = page.value_area(page.parts(area).list);
            Some((ids.get(index)?.clone(), values))
        })
    })
}

fn help(dialog: &RollDialog) -> &str {
    let check = dialog.setup.check;
    match &dialog.setup.focus {
        RowId::Who => match &dialog.setup.group {
            Some(group) => &group.why,
            None => "Whose sheet the values come from; or the worst or the best rolls for all.",
        },
        RowId::Helpers if dialog.setup.group.is_some() => {
            "Who is in on it; one who takes no part can be left out."
        }
        RowId::Helpers | RowId::Helper(_) if dialog.setup.group.is_none() => {
            check.helping.map_or("", |helping| helping.help)
        }
        RowId::Check => check.help,
        RowId::Field(OTHERS) => "Further players by name, a comma between them.",
        RowId::Field(id) => check.field(id).map_or("", |field| field.help),
        RowId::Helpers | RowId::Helper(_) => "Whether this one is in on it.",
        RowId::Answer(_) => "How this choice is answered.",
        RowId::Clock => "The clock that is filled by what comes of it.",
        RowId::Closed => "Whether players see the roll and what came of it.",
        RowId::Noticed => {
            "Whether those who do not see it learn that something is rolled, or nothing."
        }
        RowId::Player(_) => "Whether this player sees the roll and what came of it.",
    }
}

fn draw_faces(
    dialog: &RollDialog,
    by_hand: &ByHand,
    seen: &SeatView<'_>,
    look: Look<'_>,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let blocks = [
        Block::words(Role::Text, format!("Roll {}.", by_hand.asked())),
        Block::words(
            Role::Muted,
            "Type the faces in this order, a blank between them.",
        ),
        Block::Gap,
        Block::Dice(by_hand.dice()),
        Block::Gap,
    ];
    let title = title(dialog, seen);
    let width = wanted(area).min(area.width.saturating_sub(4));
    let rows = height(&blocks, width, look);
    let frame = DialogFrame {
        note: "by hand",
        ..DialogFrame::new(
            &title,
            wanted(area),
            (rows + 2).min(area.height.saturating_sub(2)),
            look,
        )
    };
    (&frame).render(area, buffer);
    let inner = frame.inner(area);
    let told = Rect {
        height: rows.min(inner.height.saturating_sub(2)),
        ..inner
    };
    Scroll::default().draw(&blocks, look, told, buffer);
    let below = Rect {
        y: told.bottom(),
        height: inner.bottom() - told.bottom(),
        ..inner
    };
    let view = FieldView {
        focused: true,
        placeholder: "faces",
        problem: by_hand.problem.as_deref(),
        ..FieldView::new(&by_hand.typed, look)
    };
    (&view).render(below, buffer);
    view.cursor(row(below, 0))
}

/// What is read, over the buttons beneath it.
pub(in crate::screen::dialog) struct Reading<'a> {
    pub(in crate::screen::dialog) title: &'a str,
    pub(in crate::screen::dialog) note: &'a str,
    pub(in crate::screen::dialog) blocks: &'a [Block],
    pub(in crate::screen::dialog) press: &'a Press,
    pub(in crate::screen::dialog) problem: Option<&'a str>,
}

impl Reading<'_> {
    /// Where the words and the buttons are.
    fn parts<'a>(&'a self, area: Rect, look: Look<'a>) -> (DialogFrame<'a>, Rect, Rect) {
        let width = wanted(area).min(area.width.saturating_sub(4));
        let rows = height(self.blocks, width, look);
        let buttons = self.press.show(width, look, |all| all.height(width));
        let problem = u16::from(self.said(width).is_some());
        let (high, room) = (rows + 1 + buttons + problem, area.height.saturating_sub(2));
        let frame = DialogFrame {
            note: self.note,
            ..DialogFrame::new(self.title, wanted(area), high.min(room), look)
        };
        let inner = frame.inner(area);
        let buttons = (buttons + problem).min(inner.height);
        let spare = inner.height - buttons;
        let read = Rect {
            height: rows.min(spare),
            ..inner
        };
        let pressed = Rect {
            y: inner.bottom() - buttons,
            height: buttons,
            ..inner
        };
        (frame, read, pressed)
    }

    /// Where the buttons alone are.
    pub(in crate::screen::dialog) fn buttons(&self, area: Rect, look: Look<'_>) -> Rect {
        let (_, _, pressed) = self.parts(area, look);
        let above = u16::from(self.said(pressed.width).is_some()).min(pressed.height);
        Rect {
            y: pressed.y + above,
            height: pressed.height - above,
            ..pressed
        }
    }

    /// What stands over the buttons: what is wrong, else what has no room beside the marked one.
    fn said(&self, width: u16) -> Option<(Role, String)> {
        let problem = self
            .problem
            .map(|problem| (Role::Danger, format!("! {problem}")));
        problem.or_else(|| {
            let aside = self.press.aside(width)?;
            Some((Role::Muted, aside.to_owned()))
        })
    }

    pub(in crate::screen::dialog) fn draw(
        &self,
        scroll: &Scroll,
        look: Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let (frame, read, mut pressed) = self.parts(area, look);
        (&frame).render(area, buffer);
        let more = scroll.draw(self.blocks, look, read, buffer);
        scroll::sign(more, look, read, buffer);
        if let Some((role, words)) = self.said(pressed.width) {
            let line = Line::styled(words, look.style(role));
            let line = look.fit_line(&line, pressed.width);
            buffer.set_line(pressed.x, pressed.y, &line, pressed.width);
            pressed.y += 1;
            pressed.height = pressed.height.saturating_sub(1);
        }
        self.press
            .show(pressed.width, look, |all| all.render(pressed, buffer));
    }
}

fn waiting_blocks(waiting: &Waiting, seen: &SeatView<'_>) -> Vec<Block> {
    let whose = match waiting.by {
        Side::Actor => "The one who rolls decides.".to_owned(),
        Side::Opponent => "The other side decides.".to_owned(),
        Side::Gm => format!("The {} decides.", seen.system().spec().gm),
    };
    vec![
        Block::Dice(dice_of(&waiting.dice)),
        Block::Gap,
        Block::words(Role::Text, waiting.question()),
        Block::words(Role::Muted, whose),
    ]
}

fn draw_waiting(
    dialog: &RollDialog,
    waiting: &Waiting,
    seen: &SeatView<'_>,
    look: Look<'_>,
    area: Rect,
    buffer: &mut Buffer,
) {
    Reading {
        title: &title(dialog, seen),
        note: &note(dialog, seen),
        blocks: &waiting_blocks(waiting, seen),
        press: &waiting.press,
        problem: waiting.problem.as_deref(),
    }
    .draw(&waiting.scroll, look, area, buffer);
}

/// Where the buttons of a choice are.
pub(super) fn waiting_buttons(waiting: &Waiting, seen: &SeatView<'_>, area: Rect) -> Rect {
    let reading = Reading {
        title: "",
        note: "",
        blocks: &waiting_blocks(waiting, seen),
        press: &waiting.press,
        problem: waiting.problem.as_deref(),
    };
    bare(|look| reading.buttons(area, look))
}

/// Where the buttons of a resolved check are.
pub(super) fn resolved_buttons(resolved: &Resolved, seen: &SeatView<'_>, area: Rect) -> Rect {
    let reading = Reading {
        title: "",
        note: "",
        blocks: &resolved.blocks(seen, false),
        press: &resolved.press,
        problem: resolved.problem.as_deref(),
    };
    bare(|look| reading.buttons(area, look))
}

fn draw_resolved(
    dialog: &RollDialog,
    resolved: &Resolved,
    seen: &SeatView<'_>,
    look: Look<'_>,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let number = seen.tag(resolved.number());
    let reading = Reading {
        title: &title(dialog, seen),
        note: &number,
        blocks: &resolved.blocks(seen, look.ascii),
        press: &resolved.press,
        problem: resolved.problem.as_deref(),
    };
    reading.draw(&resolved.scroll, look, area, buffer);
    let note = resolved.note.as_ref()?;
    let (_, _, pressed) = reading.parts(area, look);
    for down in 0..pressed.height {
        let line = row(pressed, down);
        let blank = " ".repeat(line.width.into());
        buffer.set_string(line.x, line.y, blank, look.style(Role::Dialog));
    }
    let view = FieldView {
        focused: true,
        placeholder: "what happens; Enter keeps it",
        problem: resolved.problem.as_deref(),
        ..FieldView::new(note, look)
    };
    (&view).render(pressed, buffer);
    view.cursor(row(pressed, 0))
}
