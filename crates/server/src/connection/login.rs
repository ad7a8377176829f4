//! The login: by a listed key, by an invitation's code, or as a watcher.

use std::time::Duration;

use russh::keys::PublicKey;
use russh::server::Auth;
use russh::{MethodKind, MethodSet};

use super::Connection;
use crate::access::{Access, SeatEntry, WrongCode, fingerprint, fresh_id, seat_name};
use crate::door::Goal;
use crate::invitation::TRIES;
use tableside_table::SeatRole;
use tableside_text::sanitise;
use tableside_tui::widget::wrap;

/// The delay after a wrong code.
const WRONG: Duration = Duration::from_secs(1);

const UNLISTED: &str = "a key that is not listed";
const NO_INVITATION: &str = "no such invitation";

#[derive(Debug, Default, PartialEq, Eq)]
enum Asking {
    #[default]
    Nothing,
    Code,
    Remember,
}

/// What is known of the client so far.
#[derive(Default)]
pub(super) struct Login {
    /// Where it leads, once a seat is proved.
    pub(super) goal: Option<Goal>,
    /// The seat, once it is proved; in a lobby whoever the person is in the host.
    pub(super) seat: Option<SeatEntry>,
    /// The fingerprint of the last key that was shown.
    pub(super) key: Option<String>,
    /// How it was proved, for `joins.log`.
    pub(super) how: &'static str,
    /// The listed key that opened it.
    pub(super) opened_by: Option<PublicKey>,
    /// A notice for the person.
    pub(super) told: Option<String>,
    /// A key that is proved, but opens no seat yet.
    proved: Option<PublicKey>,
    /// The one unlisted key that the client may prove.
    may_still_prove: Option<PublicKey>,
    /// Whether it watches without a seat of its own.
    pub(super) is_visitor: bool,
    asking: Asking,
    /// How many codes were typed.
    codes: u32,
    /// Where the user's name leads that the client gives now.
    destination: Option<Destination>,
    /// Whether the index of a host's seats was refreshed for this connection.
    has_fresh_seats: bool,
    /// Whether a key that was only offered was noted in `joins.log`: one line stands for all keys of an agent.
    has_noted_offer: bool,
}

/// Where a user's name leads to.
#[derive(Clone)]
struct Destination {
    user: String,
    goal: Goal,
    /// The name of the seat there.
    seat_name: String,
}

impl Login {
    /// Whether something is still asked before the client is in.
    pub(super) fn is_asked(&self) -> bool {
        self.asking != Asking::Nothing
    }
}

impl Connection {
    /// A client offers a key. It is asked to prove a listed key, or the first unlisted one, which is remembered after a
    /// code. So the answer does not tell whether anybody is expected under that name.
    ///
    /// A key that is only offered is no guess at a secret. Agents offer dozens of them, so a key costs a look into what
    /// is in memory. Files are read for the first key alone.
    pub(super) async fn offer_key(&mut self, user: &str, key: &PublicKey) -> Auth {
        let is_rsa = key.algorithm().is_rsa();
        if !is_rsa {
            if self.is_listed(user, key).await {
                return Auth::Accept;
            }
            let first = &mut self.login.may_still_prove;
            let first = first.get_or_insert_with(|| key.clone());
            if first.key_data() == key.key_data() && self.login.proved.is_none() {
                return Auth::Accept;
            }
        }
        self.login.key = Some(fingerprint(key));
        if !self.login.has_noted_offer {
            self.login.has_noted_offer = true;
            self.note(
                "refused",
                user,
                if is_rsa { "an RSA key" } else { UNLISTED },
            );
        }
        Auth::reject()
    }

