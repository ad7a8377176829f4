//! All that is hidden from a seat, and every way to it: nothing hidden is where somebody can read it who may not, on no
//! tab, in no dialog, list, search, statistics or word in passing, in no refusal, in no status and in no byte of the
//! page in browsers, whatever happens to the hidden: they roll and are rolled against, are renamed, taken away, brought
//! back, shown under another name and hidden again.
//!
//! `SECRETS_CASES=1000 cargo test --release --test game secrets` plays so many evenings of each system.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use chrono::DateTime;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tableside::game::{
    Allegiance, AttachedCheck, Blow, CallCommand, Character, CharacterId, Clock, ClockKind,
    Command, Condition, EntityRef, Every, Faces, Link, LinkEffect, PrepareCommand, Segments,
    TokenPool, Visibility, WhenFull,
};
use tableside::rules::{Kind, System, Value, Whose};
use tableside::screen::{Input, Screen, Setup, Theme, Zone, table_json};
use tableside::table::{Act, Entry, HookEventReader, RecapScope, Seat, SeatView, Table, status};
use tableside::web::{Bounds, Page, PageOpening};

use self::written::leaked_note;
use super::{TestGame, Try, note, player, with_modifier};

mod composed;
mod written;

/// The first kind of act that is about notes and handouts.
const WRITTEN: u8 = 36 + composed::KINDS;

const SIZE: (u16, u16) = (110, 34);

/// What the hidden are called, in turn. In the first list what is secret has an X before a small letter in it; in
/// the second it looks like what is not.
const SECRET: [&str; 6] = [
    "Xhulk",
    "Xora, the Pale",
    "Xe: Might",
    "Lady Xi",
    "Bo, Xander",
    "Mira Xal",
];
const PLAIN: [&str; 6] = ["A", "al", "normal", "Ana, half", "or: half", "Mir"];

/// A game with something to hide.
struct Evening {
    game: TestGame,
    names: &'static [&'static str],
    mira: Seat,
    bo: Seat,
}

