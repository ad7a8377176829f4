//! Scripted evenings: what the rules say around the dice, played in the words of `tableside do`.
//!
//! Each file in `tests/evenings` holds evenings of one system. A line is one of
//!
//! ```text
//! # what it shows              begins an evening
//! + Mira: agility d10; …       a character with these stats; an owner of clocks and pools
//! > damage mira 9              the GM does it; `Mira> …` is her player's doing, `Mira+Bo> …` that of both
//! ! tick doom => not there     is refused, with these words in the refusal
//! log …  effects a; b          what the last act says in the log; what followed from a roll
//! roll 14 against 19 success   the last roll's total, target and outcome, as far as they are given
//! dice [5, 6]; fail by gm      the last roll's faces and choices
//! title Mira · Agility          what a card says that it is about
//! source aspect Captain        where a field of the last roll came from
//! = Mira: wounds Gash 12; destiny 3; acted yes; conditions dazed 1; clock Blood 2; entry …
//! = The cliff 2 of 4           a clock
//! mark a  same a               the state is what it was
//! let a                        `$a` is the number of the last act from here on
//! struck $a  holds $a          an entry that was taken back or replaced, or was not
//! clocks A 3/20, B 2/2          all clocks, and how full they are
//! sees Mira: Mira, The fire     the characters and clocks in sight of the GM, a player or an onlooker, and who is called
//! reads Mira: The fire +1: …    the newest entry of the log that is theirs to read, and who made it, as in `gm: …`
//! forecast The fire: full in 2 rolls
//! race The fire: 0.603, 0.397, 0    the chances to be full first, and of a tie
//! racing The fire: The bridge    the name of its race
//! passes The fire               the clock ends with its scene
//! starts favor 1                the pool begins so, and stands so
//! at friday                     goes on at that table; those after the first, `host`, are its
//! follow  joins                 the table takes in what its host did, as while it is open, or as when it is opened
//! allow                         its players tick its clocks
//! entry 3                       the number of the last act
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use rstest::rstest;
use tableside::game::{Clock, Command, Game};
use tableside::rules::{Answer, System};
use tableside::table::{Allowed, Entry, Seat};

use super::around::{TestGame, player};
use super::host::clocks;
use super::played::run_command_as;

/// An evening as far as it was played.
struct Evening {
    /// The table at hand, and all that have a name.
    game: TestGame,
    tables: BTreeMap<String, TestGame>,
    last: Option<Arc<Entry>>,
    marks: BTreeMap<String, String>,
    numbers: BTreeMap<String, u64>,
}

impl Evening {
    fn new(system: System) -> Self {
        Self {
            game: TestGame::new(system),
            tables: BTreeMap::new(),
            last: None,
            marks: BTreeMap::new(),
            numbers: BTreeMap::new(),
        }
    }

