//! Plays `tests/screens/scripts/*.txt`: keys that people press, and what they then see.
//!
//! A line `== …` begins a test. The lines before the first one are done at the beginning of each. Blanks count as
//! one blank wherever text is compared.
//!
//! | line | does |
//! |---|---|
//! | `game SYSTEM`, `game full` | begins with an empty game, of a system or of a file, or with the one in full swing |
//! | `do WORDS` | the GM does that elsewhere, in plain words |
//! | `gm [40x12]`, `player NAME [40x12]` | this person's screen from here on |
//! | `press KEYS` | keys by their names; other words are typed |
//! | `type TEXT`, `paste TEXT`, `click TEXT` | types, pastes, or presses the mouse where the text stands |
//! | `go LABEL`, `step TEXT` | presses Down until that row has the focus, or Right until the text is seen |
//! | `see TEXT`, `no TEXT` | the text is on the screen, or not |
//! | `row A \| B` | a line has both A and B |
//! | `focus TEXT` | the row in focus begins with it |
//! | `log TEXT`, `status TEXT`, `not in status TEXT` | the newest entry of the log, or the state as the GM hears it |
//! | `by NAME` | who made the newest entry of the log |
//! | `home` | no dialog is open |
//! | `look TEXT \| bold`, `plain TEXT \| bold` | the first letter has that weight, or not: bold, italic, underline, inverse |
//! | `alike A \| B`, `apart A \| B` | the colours of the first letters are the same, or not |
//! | `order A \| B` | A stands before B |
//! | `keys TEXT`, `no keys TEXT` | the line of keys has the text, or not |
//! | `leaves`, `stays` | the last keys leave the screen, or not |
//! | `picture NAME` | compares the screen with a stored picture |

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rstest::rstest;
use tableside::commands::act_in_words;
use tableside::rules::System;
use tableside::screen::{ExitReason, Flow, Input};
use tableside::table::{Seat, SeatId, SeatRole, SeatView, Table, status};

use crate::bench::Bench;
use crate::games;

pub(crate) struct Play {
    table: Arc<Table>,
    screens: BTreeMap<String, Bench>,
    person: String,
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn size(word: Option<&str>) -> (u16, u16) {
    let (width, height) = word.unwrap_or("120x40").split_once('x').unwrap();
    (width.parse().unwrap(), height.parse().unwrap())
}

impl Play {
    pub(crate) fn new(game: &str) -> Self {
        let table = if game == "full" {
            games::full()
        } else {
            let system = match std::fs::read_to_string(game) {
                Ok(file) => System::of_file(&file, true).unwrap(),
                Err(_) => game.parse::<System>().unwrap(),
            };
            games::empty(system)
        };
        let mut play = Self {
            table,
            screens: BTreeMap::new(),
            person: String::new(),
        };
        play.sit_down("gm", Seat::gm(), (120, 40));
        play
    }

    fn sit_down(&mut self, name: &str, seat: Seat, size: (u16, u16)) {
        name.clone_into(&mut self.person);
        if let Some(bench) = self.screens.get_mut(name) {
            bench.resize(size);
        } else {
            let bench = Bench::with(&self.table, size, |setup| setup.seat = seat);
            self.screens.insert(name.to_owned(), bench);
        }
    }

    fn player(&self, name: &str) -> Seat {
        self.table.read(&Seat::gm(), |seen| {
            let own = seen.roster().filter(|one| one.player == name);
            Seat {
                id: SeatId(7),
                name: name.to_owned(),
                role: SeatRole::Player,
                characters: own.map(|one| one.id).collect(),
            }
        })
    }

    fn bench(&mut self) -> &mut Bench {
        self.screens.get_mut(&self.person).unwrap()
    }

    fn seen(&mut self) -> String {
        squeezed(&self.bench().text())
    }

    /// The line of keys.
    fn keys(&mut self) -> String {
        squeezed(&self.bench().foot())
    }

    fn focus(&mut self) -> String {
        let text = self.bench().text();
        // The cursor of a panel may stand in the same line, left of a dialog.
        let mut rows = Vec::new();
        for line in text.lines().rev() {
            for (place, sign) in line.match_indices("› ") {
                let (before, rest) = line.split_at(place);
                rows.push((before, rest.trim_start_matches(sign)));
            }
        }
        // A dialog lies over panels. Their frames stand at the left edge or touch each other; its frame does not.
        let is_inside = |before: &str| {
            let touches = ["││ ", "▴│ ", "▾│ "];
            let is_panel = touches.iter().any(|frames| before.ends_with(frames));
            before.chars().count() > 3 && before.ends_with("│ ") && !is_panel
        };
        let row = rows.iter().find(|(before, _)| is_inside(before));
        if row.is_some() || text.contains("Esc ") {
            let row = row.or_else(|| rows.first());
            return row.map_or_else(String::new, |(_, row)| squeezed(row));
        }

        // The cursor of a panel without the focus is not bold.
        let cursors = self.bench().cells_of("›");
        let Some((row, column, _)) = cursors.iter().find(|(_, _, cell)| cell.bold()) else {
            return String::new();
        };
        let line = text.lines().nth(usize::from(*row)).unwrap_or_default();
        let rest: String = line.chars().skip(usize::from(*column) + 1).collect();
        squeezed(&rest)
    }

    fn status(&self) -> String {
        let lines = self.table.read(&Seat::gm(), |seen| status("game", seen));
        let lines = lines
            .iter()
            .map(|line| format!("{}{}", line.strong, line.plain));
        squeezed(&lines.collect::<Vec<_>>().join(" "))
    }

