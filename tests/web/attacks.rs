//! What the page withstands. The table never notices.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use tableside::web::Bounds;
use tokio::net::TcpSocket;

use super::client::{Answer, PATIENCE, TestServer};

/// Far shorter than a browser gets.
const HASTY: Bounds = Bounds {
    connections: 256,
    asking: Duration::from_millis(300),
    reading: Duration::from_millis(300),
};

#[test]
fn who_takes_too_long_to_ask_is_cut_off() {
    let server = TestServer::with(HASTY, false);
    let mut silent = server.connect();
    let mut begun = server.connect();
    begun.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    let mut dripping = server.connect();
    dripping
        .set_read_timeout(Some(Duration::from_millis(20)))
        .unwrap();
    let began = Instant::now();
    // A byte now and then keeps nobody in.
    loop {
        assert!(began.elapsed() < PATIENCE, "it was never cut off");
        let was_sent = dripping.write_all(b"A").is_ok();
        let read = dripping.read(&mut [0; 512]);
        let waits = |kind| [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&kind);
        if !was_sent || !matches!(&read, Err(error) if waits(error.kind())) {
            break;
        }
    }
    let mut rest = Vec::new();
    silent.read_to_end(&mut rest).ok();
    begun.read_to_end(&mut rest).ok();
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
    assert_eq!(server.get("/").status, Some(200));
}

#[test]
fn what_is_too_long_is_refused() {
    let server = TestServer::open();
    let long = "a".repeat(17 * 1024);
    let headers = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {long}\r\n\r\n");
    assert_eq!(server.send(headers.as_bytes()).status, Some(431));
    let path = format!("GET /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let refused = server.send(path.as_bytes()).status;
    assert!([Some(414), Some(431)].contains(&refused), "{refused:?}");
    let many = "X-A: b\r\n".repeat(1000);
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    assert_eq!(server.send(many.as_bytes()).status, Some(431));
    assert_eq!(server.get("/").status, Some(200));
}

#[test]
fn nothing_but_the_page_is_to_be_had_and_nothing_can_be_sent() {
    let server = TestServer::open();
    for path in [
        "/../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/overlay/../../etc/passwd",
        "/overlay/clocks/../../state.json",
        "/overlay//etc/passwd",
        "/game.toml",
        "//",
        "/state.json/",
        "/%00",
    ] {
        assert_eq!(server.get(path).status, Some(404), "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        let refused = server.ask(method, "/state.json");
        assert_eq!(refused.status, Some(405), "{method}");
        assert!(
            refused.head.contains("allow: get, head"),
            "{}",
            refused.head
        );
    }
    let body = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nxxxx";
    assert_eq!(server.send(body).status, Some(405));
    for garbage in [
        &b"\0\xff\x16\x03\x01\r\n\r\n"[..],
        b"\r\n\r\n\r\n\r\nGET",
        b"SSH-2.0-x\r\n\r\n",
    ] {
        let mut stream = server.connect();
        stream.write_all(garbage).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        assert_ne!(Answer::read(stream).status, Some(200));
    }
    assert_eq!(server.get("/").status, Some(200));
}

#[test]
fn one_too_many_is_told_so_and_has_room_when_another_leaves() {
    let few = Bounds {
        connections: 4,
        ..Bounds::default()
    };
    let server = TestServer::with(few, false);
    let mut looking: Vec<_> = (0..4).map(|_| server.listen("/events")).collect();
    for events in &mut looking {
        events.next().unwrap();
    }
    // A refused connection may be closed before it has said anything.
    assert!([None, Some(503)].contains(&server.get("/").status));
    server.run_command("tick the watch wakes");
    assert_eq!(looking[3].change()["clocks"][0]["filled"], 4);
    looking.pop();
    until_there_is_room(&server);
}

/// Asks until there is room.
fn until_there_is_room(server: &TestServer) {
    let began = Instant::now();
    while server.get("/state.json").status != Some(200) {
        assert!(began.elapsed() < PATIENCE, "there never was room");
    }
}

#[test]
fn who_never_reads_is_dropped_and_waited_for_by_nobody() {
    let one = Bounds {
        connections: 2,
        ..HASTY
    };
    let server = TestServer::with(one, false);
    let deaf = connect_with_little_room(&server);
    let mut reads = server.listen("/events");
    reads.next().unwrap();
    let began = Instant::now();
    // Until what it does not read fills the way to it.
    for round in 0.. {
        assert!(began.elapsed() < PATIENCE, "it was never dropped");
        server.run_command(if round % 2 == 0 {
            "scene Here"
        } else {
            "scene There"
        });
        server.run_command("roll Mira agility cn=12");
        reads.next().unwrap();
        if server.get("/state.json").status == Some(200) {
            break;
        }
    }
    drop(deaf);
}

/// Asks for the events, and never reads one.
fn connect_with_little_room(server: &TestServer) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let stream = socket.connect(server.address).await.unwrap();
        stream.into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    let words = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(words).unwrap();
    stream
}

/// Another address of this machine.
fn neighbour(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, number)
}