    fn play(&mut self, line: &str) {
        let line = self.numbered(line);
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "+" => self.joins(rest),
            "!" => {
                let (words, due) = rest.split_once(" => ").expect("what it is refused with");
                let refused = self.act(words).expect_err("it was not refused");
                assert!(refused.contains(due), "refused with: {refused}");
            }
            "log" => assert_eq!(self.game.last(), rest),
            "effects" => {
                let effects = self.last().roll().unwrap().effects.iter();
                let told: Vec<_> = effects.map(|one| one.text(self.game.system)).collect();
                assert_eq!(dash(told.join("; ")), rest);
            }
            "roll" => self.rolled(rest),
            "dice" => assert_eq!(self.dice(), rest),
            "title" => {
                let roll = self.last().roll().unwrap();
                let tested = roll.tested(self.game.system).unwrap();
                assert_eq!(tested.title(&roll.who), rest);
            }
            "source" => assert_eq!(self.source(rest.split(' ').next().unwrap()), rest),
            "=" => self.stands(rest),
            "mark" => drop(self.marks.insert(rest.to_owned(), self.game.state())),
            "same" => assert_eq!(self.game.state(), self.marks[rest]),
            "let" => drop(self.numbers.insert(rest.to_owned(), self.last().number)),
            "struck" => assert!(self.game.is_struck(rest.parse().unwrap())),
            "clocks" => assert_eq!(dash(self.clocks()), rest),
            "forecast" | "race" | "racing" | "sees" | "reads" => {
                let (of, due) = rest.split_once(": ").expect("what is due");
                let told = match word {
                    "forecast" => self.forecast(of),
                    "race" => self.race(of),
                    "racing" => self.clock(of).race,
                    "sees" => self.seen_by(of),
                    _ => self.read_by(of),
                };
                assert_eq!(dash(told), due);
            }
            "passes" => {
                let mut clock = self.clock(rest);
                clock.of_scene = true;
                self.game.run(Command::edit(clock));
            }
            "starts" => {
                let (pool, tokens) = rest.split_once(' ').unwrap();
                let game = self.game.table.game();
                let mut pools = game.pools.iter();
                let mut pool = pools
                    .find(|one| one.id_word() == pool)
                    .expect("such a pool")
                    .clone();
                pool.start = tokens.parse().unwrap();
                pool.tokens = pool.start;
                self.game.run(Command::edit(pool));
            }
            "at" => self.at(rest),
            "entry" => assert_eq!(self.last().number.to_string(), rest),
            "joins" => {
                let host = Arc::clone(&self.tables["host"].table);
                self.game.table.join_host(Arc::new(host)).unwrap();
            }
            "follow" => self.game.table.follow_host().unwrap(),
            "allow" => self.game.table.allow(Allowed {
                table_clocks: true,
                ..Allowed::default()
            }),
            "holds" => assert!(!self.game.is_struck(rest.parse().unwrap())),
            _ => drop(self.act(&line).unwrap()),
        }
    }

    /// The line with the numbers of entries in the place of their names.
    fn numbered(&self, line: &str) -> String {
        let mut line = line.to_owned();
        for (name, number) in self.numbers.iter().rev() {
            line = line.replace(&format!("${name}"), &number.to_string());
        }
        line
    }

    fn joins(&self, words: &str) {
        let (name, stats) = words.split_once(": ").unwrap_or((words, ""));
        let stats = stats.split("; ").filter(|stat| !stat.is_empty());
        let stats = stats.map(|stat| stat.split_once(' ').unwrap());
        self.game.add(name, stats);
    }

    /// Goes to a table, which begins with nothing.
    fn at(&mut self, name: &str) {
        let host = self.tables.get("host").cloned();
        let system = self.game.system;
        let table = self.tables.entry(name.to_owned()).or_insert_with(|| {
            let game = TestGame::begin(name, Game::new(system).emptied());
            if let Some(host) = host {
                game.table.join_host(Arc::new(host.table)).unwrap();
            }
            game
        });
        self.game = table.clone();
    }

    fn seat(&self, who: &str) -> Seat {
        match who {
            "" | "gm" => Seat::gm(),
            "onlooker" => Seat::onlooker(),
            names => {
                let theirs: Vec<_> = names.split('+').map(|name| self.game.id(name)).collect();
                player(names, &theirs)
            }
        }
    }

    fn clock(&self, name: &str) -> Clock {
        let game = self.game.table.game();
        let clock = game.clocks.iter().find(|clock| clock.name == name);
        clock.expect("a clock of that name").clone()
    }

    fn clocks(&self) -> String {
        clocks(&self.game.table).join(", ")
    }

    fn forecast(&self, clock: &str) -> String {
        let id = self.clock(clock).id;
        match self.game.look(|seen| seen.forecast(id).unwrap()) {
            Err(why) => why.to_string(),
            Ok(told) => told.in_short().unwrap_or_default(),
        }
    }

    fn race(&self, clock: &str) -> String {
        let id = self.clock(clock).id;
        match self.game.look(|seen| seen.race_forecast(id)) {
            None => String::new(),
            Some(Err(why)) => why.to_string(),
            Some(Ok(race)) => {
                let all = race.wins.iter().chain([&race.tie]);
                let all = all.map(|chance| ((chance * 1000.0).round() / 1000.0).to_string());
                all.collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn seen_by(&self, who: &str) -> String {
        self.game.table.read(&self.seat(who), |seen| {
            let people = seen.roster().map(|one| one.name.clone());
            let clocks = seen.clocks().map(|one| one.clock.name.clone());
            let calls = seen
                .calls()
                .map(|call| format!("{} to roll", seen.owner_name(Some(call.who))));
            let all: Vec<_> = people.chain(clocks).chain(calls).collect();
            all.join(", ")
        })
    }

    fn read_by(&self, who: &str) -> String {
        self.game.table.read(&self.seat(who), |seen| {
            let newest = seen.log().next();
            newest.map_or_else(String::new, |entry| {
                format!("{}: {}", entry.by, entry.event.text(seen.system()))
            })
        })
    }

    /// Somebody does something: `> damage mira 9`, `Mira> tick rope`.
    fn act(&mut self, line: &str) -> Result<Arc<Entry>, String> {
        let (who, words) = line.split_once("> ").unwrap_or(("", line));
        let seat = self.seat(who);
        let entry = Arc::new(run_command_as(&self.game.table, &seat, words)?);
        self.last = Some(Arc::clone(&entry));
        Ok(entry)
    }

    fn last(&self) -> &Entry {
        self.last.as_ref().expect("something was done")
    }

    fn rolled(&self, due: &str) {
        let roll = self.last().roll().unwrap();
        let outcome = roll.derive(self.game.system).unwrap();
        let number =
            |number: Option<i32>| number.map_or_else(|| "-".to_owned(), |it| it.to_string());
        let (total, target) = (number(outcome.total), number(outcome.target));
        let told = format!("{total} against {target} {}", roll.outcome);
        assert!(told.contains(due), "rolled {told}");
    }

    fn dice(&self) -> String {
        let trail = self.last().roll().unwrap().trail.iter();
        let told = trail.map(|answer| match answer {
            Answer::Faces(faces) => format!("{faces:?}"),
            Answer::Chose { chose, by, .. } => {
                let by = serde_json::to_value(by).unwrap();
                format!("{chose} by {}", by.as_str().unwrap())
            }
        });
        told.collect::<Vec<_>>().join("; ")
    }

    fn source(&self, field: &str) -> String {
        let sources = &self.last().roll().unwrap().sources;
        let found = sources.get(field);
        found.map_or_else(|| format!("{field} -"), |words| format!("{field} {words}"))
    }

    /// How a character or a clock stands.
    fn stands(&self, due: &str) {
        let Some((name, all)) = due.split_once(": ") else {
            let game = self.game.table.game();
            let mut clocks = game.clocks.iter();
            let clock = clocks.find(|clock| due.starts_with(&clock.name));
            let clock = clock.expect("a clock of that name");
            let (filled, of) = (clock.filled, clock.segments.count());
            assert_eq!(format!("{} {filled} of {of}", clock.name), due);
            return;
        };
        for one in all.split("; ") {
            let (what, _) = one.split_once(' ').unwrap_or((one, ""));
            assert_eq!(
                format!("{what} {}", dash(self.of(name, what))),
                one,
                "{name}"
            );
        }
    }

    /// A stat, a pool, what somebody suffers, or whether they have acted.
    fn of(&self, name: &str, what: &str) -> String {
        self.game.look(|seen| {
            let one = seen.character_named(name).expect("somebody of that name");
            let mut pools = seen.pools_of(Some(one.id));
            let stress = seen.clocks().find(|clock| {
                clock.clock.owner == Some(one.id) && clock.clock.name.to_lowercase() == what
            });
            if let Some(pool) = pools.find(|pool| pool.id_word() == what) {
                pool.tokens.to_string()
            } else if let Some(stress) = stress {
                stress.clock.filled.to_string()
            } else if what == "acted" {
                if one.acted { "yes" } else { "no" }.to_owned()
            } else if what == "conditions" {
                let conditions = one.conditions.iter();
                let told = conditions.map(|one| match one.value {
                    Some(value) => format!("{} {value}", one.name),
                    None => one.name.clone(),
                });
                told.collect::<Vec<_>>().join(", ")
            } else if what == "standing" {
                let standing = seen.standing_of(one);
                standing.map_or_else(String::new, |standing| standing.word.to_owned())
            } else if what == "locks" {
                let locks = seen.locks().filter(|(who, _)| who.id == one.id);
                locks.map(|(_, about)| about).collect::<Vec<_>>().join(", ")
            } else {
                one.sheet.value(what).expect("a stat").to_string()
            }
        })
    }
}

/// What is empty is written as a dash.
fn dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

#[rstest]
fn an_evening_goes_as_it_is_written(#[files("tests/evenings/*.txt")] file: PathBuf) {
    let text = fs::read_to_string(&file).unwrap();
    let system = file.file_stem().unwrap().to_str().unwrap();
    let system: System = system.parse().unwrap();
    let mut evening: Option<Evening> = None;
    let mut wrong = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let said = line.split("  // ").next().unwrap().trim_end();
        if said.starts_with('#') {
            evening = Some(Evening::new(system));
        } else if let Some(one) = evening.as_mut().filter(|_| !said.is_empty()) {
            let played = AssertUnwindSafe(|| one.play(said));
            if catch_unwind(played).is_err() {
                wrong.push(format!("{}:{}: {line}", file.display(), number + 1));
                // What follows in it is of no use.
                evening = None;
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
