//! Who is at the table, and who may come.

use crate::dialog::confirm::ask_default_yes;
use crate::dialog::invite::invite_form;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, SeatRequest,
};
use crate::{Action, Context, Role};
use tableside_table::{ListedSeat, SeatView};

/// Who is at the table, and the seats; whether others can come at all.
struct SeatsDialog(bool);

const HELP: &str =
    "n invites somebody. Enter takes a seat's keys and invitation away, d the seat itself.";

/// Who is at the table, and the seats.
pub fn seats_form(view: &SeatView<'_>) -> Dialog {
    let mut form = Form::default().with_context(Context::List, &[]);
    "Seats".clone_into(&mut form.title);
    Dialog::new(form, SeatsDialog(false), view)
}

/// The row of the page in browsers.
const PAGE: &str = "page";

/// A seat: its name, what the person is, and by what it is opened.
fn row(seat: &ListedSeat) -> Row {
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
    let characters = seat.characters.join(", ");
    let plays = if characters.is_empty() {
        ""
    } else {
        ", plays "
    };
    let role = seat.role.into_str();
    let about = format!("{role}, {keys}{invited}{plays}{characters}");
    Row::item(RowId::Seat(seat.id), seat.name.clone(), about).help(HELP)
}

/// Asks before a seat is taken away, or only what opens it.
fn ask(seat: &ListedSeat, action: Action) -> DialogAction {
    let name = &seat.name;
    let words = match action {
        Action::Delete if seat.is_passing => format!(
            "Send {name} off? Nobody watches from that address without a seat any more, until the table \
             is opened anew."
        ),
        Action::Delete => format!("Take the seat of {name} away? Their screens close."),
        _ if seat.is_passing => return DialogAction::Stay,
        _ => format!(
            "Take the keys and the invitation of {name} away? The seat stays; their screens close."
        ),
    };
    let then = match action {
        Action::Delete => SeatRequest::Dismiss(seat.id),
        _ => SeatRequest::Revoke(seat.id),
    };
    DialogAction::Open(ask_default_yes(words, DialogAction::ChangeSeat(then)).into())
}

impl DialogSpec for SeatsDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let listed = view.listed();
        self.0 = listed.is_some();
        let seats = listed.unwrap_or_default().iter().map(row);
        let page = view.page().map(|page| {
            let help = "Enter gives it another address, and sends those away who came by this one.";
            Row::item(PAGE.into(), "The page".to_owned(), page.address()).help(help)
        });
        form.lay_out(seats.chain(page).collect());
        form.hinted_actions = match (self.0, form.rows.is_empty()) {
            (false, _) => &[Action::Close],
            (true, true) => &[Action::New],
            (true, false) => &[Action::Up, Action::New, Action::Delete],
        };
        form.empty_text = match (view.seat().sees_all(), self.0) {
            (false, _) => "",
            (true, false) => {
                "Nobody else can join: the game is not open to others. Start it with --listen, or with `tableside serve`."
            }
            (true, true) => "There are no seats yet: n invites somebody.",
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let focused = form.focused();
        if focused == Some(PAGE.into()) && *event == DialogEvent::Action(Action::Open) {
            let words = "Give the page another address? Who has this one sees nothing any more.";
            let asked = ask_default_yes(words, DialogAction::RenewPage);
            return Some(DialogAction::Open(asked.into()));
        }
        let mut listed = view.listed().unwrap_or_default().iter();
        let seat = listed.find(|seat| Some(RowId::Seat(seat.id)) == focused);
        match event {
            DialogEvent::Action(Action::New) if self.0 => {
                Some(DialogAction::Open(invite_form(view).into()))
            }
            DialogEvent::Action(action @ (Action::Open | Action::Delete)) => {
                seat.map(|seat| ask(seat, *action))
            }
            _ => None,
        }
    }

    /// Everybody who is here now.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let people = view.present().map(|one| {
            let is_own = one.id == view.seat().id;
            let own = if is_own { " (you)" } else { "" };
            Block::Parts(vec![
                (Role::Success, "  · ".to_owned()),
                (Role::Text, one.name.clone()),
                (Role::Muted, format!("  {}{own}", one.role.into_str())),
            ])
        });
        let heading = Block::words(Role::Heading, "At the table");
        std::iter::once(heading).chain(people).collect()
    }
}
