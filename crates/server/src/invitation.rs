//! A code that lets one person in once. Only its salted hash is kept.

use std::net::SocketAddr;

use chrono::{DateTime, Duration, Utc};
use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use tableside_text::{join, quote_for_shell};

/// Wrong codes that end an invitation.
pub const TRIES: u32 = 5;

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Letters of a code: sixty bits, for five attempts.
const LENGTH: usize = 12;

/// An invitation as `access.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invitation {
    salt: String,
    /// SHA-256 of salt and code.
    hash: String,
    pub expires: DateTime<Utc>,
    #[serde(default)]
    pub wrong: u32,
}

impl Invitation {
    /// Makes an invitation; returns it with its code.
    pub fn make(now: DateTime<Utc>, hours: u32) -> (Self, String) {
        let mut luck: rand::rngs::StdRng = rand::make_rng();
        let letters: Vec<char> = (0..LENGTH)
            .map(|_| char::from(LETTERS[luck.random_range(0..LETTERS.len())]))
            .collect();
        let code = join(letters.chunks(4).map(String::from_iter), "-");
        let salt = format!("{:032x}", luck.random::<u128>());
        let hash = hash(&salt, &code);
        let invitation = Self {
            salt,
            hash,
            expires: now + Duration::hours(hours.into()),
            wrong: 0,
        };
        (invitation, code)
    }

    pub fn holds(&self, now: DateTime<Utc>) -> bool {
        now < self.expires && self.wrong < TRIES
    }

    /// Whether that is its code, in constant time.
    pub fn is(&self, typed: &str) -> bool {
        let typed = hash(&self.salt, typed);
        typed.as_bytes().ct_eq(self.hash.as_bytes()).into()
    }
}

/// A code without dashes, case and mistaken letters.
fn plain(code: &str) -> String {
    let letters = code.chars().filter(char::is_ascii_alphanumeric);
    let meant = letters.map(|letter| match letter.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        letter => letter,
    });
    meant.take(64).collect()
}

fn hash(salt: &str, code: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(salt.as_bytes());
    hash.update(b":");
    hash.update(plain(code).as_bytes());
    base16ct::lower::encode_string(&hash.finalize())
}

/// What somebody types to join there, in the game of that name where a door leads to several. `HOST` stands for a name
/// or an address that only the people know: this machine listens at all of its own, or at none as yet.
pub fn join_command(address: Option<SocketAddr>, game: &str, name: &str) -> String {
    let name = match game {
        "" => name.to_owned(),
        game => format!("{game}+{name}"),
    };
    let port = address.map_or_else(|| "PORT".to_owned(), |address| address.port().to_string());
    let host = address.map(|address| address.ip());
    let host = host.filter(|host| !host.is_unspecified());
    let host = host.map_or_else(|| "HOST".to_owned(), |host| host.to_string());
    match quote_for_shell(&name) {
        plain if plain == name && !name.starts_with('-') => format!("ssh -p {port} {name}@{host}"),
        quoted => format!("ssh -p {port} -l {quoted} {host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noon() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_code_is_known_however_it_is_typed_and_no_other_is() {
        let (invitation, code) = Invitation::make(noon(), 1);
        assert!(invitation.is(&code));
        assert!(invitation.is(&code.to_lowercase().replace('-', " ")));
        let (_, other) = Invitation::make(noon(), 1);
        assert!(!invitation.is(&other));
        assert!(!invitation.is(""));
        // Letters that look alike are taken for each other.
        assert_eq!(plain("oil-0ab"), "0110AB");
    }

    #[test]
    fn the_code_itself_is_not_kept() {
        let (invitation, code) = Invitation::make(noon(), 1);
        let kept = toml::to_string(&invitation).unwrap();
        for form in [code.clone(), code.replace('-', "")] {
            assert!(!kept.to_uppercase().contains(&form), "{kept}");
        }
    }

    #[test]
    fn it_ends_at_its_time_and_with_the_fifth_wrong_code() {
        let (mut invitation, _) = Invitation::make(noon(), 2);
        assert!(invitation.holds(noon() + Duration::minutes(119)));
        assert!(!invitation.holds(noon() + Duration::minutes(120)));
        invitation.wrong = 4;
        assert!(invitation.holds(noon()));
        invitation.wrong = 5;
        assert!(!invitation.holds(noon()));
    }
}
