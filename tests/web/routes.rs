//! What the page answers, and to whom.

use std::num::NonZero;
use std::sync::Arc;

use tableside::screen::{Input, Screen, Setup};
use tableside::table::Seat;
use tableside::web::Bounds;

use super::client::{Answer, TestServer};

/// What every answer says, whatever it is.
fn is_guarded(answer: &Answer) {
    for header in [
        "x-content-type-options: nosniff",
        "content-security-policy: default-src 'none'",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(answer.head.contains(header), "{header}: {}", answer.head);
    }
    assert!(!answer.head.contains("cookie"), "{}", answer.head);
}

#[test]
fn the_page_says_how_the_table_stands_without_its_script() {
    let server = TestServer::open();
    let page = server.get("/");
    assert_eq!(page.status, Some(200));
    is_guarded(&page);
    for words in [
        "<strong>friday</strong>, a game of Heart Rush.",
        "The scene: Past the guards.",
        "The watch wakes: countdown, 3 of 6.",
        "The prisoner's trust: effort, ? of 4",
        "<h2>Last rolls</h2>",
    ] {
        assert!(page.body.contains(words), "{words}");
    }
    // The style and the script are the page's own, and no others.
    let nonce = page.head.split("script-src 'nonce-").nth(1).unwrap();
    let nonce = nonce.split('\'').next().unwrap();
    assert_eq!(nonce.len(), 28);
    assert_eq!(page.body.matches(&format!("nonce=\"{nonce}\"")).count(), 3);
    assert!(!page.body.contains("{{"));
    // The one address in it is the name of a kind of picture.
    let elsewhere = page.body.replace("http://www.w3.org/2000/svg", "");
    assert!(!elsewhere.contains("http") && !elsewhere.contains("url("));
    let again = server.get("/").head;
    assert!(!again.contains(nonce), "each answer has its own");
}

#[test]
fn names_are_words_and_never_part_of_the_page() {
    let server = TestServer::open();
    server.run_command("rename Mira to <script>alert(1)</script>{{theme}}");
    let shown = loop {
        let shown = server.get("/").body;
        if shown.contains("alert(1)") {
            break shown;
        }
    };
    assert!(shown.contains("&lt;script&gt;alert(1)&lt;/script&gt;{{theme}}"));
}

#[test]
fn the_state_is_told_once_and_parts_have_pages_of_their_own() {
    let server = TestServer::open();
    let state = server.get("/state.json");
    assert!(state.head.contains("content-type: application/json"));
    is_guarded(&state);
    let state = server.state();
    assert_eq!(state["scene"], "Past the guards");
    assert_eq!(state["clocks"][0]["name"], "The watch wakes");
    assert_eq!(state["clocks"][0]["filled"], 3);
    // Of what is only known to be there nothing else is told.
    assert_eq!(state["clocks"][2]["filled"], serde_json::Value::Null);
    assert_eq!(state["rolls"][0]["outcome"]["words"], "✓ Success");
    assert_eq!(state["rolls"][0]["dice"][1]["face"], "8");
    for part in ["clocks", "pools", "rolls"] {
        let overlay = server.get(&format!("/overlay/{part}?clock=watch&size=240"));
        assert_eq!(overlay.status, Some(200));
        is_guarded(&overlay);
        assert!(overlay.body.contains(&format!("data-view=\"{part}\"")));
        assert!(
            !overlay.body.contains("Mira"),
            "words stand over no picture"
        );
    }
    let head = server.ask("HEAD", "/");
    assert_eq!((head.status, head.body.as_str()), (Some(200), ""));
    is_guarded(&server.get("/nowhere"));
    assert_eq!(server.get("/nowhere").status, Some(404));
    assert_eq!(server.get("/overlay/party").status, Some(404));
}

#[test]
fn a_page_has_the_colours_that_it_asks_for() {
    let server = TestServer::open();
    let ground = |query: &str| {
        let page = server.get(&format!("/{query}")).body;
        let ground = page.split("--ground:").nth(1).unwrap();
        (
            ground.split(';').next().unwrap().to_owned(),
            page.contains("prefers-color-scheme"),
        )
    };
    let usual = ground("");
    assert!(usual.1, "by day it is light");
    assert_eq!(ground("?theme=candle"), ("#1b1512".to_owned(), false));
    assert_eq!(ground("?size=3&theme=candle").0, "#1b1512");
    assert_eq!(ground("?theme=%3Cscript%3E"), usual);
}

#[test]
fn only_this_machine_opens_a_page_without_a_key() {
    let server = TestServer::open();
    let status = |host: &str| server.ask_as(host, "GET", "/state.json").status;
    for ours in [
        "localhost",
        "LOCALHOST:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
        "192.168.1.4",
    ] {
        assert_eq!(status(ours), Some(200), "{ours}");
    }
    // A stranger's page may lead its own name here.
    for theirs in [
        "evil.example",
        "localhost.evil.example:8080",
        "127.0.0.1.evil.example",
        "",
    ] {
        assert_eq!(status(theirs), Some(421), "{theirs}");
    }
    assert_eq!(
        server.send(b"GET /state.json HTTP/1.0\r\n\r\n").status,
        Some(421)
    );
    assert_eq!(
        server.send(b"GET /state.json HTTP/1.1\r\n\r\n").status,
        Some(400)
    );
    let renewed = server
        .table
        .read(&Seat::gm(), |seen| seen.page().unwrap().renew());
    assert!(renewed.unwrap_err().contains("only this machine"));
}