impl Evening {
    fn new(system: System, names: &'static [&'static str]) -> Self {
        let trained: &[(&str, &str)] = match system.id() {
            "heart-rush" => &[("agility", "d10")],
            "hearts" => &[("skills", "Rope 40, Awareness 30")],
            "friday-night-dungeon" => &[("skills", "Climbing 2")],
            "hfrpg" => &[("competencies", "Medicine 2")],
            _ => &[],
        };
        let game = TestGame::with(system, &[("Mira", trained), ("Bo", trained)]);
        let (mira, bo) = (game.id("Mira"), game.id("Bo"));
        let evening = Self {
            game,
            names,
            mira: player("mira", &[mira]),
            bo: player("bo", &[bo]),
        };
        evening.hide_another(0);
        evening.show_an_adversary();
        evening
    }

    /// Somebody whom players know, and whose state they do not: numbers from 700, and what begins with an X.
    fn show_an_adversary(&self) {
        let mut sheet = self.game.named("Mira").sheet;
        let numbers = [("hit-points-most", 799), ("hit-points", 777)];
        for (stat, number) in numbers {
            sheet.set(stat, Value::Number(number)).ok();
        }
        sheet.set("training", Value::from("Xrope")).ok();
        self.gm(Command::add(Character {
            side: Allegiance::Adversary,
            ..Character::new("Oske", sheet)
        }));
    }

    /// The GM does it, or a rule says no.
    fn gm(&self, command: Command) {
        self.game.act(&Seat::gm(), &command.into()).ok();
    }

    /// Somebody new whom players may not know of, with a sheet like Mira's.
    fn hide_another(&self, which: usize) {
        self.gm(Command::add(Character {
            name: self.name(which),
            side: Allegiance::ALL[which % 4],
            hidden: true,
            notes: "Xsecret".into(),
            conditions: Vec::new(),
            player: String::new(),
            ..self.game.named("Mira")
        }));
    }

    fn name(&self, which: usize) -> String {
        let name = self.names[which % self.names.len()];
        let taken = self.game.look(|seen| seen.character_named(name).is_some());
        let again = which / self.names.len() + 2;
        if taken {
            format!("{name} {again}")
        } else {
            name.to_owned()
        }
    }

    fn hidden(&self, which: usize) -> Option<Character> {
        self.game.look(|seen| {
            let hidden: Vec<_> = seen.roster().filter(|one| one.hidden).collect();
            let found = hidden.get(which % hidden.len().max(1));
            found.map(|one| (*one).clone())
        })
    }

    /// One thing that happens, by number.
    fn happens(&self, kind: u8, which: usize) {
        let game = &self.game;
        let four = Segments::try_from(4).unwrap();
        let (mira, bo) = (self.mira.characters[0], self.bo.characters[0]);
        let seat = [&Seat::gm(), &self.mira, &self.bo][which % 3].clone();
        let Some(hulk) = self.hidden(which) else {
            return self.hide_another(which);
        };
        let who = [mira, bo, hulk.id][which % 3];
        match kind {
            0 => {
                let mut clock = Clock::new(format!("Xclock {which}"), four);
                clock.visibility = Visibility::Hidden;
                self.gm(Command::add(clock));
            }
            1 => {
                let mut clock = Clock::new(format!("Xowned {which}"), four);
                clock.owner = Some(hulk.id);
                self.gm(Command::add(clock));
            }
            2 => {
                let mut pool = TokenPool::new(format!("Xpool {which}"));
                pool.owner = Some(hulk.id);
                pool.thresholds = vec![(1, "Xwakes".into())];
                self.gm(Command::add(pool));
            }
            3 => self.gm(note("Xnote")),
            4 => {
                let oske = self
                    .game
                    .look(|seen| seen.character_named("Oske").map(|one| one.id));
                let oske = oske.filter(|_| !which.is_multiple_of(2));
                let damage = Command::Damage {
                    who: oske.unwrap_or(hulk.id),
                    amount: 3,
                    shrug_off: false,
                    blow: Blow::Ordinary,
                };
                if oske.is_some() && which.is_multiple_of(3) {
                    self.accepts(&damage.into());
                } else {
                    self.gm(damage);
                }
            }
            5 => self.calls(which, who, &hulk),
            6 => self.gm(Command::SetConditions {
                who: hulk.id,
                conditions: vec![condition("Xdazed")],
            }),
            7 => drop(game.act(&self.mira, &Act::Undo)),
            8 => self.gm(Command::Duplicate(EntityRef::Character(hulk.id))),
            9 if which.is_multiple_of(3) => self.gm(Command::EndSession),
            9 => self.gm(Command::NextScene {
                name: "The gate".into(),
            }),
            10 => self.gm(Command::Remove(EntityRef::Character(hulk.id))),
            11 => self.gm(Command::edit(Character {
                name: self.name(which / 3),
                ..hulk
            })),
            12 => drop(game.act(&Seat::gm(), &Act::Undo)),
            13 => drop(game.act(&Seat::gm(), &Act::Redo)),
            14 => self.hide_another(which),
            15 => self.shows(which, &hulk),
            16 => self.hides_again(which),
            17 | 18 => self.links_a_clock(which, &hulk),
            19 => {
                let mut pool = TokenPool::new(format!("Torches {which}"));
                pool.thresholds = vec![(9, "Xwakes".into())];
                self.gm(Command::add(pool));
            }
            20 => self.gm(Command::PrepareScene(PrepareCommand {
                name: format!("Xambush {which}"),
                notes: "Xplan".into(),
                characters: vec![hulk.id],
                clocks: Vec::new(),
                creatures: Vec::new(),
                put_away: which.is_multiple_of(2),
            })),
            21 => {
                let scene = self
                    .game
                    .look(|seen| seen.prepared().last().map(|one| one.id));
                if let Some(scene) = scene {
                    self.gm(Command::BringScene(scene));
                }
            }
            22 => self.ticks_an_own_clock(which),
            23 => drop(game.act(&seat, &note("Seen").into())),
            24..=27 => self.suggests(kind, which),
            28 => {
                let number = self.game.look(|seen: &SeatView<'_>| seen.last_event());
                game.act(&Seat::gm(), &with_modifier(number)).ok();
            }
            29..36 => self.rolls(which, who, &seat),
            36..WRITTEN => self.happens_to_runners(kind - 36, which),
            WRITTEN.. => self.writes(kind - WRITTEN, which),
        }
    }

    /// A character that is shown has no secret left, neither in name nor in belongings.
    fn shows(&self, which: usize, hulk: &Character) {
        let is_bare = self.game.look(|seen| {
            let mut clocks = seen.clocks().map(|one| one.clock.owner);
            let mut pools = seen.pools().filter(|pool| pool.name.starts_with('X'));
            hulk.conditions.is_empty()
                && !clocks.any(|owner| owner == Some(hulk.id))
                && !pools.any(|pool| pool.owner == Some(hulk.id))
        });
        if is_bare {
            self.gm(Command::edit(Character {
                name: format!("Stranger {which}"),
                hidden: false,
                ..hulk.clone()
            }));
        }
    }

    /// Somebody who was shown is hidden once more, and has another name from then on.
    fn hides_again(&self, which: usize) {
        let stranger = self.game.look(|seen| {
            let mut roster = seen.roster();
            let known = roster.find(|one| !one.hidden && one.name.starts_with("Stranger"));
            known.cloned()
        });
        if let Some(stranger) = stranger {
            self.gm(Command::edit(Character {
                name: self.name(which),
                hidden: true,
                ..stranger
            }));
        }
    }

    /// Mira ticks a clock of her own until it is full, and whatever is hidden behind it goes on.
    fn ticks_an_own_clock(&self, which: usize) {
        let mira = self.mira.characters[0];
        let four = Segments::try_from(4).unwrap();
        let own = |seen: &SeatView<'_>| {
            let mut clocks = seen.clocks().map(|one| one.clock);
            let linked = |clock: &&Clock| clock.owner == Some(mira) && clock.link.is_some();
            clocks.find(linked).map(|clock| clock.id)
        };
        if self.game.look(own).is_none() {
            let mut hidden = Clock::new(format!("Xbehind {which}"), four);
            hidden.visibility = Visibility::Hidden;
            hidden.when_full = WhenFull::ALL[which % 4];
            hidden.every = Every::ALL.map(|every| (every, 1)).into();
            let check = self.game.system.spec().checks[0].id;
            hidden.check = Some(Box::new(AttachedCheck {
                counts_all_rolls: true,
                ..AttachedCheck::new(check)
            }));
            self.gm(Command::add(hidden));
            let to = self
                .game
                .look(|seen| seen.clocks().last().map(|one| one.clock.id));
            let mut clock = Clock::new(format!("Rope {which}"), four);
            clock.owner = Some(mira);
            clock.link = to.map(|to| Link {
                to,
                effect: [LinkEffect::Advances, LinkEffect::Starts, LinkEffect::Beside][which % 3],
            });
            self.gm(Command::add(clock));
        }
        if let Some(clock) = self.game.look(own) {
            let tick = Command::Tick { clock, by: 3 };
            self.game.act(&self.mira, &tick.clone().into()).ok();
            self.game.act(&self.mira, &tick.into()).ok();
        }
    }

    fn calls(&self, which: usize, who: CharacterId, hulk: &Character) {
        let checks = self.game.system.spec().checks;
        let check = &checks[which % checks.len()];
        let against = self.game.look(|seen| {
            check.fields.iter().find_map(|field| {
                let mut picks = seen.picks(Some(who), field).into_iter();
                let pick = picks.find(|pick| is_of(pick, hulk, seen))?;
                Some((field.id.to_owned(), pick))
            })
        });
        self.gm(Command::Call(CallCommand {
            group: false,
            who: vec![who, hulk.id],
            check: check.id.into(),
            fields: against.into_iter().collect(),
            helpers: Vec::new(),
            shown: which.is_multiple_of(2),
        }));
    }

    /// Something that players know of, filled by a check and linked to what they do not see.
    fn links_a_clock(&self, which: usize, hulk: &Character) {
        let mut clock = Clock::new(format!("Known {which}"), Segments::try_from(4).unwrap());
        clock.visibility = Visibility::ALL[which % 2];
        clock.kind = ClockKind::ALL[which % 4];
        clock.owner = which.is_multiple_of(5).then_some(self.mira.characters[0]);
        let is_known = clock.visibility == Visibility::Known;
        clock.filled = if is_known { 3 } else { 1 };
        let checks = self.game.system.spec().checks;
        let check = &checks[which % checks.len()];
        let fields = self.game.look(|seen| {
            let mut picks = check.fields.iter().filter_map(|field| {
                let mut picks = seen.picks(None, field).into_iter();
                let pick = picks.find(|pick| is_of(pick, hulk, seen))?;
                Some((field.id.to_owned(), pick))
            });
            picks.next()
        });
        clock.check = Some(Box::new(AttachedCheck {
            who: which.is_multiple_of(3).then_some(hulk.id),
            fields: fields.into_iter().collect(),
            ..AttachedCheck::new(check.id)
        }));
        let hidden = self.game.look(|seen| {
            let mut clocks = seen.clocks().map(|one| one.clock);
            let found = clocks.find(|clock| clock.name.starts_with('X'));
            found.map(|clock| clock.id)
        });
        clock.link = hidden.map(|to| Link {
            to,
            // Not one that would bring it into the open.
            effect: [LinkEffect::Advances, LinkEffect::Starts, LinkEffect::Beside][which % 3],
        });
        self.gm(Command::add(clock));
    }

    /// A check against somebody hidden, with help or for a clock, by hand or by a seat.
    fn rolls(&self, which: usize, who: CharacterId, seat: &Seat) {
        let checks = self.game.system.spec().checks;
        let check = &checks[which % checks.len()];
        let name = self
            .game
            .look(|seen| seen.character(who).unwrap().name.clone());
        let hulk = self.hidden(which / 2).unwrap();
        let given: Vec<(&str, String)> = self.game.look(|seen| {
            let filled = seen.fill(check, Some(who));
            let open = check.fields.iter().filter_map(|field| {
                let picks = seen.picks(Some(who), field);
                let theirs = picks.iter().find(|pick| is_of(pick, &hulk, seen));
                let needs = filled.fields.value(field.id).is_none();
                let given = match (theirs, field.kind) {
                    (Some(pick), _) if which % 4 < 3 && field.whose != Whose::Own => pick.clone(),
                    _ if !needs => return None,
                    (_, Kind::Die) => "d8".into(),
                    (_, Kind::Number { min, max }) => min.midpoint(max).to_string(),
                    (_, Kind::Flag) => "no".into(),
                    (_, Kind::Word(words)) => words[0].into(),
                    (_, Kind::Text | Kind::Ranks { .. }) => "the door".into(),
                };
                Some((field.id, given))
            });
            open.collect()
        });
        let given: Vec<(&str, &str)> = given
            .iter()
            .map(|(id, text)| (*id, text.as_str()))
            .collect();
        let helper = [hulk.name.as_str()];
        let clocks = self
            .game
            .look(|seen| seen.clocks().map(|one| one.clock.id).collect::<Vec<_>>());
        let hidden_from: &[&str] = [&[] as &[&str], &["mira"], &["*"]]
            [usize::from(which.is_multiple_of(7)) + usize::from(which.is_multiple_of(21))];
        let wish = Try {
            who: &name,
            check: check.id,
            fields: &given,
            helpers: if which.is_multiple_of(5) && who != hulk.id {
                &helper
            } else {
                &[]
            },
            hidden_from,
            noticed: which.is_multiple_of(14),
            clock: clocks.get(which % (clocks.len() + 1)).copied(),
            ..Try::default()
        };
        let Ok(mut roll) = self.game.command(&wish) else {
            return;
        };
        roll.faces = Faces::Rolled;
        roll.wait = which.is_multiple_of(4);
        let seat = if which.is_multiple_of(11) {
            seat
        } else {
            &Seat::gm()
        };
        self.game
            .act(seat, &Command::Roll(Box::new(roll)).into())
            .ok();
    }

    /// Somebody suggests something, of what may be seen or of what is hidden, and the GM agrees.
    fn suggests(&self, kind: u8, which: usize) {
        let seen_by_all = |seen: &SeatView<'_>| match kind {
            24 => {
                let clocks = seen.clocks().count().max(1);
                let clock = seen.clocks().nth(which % clocks)?.clock.clone();
                Some(Command::edit(Clock {
                    segments: Segments::try_from(6).unwrap(),
                    ..clock
                }))
            }
            25 => {
                let mira = seen.character_named("Mira")?.clone();
                Some(Command::edit(Character {
                    side: Allegiance::ALL[which % 4],
                    ..mira
                }))
            }
            26 => {
                let pool = seen.pools().last()?.clone();
                Some(Command::edit(TokenPool {
                    name: format!("Lamps {which}"),
                    ..pool
                }))
            }
            _ => None,
        };
        let act: Act = match self.game.table.read(&self.mira, seen_by_all) {
            Some(command) => command.into(),
            None if which.is_multiple_of(2) => Act::Undo,
            None => {
                let clocks: Vec<_> = self
                    .game
                    .look(|seen| seen.clocks().map(|one| one.clock.id).collect());
                let Some(clock) = clocks.get(which % clocks.len().max(1)) else {
                    return;
                };
                Command::Tick {
                    clock: *clock,
                    by: 1,
                }
                .into()
            }
        };
        self.accepts(&act);
    }

    /// Mira suggests it, and the GM agrees.
    fn accepts(&self, act: &Act) {
        // A refusal tells no more than the rest; it is looked at where it is shown.
        if let Err(refused) = self.game.table.suggest(&self.mira, act) {
            assert!(!leaks(&refused.to_string()), "{refused}");
            return;
        }
        let id = self.game.look(|seen| seen.suggestions()[0].id);
        if self.game.table.accept(&Seat::gm(), id).is_err() {
            self.game.table.decline(&Seat::gm(), id).unwrap();
        }
    }
}

