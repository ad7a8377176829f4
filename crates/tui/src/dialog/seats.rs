//! The list of seats and of connected people, in which the GM invites players and removes seats.

use crate::dialog::confirm::ask_default_yes;
use crate::dialog::invite::invite_form;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, SeatRequest,
};
use crate::{Action, Context, Role};
use tableside_table::{ListedSeat, SeatView};

/// The id of the row of the page in browsers.
const PAGE: &str = "page";

const HELP: &str = "⟨new⟩ invites a player. ⟨open⟩ revokes the keys and the invitation of a seat, ⟨delete⟩ removes the seat.";

struct SeatsDialog {
    /// True if others can join the game.
    is_open_to_others: bool,
}

pub fn seats_form(view: &SeatView<'_>) -> Dialog {
    let form = Form {
        title: "Seats".to_owned(),
        ..Form::default()
    };
    let form = form.with_context(Context::List, &[]);
    let spec = SeatsDialog {
        is_open_to_others: false,
    };
    Dialog::new(form, spec, view)
}

/// Returns the row of a seat: its name, its role, its keys and its characters.
fn seat_row(seat: &ListedSeat, is_connected: bool) -> Row {
    let role = seat.role.into_str();
    let mut about = format!("{role}, {}", describe_keys(seat));
    if let Some(until) = seat.invited_until {
        let until = until.with_timezone(&chrono::Local).format("%m-%d %H:%M");
        about += &format!(", invited until {until}");
    }
    if !seat.characters.is_empty() {
        about += &format!(", plays {}", seat.characters.join(", "));
    }
    let connected = if is_connected { "connected" } else { "" };
    Row::item(RowId::Seat(seat.id), seat.name.clone(), about)
        .help(HELP)
        .beside(connected)
}

fn describe_keys(seat: &ListedSeat) -> String {
    if seat.is_passing {
        return "without a seat".to_owned();
    }
    match seat.keys.len() {
        0 => "no key yet".to_owned(),
        1 => "a key".to_owned(),
        count => format!("{count} keys"),
    }
}

/// Asks before a seat is removed.
fn ask_to_dismiss(seat: &ListedSeat) -> DialogAction {
    let name = &seat.name;
    let question = if seat.is_passing {
        format!(
            "Disconnect {name}? Watchers without a seat cannot return from that address until the game \
             is opened again."
        )
    } else {
        format!("Remove the seat of {name}? Their screens close.")
    };
    confirm(
        question,
        DialogAction::ChangeSeat(SeatRequest::Dismiss(seat.id)),
    )
}

/// Asks before a seat loses its keys. Watchers without a seat have none.
fn ask_to_revoke(seat: &ListedSeat) -> DialogAction {
    if seat.is_passing {
        return DialogAction::Stay;
    }
    let question = format!(
        "Revoke the keys and the invitation of {}? The seat stays. Their screens close.",
        seat.name
    );
    confirm(
        question,
        DialogAction::ChangeSeat(SeatRequest::Revoke(seat.id)),
    )
}

/// Opens a question on top of the list. The answer Yes performs the action.
fn confirm(question: String, action: DialogAction) -> DialogAction {
    DialogAction::open(ask_default_yes(question, action))
}

impl DialogSpec for SeatsDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let listed = view.listed();
        self.is_open_to_others = listed.is_some();

        let mut rows = Vec::new();
        for seat in listed.unwrap_or_default() {
            let is_connected = view.present().any(|present| present.id == seat.id);
            rows.push(seat_row(seat, is_connected));
        }
        if let Some(page) = view.page() {
            let row = Row::item(PAGE.into(), "The page".to_owned(), page.address());
            rows.push(row.help("⟨open⟩ changes its address and disconnects all viewers."));
        }
        form.lay_out(rows);

        form.keys.hinted_actions = if !self.is_open_to_others {
            &[Action::Close]
        } else if form.rows.is_empty() {
            &[Action::New]
        } else {
            &[Action::Up, Action::New, Action::Delete]
        };
        form.empty_text = if !view.seat().sees_all() {
            ""
        } else if self.is_open_to_others {
            "There are no seats yet. ⟨new⟩ invites a player."
        } else {
            "The game is not open to players. Start it with --listen, or with `tableside serve`."
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = event.try_as_action_ref()?;
        let focused = form.focused();
        if focused == Some(PAGE.into()) && *action == Action::Open {
            let question = "Change the address of the page? The current address stops working.";
            return Some(confirm(question.to_owned(), DialogAction::RenewPage));
        }

        let mut seats = view.listed().unwrap_or_default().iter();
        let seat = seats.find(|seat| Some(RowId::Seat(seat.id)) == focused);
        match action {
            Action::New if self.is_open_to_others => Some(DialogAction::open(invite_form(view))),
            Action::Open => Some(ask_to_revoke(seat?)),
            Action::Delete => Some(ask_to_dismiss(seat?)),
            _ => None,
        }
    }

    /// Lists the connected seats that are not in the list.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let listed = view.listed().unwrap_or_default();
        let mut blocks = vec![Block::heading("Also connected")];
        for seat in view.present() {
            if listed.iter().any(|listed| listed.id == seat.id) {
                continue;
            }
            let is_own = seat.id == view.seat().id;
            let suffix = if is_own { " (you)" } else { "" };
            let role = format!("  {}{suffix}", seat.role.into_str());
            blocks.push(Block::Parts(vec![
                (Role::Success, "  · ".to_owned()),
                (Role::Text, seat.name.clone()),
                (Role::Muted, role),
            ]));
        }
        blocks
    }
}
