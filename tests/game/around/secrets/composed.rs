//! Acts whose words are composed of several names: races, tugs-of-war, links, group calls. Their members are hidden
//! from the start or later, shown under another name, renamed and deleted.
//!
//! A clock that players see is called `Runner`, and a hidden one `Xrunner`. A hidden clock gets a public name before it
//! is shown, and a shown clock gets a secret name after it was hidden.

use std::sync::Arc;

use tableside::game::{
    CallCommand, Character, CharacterId, Clock, ClockId, ClockKind, Command, Condition,
    ConditionEnd, EntityRef, FreeRoll, FreeRollCommand, Initiative, InitiativeCommand, Link,
    LinkEffect, RandomTables, Segments, Visibility,
};
use tableside::rules::Kind;
use tableside::table::SeatView;

use super::Evening;

/// Tables whose names and rows only the GM may read.
fn secret_tables() -> Arc<RandomTables> {
    let file = "title = \"Xtable\"\nrows = [{ text = \"Xhulk and 2d6 more\", roll = \"xomen\" }]";
    let omen = "title = \"Xomen\"\nrows = [{ text = \"Xi is near\" }, { text = \"Xi is far\" }]";
    let files = [("xtable", file), ("xomen", omen)];
    let files = files.map(|(name, text)| (name.to_owned(), Ok(text.to_owned())));
    Arc::new(RandomTables::with_included(files, None))
}

/// The number of kinds of acts in this file.
pub(super) const KINDS: u8 = 17;

/// Players know clocks of this name, as long as they are visible.
const PUBLIC: &str = "Runner";
const SECRET: &str = "Xrunner";

impl Evening {
    /// One act of this file, by number.
    pub(super) fn happens_to_runners(&self, kind: u8, which: usize) {
        match kind {
            0 => self.start_runner(which, Visibility::Hidden),
            1 => self.start_runner(which, Visibility::ALL[which % 3]),
            2 | 3 => self.race_two_runners(which),
            4 => self.hide_runner(which),
            5 => self.show_runner(which),
            6 => self.rename_hidden_runner(which),
            7 => self.delete_runner(which),
            8 | 9 => self.tick_runner(which),
            10 => self.link_runners(which),
            11 => self.suggest_about_runners(which),
            12 => self.call_group(which),
            13 => self.throw_on_table(which),
            _ => self.fight(kind, which),
        }
    }

    fn runners(&self, is_wanted: impl Fn(&Clock) -> bool) -> Vec<Clock> {
        self.game.look(|seen| {
            let clocks = seen.clocks().map(|one| one.clock);
            let runners = clocks
                .filter(|clock| clock.name.starts_with(PUBLIC) || clock.name.starts_with(SECRET));
            runners.filter(|clock| is_wanted(clock)).cloned().collect()
        })
    }

    fn runner(&self, which: usize, is_wanted: impl Fn(&Clock) -> bool) -> Option<Clock> {
        let runners = self.runners(is_wanted);
        let count = runners.len().max(1);
        runners.into_iter().nth(which % count)
    }

    fn start_runner(&self, which: usize, visibility: Visibility) {
        let is_hidden = visibility == Visibility::Hidden;
        let stem = if is_hidden { SECRET } else { PUBLIC };
        let kind = ClockKind::ALL[which % 4];
        let mut runner = Clock::new(format!("{stem} {which}"), Segments::try_from(4).unwrap());
        runner.visibility = visibility;
        runner.kind = kind;
        if visibility == Visibility::Known {
            runner.filled = 3;
        }
        if visibility == Visibility::Visible && which.is_multiple_of(2) {
            runner.owner = Some(self.mira.characters[0]);
        }
        if is_hidden && kind == ClockKind::TugOfWar {
            runner.ends = Some(["Xleft".into(), "Xright".into()]);
        }
        self.gm(Command::add(runner));
    }

    /// Races as `race A against B` makes them, as people name them, and as older programs stored them: by the names
    /// of both clocks.
    fn race_two_runners(&self, which: usize) {
        let Some(clock) = self.runner(which, |_| true) else {
            return self.start_runner(which, Visibility::Visible);
        };
        let Some(rival) = self.runner(which / 3, |one| one.id != clock.id) else {
            return self.start_runner(which, Visibility::Hidden);
        };
        if which % 3 < 2 {
            self.gm(Command::Race {
                clock: clock.id,
                rival: rival.id,
            });
            return;
        }

        let race = if which.is_multiple_of(2) {
            format!("{SECRET} {} against {PUBLIC}", clock.name)
        } else {
            format!("{} against {SECRET} {}", clock.name, rival.name)
        };
        let edits = [clock, rival].map(|one| {
            Command::edit(Clock {
                kind: ClockKind::Race,
                race: race.clone(),
                ..one
            })
        });
        self.gm(Command::together(edits.into()));
    }

    fn hide_runner(&self, which: usize) {
        let is_shown = |clock: &Clock| clock.visibility != Visibility::Hidden;
        if let Some(runner) = self.runner(which, is_shown) {
            self.gm(Command::edit(Clock {
                visibility: Visibility::Hidden,
                ..runner.clone()
            }));
            self.gm(Command::edit(Clock {
                name: format!("{SECRET} {which}"),
                visibility: Visibility::Hidden,
                ..runner
            }));
        }
    }

    fn show_runner(&self, which: usize) {
        let is_hidden = |clock: &Clock| clock.visibility == Visibility::Hidden;
        if let Some(runner) = self.runner(which, is_hidden) {
            self.gm(Command::edit(Clock {
                name: format!("{PUBLIC} {which}"),
                visibility: Visibility::Visible,
                ends: None,
                ..runner
            }));
        }
    }

