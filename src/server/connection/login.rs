//! The login: by a listed key, by an invitation's code, or as a watcher.

use std::time::Duration;

use russh::keys::PublicKey;
use russh::server::Auth;

use super::Connection;
use crate::server::access::{fingerprint, fresh_id, seat_name};
use crate::server::invitation::TRIES;
use crate::server::state::ServerState;
use crate::table::{Seat, SeatRole};
use crate::text::sanitise;

/// The delay after a wrong code.
const WRONG: Duration = Duration::from_secs(1);

/// Codes that may be typed on one connection.
const CODES: u32 = 3;

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
    /// The seat, once it is proved.
    pub(super) seat: Option<Seat>,
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
    codes: u32,
}

impl Connection {
    /// A client offers a key. It is asked to prove a listed key, or the first unlisted one, which is remembered after a
    /// code. So the answer does not tell whether anybody is expected under that name.
    pub(super) async fn offer_key(&mut self, user: &str, key: &PublicKey) -> Auth {
        let is_rsa = key.algorithm().is_rsa();
        if !is_rsa {
            if self.state.access_now().await.by_key(key, user).is_some() {
                return Auth::Accept;
            }
            let first = self
                .login
                .may_still_prove
                .get_or_insert_with(|| key.clone());
            if first.key_data() == key.key_data() && self.login.proved.is_none() {
                return Auth::Accept;
            }
        }
        self.login.key = Some(fingerprint(key));
        self.refuse(user, if is_rsa { "an RSA key" } else { UNLISTED })
    }

    /// The client has proved that it holds that key.
    pub(super) async fn accept_key(&mut self, user: &str, key: &PublicKey) -> Auth {
        self.login.key = Some(fingerprint(key));
        let access = self.state.access_now().await;
        let Some(entry) = access.by_key(key, user) else {
            self.login.proved = Some(key.clone());
            return self.refuse(user, UNLISTED);
        };
        let other = access.by_name(user).map(|other| other.name.clone());
        let (name, typed) = (
            &entry.name,
            other.unwrap_or_else(|| sanitise(user, 40).into()),
        );
        self.login.told = (!entry.is_called(user))
            .then(|| format!("your key is {name}'s, so you sit here as {name}, not as {typed}"));
        self.login.seat = Some(self.state.seat_of(entry));
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
            if self.state.opening.open_watchers && !self.state.expects(user).await {
                self.login.is_visitor = true;
                self.login.seat = Some(watcher(&self.state, user));
                self.login.how = "as a watcher";
                return Auth::Accept;
            }
            self.login.asking = Asking::Code;
            let words = if self.login.codes == 0 {
                "No key of yours is listed at this table (RSA keys are not taken; \
                 `ssh-keygen -t ed25519` makes one that can be). With an invitation from the GM you can \
                 join all the same."
                    .to_owned()
            } else {
                format!(
                    "That was no code for the name {:?}. Type it as the GM told it, and join under the name \
                     that the GM told with it; {TRIES} wrong codes end an invitation.",
                    sanitise(user, 40)
                )
            };
            return ask(words, "Invitation code: ", false);
        };
        match std::mem::take(&mut self.login.asking) {
            Asking::Nothing => self.refuse(user, NO_INVITATION),
            Asking::Code => self.redeem_code(user, typed).await,
            Asking::Remember => {
                if !typed.trim().to_lowercase().starts_with('n') {
                    self.remember().await;
                }
                Auth::Accept
            }
        }
    }

    async fn redeem_code(&mut self, user: &str, code: String) -> Auth {
        self.login.codes += 1;
        let name = user.to_owned();
        let redeem = move |state: &ServerState| state.redeem(&name, &code);
        let redeemed = if self.login.codes <= CODES {
            self.state.worker.ask(redeem).await.flatten()
        } else {
            None
        };
        let Some(seat) = redeemed else {
            tokio::time::sleep(WRONG).await;
            return self.refuse(user, NO_INVITATION);
        };
        self.login.seat = Some(seat);
        self.login.how = "by invitation";
        let Some(key) = &self.login.proved else {
            return Auth::Accept;
        };
        self.login.asking = Asking::Remember;
        ask(
            format!("Welcome. Your key is {}.", fingerprint(key)),
            "Remember it, so that you need no code the next time? [Y/n] ",
            true,
        )
    }

    async fn remember(&mut self) {
        let (Some(seat), Some(key)) = (&self.login.seat, self.login.proved.clone()) else {
            return;
        };
        let seat = seat.id;
        let remember =
            move |state: &ServerState| state.change(|access| access.remember(seat, &key));
        self.login.how = match self.state.worker.ask(remember).await {
            Some(Ok(())) => "by invitation, key remembered",
            _ => "by invitation, key could not be remembered",
        };
    }

    /// The seat as it is now; `None` if it was removed meanwhile.
    pub(super) async fn sit_down(&self) -> Option<Seat> {
        let seat = self.login.seat.as_ref()?;
        if self.login.is_visitor {
            return Some(seat.clone());
        }
        self.state.access_now().await;
        self.state.seat(seat.id)
    }
}

/// Asks something; with `echo` the answer is visible while it is typed.
fn ask(words: String, prompt: &'static str, echo: bool) -> Auth {
    Auth::Partial {
        name: "Tableside".into(),
        instructions: words.into(),
        prompts: vec![(prompt.into(), echo)].into(),
    }
}

/// A watcher without a seat; never called like a seat.
fn watcher(state: &ServerState, user: &str) -> Seat {
    let name = seat_name(user, SeatRole::Watcher).unwrap_or_default();
    let is_taken = state.access().by_name(&name).is_some();
    let name = if name.is_empty() || is_taken {
        "watcher".to_owned()
    } else {
        format!("{name} (watching)")
    };
    Seat {
        id: fresh_id(),
        name,
        role: SeatRole::Watcher,
        characters: Vec::new(),
    }
}
