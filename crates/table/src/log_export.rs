//! The log as other programs and people read it: Markdown, CSV, JSON, with everything that belongs to an
//! entry. The command line and the screen write it here alike.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use super::journal_entry::read;
use super::{Entry, Filter, Seat, SeatView, Table, explanation, log_json};
use tableside_game::{EventKind, Game, dice_in_words, thrown_in_words};
use tableside_rules::{Outcome, System};
use tableside_store::{Block, StoreError};
use tableside_text::{escape, escape_json, sanitise};

/// So many events are looked at in one go; the table is held for as long as they take to be shown to a seat,
/// and not while they are read or written.
const STRETCH: usize = 4096;

/// The longest line, in characters.
const LONGEST: usize = 100_000;

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// For people, under a heading for each scene.
    Markdown,
    /// Comma-separated values, a row an entry.
    Csv,
    /// One array, an entry a line, as `tableside log --json` prints it.
    Json,
}

impl LogForm {
    /// All, with the ends of their files' names.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Markdown, "md"),
        (Self::Csv, "csv"),
        (Self::Json, "json"),
    ];

    /// The form that a file's name asks for.
    pub fn of_file(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_lowercase();
        let known = Self::ALL.into_iter().find(|(_, known)| *known == end);
        known.map(|(form, _)| form)
    }
}

/// An entry as a seat reads it, and what the log says about it.
#[derive(Clone, Debug)]
pub struct Logged {
    /// The entry.
    pub entry: Arc<Entry>,
    /// The name of the scene in which it happened.
    pub scene: String,
    /// Whether it holds no longer.
    pub is_struck: bool,
}

impl SeatView<'_> {
    /// An event as this seat reads it in the log, with what the log says about it; none where it does not read it.
    pub fn logged(&self, entry: &Arc<Entry>) -> Option<Logged> {
        let entry = self.lens().entry(entry, self.history())?;
        Some(Logged {
            scene: self.scene_of(entry.number).name.clone(),
            is_struck: self.is_struck(entry.number),
            entry,
        })
    }
}

impl Table {
    /// Hands over the files of the log that hold more than what is in memory, oldest first, each with the number of
    /// the first event in memory; returns those.
    pub(super) fn walk<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(&Block, u64) -> Result<(), E>,
    ) -> Result<Vec<Arc<Entry>>, E> {
        let (near, first, reader) = {
            let inner = self.look();
            let near: Vec<_> = inner.history.iter().cloned().collect();
            (near, inner.history.first(), inner.reader())
        };
        if let Some(reader) = reader.filter(|_| first > 1) {
            for block in reader.iter_all()? {
                let mut block = block?;
                let mut damage = block.damage().into_iter();
                if let Some(damage) = damage.find(|damage| damage.last_good + 1 < first) {
                    block.forget_from_damage();
                    take(&block, first)?;
                    return Err(StoreError::Damaged(damage).into());
                }
                take(&block, first)?;
            }
        }
        Ok(near)
    }

    /// Hands over every entry that the seat may read and the filter lets through, oldest first, from the beginning of
    /// the log to its end when this began. Nobody waits while they are handed over.
    pub fn whole_log<E: From<StoreError>>(
        &self,
        seat: &Seat,
        filter: &Filter,
        take: &mut dyn FnMut(&Logged) -> Result<(), E>,
    ) -> Result<(), E> {
        self.know_marks()?;
        let mut hand = |entries: &[Arc<Entry>]| {
            let kept: Vec<Logged> = self.read(seat, |seen| {
                let all = entries.iter().filter_map(|entry| seen.logged(entry));
                all.filter(|one| filter.lets_through(&one.entry, seen))
                    .collect()
            });
            kept.iter().try_for_each(&mut *take)
        };
        let near = self.walk(|block, first| {
            let records = block.records().collect::<Result<Vec<_>, _>>()?;
            let far = records.iter().filter(|record| record.n < first);
            hand(&far.filter_map(read).map(Arc::new).collect::<Vec<_>>())
        })?;
        near.chunks(STRETCH).try_for_each(hand)
    }
}