    fn rename_hidden_runner(&self, which: usize) {
        let is_hidden = |clock: &Clock| clock.visibility == Visibility::Hidden;
        if let Some(runner) = self.runner(which, is_hidden) {
            self.gm(Command::edit(Clock {
                name: format!("{SECRET} {which} of old"),
                ..runner
            }));
        }
    }

    fn delete_runner(&self, which: usize) {
        if let Some(runner) = self.runner(which, |_| true) {
            self.gm(Command::Remove(EntityRef::Clock(runner.id)));
        }
    }

    /// Fills a clock, so that a race is won, a tug-of-war ends, and links are followed.
    fn tick_runner(&self, which: usize) {
        let is_own = |clock: &Clock| clock.owner == Some(self.mira.characters[0]);
        let Some(runner) = self.runner(which, |clock| which.is_multiple_of(3) || is_own(clock))
        else {
            return;
        };
        let tick = Command::Tick {
            clock: runner.id,
            by: if which.is_multiple_of(5) { -2 } else { 4 },
        };
        if is_own(&runner) {
            self.game.act(&self.mira, &tick.into()).ok();
        } else {
            self.gm(tick);
        }
    }

    fn link_runners(&self, which: usize) {
        let Some(runner) = self.runner(which, |_| true) else {
            return;
        };
        let Some(other) = self.runner(which / 3, |one| one.id != runner.id) else {
            return;
        };
        // A link that reveals a clock would show it under its secret name.
        let effect = [LinkEffect::Advances, LinkEffect::Starts, LinkEffect::Beside][which % 3];
        let link = Link {
            to: other.id,
            effect,
        };
        self.gm(Command::edit(Clock {
            link: Some(link),
            ..runner
        }));
    }

    /// Mira suggests something about a clock that she may not know of, and the GM agrees.
    fn suggest_about_runners(&self, which: usize) {
        let Some(clock) = self.runner(which, |_| true) else {
            return;
        };
        let rival: ClockId = self
            .runner(which / 3, |_| true)
            .map_or(clock.id, |rival| rival.id);
        let command = if which.is_multiple_of(2) {
            Command::Race {
                clock: clock.id,
                rival,
            }
        } else {
            Command::Tick {
                clock: clock.id,
                by: 1,
            }
        };
        self.accepts(&command.into());
    }

    /// A call for a group, of which one member or more are hidden.
    fn call_group(&self, which: usize) {
        let Some(hidden) = self.hidden(which) else {
            return;
        };
        let Some(helper) = self.hidden(which / 2) else {
            return;
        };
        let checks = self.game.system.spec().checks;
        let check = &checks[which % checks.len()];
        let numbers = check.fields.iter().filter_map(|field| match field.kind {
            Kind::Number { min, max } => Some((field.id.to_owned(), min.midpoint(max).to_string())),
            _ => None,
        });
        self.gm(Command::Call(CallCommand {
            group: which.is_multiple_of(2),
            who: vec![self.mira.characters[0], hidden.id],
            check: check.id.into(),
            fields: numbers.take(which % 2).collect(),
            helpers: vec![helper.id],
            shown: true,
        }));
    }

    /// A fight in which the hidden take turns too.
    fn fight(&self, kind: u8, which: usize) {
        let everybody: Vec<CharacterId> = self
            .game
            .look(|seen| seen.roster().map(|one| one.id).collect());
        let number = i32::try_from(which % 20).unwrap_or(0);
        let hidden = self.hidden(which).map(|one| one.id);
        let set = [Some(self.mira.characters[0]), hidden];
        let set = set.into_iter().flatten();
        let set: Vec<_> = set
            .map(|who| (who, Some(Initiative::from(number))))
            .collect();
        let command = match (kind, which % 4) {
            (14, _) if self.game.system.spec().initiative.is_some() => {
                let set = Vec::new();
                let rolls = everybody;
                Command::Initiative(InitiativeCommand { rolls, set })
            }
            (14, _) => {
                let rolls = Vec::new();
                Command::Initiative(InitiativeCommand { rolls, set })
            }
            (15, _) | (_, 0) => Command::EndTurn,
            (_, 1) => Command::EndFight,
            _ => {
                let dazed = Condition {
                    ends: ConditionEnd::TurnEnd,
                    ..Condition::new("Xdazed", None, None)
                };
                let Some(who) = hidden else { return };
                Command::SetConditions {
                    who,
                    conditions: vec![dazed],
                }
            }
        };
        self.gm(command);
    }

    /// A random table of the GM's whose row names somebody hidden, rolled on in secret.
    fn throw_on_table(&self, which: usize) {
        let who: Option<Character> = self.hidden(which);
        let is_known = |seen: &SeatView<'_>| seen.character_named("Mira").map(|one| one.id);
        let mira = self.game.look(is_known);
        let is_table = which.is_multiple_of(3);
        // Players search, complete and mistype names while the GM's tables are known to the game.
        self.game
            .table
            .use_random_tables(Box::new(|_| secret_tables()));
        let throw = FreeRollCommand {
            who: if which.is_multiple_of(2) {
                who.map(|one| one.id)
            } else {
                mira
            },
            what: if is_table {
                FreeRoll::Table {
                    tables: secret_tables(),
                    name: "xtable".into(),
                }
            } else {
                FreeRoll::Dice {
                    notation: "2d6".into(),
                    faces: None,
                }
            },
            hidden_from: if is_table {
                vec!["*".to_owned()]
            } else {
                Vec::new()
            },
            noticed: which.is_multiple_of(5),
        };
        self.gm(Command::FreeRoll(Box::new(throw)));
    }
}
