//! Inviting somebody: a name and a role, then the code that lets the person in once.

use crate::Zone;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogSpec, Form, Row, SeatRequest, ask_over,
};
use crate::theme::Role as Ink;
use tableside_game::Allegiance;
use tableside_table::{Invited, SeatRole, SeatView};
use tableside_text::is_same_name;

const ROLES: [SeatRole; 3] = [SeatRole::Player, SeatRole::Watcher, SeatRole::Gm];

const LONGEST: usize = 40;

/// Columns that the code wants.
const WIDTH: u16 = 64;

/// Who may be meant: the players without a seat, then the characters of the party that nobody plays.
fn proposed<'a>(view: &SeatView<'a>) -> Vec<&'a str> {
    let listed = view.listed().unwrap_or_default();
    let party = view.roster().filter(|one| one.side == Allegiance::Party);
    let (unplayed, played): (Vec<_>, Vec<_>) = party.partition(|one| one.player.is_empty());
    let players = played.iter().map(|one| &*one.player);
    let names = players.chain(unplayed.iter().map(|one| &*one.name));
    let mut proposed: Vec<&str> = Vec::new();
    for name in names {
        let has_seat = listed.iter().any(|seat| {
            let mut own = seat.characters.iter().chain([&seat.name]);
            own.any(|own| is_same_name(own, name))
        });
        if !has_seat && !proposed.iter().any(|known| is_same_name(known, name)) {
            proposed.push(name);
        }
    }
    proposed
}

/// Asks whom: a name that is typed, or one of those that have no seat yet.
pub fn invite_form(view: &SeatView<'_>) -> Dialog {
    let proposed = proposed(view);
    let no_name = if proposed.is_empty() {
        "a name"
    } else {
        "or choose beneath"
    };
    let mut rows = vec![
        Row::text("name", "Name", "", LONGEST).hint(no_name).help(
            "What the person types before the @: the name of a player, or of a character for its player.",
        ),
        Row::one_of("role", "Role", &ROLES, SeatRole::Player, <&str>::from).help(
            "A player sees what is visible and rolls for the own characters, a watcher only looks on, \
             another GM may do everything.",
        ),
    ];
    if !proposed.is_empty() {
        let row = Row::choice("proposed", "No seat yet", proposed, 0);
        let help = "Players without a seat, and characters that nobody plays. A name typed above goes before.";
        rows.insert(1, row.help(help));
    }
    let say_who = |form: &mut Form, view: &SeatView<'_>| {
        let is_typed = !form.text("name").is_empty() || form.row("proposed").is_none();
        form.rows[usize::from(is_typed)].beside.clear();
        form.rows[usize::from(!is_typed)].beside = meant(form, view).1;
    };
    ask_over(Form::new("Invite", rows), view, say_who, |form, view| {
        let ((name, _), role) = (meant(form, view), form.picked("role", &ROLES));
        Ok(DialogAction::ChangeSeat(SeatRequest::Invite { name, role }))
    })
}

/// The seat that is meant, and what is to be known of it.
fn meant(form: &Form, view: &SeatView<'_>) -> (String, String) {
    let typed = Some(form.text("name")).filter(|typed| !typed.is_empty());
    let proposed = || form.row("proposed").map(Row::value);
    let name = typed.or_else(proposed).unwrap_or_default();
    if name.is_empty() || form.picked("role", &ROLES) != SeatRole::Player {
        return (name, String::new());
    }
    let played = played(&name, view);
    if !played.is_empty() {
        return (name, format!("plays {played}"));
    }
    match view.character_named(&name) {
        Some(one) if !one.player.is_empty() => (
            one.player.clone(),
            format!("{}, who plays {}", one.player, one.name),
        ),
        Some(one) => (one.name.clone(), format!("plays {}", one.name)),
        _ => (name, NOBODY.to_owned()),
    }
}

/// What is said of a player without a character.
const NOBODY: &str = "nobody's character yet";

/// The characters that a seat of that name plays.
fn played(name: &str, view: &SeatView<'_>) -> String {
    let listed = view.listed().unwrap_or_default();
    let seat = listed.iter().find(|seat| is_same_name(&seat.name, name));
    let own = seat.map_or(&[][..], |seat| &seat.characters);
    let played = view.roster().filter(|one| {
        is_same_name(&one.player, name) || own.iter().any(|own| is_same_name(own, &one.name))
    });
    let played: Vec<&str> = played.map(|one| one.name.as_str()).collect();
    played.join(", ")
}

/// The code of that invitation of somebody in that role, shown once.
pub fn invitation_dialog(made: &Invited, role: SeatRole, view: &SeatView<'_>) -> Dialog {
    let plays_nobody = made.characters.is_empty()
        && role == SeatRole::Player
        && played(&made.name, view).is_empty();
    let mut blocks = Vec::new();
    if plays_nobody {
        let words = format!(
            "This seat is {NOBODY}: write {:?} as the player on a sheet.",
            made.name
        );
        blocks.extend([Block::words(Ink::Warning, words), Block::Gap]);
    }
    let until = Zone::Local.day_and_time(made.until);
    let host = if made.command.ends_with("HOST") {
        " HOST is this machine's name or address."
    } else {
        ""
    };
    let terms = format!(
        "It works once, until {until}; five wrong ones end it. It is not shown again.{host} The first \
         time, ssh asks whether it is this table: {}.",
        made.fingerprint
    );
    blocks.extend([
        Block::words(Ink::Text, format!("Tell {} to type:", made.name)),
        Block::words(Ink::Key, format!("  {}", made.command)),
        Block::Gap,
        Block::words(Ink::Text, "and, when asked, this code:"),
        Block::words(Ink::Success, format!("  {}", made.code)),
        Block::Gap,
        Block::words(Ink::Muted, terms),
    ]);
    let title = format!("Invited: {}", made.name);
    let mut form = Form::new(title, Vec::new()).with_width(WIDTH);
    form.copyable_text = Some(format!("{}\ncode: {}", made.command, made.code));
    Dialog::without_view(form, Invitation(blocks))
}

/// An invitation, which is only read.
struct Invitation(Vec<Block>);

impl DialogSpec for Invitation {
    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.0.clone()
    }
}
