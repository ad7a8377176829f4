//! Posts a message to the address of a hook, once.

use std::io;
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde_json::{Value as Json, json};
use ureq::Timeout;
use ureq::http::header::{DATE, RETRY_AFTER};
use ureq::http::{HeaderMap, HeaderName, StatusCode};

use super::message::{Message, shorten};
use super::{Form, Hook};
use tableside_table::SESSION_ENDED;
use tableside_text::escape;

/// How long it may take to connect, and to send the message.
const CONNECTING: Duration = Duration::from_secs(10);

/// How long the other side may take to answer.
const ANSWERING: Duration = Duration::from_mins(1);

/// The result of one attempt.
#[derive(Debug, PartialEq)]
pub(super) enum Attempt {
    Delivered,
    /// Another attempt would fail, too.
    Failed(String),
    /// Another attempt may succeed, after the pause if the other side asks for one.
    Later {
        why: String,
        pause: Option<Duration>,
    },
}

/// Posts the message.
pub(super) fn post(hook: &Hook, message: &Message, now: DateTime<Utc>) -> Attempt {
    let body = match hook.form {
        Form::Json => message.news.json.clone(),
        Form::Discord if message.news.on == SESSION_ENDED => chat(&message.news.text),
        Form::Discord => chat(&escape_markup(&message.news.text)),
    };
    if hook.post.starts_with("https://") && now < DateTime::UNIX_EPOCH {
        let why =
            "this machine's clock is before 1970, so certificates cannot be checked; set the clock";
        return Attempt::Failed(why.to_owned());
    }

    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_resolve(Some(CONNECTING))
        .timeout_connect(Some(CONNECTING))
        .timeout_send_request(Some(CONNECTING))
        .timeout_send_body(Some(CONNECTING))
        .timeout_recv_response(Some(ANSWERING));
    let agent = config.build().new_agent();
    let request = agent
        .post(&hook.post)
        .content_type("application/json")
        // The same for each attempt, so that the other side can tell when a message comes again.
        .header(HeaderName::from_static("idempotency-key"), &message.key);

    match request.send(body.to_string()) {
        Ok(response) => judge_answer(response.status(), response.headers(), now),
        Err(error) => judge_error(&error),
    }
}

fn judge_answer(status: StatusCode, headers: &HeaderMap, now: DateTime<Utc>) -> Attempt {
    if status.is_success() {
        return Attempt::Delivered;
    }

    let why = format!("it answers {status}");
    match status.as_u16() {
        // The other side is busy or faulty, and did not accept the message.
        408 | 425 | 429 | 500 | 502 | 503 | 504 => Attempt::Later {
            why,
            pause: retry_after(headers, now),
        },
        // An address that has moved loses what is posted.
        _ => Attempt::Failed(why),
    }
}

/// Describes the error of an attempt. The library's own messages contain the address, which is a secret.
fn judge_error(error: &ureq::Error) -> Attempt {
    let later = |why: String| Attempt::Later { why, pause: None };
    match error {
        ureq::Error::Timeout(Timeout::RecvResponse) => Attempt::Failed(format!(
            "it did not answer within {ANSWERING:?}; the message may have arrived"
        )),
        ureq::Error::Timeout(_) => later(format!("it could not be reached within {CONNECTING:?}")),
        ureq::Error::HostNotFound => later("its host is not found".to_owned()),
        ureq::Error::ConnectionFailed => later("it cannot be reached".to_owned()),
        ureq::Error::Io(error) => match error.kind() {
            // A rejected certificate is reported as invalid data.
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Attempt::Failed("it and Tableside do not agree on a TLS connection".to_owned())
            }
            kind => later(format!("the connection failed: {kind}")),
        },
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
            Attempt::Failed("it and Tableside do not agree on a TLS connection".to_owned())
        }
        ureq::Error::Protocol(_) => Attempt::Failed("its answer is no HTTP".to_owned()),
        ureq::Error::RedirectFailed | ureq::Error::TooManyRedirects => {
            Attempt::Failed("it answers that it has moved".to_owned())
        }
        _ => Attempt::Failed("the message cannot be posted to its address".to_owned()),
    }
}

/// Reads `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). A date is compared with the `Date` of the answer,
/// or with `now` if there is none.
fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    // Some servers send fractions. A number too large for a duration exceeds every limit anyway.
    if value.starts_with(|first: char| first.is_ascii_digit())
        && let Ok(seconds) = value.parse::<f64>()
    {
        return Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }

    let until = http_date(value)?;
    let their_now = headers.get(DATE).and_then(|date| date.to_str().ok());
    let their_now = their_now.and_then(http_date).unwrap_or(now);
    // A date in the past means no pause.
    Some((until - their_now).to_std().unwrap_or_default())
}

/// Reads a date in one of the three forms of RFC 9110, section 5.6.7.
fn http_date(text: &str) -> Option<DateTime<Utc>> {
    const FORMS: [&str; 3] = [
        "%a, %d %b %Y %H:%M:%S GMT",
        "%A, %d-%b-%y %H:%M:%S GMT",
        "%a %b %e %H:%M:%S %Y",
    ];
    let mut dates = FORMS
        .iter()
        .filter_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
    dates.next().map(|date| date.and_utc())
}

/// A message of a group chat that pings nobody. Its text is Markdown.
fn chat(markdown: &str) -> Json {
    json!({"content": shorten(markdown), "allowed_mentions": {"parse": []}})
}

/// Makes a text no markup.
fn escape_markup(text: &str) -> String {
    escape(text, "\\`*_~|>#[]<@")
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderValue;

    use super::*;

    #[test]
    fn a_message_is_no_markup() {
        let message = chat(&escape_markup("**Mira** @everyone <b>"));
        assert_eq!(message["content"], "\\*\\*Mira\\*\\* \\@everyone \\<b\\>");
        let long = chat(&escape_markup(&"*".repeat(5000)));
        assert!(long["content"].as_str().unwrap().len() <= 2000);
    }

    #[test]
    fn a_pause_is_read_in_every_form() {
        let now = DateTime::from_timestamp(784_111_767, 0).unwrap();
        let pause = |retry_after: &str, date: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_str(retry_after).unwrap());
            if !date.is_empty() {
                headers.insert(DATE, HeaderValue::from_str(date).unwrap());
            }
            super::retry_after(&headers, now).map(|pause| pause.as_millis())
        };
        for (retry_after, due) in [
            ("0", Some(0)),
            ("1", Some(1000)),
            (" 120 ", Some(120_000)),
            ("0.25", Some(250)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(10_000)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(10_000)),
            ("Sun Nov  6 08:49:37 1994", Some(10_000)),
            ("Sun, 06 Nov 1994 08:40:00 GMT", Some(0)),
            (
                "99999999999999999999999999",
                Some(Duration::MAX.as_millis()),
            ),
            ("-1", None),
            ("soon", None),
            ("", None),
            ("NaN", None),
        ] {
            assert_eq!(pause(retry_after, ""), due, "{retry_after}");
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(pause(date, "Sun, 06 Nov 1994 08:49:35 GMT"), Some(2000));
    }
}
