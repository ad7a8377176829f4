//! Who is at the table, and who may come.

use ratatui::layout::Position;

use super::confirm::{Agreed, ConfirmDialog};
use super::invite::InviteDialog;
use super::reading::{Block, Reading, Scroll};
use super::{Canvas, Dialog, DialogAction, DialogEvent, DoorAct, Touched};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::table::{Listed, SeatView};

/// Who is at the table, and who may come.
#[derive(Debug)]
pub struct SeatsDialog {
    scroll: Scroll,
    /// The seat under the cursor.
    at: usize,
    /// How many seats there are, where others can come at all.
    listed: Option<usize>,
}

/// Columns that it wants.
const WIDTH: u16 = 66;

impl SeatsDialog {
    /// Opens at the first seat.
    pub fn new(seen: &SeatView<'_>) -> Self {
        Self {
            scroll: Scroll::default(),
            at: 0,
            listed: seen.listed().map(<[Listed]>::len),
        }
    }

    fn chosen<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Listed> {
        let listed = seen.listed().unwrap_or_default();
        let at = self.at.min(listed.len().saturating_sub(1));
        listed.get(at)
    }

    fn step(&mut self, by: isize, seen: &SeatView<'_>) {
        let last = seen.listed().map_or(0, <[Listed]>::len).saturating_sub(1);
        self.at = self.at.min(last).saturating_add_signed(by).min(last);
        let row = above(seen) + self.at;
        self.scroll
            .keep_in_sight(u16::try_from(row).unwrap_or(u16::MAX));
    }

    fn blocks(&self, seen: &SeatView<'_>, marker: &str) -> Vec<Block> {
        let mut blocks = vec![Block::words(Role::Heading, "At the table")];
        for one in seen.present() {
            let own = if one.id == seen.seat().id {
                " (you)"
            } else {
                ""
            };
            blocks.push(Block::Parts(vec![
                (Role::Success, "  · ".to_owned()),
                (Role::Text, one.name.clone()),
                (Role::Muted, format!("  {}{own}", one.role.word())),
            ]));
        }
        if !seen.seat().sees_all() {
            return blocks;
        }
        blocks.push(Block::Gap);
        let Some(listed) = seen.listed() else {
            let words = "Nobody else can join: the game is not open to others. Start it with --listen, or with `tableside serve`.";
            blocks.push(Block::words(Role::Muted, words));
            return blocks;
        };
        blocks.push(Block::words(Role::Heading, "Seats"));
        if listed.is_empty() {
            let words = "There are none yet: n invites somebody.";
            blocks.push(Block::words(Role::Muted, words));
            return blocks;
        }
        let at = self.at.min(listed.len().saturating_sub(1));
        for (place, seat) in listed.iter().enumerate() {
            blocks.push(line(place, seat, (place == at).then_some(marker)));
        }
        blocks.push(Block::Gap);
        let words =
            "n invites somebody. Enter takes a seat's keys and invitation away, d the seat itself.";
        blocks.push(Block::words(Role::Muted, words));
        blocks
    }
}

/// The lines above the first seat: who is at the table, between two headings.
fn above(seen: &SeatView<'_>) -> usize {
    seen.present().count() + 3
}

/// A seat in a line: its name, what the person is, and by what it is opened.
fn line(place: usize, seat: &Listed, marker: Option<&str>) -> Block {
    let keys = match seat.keys.len() {
        _ if seat.is_passing => "without a seat".to_owned(),
        0 => "no key yet".to_owned(),
        1 => "a key".to_owned(),
        keys => format!("{keys} keys"),
    };
    let invited = seat.invited_until.map_or(String::new(), |until| {
        let until = until.with_timezone(&chrono::Local).format("%m-%d %H:%M");
        format!(", invited until {until}")
    });
    let characters = if seat.characters.is_empty() {
        String::new()
    } else {
        format!(", plays {}", seat.characters.join(", "))
    };
    let (sign, role) = match marker {
        Some(marker) => (marker, Role::Selected),
        None => (" ", Role::Text),
    };
    let about = format!("  {}, {keys}{invited}{characters}", seat.role.word());
    let parts = [
        (Role::Marker, format!("{sign} ")),
        (role, seat.name.clone()),
        (Role::Muted, about),
    ];
    Block::Pressed(parts.map(|part| (Some(place), part)).into())
}

impl Dialog for SeatsDialog {
    fn contexts(&self) -> &'static [Context] {
        &[Context::List, Context::Always]
    }

    fn hints(&self) -> &'static [Action] {
        match self.listed {
            None => &[Action::Close],
            Some(0) => &[Action::New, Action::Close],
            Some(_) => &[Action::Up, Action::New, Action::Delete, Action::Close],
        }
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let is_host = seen.listed().is_some();
        match event {
            DialogEvent::Action(Action::Up) if is_host => {
                self.step(-1, seen);
                DialogAction::Stay
            }
            DialogEvent::Action(Action::Down) if is_host => {
                self.step(1, seen);
                DialogAction::Stay
            }
            DialogEvent::Action(Action::New) if is_host => DialogAction::Replace(InviteDialog::open(seen).into()),
            DialogEvent::Action(Action::Open) if is_host => match self.chosen(seen) {
                Some(seat) if !seat.is_passing => DialogAction::Replace(ConfirmDialog::new(
                    format!(
                        "Take the keys and the invitation of {} away? The seat stays; whoever sits on it leaves.",
                        seat.name
                    ),
                    Agreed::Door(DoorAct::Revoke(seat.id)),
                ).into()),
                _ => DialogAction::Stay,
            },
            DialogEvent::Action(Action::Delete) if is_host => match self.chosen(seen) {
                Some(seat) => DialogAction::Replace(ConfirmDialog::new(
                    if seat.is_passing {
                        format!(
                            "Send {} off? Nobody watches from that address without a seat any more, until the table is opened anew.",
                            seat.name
                        )
                    } else {
                        format!(
                            "Take the seat of {} away? Whoever sits on it leaves.",
                            seat.name
                        )
                    },
                    Agreed::Door(DoorAct::Dismiss(seat.id)),
                ).into()),
                None => DialogAction::Stay,
            },
            DialogEvent::Click {
                touched: Some(Touched::Button(seat)),
                ..
            } => {
                self.at = *seat;
                DialogAction::Stay
            }
            event => self.scroll.handle(event),
        }
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.listed = seen.listed().map(<[Listed]>::len);
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let blocks = self.blocks(seen, canvas.look.glyphs().marker);
        Reading::new("Seats", "", &blocks, WIDTH).draw(&self.scroll, canvas);
        None
    }
}