/// Writes a time where the reader is, in that format.
pub type Written<'a> = &'a dyn Fn(DateTime<Utc>, &str) -> String;

impl Logged {
    /// What a check came to, with dice that may still be missing.
    fn outcome(&self, system: System) -> Option<Outcome> {
        self.entry.roll()?.derive(system).ok()
    }

    /// What a check came to beside its total, and what followed, in one line.
    pub fn follows(&self, game: &Game) -> String {
        match self.outcome(game.system) {
            Some(_) => self.entry.event.in_short(game).join("; "),
            // What else happens says it all.
            None => String::new(),
        }
    }

    /// The dice, if any fell.
    pub fn dice(&self, system: System) -> Option<String> {
        if let EventKind::Thrown(thrown) = &self.entry.event.what {
            return Some(thrown_in_words(thrown));
        }
        let outcome = self.outcome(system)?;
        (!outcome.dice.is_empty()).then(|| dice_in_words(&outcome.dice))
    }

    /// The fields of a check that were not as usual, with where they came from.
    fn fields(&self, system: System) -> String {
        let roll = self.entry.roll();
        roll.map_or_else(String::new, |roll| explanation::fields(roll, system))
    }
}

/// Writes a log entry by entry; it needs nothing of the table but what it is given.
pub struct LogWriter<'a> {
    form: LogForm,
    /// As the one sees it who reads the log.
    game: Game,
    time: Written<'a>,
    /// The scene of the entry before.
    scene: Option<String>,
    /// What stands before the next entry.
    before: String,
}

impl<'a> LogWriter<'a> {
    /// Begins the log of a game of that name, in which things are called so.
    pub fn new(form: LogForm, name: &str, game: Game, time: Written<'a>) -> Self {
        Self {
            form,
            game,
            time,
            scene: None,
            before: match form {
                LogForm::Markdown => format!("# {}\n", escape_markdown(name)),
                LogForm::Csv => format!("{HEADS}\n"),
                LogForm::Json => "[".to_owned(),
            },
        }
    }

    /// The text of an entry.
    pub fn entry(&mut self, logged: &Logged) -> String {
        let before = std::mem::take(&mut self.before);
        let entry = match self.form {
            LogForm::Markdown => self.as_markdown(logged),
            LogForm::Csv => self.as_csv(logged),
            LogForm::Json => {
                self.before.push(',');
                let Logged { entry, scene, .. } = logged;
                let json = log_json(entry, scene, logged.is_struck, self.game.system);
                format!("\n{}", escape_json(&json.to_string()))
            }
        };
        before + entry.as_str()
    }

    /// What stands behind the last entry.
    pub fn end(self) -> String {
        match (self.form, self.before.as_str()) {
            (LogForm::Json, ",") => "\n]\n".to_owned(),
            (LogForm::Json, begun) => format!("{begun}]\n"),
            _ => self.before,
        }
    }

    fn as_markdown(&mut self, logged: &Logged) -> String {
        let (entry, system) = (&logged.entry, self.game.system);
        let mut heading = String::new();
        if self.scene.as_ref() != Some(&logged.scene) {
            let title = match logged.scene.as_str() {
                "" => "Before the first scene",
                scene => scene,
            };
            let day = (self.time)(entry.at, "%Y-%m-%d");
            heading = format!("\n## {} ({day})\n\n", escape_markdown(title));
            self.scene = Some(logged.scene.clone());
        }
        let mut text = escape_markdown(&entry.event.text(system));
        let dice = logged.dice(system);
        let dice = dice.map(|dice| format!(" ({})", escape_markdown(&dice)));
        text.push_str(&dice.unwrap_or_default());
        let hidden = explanation::hidden_from(&entry.event.what);
        for more in [logged.follows(&self.game), hidden] {
            if !more.is_empty() {
                text.push_str("; ");
                text.push_str(&escape_markdown(&more));
            }
        }
        if logged.is_struck {
            text = format!("~~{text}~~");
        }
        let time = (self.time)(entry.at, "%H:%M");
        let fields = match logged.fields(system).as_str() {
            "" => String::new(),
            fields => format!("  - {}\n", escape_markdown(fields)),
        };
        format!("{heading}- **{time}** {text}\n{fields}")
    }

