//! The form that invites a player, and the dialog with the code of the invitation.

use crate::Zone;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, SeatRequest, ask_over,
};
use crate::theme::Role as Ink;
use tableside_game::Allegiance;
use tableside_table::{Invited, ListedSeat, SeatRole, SeatView};
use tableside_text::{is_same_name, join};

const ROLES: [SeatRole; 3] = [SeatRole::Player, SeatRole::Watcher, SeatRole::Gm];

/// The maximum length of a seat's name, in characters.
const MAX_SEAT_NAME_CHARS: usize = 40;

/// The width of the code and of the command, in columns.
const WIDTH: u16 = 64;

/// The text for a player without a character.
const PLAYS_NOBODY: &str = "a character without a player";

/// Returns proposals for the name of a seat: players without a seat, then members of the party without a player.
fn proposed_names<'a>(view: &SeatView<'a>) -> Vec<&'a str> {
    let mut players: Vec<&str> = Vec::new();
    let mut unplayed_characters: Vec<&str> = Vec::new();
    for character in view.roster() {
        if character.side != Allegiance::Party {
            continue;
        }
        if character.player.is_empty() {
            unplayed_characters.push(&character.name);
        } else {
            players.push(&character.player);
        }
    }

    let mut names: Vec<&str> = Vec::new();
    for name in players.into_iter().chain(unplayed_characters) {
        let is_listed = names.iter().any(|listed| is_same_name(listed, name));
        if !is_listed && !has_seat(name, view) {
            names.push(name);
        }
    }
    names
}

/// Returns true if a seat has this name, or plays a character of this name.
fn has_seat(name: &str, view: &SeatView<'_>) -> bool {
    let seats = view.listed().unwrap_or_default();
    seats
        .iter()
        .any(|seat| is_same_name(&seat.name, name) || plays_by_seat(seat, name))
}

fn plays_by_seat(seat: &ListedSeat, character: &str) -> bool {
    seat.characters
        .iter()
        .any(|played| is_same_name(played, character))
}

/// Asks for the name and the role of a new seat.
pub fn invite_form(view: &SeatView<'_>) -> Dialog {
    let proposed_names = proposed_names(view);
    let hint = if proposed_names.is_empty() {
        "a name"
    } else {
        "or choose below"
    };

    let mut rows = vec![
        Row::text("name", "Name", "", MAX_SEAT_NAME_CHARS)
            .hint(hint)
            .help("The name for the login: a player's name, or a character's."),
    ];
    if !proposed_names.is_empty() {
        let row = Row::choice("proposed", "No seat yet", proposed_names, 0);
        rows.push(
            row.help("Players without a seat and characters without a player. A name typed above takes precedence."),
        );
    }
    let role = Row::one_of("role", "Role", &ROLES, SeatRole::Player, <&str>::from);
    let gm = view.system().spec().gm;
    rows.push(role.help(format!(
        "A player rolls for their own characters. A watcher only watches. Neither sees hidden things. Another {gm} may do \
         everything."
    )));

    let form = Form::new("Invite", rows).with_submit_label("invite");
    ask_over(form, view, describe_player, |form, view| {
        let role = form.picked("role", &ROLES);
        let name = new_seat(form, view).name;
        Ok(DialogAction::ChangeSeat(SeatRequest::Invite { name, role }))
    })
}

/// Shows next to the name which character the player will play.
fn describe_player(form: &mut Form, view: &SeatView<'_>) {
    let plays = new_seat(form, view).plays;
    let is_typed = !form.text("name").is_empty() || form.row("proposed").is_none();
    let beside_typed = if is_typed {
        plays.clone()
    } else {
        String::new()
    };
    let beside_proposed = if is_typed { String::new() } else { plays };

    if let Some(row) = form.shown_row_mut("name") {
        row.beside = beside_typed;
    }
    if let Some(row) = form.shown_row_mut("proposed") {
        row.beside = beside_proposed;
    }
}

/// Returns the seat that the form describes.
struct NewSeat {
    name: String,
    /// Describes which character a player will play. The text is empty for other roles.
    plays: String,
}

/// Reads the name, and replaces the name of a character by the name of its player.
fn new_seat(form: &Form, view: &SeatView<'_>) -> NewSeat {
    let mut name = form.text("name");
    if name.is_empty() {
        name = form.text("proposed");
    }
    if name.is_empty() || form.picked("role", &ROLES) != SeatRole::Player {
        let plays = String::new();
        return NewSeat { name, plays };
    }

    let played = played_characters(&name, view);
    if !played.is_empty() {
        let plays = format!("plays {played}");
        return NewSeat { name, plays };
    }
    match view.character_named(&name) {
        Some(character) if character.player.is_empty() => NewSeat {
            name: character.name.clone(),
            plays: format!("plays {}", character.name),
        },
        Some(character) => NewSeat {
            name: character.player.clone(),
            plays: format!("{}, playing {}", character.player, character.name),
        },
        None => NewSeat {
            name,
            plays: PLAYS_NOBODY.to_owned(),
        },
    }
}

/// Lists the characters that a seat of this name plays.
fn played_characters(name: &str, view: &SeatView<'_>) -> String {
    let seats = view.listed().unwrap_or_default();
    let seat = seats.iter().find(|seat| is_same_name(&seat.name, name));

    let mut names = Vec::new();
    for character in view.roster() {
        let is_player = is_same_name(&character.player, name);
        let is_of_seat = seat.is_some_and(|seat| plays_by_seat(seat, &character.name));
        if is_player || is_of_seat {
            names.push(&character.name);
        }
    }
    join(names, ", ")
}

/// Shows the code of an invitation, which is never shown again.
pub fn invitation_dialog(invitation: &Invited, role: SeatRole, view: &SeatView<'_>) -> Dialog {
    let name = &invitation.name;
    let command = &invitation.command;
    let code = &invitation.code;

    let mut blocks = Vec::new();
    if role == SeatRole::Player && plays_nobody(invitation, view) {
        let warning =
            format!("This seat is {PLAYS_NOBODY}: enter {name:?} as the player on a sheet.");
        blocks.push(Block::words(Ink::Warning, warning));
        blocks.push(Block::Gap);
    }
    blocks.extend([
        Block::words(Ink::Text, format!("Tell {name} to type:")),
        Block::words(Ink::Key, format!("  {command}")),
        Block::Gap,
        Block::words(Ink::Text, "and, when asked, this code:"),
        Block::words(Ink::Success, format!("  {code}")),
        Block::Gap,
        Block::words(Ink::Muted, describe_terms(invitation)),
    ]);

    let mut form = Form::empty(format!("Invited: {name}")).with_width(WIDTH);
    form.copyable_text = Some(format!("{command}\ncode: {code}"));
    Dialog::without_view(form, InvitationDialog { blocks })
}

fn plays_nobody(invitation: &Invited, view: &SeatView<'_>) -> bool {
    invitation.characters.is_empty() && played_characters(&invitation.name, view).is_empty()
}

fn describe_terms(invitation: &Invited) -> String {
    let until = Zone::Local.day_and_time(invitation.until);
    let host = if invitation.command.ends_with("HOST") {
        " HOST is this machine's name or address."
    } else {
        ""
    };
    format!(
        "It works once, until {until}; five wrong codes end it. It is not shown again.{host} The first \
         time, ssh asks whether it is this table: {}.",
        invitation.fingerprint
    )
}

struct InvitationDialog {
    blocks: Vec<Block>,
}

impl DialogSpec for InvitationDialog {
    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.blocks.clone()
    }
}