/// Whether a pick is of that one's sheet.
fn is_of(pick: &str, whose: &Character, seen: &SeatView<'_>) -> bool {
    let found = seen.split_character_name(pick);
    found.is_some_and(|(one, _)| one.id == whose.id)
}

fn condition(name: &str) -> Condition {
    Condition {
        name: name.into(),
        ..Condition::default()
    }
}

/// What is secret has an X before a small letter in it, or is a number of 700 and more.
fn leaks(text: &str) -> bool {
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit());
    if numbers.any(|number| number.len() == 3 && number.starts_with('7')) {
        return true;
    }
    let letters: Vec<char> = text.chars().collect();
    letters
        .windows(2)
        .any(|pair| pair[0] == 'X' && pair[1].is_ascii_lowercase())
}

/// Somebody's screen, and the terminal it is on.
struct Place {
    screen: Screen,
    far: vt100::Parser,
}

impl Place {
    fn open(game: &TestGame, seat: &Seat) -> Self {
        let setup = Setup {
            seat: seat.clone(),
            zone: Zone::Utc,
            ..Setup::gm()
        };
        let side = |length| NonZero::new(length).unwrap();
        let mut place = Self {
            screen: Screen::new(Arc::clone(&game.table), setup, SIZE),
            far: vt100::Parser::new(side(SIZE.1), side(SIZE.0), 0),
        };
        place.look();
        place
    }