    fn as_csv(&self, logged: &Logged) -> String {
        fn or_empty(value: Option<impl ToString>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        let (entry, system) = (&logged.entry, self.game.system);
        let what = &entry.event.what;
        let outcome = logged.outcome(system);
        let roll = entry.roll().filter(|_| outcome.is_some());
        let resolved = roll.filter(|roll| !roll.outcome.is_empty());
        let success = outcome.as_ref().filter(|_| resolved.is_some());
        let helpers = roll.into_iter().flat_map(|roll| &roll.helpers);
        let helpers: Vec<&str> = helpers.map(|one| one.name.as_str()).collect();
        let check = roll.and_then(|roll| roll.spec(system).ok());
        let cells = [
            entry.number.to_string(),
            entry.at.to_rfc3339_opts(SecondsFormat::Secs, true),
            cell(&logged.scene),
            cell(&entry.by),
            what.kind().to_owned(),
            cell(what.roller().map_or("", |(who, _)| who)),
            check.map_or("", |check| check.id).to_owned(),
            resolved
                .map_or("", |roll| roll.outcome_name(system))
                .to_owned(),
            or_empty(success.and_then(|outcome| outcome.success)),
            match what {
                EventKind::Thrown(thrown) => thrown.total.to_string(),
                _ => or_empty(outcome.as_ref().and_then(|outcome| outcome.total)),
            },
            or_empty(outcome.as_ref().and_then(|outcome| outcome.target)),
            cell(&logged.dice(system).unwrap_or_default()),
            cell(&logged.follows(&self.game)),
            cell(&entry.event.text(system)),
            logged.is_struck.to_string(),
            cell(&what.hidden_from().0.join(" ")),
            cell(&logged.fields(system)),
            cell(&helpers.join(" ")),
        ];
        cells.join(",") + "\n"
    }
}

/// The heads of the columns.
const HEADS: &str = "number,at,scene,by,kind,who,check,outcome,success,total,target,dice,effects,text,struck,hidden-from,fields,helpers";

/// The text with what Markdown would read as its own spelled out.
fn escape_markdown(text: &str) -> String {
    escape(&sanitise(text, LONGEST), "\\`*_[]<>~#|")
}

/// A text as a cell: quoted where it must be, and never a formula of the program that opens it.
fn cell(text: &str) -> String {
    let text = sanitise(text, LONGEST);
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let text = if formula {
        Cow::Owned(format!("'{text}"))
    } else {
        text
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_and_never_a_formula() {
        assert_eq!(cell("The climb"), "The climb");
        assert_eq!(cell("d8 5, \"d10\" 7"), "\"d8 5, \"\"d10\"\" 7\"");
        assert_eq!(cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
    }

    #[test]
    fn markdown_of_strangers_stays_text() {
        assert_eq!(escape_markdown("*bold* <b>"), "\\*bold\\* \\<b\\>");
    }

    #[test]
    fn a_file_is_written_as_its_name_says() {
        assert_eq!(
            LogForm::of_file(Path::new("a/b.MD")),
            Some(LogForm::Markdown)
        );
        assert_eq!(LogForm::of_file(Path::new("b.csv")), Some(LogForm::Csv));
        assert_eq!(LogForm::of_file(Path::new("b")), None);
        assert_eq!(LogForm::of_file(Path::new("b.txt")), None);
    }
}