    /// True if a seat where that user's name leads to lists the key.
    async fn is_listed(&mut self, user: &str, key: &PublicKey) -> bool {
        let destination = self.destination(user).await;
        let Destination {
            goal, seat_name, ..
        } = &destination;
        if goal.lists(key, seat_name) {
            return true;
        }

        // The seat may be new. The other keys of this connection are looked for in the same index.
        match goal {
            Goal::Lobby(host) if !self.login.has_fresh_seats => {
                self.login.has_fresh_seats = true;
                host.seats_refreshed().await;
                goal.lists(key, seat_name)
            }
            _ => false,
        }
    }

    /// Where a user's name leads to. It is looked up once for each name that the client gives, and the files there are
    /// read then.
    async fn destination(&mut self, user: &str) -> Destination {
        let before = self.login.destination.as_ref();
        if let Some(destination) = before.filter(|before| before.user == user) {
            return destination.clone();
        }

        let (goal, seat_name) = self.door.goal(user).await;
        goal.look_at_files().await;
        let destination = Destination {
            user: user.to_owned(),
            goal,
            seat_name,
        };
        self.login.destination = Some(destination.clone());
        destination
    }

    /// The client has proved that it holds that key.
    pub(super) async fn accept_key(&mut self, user: &str, key: &PublicKey) -> Auth {
        self.login.key = Some(fingerprint(key));
        self.login.asking = Asking::Nothing;
        let (goal, user_name) = self.door.goal(user).await;
        let Some(entry) = goal.by_key(key, &user_name).await else {
            self.login.proved = Some(key.clone());
            return self.refuse(user, UNLISTED);
        };
        if let Goal::Game(game) = &goal {
            let access = game.access();
            let other = access.by_name(&user_name).map(|other| other.name.clone());
            let typed = other.unwrap_or_else(|| sanitise(&user_name, 40).into());
            let name = &entry.name;
            self.login.told = (!entry.is_called(&user_name)).then(|| {
                format!("your key belongs to {name}, so you join as {name}, not as {typed}")
            });
        }
        self.login.seat = Some(entry);
        self.login.goal = Some(goal);
        self.login.opened_by = Some(key.clone());
        self.login.how = "by key";
        Auth::Accept
    }

    fn refuse(&self, user: &str, why: &str) -> Auth {
        self.note("refused", user, why);
        Auth::reject()
    }

    /// Handles what was typed; `None` at the beginning.
    pub(super) async fn answer(&mut self, user: &str, typed: Option<String>) -> Auth {
        let Some(typed) = typed else {
            if self.door.opening.open_watchers {
                let (goal, name) = self.door.goal(user).await;
                let access = goal.access_now().await;
                if goal.game().is_some() && !access.expects(&name, (self.door.shared.clock)()) {
                    self.login.is_visitor = true;
                    self.login.seat = Some(watcher(&access, &name));
                    self.login.goal = Some(goal);
                    self.login.how = "as a watcher";
                    return Auth::Accept;
                }
            }
            self.login.asking = Asking::Code;
            let words = if self.login.codes == 0 {
                "No key of yours is listed at this table (RSA keys are not taken; \
                 `ssh-keygen -t ed25519` makes one that can be). With an invitation from the GM you can \
                 join all the same."
                    .to_owned()
            } else {
                let name = sanitise(user, 40);
                let destination = self.destination(user).await;
                // A wrong code in the lobby does not tell which invitation it was meant for.
                let consequence = match destination.goal {
                    Goal::Lobby(_) => String::new(),
                    Goal::Game(_) | Goal::Nowhere => {
                        format!("; {TRIES} wrong codes end an invitation")
                    }
                };
                format!(
                    "That was no code for the name {name:?}. Type it as the GM told it, and join under the name \
                     that the GM told with it{consequence}."
                )
            };
            return ask(&words, "Invitation code: ", false);
        };
        match std::mem::take(&mut self.login.asking) {
            Asking::Nothing => self.refuse(user, NO_INVITATION),
            Asking::Code => self.redeem_code(user, typed).await,
            Asking::Remember => {
                if typed.trim().to_lowercase().starts_with('n') {
                    self.remember(false).await;
                }
                Auth::Accept
            }
        }
    }