    fn look(&mut self) {
        self.screen.handle(Input::Silence);
        let frame = self.screen.frame();
        self.far.process(&frame);
    }

    fn press(&mut self, keys: &str) {
        self.screen.handle(Input::Bytes(keys.as_bytes().to_vec()));
        while let Some(job) = self.screen.take_job() {
            self.screen.handle(Input::JobDone(job.answer()));
        }
        self.look();
    }

    fn shown(&self) -> String {
        self.far.screen().contents()
    }

    fn leak(&self) -> Option<String> {
        Some(self.shown()).filter(|shown| leaks(shown))
    }
}

/// The page in browsers, and all that it says to somebody who looks on.
struct Browser {
    page: Page,
    table: Arc<Table>,
    events: JoinHandle<Vec<u8>>,
    asked: String,
    /// The page of a game without secrets: what is in every page.
    bare: String,
}

impl Browser {
    fn open(table: &Arc<Table>) -> Self {
        let page = open_page(table);
        let bare = TestGame::new(System::default());
        let bare = get(&open_page(&bare.table), "");
        let mut stream = ask(&page, "events");
        let listen = move || {
            let mut all = Vec::new();
            // It ends with the page.
            stream.read_to_end(&mut all).ok();
            all
        };
        Self {
            events: thread::Builder::new().spawn(listen).unwrap(),
            asked: String::new(),
            table: Arc::clone(table),
            bare,
            page,
        }
    }