#[test]
fn a_request_has_one_host_and_the_target_counts_before_the_header() {
    let cases: &[(&str, &str, u16)] = &[
        ("/state.json", "Host: localhost\r\nHost: localhost", 400),
        ("/state.json", "Host: localhost\r\nHost: evil.example", 400),
        ("/state.json", "Host: evil.example\r\nhost: localhost", 400),
        ("/state.json", "Host: a@localhost", 400),
        ("/state.json", "Host: evil.example:80@127.0.0.1", 400),
        ("/state.json", "Host: localhost:80:80", 400),
        ("/state.json", "Host: localhost:99999", 400),
        ("/state.json", "Host: localhost:+80", 400),
        ("/state.json", "Host: localhost:port", 400),
        ("/state.json", "Host: localhost/evil.example", 400),
        ("/state.json", "Host: localhost, evil.example", 400),
        ("/state.json", "Host: http://localhost", 400),
        ("/state.json", "Host: [::1", 400),
        ("/state.json", "Host: ::1]", 400),
        ("/state.json", "Host: [localhost]", 400),
        ("/state.json", "Host: \u{e4}", 400),
        ("/state.json", "Host: evil.example", 421),
        ("/state.json", "Host: localhost:", 200),
        ("/state.json", "Host: [::1]", 200),
        ("http://evil.example/state.json", "Host: localhost", 421),
        ("http://evil.example:80/state.json", "Host: 127.0.0.1", 421),
        ("https://evil.example/state.json", "Host: localhost", 421),
        ("http://a@localhost/state.json", "Host: localhost", 400),
        (
            "http://localhost:1@evil.example/state.json",
            "Host: localhost",
            400,
        ),
        ("http://localhost/state.json", "Host: a@localhost", 400),
        (
            "http://localhost/state.json",
            "Host: localhost\r\nHost: localhost",
            400,
        ),
        (
            "http://localhost:8080/state.json",
            "Host: evil.example",
            200,
        ),
        ("http://[::1]:8080/state.json", "Host: localhost", 200),
    ];

    let server = TestServer::open();
    for (target, headers, due) in cases {
        let request = format!("GET {target} HTTP/1.1\r\n{headers}\r\n\r\n");
        let answer = server.send(request.as_bytes());
        assert_eq!(answer.status, Some(*due), "{target} {headers}");
    }

    // A page with a key is found by any name, but never by two.
    let server = TestServer::with(Bounds::default(), true);
    let page = server.page.as_ref().unwrap().address();
    let path = format!("/t/{}state.json", page.split_once("/t/").unwrap().1);
    for (headers, due) in [
        ("Host: game.example", 200),
        ("Host: game.example\r\nHost: localhost", 400),
        ("Host: a@game.example", 400),
        ("X: y", 400),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\n{headers}\r\n\r\n");
        assert_eq!(
            server.send(request.as_bytes()).status,
            Some(due),
            "{headers}"
        );
    }
}

#[test]
fn a_page_with_a_key_is_found_by_those_alone_who_were_told_it() {
    let server = TestServer::with(Bounds::default(), true);
    let page = server.page.as_ref().unwrap();
    let way = |address: &str| format!("/t/{}", address.split_once("/t/").unwrap().1);
    let old = way(&page.address());
    assert_eq!(old.len(), "/t//".len() + 28);
    assert!(page.describe().ends_with(&page.address()));
    for guess in [
        "/",
        "/state.json",
        "/t/",
        "/t//",
        "/t//state.json",
        "/t/aaaa/state.json",
    ] {
        let answer = server.get(guess);
        assert_eq!(answer.status, Some(404), "{guess}");
        is_guarded(&answer);
    }
    assert_eq!(server.get(old.trim_end_matches('/')).status, Some(404));
    assert_eq!(server.get(&old).status, Some(200));
    let by_name = server.ask_as("game.example", "GET", &format!("{old}state.json"));
    assert_eq!(
        by_name.status,
        Some(200),
        "a tunnel leads here by its own name"
    );
    let mut events = server.listen(&format!("{old}events"));
    events.next().unwrap();
    let player = Seat::onlooker();
    assert!(server.table.read(&player, |seen| seen.page().is_none()));
    let keeper = server.table.read(&Seat::gm(), |seen| seen.page().unwrap());
    let new = way(&keeper.renew().unwrap());
    assert_ne!(old, new);
    assert!(
        events.next().is_none(),
        "who came by the old way is sent away"
    );
    assert_eq!(server.get(&format!("{old}state.json")).status, Some(404));
    assert_eq!(server.get(&format!("{new}state.json")).status, Some(200));
}

/// What the GM's screen shows after these keys.
fn press(screen: &mut Screen, far: &mut vt100::Parser, keys: &str) -> String {
    screen.handle(Input::Bytes(keys.as_bytes().to_vec()));
    screen.handle(Input::Silence);
    far.process(&screen.frame());
    far.screen().contents()
}

#[test]
fn the_gm_reads_the_address_among_the_seats_and_gives_the_page_another() {
    let server = TestServer::with(Bounds::default(), true);
    let page = server.page.as_ref().unwrap();
    let old = page.address();
    let mut screen = Screen::new(Arc::clone(&server.table), Setup::gm(), (110, 30));
    let mut far = vt100::Parser::new(NonZero::new(30).unwrap(), NonZero::new(110).unwrap(), 0);
    let shown = press(&mut screen, &mut far, "W");
    assert!(shown.contains(&old), "{shown}");
    let asked = press(&mut screen, &mut far, "\r");
    assert!(asked.contains("Change the address of the page?"), "{asked}");
    let done = press(&mut screen, &mut far, "y");
    let new = page.address();
    assert_ne!(old, new);
    assert!(
        done.contains(&format!("The page is now at {new}")),
        "{done}"
    );
}