    async fn redeem_code(&mut self, user: &str, code: String) -> Auth {
        self.login.codes += 1;
        let most_codes = self.door.limits().login_tries;
        let (goal, name) = self.door.goal(user).await;
        if let Goal::Lobby(host) = &goal
            && self.login.codes <= most_codes
        {
            // The invitation may be new.
            host.seats_refreshed().await;
        }
        let redeem = move || match goal {
            Goal::Game(game) => {
                let entry = game.redeem(&name, &code, WrongCode::Counts)?;
                Some((Goal::Game(game), entry))
            }
            Goal::Lobby(host) => {
                let redeemed = host.redeem(&name, &code)?;
                let goal = match redeemed.game {
                    Some(game) => Goal::Game(game),
                    None => Goal::Lobby(host),
                };
                Some((goal, redeemed.seat))
            }
            Goal::Nowhere => None,
        };
        let redeemed = if self.login.codes <= most_codes {
            self.door.shared.worker.ask(redeem).await.flatten()
        } else {
            None
        };
        let Some((goal, seat)) = redeemed else {
            tokio::time::sleep(WRONG).await;
            self.note("refused", user, NO_INVITATION);
            if self.login.codes < most_codes {
                return Auth::reject();
            }
            // The client has no code left to ask its person for.
            return Auth::Reject {
                proceed_with_methods: Some(MethodSet::from(&[MethodKind::PublicKey][..])),
                partial_success: false,
            };
        };
        self.login.seat = Some(seat);
        self.login.goal = Some(goal);
        self.login.how = "by invitation";
        let Some(key) = self.login.proved.clone() else {
            return Auth::Accept;
        };
        // Before the answer: a line that drops at the question has used the code up.
        self.remember(true).await;
        self.login.asking = Asking::Remember;
        ask(
            &format!("Welcome. Your key is {}.", fingerprint(&key)),
            "Remember it, so that you do not need a code next time? [Y/n] ",
            true,
        )
    }

    /// Remembers the key that the client has proved, or forgets it again.
    async fn remember(&mut self, yes: bool) {
        let (Some(seat), Some(goal), Some(key)) = (
            &self.login.seat,
            self.login.goal.clone(),
            self.login.proved.clone(),
        ) else {
            return;
        };
        let (seat, known) = (seat.id(), key.clone());
        let remember = move || {
            let remember = |access: &mut Access| {
                if yes {
                    access.remember(seat, &key)
                } else {
                    access.forget(seat, &key)
                }
            };
            match goal {
                Goal::Game(game) => game.change(remember).is_ok(),
                Goal::Lobby(host) => host.change(remember).is_ok(),
                Goal::Nowhere => false,
            }
        };
        let is_done = self.door.shared.worker.ask(remember).await == Some(true);
        self.login.opened_by = (is_done && yes).then_some(known);
        self.login.how = match (yes, is_done) {
            (true, true) => "by invitation, key remembered",
            (true, false) => "by invitation, key could not be remembered",
            (false, true) => "by invitation",
            (false, false) => "by invitation, key could not be forgotten",
        };
    }
}

/// Asks something on the login's own lines, which the client does not wrap; with `echo` the answer is visible while it is
/// typed.
fn ask(words: &str, prompt: &'static str, echo: bool) -> Auth {
    Auth::Partial {
        name: "Tableside".into(),
        instructions: wrap(words, 78).join("\n").into(),
        prompts: vec![(prompt.into(), echo)].into(),
    }
}

/// A watcher without a seat; never called like a seat.
fn watcher(access: &Access, user: &str) -> SeatEntry {
    let name = seat_name(user, SeatRole::Watcher).unwrap_or_default();
    let is_taken = access.by_name(&name).is_some();
    let name = if name.is_empty() || is_taken {
        "watcher".to_owned()
    } else {
        format!("{name} (watching)")
    };
    SeatEntry::new(&name, fresh_id(), SeatRole::Watcher)
}