/// Asks from that address, and returns the connection with the status of the answer.
fn ask_from(server: &TestServer, address: Ipv4Addr, path: &str) -> (TcpStream, Option<u16>) {
    let mut stream = server.connect_from(address);
    let words = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(words.as_bytes()).unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).unwrap();
    let status = String::from_utf8_lossy(&begun[9..]).parse().ok();
    (stream, status)
}

#[test]
fn connections_that_do_not_ask_keep_nobody_out() {
    let server = TestServer::with(Bounds::default(), true);
    let page = server.page.as_ref().unwrap().address();
    let path = format!("/t/{}state.json", page.split_once("/t/").unwrap().1);

    // A crowd at one address, and then one at many.
    for crowd in [vec![neighbour(2)], (2..10).map(neighbour).collect()] {
        let mut connections = Vec::new();
        for number in 0..350 {
            let mut connection = server.connect_from(crowd[number % crowd.len()]);
            // Some send nothing, some half a question, some ask for a path that they guess.
            let words = match number % 3 {
                0 => "",
                1 => "GET /t/aaaa",
                _ => "GET /t/aaaa/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            };
            connection.write_all(words.as_bytes()).ok();
            connections.push(connection);
        }
        for _ in 0..20 {
            assert_eq!(server.get(&path).status, Some(200));
        }
    }
}

#[test]
fn an_address_that_takes_all_places_leaves_some_to_another() {
    let few = Bounds {
        connections: 40,
        ..Bounds::default()
    };
    let server = TestServer::with(few, false);
    let mut earlier = server.listen("/events");
    earlier.next().unwrap();

    // One address gets half of the places.
    let (crowded, neighbours) = (neighbour(2), [3, 4, 5].map(neighbour));
    let mut held = Vec::new();
    let mut refused = 0;
    for _ in 0..30 {
        match ask_from(&server, crowded, "/events") {
            (stream, Some(200)) => held.push(stream),
            (_, status) => {
                assert_eq!(status, Some(503));
                refused += 1;
            }
        }
    }
    assert_eq!((held.len(), refused), (20, 10));

    // Three more take all that are left. They make room for a newcomer at yet another address, and for it alone.
    for number in 0..40 {
        let (stream, _) = ask_from(&server, neighbours[number % neighbours.len()], "/events");
        held.push(stream);
    }
    let mut watching = server.listen("/events");
    watching.next().unwrap();
    assert_eq!(ask_from(&server, neighbour(6), "/state.json").1, Some(200));

    // Whoever looked on already was not disturbed.
    server.run_command("tick the watch wakes");
    assert_eq!(earlier.change()["clocks"][0]["filled"], 4);
    assert_eq!(watching.change()["clocks"][0]["filled"], 4);
}
