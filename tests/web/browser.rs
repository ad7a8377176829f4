//! What a browser shows of the page: it is driven through an evening, and its words and colours are read.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value as Json, json};

use super::client::{PATIENCE, TestServer};
use super::not_run::did_not_run;

/// What browsers are called that can be driven.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser without a window, driven through a pipe.
struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: u64,
    session: Json,
    /// What went wrong in it.
    wrong: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Browser {
    /// A browser, if there is one.
    fn start() -> Option<Self> {
        let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let Some(name) = NAMES.into_iter().find(is_there) else {
            did_not_run("browser", "chromium", "WITHOUT_BROWSER");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // It hears on the third channel and answers on the fourth; what it says beside that is about itself.
        let run = "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
                   --remote-debugging-pipe --user-data-dir=\"$1\" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut child = Command::new("sh")
            .args(["-c", run, name])
            .arg(profile.path())
            .env("HOME", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let mut browser = Self {
            child,
            to,
            from,
            asked: 0,
            session: Json::Null,
            wrong: Vec::new(),
            _profile: profile,
        };
        let tab = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": tab["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].clone();
        for part in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(part, &json!({}));
        }
        Some(browser)
    }

    /// Has it do something, and waits for the answer.
    fn call(&mut self, method: &str, params: &Json) -> Json {
        self.asked += 1;
        let mut asked = json!({"id": self.asked, "method": method, "params": params});
        if !self.session.is_null() {
            asked["sessionId"] = self.session.clone();
        }
        self.to.write_all(format!("{asked}\0").as_bytes()).unwrap();
        self.to.flush().unwrap();
        loop {
            let mut told = Vec::new();
            self.from.read_until(0, &mut told).unwrap();
            told.pop().expect("the browser ended");
            let told: Json = serde_json::from_slice(&told).unwrap();
            if told["id"] == self.asked {
                assert!(told["error"].is_null(), "{method}: {told}");
                return told["result"].clone();
            }
            self.note(&told);
        }
    }

    /// Keeps what went wrong on the page; that its connection was lost is none of it.
    fn note(&mut self, told: &Json) {
        let method = told["method"].as_str().unwrap_or_default();
        let is_network = told["params"]["entry"]["source"] == "network";
        if ["Runtime.exceptionThrown", "Log.entryAdded"].contains(&method) && !is_network {
            self.wrong.push(told["params"].to_string());
        }
    }

    /// What that comes to on the page.
    fn read(&mut self, script: &str) -> Json {
        let asked = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &asked);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    fn open(&mut self, server: &TestServer, path: &str) {
        let url = format!("http://{}{path}", server.address);
        self.call("Page.navigate", &json!({"url": url}));
        self.until("typeof state !== 'undefined' && state.game === 'friday'");
    }

    /// Waits until that is so.
    fn until(&mut self, script: &str) {
        let began = Instant::now();
        while self.read(script) != true {
            let shown = self.read("document.body.innerText");
            assert!(began.elapsed() < PATIENCE, "{script} never came:\n{shown}");
        }
    }

    /// Waits until that part of the page has these words.
    fn until_says(&mut self, part: &str, words: &str) {
        let (part, words) = (json!(part), json!(words));
        let said = format!("(document.querySelector({part}) || {{innerText: ''}}).innerText");
        self.until(&format!("{said}.replace(/\\s+/g, ' ').includes({words})"));
    }

    /// How many there are of those on the page.
    fn count(&mut self, what: &str) -> u64 {
        let count = self.read(&format!("document.querySelectorAll('{what}').length"));
        count.as_u64().unwrap()
    }

    fn is_well(&self) {
        assert_eq!(self.wrong, Vec::<String>::new());
    }
}

/// How many boxes there are around what stands there for those who run no script.
const PLAIN_LINES: &str = "document.querySelector('noscript').getClientRects().length";

