//! What may be asked for, and with what every answer is sent.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

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
    } else if feed.is_local() && !is_ours(request.headers()) {
        StatusCode::MISDIRECTED_REQUEST.into_response()
    } else if !feed.knows(request.uri().path()) {
        StatusCode::NOT_FOUND.into_response()
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

/// Whether somebody asks this machine by its address or as localhost. A name that a stranger's page has led here is
/// another one.
fn is_ours(headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = host.and_then(|host| host.parse::<Uri>().ok());
    let host = host.as_ref().and_then(Uri::host).unwrap_or_default();
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