    /// Waits until the page shows the table as it is, and keeps what it says.
    fn look(&mut self) {
        let shown = self
            .table
            .read(&Seat::onlooker(), |seen| table_json("t", seen));
        let shown = serde_json::Value::Object(shown);
        loop {
            let told = get(&self.page, "state.json");
            self.asked.push_str(&told);
            if serde_json::from_str::<serde_json::Value>(&told).unwrap() == shown {
                return;
            }
        }
    }

    /// All that was said, but for what is in every page.
    fn close(mut self) -> String {
        for path in ["", "overlay/clocks", "overlay/pools", "overlay/rolls"] {
            let page = get(&self.page, path);
            let is_in_every = |line: &&str| self.bare.lines().any(|known| known == *line);
            let own = page.lines().filter(|line| !is_in_every(line));
            own.for_each(|line| self.asked.push_str(line));
        }
        drop(self.page);
        let events = String::from_utf8(self.events.join().unwrap()).unwrap();
        // The lengths of pieces are no words.
        let told = events.lines().filter(|line| line.starts_with("data: "));
        told.for_each(|line| self.asked.push_str(line));
        self.asked
    }
}

fn open_page(table: &Arc<Table>) -> Page {
    let opening = PageOpening {
        address: "127.0.0.1:0".parse().unwrap(),
        has_key: false,
        limits: Bounds::default(),
        theme: Theme::default(),
        themes: Vec::new(),
    };
    Page::open(table, &opening).unwrap()
}

fn ask(page: &Page, path: &str) -> TcpStream {
    let address = page.address();
    let host = address
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/');
    let mut stream = TcpStream::connect(host).unwrap();
    let words = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(words.as_bytes()).unwrap();
    stream
}