#[test]
fn a_browser_shows_an_evening_as_it_happens() {
    let mut server = TestServer::open();
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&server, "/");
    browser.until_says("#scene", "Past the guards");
    browser.until_says("#party", "Sergeant Oske");
    browser.until_says("#pools", "Torches");
    browser.until_says("#clocks", "?/4");
    assert_eq!(browser.read(PLAIN_LINES), 0);
    let faces = "[...document.querySelectorAll('#clocks .clock')].map((one) => one.querySelectorAll('.filled').length).join()";
    assert_eq!(browser.read(faces), "3,4,0");

    server.run_command("roll Mira agility cn=12");
    browser.until_says("#rolls > li.lead.new", "Mira · Agility");
    assert_eq!(browser.count("#rolls > li"), 8);
    // It is read out to those who do not see it.
    browser.until("document.querySelector('[aria-live=polite]').textContent.startsWith('Mira, Skill check: ')");

    server.run_command("tick the watch wakes 2");
    browser.until_says("#clocks .clock.moved", "5/6");
    assert_eq!(browser.count(".wedge.fresh"), 2);
    // What moves is seen to move.
    let moves = "getComputedStyle(document.querySelector('.wedge.fresh')).animationName";
    assert_eq!(browser.read(moves), "fill");
    // The other ones are not drawn anew.
    assert_eq!(browser.count("#clocks .moved"), 1);

    server.run_command("scene The gate");
    browser.until_says("#scene", "The gate");
    browser.until("document.title === 'The gate · friday'");

    server.run_command("undo");
    server.run_command("undo");
    browser.until_says("#clocks", "3/6");
    assert_eq!(browser.count(".wedge.gone"), 2);
    server.run_command("undo");
    browser.until_says("#rolls > li.struck", "undone");

    server.run_command("add clock The ambush 4 hidden");
    server.run_command("tick the ambush 2");
    server.run_command("tick the watch wakes");
    browser.until_says("#clocks", "4/6");
    let tells = "document.documentElement.outerHTML.includes('ambush')";
    assert_eq!(browser.read(tells), false);
    server.run_command("show the ambush");
    browser.until_says("#clocks .clock.new", "The ambush 2/4");

    server.close();
    browser.until_says("#lost", "No connection to the game");
    server.run_command("tick the ambush");
    server.reopen();
    browser.until_says("#clocks", "The ambush 3/4");
    browser.until("document.querySelector('#lost').textContent === ''");
    browser.is_well();
}

#[test]
fn a_part_over_a_picture_shows_what_it_is_asked_for_and_a_roll_comes_and_goes() {
    let server = TestServer::open();
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&server, "/overlay/clocks?clock=WATCH&size=320&theme=candle");
    browser.until_says("#clocks", "The watch wakes");
    assert_eq!(browser.count(".clock"), 1);
    let size = "document.querySelector('.clock svg').getBoundingClientRect().width";
    assert_eq!(browser.read(size), 320);
    let ground = "getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.read(ground), "rgba(0, 0, 0, 0)rgba(0, 0, 0, 0)");
    let says = "document.body.innerText.includes('Mira')";
    assert_eq!(browser.read(says), false);

    browser.open(&server, "/overlay/rolls?for=1");
    assert_eq!(browser.count("#rolls > li"), 0);
    server.run_command("roll Mira agility cn=12");
    browser.until_says("#rolls > li", "Mira · Agility");
    browser.until("document.querySelectorAll('#rolls > li.leaving').length === 1");
    browser.until("document.querySelectorAll('#rolls > li').length === 0");

    browser.open(&server, "/overlay/pools");
    browser.until_says("#pools", "Suspicion 3/9");
    server.run_command("gain 1 torches");
    browser.until_says("#pools .pool.moved", "Torches 5/6");
    browser.is_well();
}

#[test]
fn a_browser_without_scripts_says_how_the_table_stands() {
    let server = TestServer::open();
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let without = json!({"value": true});
    browser.call("Emulation.setScriptExecutionDisabled", &without);
    let url = format!("http://{}/", server.address);
    browser.call("Page.navigate", &json!({"url": url}));
    browser.until("document.readyState === 'complete' && location.protocol === 'http:'");
    assert_eq!(browser.read(PLAIN_LINES), 1);
    browser.until_says("body", "The watch wakes: countdown, 3 of 6.");
}

/// Nothing has to be scrolled to from one side to the other, everything has a landmark, and text stands out.
#[test]
fn a_page_fits_a_telephone_and_a_television_and_can_be_read_aloud() {
    let server = TestServer::open();
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (width, height) in [(360, 740), (1280, 720), (1920, 1080)] {
        let screen =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", &screen);
        browser.open(&server, "/?theme=parchment");
        browser.until_says("#rolls", "Jonna");
        let wide = browser.read("document.documentElement.scrollWidth");
        assert_eq!(wide, width);
    }
    let tree = browser.call("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let has = |role: &str, name: &str| {
        let mut nodes = nodes.iter().filter(|node| node["ignored"] != true);
        nodes.any(|node| node["role"]["value"] == role && node["name"]["value"] == name)
    };
    for part in ["Clocks", "Party", "Tokens", "Rolls"] {
        assert!(has("region", part) && has("heading", part), "{part}");
    }
    assert!(has("heading", "Past the guards"));
    assert!(nodes.iter().any(|node| node["role"]["value"] == "main"));
    assert!(nodes.iter().any(|node| node["role"]["value"] == "banner"));
    browser.is_well();
}
