//! What the SSH protocol is set to: modern algorithms only, and bounds on everything. What people may set is in
//! `access.toml`.

use std::borrow::Cow;
use std::time::Duration;

use russh::keys::{Algorithm, EcdsaCurve, PrivateKey};
use russh::server::Config;
use russh::{
    Limits as Rekey, MethodKind, MethodSet, Preferred, SshId, cipher, compression, kex, mac,
};

use super::access::Limits;

const KEX: [kex::Name; 5] = [
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::EXTENSION_SUPPORT_AS_SERVER,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
];

/// The host key is of the first kind; players may have any of them.
const KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::SkEd25519,
    Algorithm::Ecdsa {
        curve: EcdsaCurve::NistP256,
    },
    Algorithm::Ecdsa {
        curve: EcdsaCurve::NistP384,
    },
    Algorithm::Ecdsa {
        curve: EcdsaCurve::NistP521,
    },
    Algorithm::SkEcdsaSha2NistP256,
];

const CIPHERS: &[cipher::Name] = &[
    cipher::CHACHA20_POLY1305,
    cipher::AES_256_GCM,
    cipher::AES_128_GCM,
];

const MACS: &[mac::Name] = &[mac::HMAC_SHA512_ETM, mac::HMAC_SHA256_ETM];

/// How many refusals a connection may get besides those of typed codes: one for each key that its agent offers, and
/// one for the question `none` with which a client begins. Agents hold dozens of keys. What a client sends before its
/// login is bounded apart from that, in bytes: [`accept`](super::accept).
const REFUSED_OFFERS: u32 = 256;

/// The settings of a server with that host key.
pub(crate) fn settings(key: PrivateKey, limits: &Limits, pq_only: bool) -> Config {
    // OpenSSH has the exchange that is safe from a quantum computer since 9.9.
    let classic = [kex::CURVE25519, kex::CURVE25519_PRE_RFC_8731];
    let kex = KEX
        .into_iter()
        .filter(|name| !(pq_only && classic.contains(name)));
    Config {
        // Without a version: it would only tell what to attack.
        server_id: SshId::Standard(Cow::Borrowed("SSH-2.0-Tableside")),
        preferred: Preferred {
            kex: kex.collect(),
            key: Cow::Borrowed(KEYS),
            cipher: Cow::Borrowed(CIPHERS),
            mac: Cow::Borrowed(MACS),
            compression: Cow::Borrowed(&[compression::NONE]),
            ..Preferred::DEFAULT
        },
        methods: MethodSet::from(&[MethodKind::PublicKey, MethodKind::KeyboardInteractive][..]),
        max_auth_attempts: usize::try_from(REFUSED_OFFERS + limits.login_tries)
            .unwrap_or(usize::MAX),
        // Wrong codes wait elsewhere; keys tell nothing by how fast they are refused.
        auth_rejection_time: Duration::ZERO,
        auth_rejection_time_initial: Some(Duration::ZERO),
        keys: vec![key],
        limits: Rekey::new(1 << 28, 1 << 28, Duration::from_hours(1)),
        window_size: 64 * 1024,
        maximum_packet_size: 16 * 1024,
        // Frames on their way; the newest one waits outside, so that who reads again sees what is now.
        event_buffer_size: 2,
        channel_buffer_size: 16,
        inactivity_timeout: None,
        keepalive_interval: Some(Duration::from_secs(15)),
        keepalive_max: 3,
        nodelay: true,
        ..Config::default()
    }
}