/// The body of what comes back, without what is drawn by lot for each answer.
fn get(page: &Page, path: &str) -> String {
    let mut answer = String::new();
    ask(page, path).read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let lot = head.split("'nonce-").nth(1);
    let lot = lot.and_then(|behind| behind.split('\'').next());
    lot.map_or_else(|| body.to_owned(), |lot| body.replace(lot, ""))
}

/// The keys that lead to every corner of a screen.
fn corners() -> Vec<String> {
    let file: BTreeMap<String, Vec<String>> = toml::from_str(include_str!("corners.toml")).unwrap();
    file.into_values().flatten().collect()
}

/// The keys that open every row of every list: what Enter shows of it, and its forecast.
fn each_row() -> Vec<String> {
    const ROWS: usize = 6;
    let mut keys = Vec::new();
    for tab in ["2", "3", "4", "5"] {
        keys.push(format!("{tab}\x1b[H"));
        for _ in 0..ROWS {
            keys.extend(["\r", "\x1b"].map(str::to_owned));
            if tab == "3" {
                keys.extend(["f", "\x1b"].map(str::to_owned));
            }
            keys.push("j".to_owned());
        }
    }
    keys
}

/// What everybody at the table sees of an evening, at its end.
fn seats(evening: &Evening) -> [Seat; 4] {
    let (mira, bo) = (evening.mira.clone(), evening.bo.clone());
    [Seat::onlooker(), mira, bo, player("nobody", &[])]
}

/// Everything that a lens gives, a line each.
fn everything(seen: &SeatView<'_>) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut say = |thing: &dyn Debug| said.push(format!("{thing:?}"));
    for one in seen.roster() {
        say(&(&one.name, &one.player, &one.conditions, &one.sheet));
        say(&(seen.notes(one), &one.notes, seen.owner_name(Some(one.id))));
    }
    for id in (0..24).map(CharacterId) {
        let name = seen.character(id).map(|one| &one.name);
        say(&(name, seen.owner_name(Some(id))));
        for check in seen.system().spec().checks {
            let mut filled = seen.fill(check, Some(id));
            // The description of the check is in every game.
            let described = format!("{check:?}");
            say(&format!("{filled:?}").replace(&described, ""));
            for field in check.fields {
                say(&seen.picks(Some(id), field));
                for given in ["?", "Nobody: might"] {
                    let refused = seen.fill_in(&mut filled, Some(id), field, given);
                    say(&refused.map_err(|no| no.to_string()));
                }
            }
        }
    }
    for clock in seen.clocks() {
        let (clock, filled) = (clock.clock, clock.filled);
        say(&(clock, filled));
        say(&seen.forecast(clock.id).map(|told| told.is_ok()));
        say(&seen.race_forecast(clock.id));
        say(&(seen.winner(clock), seen.waits_for(clock)));
        say(&seen.owner_name(clock.owner));
    }
    for pool in seen.pools() {
        say(&(&pool.name, &pool.thresholds, seen.owner_name(pool.owner)));
    }
    say(&seen.unfinished().collect::<Vec<_>>());
    say(&seen.calls().collect::<Vec<_>>());
    let locks = seen.locks().map(|(who, about)| (&who.name, about));
    say(&locks.collect::<Vec<_>>());
    let tell = |entry: &Entry| {
        let json = tableside::table::EntryJson {
            entry,
            scene: "",
            session: 1,
            is_struck: false,
            system: seen.system(),
        };
        let json = serde_json::to_string(&json).unwrap();
        format!("{entry:?} {} {json}", entry.event.text(seen.system()))
    };
    for entry in seen.log() {
        said.push(tell(&entry));
        said.extend(seen.entry(entry.number).map(|entry| tell(&entry)));
    }
    said.push(written::listed_notes(seen));
    // Luck is counted in thousandths, and is no secret.
    said.join("\n").replace("luck: Some(", "luck: Some(0")
}

/// The recaps of all sessions and of the whole game, as Markdown and as JSON.
fn recaps(table: &Table, seat: &Seat) -> String {
    let game = table.game();
    let sessions = 1..=game.session_number();
    let mut scopes: Vec<RecapScope> = sessions
        .filter_map(|session| RecapScope::session(&game, session))
        .collect();
    scopes.push(table.read(seat, RecapScope::newest_session));
    scopes.extend(RecapScope::since(table, DateTime::UNIX_EPOCH).unwrap());
    let mut told = String::new();
    for scope in scopes {
        let recap = table.recap(seat, &scope).unwrap();
        told += &recap.markdown(&|at, format| at.format(format).to_string());
        told += &recap.json();
    }
    told
}