    /// What there is to see, for a test that fails.
    pub(crate) fn told(&mut self) -> String {
        let (focus, status) = (self.focus(), self.status());
        format!("{}\nfocus: {focus}\n{status}", self.bench().text())
    }

    fn press_until(&mut self, key: &str, is_there: impl Fn(&mut Self) -> bool) -> bool {
        (0..40).any(|_| {
            let is_there = is_there(self);
            if !is_there {
                self.bench().press(key);
            }
            is_there
        })
    }

    /// Does a line; returns whether it holds.
    pub(crate) fn play(&mut self, line: &str) -> bool {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let text = squeezed(rest);
        match verb {
            "game" => *self = Self::new(rest),
            "do" => {
                let gm = Seat::gm();
                let act = act_in_words(&self.table, &gm, rest);
                let done = act.map(|act| self.table.submit(&gm, &act));
                if !matches!(done, Ok(Ok(_))) {
                    println!("{rest}: {done:?}");
                    return false;
                }
            }
            "gm" => {
                let word = (!rest.is_empty()).then_some(rest);
                self.sit_down("gm", Seat::gm(), size(word));
            }
            "player" => {
                let mut words = rest.split(' ');
                let name = words.next().unwrap();
                self.sit_down(name, self.player(name), size(words.next()));
            }
            "press" => {
                self.bench().press(rest);
            }
            "type" => {
                self.bench().type_text(rest);
            }
            "paste" => {
                let pasted = rest.replace("\\n", "\n");
                self.bench()
                    .type_text(&format!("\x1b[200~{pasted}\x1b[201~"));
            }
            "click" => {
                let text = self.bench().text();
                let (row, line) = text
                    .lines()
                    .enumerate()
                    .find(|(_, line)| line.contains(rest))
                    .unwrap();
                let column = line.split(rest).next().unwrap().chars().count();
                let at = [column, row].map(|at| u16::try_from(at).unwrap());
                self.bench().click(at[0], at[1]);
            }
            "go" => return self.press_until("Down", |play| play.focus().starts_with(&text)),
            "step" => return self.press_until("Right", |play| play.seen().contains(&text)),
            "see" => return self.seen().contains(&text),
            "no" => {
                return match text.strip_prefix("keys ") {
                    Some(text) => !self.keys().contains(text),
                    None => !self.seen().contains(&text),
                };
            }
            "row" => {
                let (one, other) = rest.split_once(" | ").unwrap();
                let text = self.bench().text();
                let mut lines = text.lines();
                return lines.any(|line| line.contains(one) && line.contains(other));
            }
            "focus" => return self.focus().starts_with(&text),
            "log" | "by" => {
                let newest = |seen: &SeatView<'_>| {
                    let entry = seen.log().next()?;
                    Some((entry.event.text(seen.system()), entry.by.clone()))
                };
                let newest = self.table.read(&Seat::gm(), newest);
                return newest.is_some_and(|(newest, by)| match verb {
                    "by" => by == text,
                    _ => squeezed(&newest).contains(&text),
                });
            }
            "status" => return self.status().contains(&text),
            "not" => {
                let gone = text.strip_prefix("in status ").unwrap();
                return !self.status().contains(gone);
            }
            "look" | "plain" => {
                let (one, weight) = rest.split_once(" | ").unwrap();
                let cell = self.bench().cell(one);
                let has = match weight {
                    "bold" => cell.bold(),
                    "italic" => cell.italic(),
                    "underline" => cell.underline(),
                    "inverse" => cell.inverse(),
                    _ => panic!("{weight} is no weight"),
                };
                return has == (verb == "look");
            }
            "alike" | "apart" => {
                let (one, other) = rest.split_once(" | ").unwrap();
                let [one, other] = [one, other].map(|text| self.bench().cell(text).fgcolor());
                return (one == other) == (verb == "alike");
            }
            "order" => {
                let (one, other) = rest.split_once(" | ").unwrap();
                let seen = self.seen();
                let [one, other] = [one, other].map(|text| seen.find(text));
                return one.is_some() && one < other;
            }
            "keys" => return self.keys().contains(&text),
            "leaves" => return self.bench().wish() == Flow::Leave(ExitReason::Quit),
            "stays" => return self.bench().wish() == Flow::Stay,
            "home" => return self.bench().screen.state().is_browsing(),
            "picture" => insta::assert_snapshot!(rest, self.bench().text()),
            _ => panic!("{verb} is no line of a script"),
        }
        for bench in self.screens.values_mut() {
            bench.screen.handle(Input::Changed);
            bench.look();
        }
        true
    }
}

/// Plays a test to its end, or to the first line that does not hold; returns what was seen then.
fn play(lines: &[(usize, &str)]) -> Result<(), String> {
    let mut play = Play::new("heart-rush");
    for (place, line) in lines {
        if !play.play(line) {
            return Err(format!("line {}: {line}\n{}", place + 1, play.told()));
        }
    }
    Ok(())
}

#[rstest]
fn what_is_pressed_comes_to_what_is_written(#[files("tests/screens/scripts/*.txt")] file: PathBuf) {
    let script = std::fs::read_to_string(&file).unwrap();
    let lines = script.lines().map(str::trim_end).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<_> = lines.collect();
    let mut parts = lines.split(|(_, line)| line.starts_with("=="));
    let always = parts.next().unwrap();
    let failed = parts.filter_map(|part| play(&[always, part].concat()).err());
    let failed: Vec<_> = failed.collect();
    assert!(
        failed.is_empty(),
        "{}, {}",
        file.display(),
        failed.join("\n\n")
    );
}
