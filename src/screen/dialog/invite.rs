//! Inviting somebody: a name and a role, then the code that lets the person in once.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::form::{Form, Item, Went};
use super::scroll::{Block, Page, Scroll};
use super::{Dialog, DialogAction, DialogEvent, DoorAct};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role as Ink;
use crate::screen::widget::Look;
use crate::table::{Entry as Told, Invited, Role, SeatView};

/// What a person can be invited as.
const ROLES: [Role; 3] = [Role::Player, Role::Watcher, Role::Gm];

/// The longest name of a seat.
const LONGEST: usize = 40;

/// Columns that the code wants.
const WIDTH: u16 = 64;

/// Inviting somebody.
#[derive(Clone, Debug)]
pub struct InviteDialog {
    form: Form,
    made: Option<Invited>,
    scroll: Scroll,
}

impl InviteDialog {
    /// Asks whom; those who play somebody and have no seat yet come first.
    pub fn new(seen: &SeatView<'_>) -> Self {
        let listed = seen.listed().unwrap_or_default();
        let has_seat = |player: &str| listed.iter().any(|seat| is_same(&seat.name, player));
        let mut players: Vec<&str> = Vec::new();
        for one in seen.roster().filter(|one| !one.player.is_empty()) {
            if !players.iter().any(|known| is_same(known, &one.player)) {
                players.push(&one.player);
            }
        }
        players.sort_by_key(|player| has_seat(player));
        let mut help =
            "EventKind the person types before the @: the name of a player, or of a character for \
                        its player."
                .to_owned();
        if !players.is_empty() {
            help = format!("{help} Players: {}.", players.join(", "));
        }
        let hint = players.first().map_or("ana", |player| *player).to_owned();
        let name = Item::new("name", "Name", Entry::text("", LONGEST), help).hint(hint);
        let role = Item::new(
            "role",
            "Role",
            Entry::word(ROLES.map(Role::word), 0),
            "A player sees what is visible and rolls for the own characters, a watcher only looks on, another GM may do everything.",
        );
        Self {
            form: Form::new(vec![name, role]),
            made: None,
            scroll: Scroll::default(),
        }
    }

    /// The seat that is meant, and what is to be known of it.
    fn meant(&self, seen: &SeatView<'_>) -> (String, String) {
        let name = self.form.text("name");
        if name.is_empty() || self.role() != Role::Player {
            return (name, String::new());
        }
        let played = played(&name, seen);
        if !played.is_empty() {
            return (name, format!("plays {played}"));
        }
        match seen.character_named(&name) {
            Some(one) if !one.player.is_empty() => (
                one.player.clone(),
                format!("{}, who plays {}", one.player, one.name),
            ),
            _ => (name, NOBODY.to_owned()),
        }
    }

    fn role(&self) -> Role {
        ROLES
            .get(self.form.choice("role"))
            .copied()
            .unwrap_or_default()
    }
}

/// What is said of a player without a character.
const NOBODY: &str = "nobody's character yet";

/// The characters that a seat of that name plays.
fn played(name: &str, seen: &SeatView<'_>) -> String {
    let listed = seen.listed().unwrap_or_default();
    let seat = listed.iter().find(|seat| is_same(&seat.name, name));
    let own = seat.map_or(&[][..], |seat| &seat.characters);
    let played = seen
        .roster()
        .filter(|one| is_same(&one.player, name) || own.iter().any(|own| is_same(own, &one.name)));
    let played: Vec<&str> = played.map(|one| one.name.as_str()).collect();
    played.join(", ")
}

fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn blocks(made: &Invited, plays_nobody: bool) -> Vec<Block> {
    let warning = plays_nobody.then(|| {
        let words = format!(
            "This seat is {NOBODY}: write {:?} as the player on a sheet.",
            made.name
        );
        [Block::words(Ink::Warning, words), Block::Gap]
    });
    let until = made
        .until
        .with_timezone(&chrono::Local)
        .format("%Y-%m-%d %H:%M");
    let host = if made.command.ends_with("HOST") {
        " HOST is this machine's name or address."
    } else {
        ""
    };
    let told = [
        Block::words(Ink::Text, format!("Tell {} to type:", made.name)),
        Block::words(Ink::Key, format!("  {}", made.command)),
        Block::Gap,
        Block::words(Ink::Text, "and, when asked, this code:"),
        Block::words(Ink::Success, format!("  {}", made.code)),
        Block::Gap,
        Block::words(
            Ink::Muted,
            format!(
                "It works once, until {until}; five wrong ones end it. It is not shown again.{host} The first time, ssh asks whether it is this table: {}.",
                made.fingerprint
            ),
        ),
    ];
    warning.into_iter().flatten().chain(told).collect()
}

impl Dialog for InviteDialog {
    fn contexts(&self) -> &'static [Context] {
        if self.made.is_some() {
            Context::Help.chain()
        } else {
            self.form.contexts()
        }
    }

    fn hints(&self) -> &'static [Action] {
        if self.made.is_some() {
            &[Action::Close]
        } else {
            self.form.hints()
        }
    }

    fn takes_letters(&self) -> bool {
        self.made.is_none() && self.form.takes_letters()
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        if self.made.is_some() {
            return self.scroll.handle(event);
        }
        let went = self.form.handle(event);
        let (name, known) = self.meant(seen);
        match went {
            Went::On | Went::Changed => {
                if let Some(item) = self.form.items.first_mut() {
                    item.beside = known;
                }
                DialogAction::Stay
            }
            Went::Left => DialogAction::Close,
            Went::Submitted => DialogAction::Door(DoorAct::Invite {
                name,
                role: self.role(),
            }),
        }
    }

    fn on_result(&mut self, told: Result<&Told, &str>, _seen: &SeatView<'_>) {
        if let Err(why) = told {
            self.form.problem = Some(why.to_owned());
        }
    }

    fn on_door(&mut self, result: Result<Invited, &str>) {
        match result {
            Ok(invited) => self.made = Some(invited),
            Err(why) => self.form.problem = Some(why.to_owned()),
        }
    }

    fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let Some(made) = &self.made else {
            return self.form.draw("Invite", look, area, buffer);
        };
        let plays_nobody = self.role() == Role::Player && played(&made.name, seen).is_empty();
        let page = Page {
            title: "Invited",
            note: &made.name,
            blocks: &blocks(made, plays_nobody),
            width: WIDTH,
        };
        self.scroll.show(&page, *look, area, buffer);
        None
    }
}