/// What the page in browsers shows of it.
fn on_the_page(seen: &SeatView<'_>) -> String {
    serde_json::to_string_pretty(&table_json("t", seen)).unwrap()
}

/// The random part of a test case.
#[derive(Clone, Debug)]
struct Script {
    /// Kinds of acts, each with a number that chooses its details. The numbers stay below 700, because larger ones
    /// count as secrets.
    acts: Vec<(u8, usize)>,
    /// The one of the four seats whose screen is searched in every corner. Over many cases each seat has its turn.
    toured: usize,
}

fn scripts() -> impl Strategy<Value = Script> {
    let acts = prop::collection::vec((0..WRITTEN + written::KINDS, 0_usize..700), 1..40);
    (acts, 0_usize..4).prop_map(|(acts, toured)| Script { acts, toured })
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("SECRETS_CASES").ok();
    ProptestConfig {
        failure_persistence: None,
        cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(2),
        ..ProptestConfig::default()
    }
}

/// Plays so many evenings of that system.
fn evenings(system: System, play: impl Fn(System, &Script) -> Result<(), TestCaseError>) {
    let mut runner = TestRunner::new(cases());
    runner
        .run(&scripts(), |script| play(system, &script))
        .unwrap_or_else(|found| panic!("{}: {found}", system.spec().id));
}

/// No screen, no lens and no status has a hidden word in it.
fn nothing_leaks(system: System, script: &Script) -> Result<(), TestCaseError> {
    let evening = Evening::new(system, &SECRET);
    let seats = seats(&evening);
    let open = |seat| Place::open(&evening.game, seat);
    let mut places: Vec<Place> = seats.iter().map(open).collect();
    let mut browser = Browser::open(&evening.game.table);
    let mut hooks = HookEventReader::new(&evening.game.table, &Seat::onlooker());
    for &(kind, which) in &script.acts {
        evening.happens(kind, which);
        browser.look();
        for told in hooks.next(&evening.game.table) {
            prop_assert_eq!(told.json.get("number"), None, "gaps can be counted");
            let told = format!("{} {}", told.text, told.json);
            prop_assert!(!leaks(&told), "{}", told);
            let leaked = leaked_note(&told, &Seat::onlooker(), &evening.game.table.game());
            prop_assert_eq!(leaked, None, "in a hook");
        }
        // What is told in passing is looked at as it comes.
        let game = evening.game.table.game();
        for (place, seat) in places.iter_mut().zip(&seats) {
            place.screen.handle(Input::Changed);
            place.look();
            prop_assert_eq!(place.leak(), None);
            prop_assert_eq!(leaked_note(&place.shown(), seat, &game), None);
        }
    }
    let said = browser.close();
    let mut pieces = said.split(['{', '\n', '<']);
    prop_assert_eq!(pieces.find(|piece| leaks(piece)), None, "in a browser");
    let game = evening.game.table.game();
    for seat in seats.iter().chain([&Seat::gm()]) {
        let told = evening.game.table.read(seat, everything);
        prop_assert_eq!(leaked_note(&told, seat, &game), None);
        let found = written::found_in_log(&evening, seat);
        prop_assert_eq!(leaked_note(&found, seat, &game), None);
        let leak = found.lines().find(|line| !seat.sees_all() && leaks(line));
        prop_assert_eq!(leak, None, "{}", seat.name);
    }
    for seat in &seats {
        let seen = evening.game.table.read(seat, everything);
        let is_known_fill =
            |line: &&str| line.contains("visibility: Known") && !line.contains("filled: 0,");
        let leak = seen.lines().find(|line| leaks(line) || is_known_fill(line));
        prop_assert_eq!(leak, None, "{}", seat.name);
        let lines = evening.game.table.read(seat, |seen| status("t", seen));
        let mut lines = lines.iter();
        let told = lines.find(|line| leaks(&line.plain) || leaks(&line.strong));
        prop_assert_eq!(told, None, "{}", seat.name);
        let recaps = recaps(&evening.game.table, seat);
        let leak = recaps.lines().find(|line| leaks(line));
        prop_assert_eq!(leak, None, "{}", seat.name);
    }
    let (toured, seat) = (&mut places[script.toured], &seats[script.toured]);
    for keys in corners().into_iter().chain(each_row()) {
        toured.press(&keys);
        prop_assert_eq!(toured.leak(), None, "{} after {:?}", seat.name, keys);
        let leaked = leaked_note(&toured.shown(), seat, &game);
        prop_assert_eq!(leaked, None, "after {:?}", keys);
    }
    // The GM sees it, or there would be nothing to find.
    prop_assert!(leaks(&evening.game.look(everything)));
    Ok(())
}

