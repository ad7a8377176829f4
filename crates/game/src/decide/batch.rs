//! Deciding several commands as one act, and summarising them in one log entry.

use crate::summary::StepWords;
use crate::{Change, Command, CommandContext, CommandError, Event, EventKind, Every, Game};
use crate::{EntityKind, Result, differences, refused};
use tableside_dice::Dice;
use tableside_text::join;

/// The maximum number of names or changes that one entry lists. Further ones are only counted: "and 3 more".
const MOST_LISTED: usize = 8;

/// The acts of a batch that changed the game, and their changes.
#[derive(Default)]
struct Batch {
    acts: Vec<EventKind>,
    changes: Vec<Change>,
}

impl Batch {
    fn push(&mut self, act: EventKind, changes: Vec<Change>) {
        self.acts.push(act);
        self.changes.extend(changes);
    }
}

impl Game {
    /// Decides the commands in order, each on the state that the previous ones left.
    ///
    /// A command without any effect does not stop the batch. Any other refusal
    /// refuses the whole batch.
    pub(super) fn decide_all(
        &self,
        commands: &[Command],
        context: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut after = self.clone();
        let mut batch = Batch::default();
        let mut first_idle = None;

        for command in commands {
            let decided = match command {
                Command::Rest { who, rest } => after.decide_rest(*who, *rest, dice),
                command => after.decide_command(command, context, dice),
            };
            match decided {
                Ok(event) => {
                    after.apply(&event);
                    batch.push(event.what, event.changes);
                }
                Err(refusal @ (CommandError::Unchanged | CommandError::AtEnd(_))) => {
                    first_idle = first_idle.or(Some(refusal));
                }
                Err(refusal) => return Err(refusal),
            }
        }

        let includes_rest = commands
            .iter()
            .any(|command| matches!(command, Command::Rest { .. }));
        if includes_rest {
            after.tick_rest_clocks(&mut batch);
        }

        let rolls = batch.acts.iter().filter_map(EventKind::roll);
        if rolls.count() > 1 {
            return Err(refused(
                "a command can make only one roll; enter one command for each roll",
            ));
        }

        match self.summarise(batch.acts) {
            Some(act) => Ok(Event::new(act, batch.changes)),
            None => Err(first_idle.unwrap_or(CommandError::Unchanged)),
        }
    }

    /// Ticks the clocks that tick with each rest. Several characters that rest together tick them once.
    fn tick_rest_clocks(&mut self, batch: &mut Batch) {
        let before = self.clone();
        let how = join(self.tick_every(Every::Rest), ", ");
        if how.is_empty() {
            return;
        }

        let act = EventKind::Edited {
            kind: EntityKind::Game,
            name: String::new(),
            how,
        };
        batch.push(act, differences(&before, self));
    }

    /// Summarises several acts in one. `None` if there are no acts.
    ///
    /// If one of the acts is a roll, the roll is the summary. Acts of the same sort are summarised by their names,
    /// other acts by their texts.
    pub(super) fn summarise(&self, mut acts: Vec<EventKind>) -> Option<EventKind> {
        let roll = acts.iter().position(|act| act.roll().is_some());
        if let Some(roll) = roll {
            return Some(acts.swap_remove(roll));
        }
        if acts.len() == 1 {
            return acts.pop();
        }

        let lines: Option<Vec<ActLine<'_>>> = acts.iter().map(ActLine::new).collect();
        if let Some(lines) = lines
            && are_of_one_sort(&lines)
        {
            return summarise_lines(&lines);
        }

        // The summary names the subject of the first act; the text of every other act contains its own subject.
        let (kind, name, first_text) = match acts.first()? {
            EventKind::Edited { kind, name, how } => (*kind, name.clone(), how.clone()),
            first => (EntityKind::Game, String::new(), first.text(self.system)),
        };
        let mut texts = vec![first_text];
        for act in &acts[1..] {
            texts.push(act.text(self.system));
        }

        Some(EventKind::Edited {
            kind,
            name,
            how: texts.join("; "),
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ActSort {
    Added,
    Removed,
    Edited,
}

/// One of several acts, with its subject and the description of the change.
struct ActLine<'a> {
    kind: EntityKind,
    sort: ActSort,
    name: &'a str,
    how: String,
}

impl<'a> ActLine<'a> {
    /// Returns `None` for an act without a named subject.
    fn new(act: &'a EventKind) -> Option<Self> {
        let line = match act {
            EventKind::Added { kind, name, how } => Self {
                kind: *kind,
                sort: ActSort::Added,
                name,
                how: how.clone(),
            },
            EventKind::Removed { kind, name } => Self {
                kind: *kind,
                sort: ActSort::Removed,
                name,
                how: String::new(),
            },
            EventKind::Edited { kind, name, how } => Self {
                kind: *kind,
                sort: ActSort::Edited,
                name,
                how: how.clone(),
            },
            EventKind::Ticked { then: note, .. } | EventKind::Tokens { note, .. } => {
                let StepWords { kind, name, step } = act.step(true)?;
                let separator = if note.is_empty() { "" } else { "; " };
                Self {
                    kind,
                    sort: ActSort::Edited,
                    name,
                    how: format!("{step}{separator}{note}"),
                }
            }
            _ => return None,
        };
        Some(line)
    }
}

fn are_of_one_sort(lines: &[ActLine<'_>]) -> bool {
    let Some(first) = lines.first() else {
        return true;
    };
    lines
        .iter()
        .all(|line| line.kind == first.kind && line.sort == first.sort)
}

fn summarise_lines(lines: &[ActLine<'_>]) -> Option<EventKind> {
    let first = lines.first()?;
    let kind = first.kind;
    let mut name = summarise_names(lines);
    let how = summarise_changes(lines);
    // Different changes are described with their names, which are not repeated before them.
    if first.sort == ActSort::Edited && !has_one_change(lines) && !has_one_name(lines) {
        name = String::new();
    }

    Some(match first.sort {
        ActSort::Added => EventKind::Added { kind, name, how },
        ActSort::Removed => EventKind::Removed { kind, name },
        ActSort::Edited => EventKind::Edited { kind, name, how },
    })
}

/// Lists the names, each once: `Goblin, Goblin 2`.
fn summarise_names(lines: &[ActLine<'_>]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for line in lines {
        if !names.contains(&line.name) {
            names.push(line.name);
        }
    }

    let unlisted = names.len().saturating_sub(MOST_LISTED);
    names.truncate(MOST_LISTED);
    let listed = names.join(", ");
    match unlisted {
        0 => listed,
        count => format!("{listed}, and {count} more"),
    }
}

fn has_one_change(lines: &[ActLine<'_>]) -> bool {
    lines.windows(2).all(|pair| pair[0].how == pair[1].how)
}

fn has_one_name(lines: &[ActLine<'_>]) -> bool {
    lines.windows(2).all(|pair| pair[0].name == pair[1].name)
}

/// Describes the change once if it is the same for all, otherwise for each name.
fn summarise_changes(lines: &[ActLine<'_>]) -> String {
    let Some(first) = lines.first() else {
        return String::new();
    };
    if has_one_change(lines) {
        return first.how.clone();
    }

    let is_of_one = has_one_name(lines);
    let changes = lines.iter().take(MOST_LISTED).map(|line| {
        if is_of_one {
            line.how.clone()
        } else {
            format!("{}: {}", line.name, line.how)
        }
    });
    let listed = join(changes, "; ");
    match lines.len().saturating_sub(MOST_LISTED) {
        0 => listed,
        count => format!("{listed}; and {count} more"),
    }
}
