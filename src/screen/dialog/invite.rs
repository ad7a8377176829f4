//! Inviting somebody: a name and a role, then the code that lets the person in once.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::form::{Form, Item, Went};
use super::scroll::{Block, Page, Scroll};
use super::{DoorAct, Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role as Ink;
use crate::screen::widget::Look;
use crate::table::{Entry as Told, Invited, Role, Seen};

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
    /// Asks whom.
    pub fn new() -> Self {
        let name = Item::new(
            "name",
            "Name",
            Entry::text("", LONGEST),
            "What the person types before the @. The seat plays the characters whose player has this name.",
        )
        .hint("mira");
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

    /// The invitation is made.
    pub(super) fn invited(&mut self, invited: Invited) {
        self.made = Some(invited);
    }

    /// Somebody said no.
    pub(super) fn refused(&mut self, why: &str) {
        self.form.problem = Some(why.to_owned());
    }

    fn submit(&self) -> Reply {
        let role = ROLES.get(self.form.choice("role")).copied();
        Reply::Door(DoorAct::Invite {
            name: self.form.text("name"),
            role: role.unwrap_or_default(),
        })
    }
}

impl Default for InviteDialog {
    fn default() -> Self {
        Self::new()
    }
}

fn blocks(made: &Invited) -> Vec<Block> {
    let until = made
        .until
        .with_timezone(&chrono::Local)
        .format("%Y-%m-%d %H:%M");
    let host = if made.command.ends_with("HOST") {
        " HOST is this machine's name or address."
    } else {
        ""
    };
    vec![
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
    ]
}

impl Manner for InviteDialog {
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

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        if self.made.is_some() {
            return self.scroll.hear(heard);
        }
        match self.form.hear(heard) {
            Went::On | Went::Changed => Reply::Stay,
            Went::Left => Reply::Close,
            Went::Submitted => self.submit(),
        }
    }

    fn told(&mut self, told: Result<&Told, &str>, _seen: &Seen<'_>) {
        if let Err(why) = told {
            self.refused(why);
        }
    }

    fn view(
        &self,
        _seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let Some(made) = &self.made else {
            return self.form.draw("Invite", look, area, buffer);
        };
        let page = Page {
            title: "Invited",
            note: &made.name,
            blocks: &blocks(made),
            width: WIDTH,
        };
        self.scroll.show(&page, *look, area, buffer);
        None
    }
}