/// All that a seat is shown of an evening: on the page, in the status and in every corner of its screen.
fn shown_to(evening: &Evening, seat: &Seat) -> String {
    let mut told = evening.game.table.read(seat, on_the_page);
    let lines = evening.game.table.read(seat, |seen| status("t", seen));
    told.extend(lines.into_iter().map(|line| line.plain + "\n"));
    told += &recaps(&evening.game.table, seat);
    let mut screen = Place::open(&evening.game, seat);
    for keys in corners() {
        screen.press(&keys);
        told.push_str(&screen.shown());
    }
    told
}

fn no_line_differs(one: &str, other: &str) -> Result<(), TestCaseError> {
    let mut lines = one.lines().zip(other.lines());
    prop_assert_eq!(lines.find(|(one, other)| one != other), None);
    Ok(())
}

/// Whatever the hidden are called, players see the very same: no letter of a name gets out, and no name of somebody
/// hidden takes anything innocent with it.
fn names_make_no_difference(system: System, script: &Script) -> Result<(), TestCaseError> {
    let both = [&SECRET, &PLAIN].map(|names| Evening::new(system, names));
    for &(kind, which) in &script.acts {
        for evening in &both {
            evening.happens(kind, which);
        }
    }
    for place in 0..4 {
        let [one, other] = both.each_ref().map(|evening| {
            let seat = &seats(evening)[place];
            evening.game.table.read(seat, everything)
        });
        no_line_differs(&one, &other)?;
        prop_assert_eq!(one.len(), other.len());
    }
    let [one, other] = both
        .each_ref()
        .map(|evening| shown_to(evening, &seats(evening)[script.toured]));
    no_line_differs(&one, &other)?;
    prop_assert_eq!(one.len(), other.len());
    Ok(())
}

/// What the GM does in secret leaves no trace on any other screen: no number is left out, no count differs.
fn secret_acts_leave_no_trace(system: System, script: &Script) -> Result<(), TestCaseError> {
    let both = [false, true].map(|secret| (Evening::new(system, &SECRET), secret));
    for (evening, has_secrets) in &both {
        // What takes back or amends the newest act would take back the secret one.
        let acts = script
            .acts
            .iter()
            .filter(|(kind, _)| ![12, 13, 28].contains(kind))
            .filter(|(kind, _)| !written::changes_notes(*kind));
        let mut has_ended = false;
        for (kind, which) in acts {
            // A session cannot end again before something happens, and a secret note is something.
            let ends =
                (*kind == 9 && which.is_multiple_of(3)) || written::ends_session(*kind, *which);
            if ends && has_ended {
                continue;
            }
            has_ended |= ends;
            if *has_secrets && which % 2 == 0 {
                evening.gm(note("Xnote"));
                // What Bo writes for himself, nobody else may notice.
                if script.toured != 2 {
                    evening.writes(4, *which);
                }
            }
            evening.happens(*kind, *which);
        }
    }
    let [one, other] = both
        .each_ref()
        .map(|(evening, _)| shown_to(evening, &seats(evening)[script.toured]));
    no_line_differs(&one, &other)
}

macro_rules! evenings_of {
    ($($name:ident: $system:ident),+) => {
        $(mod $name {
            use super::*;

            #[test]
            fn nothing_hidden_is_where_it_may_not_be_read() {
                evenings(System::$system, nothing_leaks);
            }

            #[test]
            fn what_is_done_in_secret_leaves_no_trace() {
                evenings(System::$system, secret_acts_leave_no_trace);
            }

            #[test]
            fn what_the_hidden_are_called_makes_no_difference_to_players() {
                evenings(System::$system, names_make_no_difference);
            }
        })+
    };
}

evenings_of!(
    heart_rush: HEART_RUSH,
    hearts: HEARTS,
    friday_night_dungeon: FRIDAY_NIGHT_DUNGEON,
    hfrpg: HFRPG,
    gnosis: GNOSIS,
    forged_in_the_dark: FORGED_IN_THE_DARK,
    iron_vows: IRON_VOWS,
    two_dice_moves: TWO_DICE_MOVES,
    four_dice_aspects: FOUR_DICE_ASPECTS,
    pushed_pools: PUSHED_POOLS,
    five_e: FIVE_E,
    percentile: PERCENTILE,
    twenty_four_xx: TWENTY_FOUR_XX
);
