//! What may be asked for, and with what every answer is sent.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use tableside_server::ConnectionSlot;

use super::feed::{Feed, events, random_letters};
use super::looks::Looks;

/// The parts that are shown alone, over a picture.
const OVERLAYS: [&str; 3] = ["clocks", "pools", "rolls"];

/// Everything that a page may not do unless an answer says so.
const NOTHING: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Shared = State<(Arc<Feed>, Arc<Looks>)>;

/// What is asked for, and how it is answered.
pub(super) fn routes(feed: &Arc<Feed>, looks: Looks) -> Router {
    let base = if feed.is_local() { "" } else { "/t/{key}" };
    let mut routes = Router::new()
        .route(&format!("{base}/"), get(page))
        .route(&format!("{base}/events"), get(follow))
        .route(&format!("{base}/state.json"), get(state));
    for overlay in OVERLAYS {
        routes = routes.route(&format!("{base}/overlay/{overlay}"), get(page));
    }
    routes
        .layer(from_fn_with_state(Arc::clone(feed), guard))
        .with_state((Arc::clone(feed), Arc::new(looks)))
}

/// Lets through only who asks in our name and knows the way, and tells browsers what they may not do with the answer.
async fn guard(State(feed): State<Arc<Feed>>, request: Request, next: Next) -> Response {
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let mut answer = if !is_read {
        (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response()
    } else if let Err(refusal) = check_host(&request, feed.is_local()) {
        refusal.into_response()
    } else if !feed.knows(request.uri().path()) {
        StatusCode::NOT_FOUND.into_response()
    } else if !takes_a_place(&request) {
        (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "5")]).into_response()
    } else {
        next.run(request).await
    };
    let mut say = |name: HeaderName, value| {
        let headers = answer.headers_mut();
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    };
    say(CONTENT_SECURITY_POLICY, NOTHING);
    say(X_CONTENT_TYPE_OPTIONS, "nosniff");
    // The path may have in it what nobody guesses.
    say(REFERRER_POLICY, "no-referrer");
    say(CACHE_CONTROL, "no-store");
    answer
}

/// Takes a lasting place for the connection of a request; returns false if there is none left.
fn takes_a_place(request: &Request) -> bool {
    let slot = request.extensions().get::<Arc<ConnectionSlot>>();
    slot.is_none_or(|slot| slot.enter_page().is_ok())
}

/// Checks which host a request asks for, or returns the status of the refusal (RFC 9112, sections 3.2 and 3.3).
///
/// A page that only this machine may open is asked for by an address or as localhost. A web page of a stranger can lead
/// its own name to this machine, but the browser then sends that name.
fn check_host(request: &Request, is_local: bool) -> Result<(), StatusCode> {
    let mut headers = request.headers().get_all(HOST).iter();
    let header = headers.next();
    if headers.next().is_some() || (header.is_none() && request.version() == Version::HTTP_11) {
        return Err(StatusCode::BAD_REQUEST);
    }

    let header = header.map_or(Ok(""), |header| header.to_str());
    let header = header.map_err(|_not_ascii| StatusCode::BAD_REQUEST)?;
    let header_host = host_of(header).ok_or(StatusCode::BAD_REQUEST)?;
    // A target that names a host counts, and not the header.
    let asked_host = match request.uri().authority() {
        Some(target) => host_of(target.as_str()).ok_or(StatusCode::BAD_REQUEST)?,
        None => header_host,
    };

    if is_local && !is_this_machine(asked_host) {
        return Err(StatusCode::MISDIRECTED_REQUEST);
    }
    Ok(())
}

/// Reads `HOST` or `HOST:PORT`; an IPv6 address keeps its brackets. Returns `None` for anything else, for example a user
/// name before the host.
fn host_of(authority: &str) -> Option<&str> {
    let bracket = authority.rfind(']');
    let colon = authority.rfind(':').filter(|colon| Some(*colon) > bracket);
    let (host, port) = match colon {
        Some(colon) => (authority.get(..colon)?, authority.get(colon + 1..)?),
        None => (authority, ""),
    };

    let is_port = port.is_empty() || (is_digits(port) && port.parse::<u16>().is_ok());
    let is_ipv6 = match host.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']')?.parse::<Ipv6Addr>().is_ok(),
        None => false,
    };
    let is_name =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_host = is_ipv6 || host.chars().all(is_name);
    (is_port && is_host).then_some(host)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|letter| letter.is_ascii_digit())
}

/// True for localhost and for every IP address.
fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok()
}

/// The table, or a part of it alone.
async fn page(State((feed, looks)): Shared, uri: Uri) -> Response {
    let nonce = random_letters();
    let overlay = uri.path().rsplit_once("/overlay/");
    let view = overlay.map_or("table", |(_, overlay)| overlay);
    let shown = feed.now();
    // Lines would stand in the way over a picture.
    let told = if overlay.is_none() { &*shown.told } else { &[] };
    let page = looks.page(view, uri.query().unwrap_or_default(), &nonce, told);
    let policy = format!(
        "{NOTHING}; connect-src 'self'; img-src data:; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'"
    );
    let kind = "text/html; charset=utf-8".to_owned();
    let headers = [(CONTENT_SECURITY_POLICY, policy), (CONTENT_TYPE, kind)];
    (headers, page).into_response()
}

/// What is shown, once.
async fn state(State((feed, _)): Shared) -> Response {
    let headers = [(CONTENT_TYPE, "application/json")];
    (headers, feed.now().json.clone()).into_response()
}

/// What is shown, and each change.
async fn follow(State((feed, _)): Shared) -> Response {
    let headers = [(CONTENT_TYPE, "text/event-stream")];
    (headers, Body::from_stream(events(feed.subscribe()))).into_response()
}
