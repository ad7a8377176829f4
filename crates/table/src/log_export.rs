//! Exports the log as Markdown, CSV or JSON, for the command line and for the screen.

use std::fmt::Write as _;
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};

use super::{EntryJson, Logged, explanation};
use tableside_game::{EventKind, Game, dice_in_words, thrown_in_words};
use tableside_rules::{Outcome, System};
use tableside_text::{escape, escape_json, sanitise};

/// The maximum length of a cell or a line, in characters.
const LONGEST: usize = 100_000;

/// The format of an exported log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// A list under a heading for each scene.
    Markdown,
    /// Comma-separated values, one row for each entry.
    Csv,
    /// One JSON array, one line for each entry.
    Json,
}

impl LogForm {
    /// All formats with their file name extensions.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Markdown, "md"),
        (Self::Csv, "csv"),
        (Self::Json, "json"),
    ];

    /// Returns the format for a file name.
    pub fn of_file(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_lowercase();
        Self::ALL
            .into_iter()
            .find(|(_, known)| *known == extension)
            .map(|(form, _)| form)
    }
}

/// Formats a time in the reader's time zone: the time, and the format.
pub type FormatTime<'a> = &'a (dyn Fn(DateTime<Utc>, &str) -> String + Sync);

impl Logged {
    /// The outcome of a check. A check that waits for dice has a preliminary outcome.
    fn outcome(&self, system: System) -> Option<Outcome> {
        self.entry.roll()?.derive(system).ok()
    }

    /// The effects and the results of a check except its total, in one line. Empty for other entries, whose text is
    /// complete.
    pub fn follows(&self, game: &Game) -> String {
        match self.outcome(game.system) {
            Some(_) => {
                let effects = self.entry.event.in_short(game);
                effects.join("; ")
            }
            None => String::new(),
        }
    }

    /// The dice that were rolled.
    pub fn dice(&self, system: System) -> Option<String> {
        if let EventKind::Thrown(thrown) = &self.entry.event.what {
            return Some(thrown_in_words(thrown));
        }
        let outcome = self.outcome(system)?;
        if outcome.dice.is_empty() {
            None
        } else {
            Some(dice_in_words(&outcome.dice))
        }
    }

    /// The fields of a check that differ from their presets, with the sheets that they came from.
    fn fields(&self, system: System) -> String {
        match self.entry.roll() {
            Some(roll) => explanation::fields(roll, system),
            None => String::new(),
        }
    }
}

/// Renders single entries, on any number of threads.
pub struct EntryFormat<'a> {
    form: LogForm,
    /// The game as the reader sees it.
    game: Game,
    time: FormatTime<'a>,
}

/// A rendered entry.
pub struct RenderedEntry {
    scene: String,
    /// The date of the entry, for the heading of a scene. Empty in formats without headings.
    day: String,
    text: String,
}

impl<'a> EntryFormat<'a> {
    pub fn new(form: LogForm, game: Game, time: FormatTime<'a>) -> Self {
        Self { form, game, time }
    }

    /// Renders an entry. [`LogWriter`] adds headings and separators.
    pub fn render(&self, logged: Logged) -> RenderedEntry {
        let text = match self.form {
            LogForm::Markdown => self.as_markdown(&logged),
            LogForm::Csv => self.as_csv(&logged),
            LogForm::Json => logged.as_json_line(self.game.system),
        };
        let day = match self.form {
            LogForm::Markdown => (self.time)(logged.entry.at, "%Y-%m-%d"),
            LogForm::Csv | LogForm::Json => String::new(),
        };
        RenderedEntry {
            scene: logged.scene,
            day,
            text,
        }
    }

    fn as_markdown(&self, logged: &Logged) -> String {
        let entry = &logged.entry;
        let system = self.game.system;

        let mut text = escape_markdown(&entry.event.text(system));
        if let Some(dice) = logged.dice(system) {
            text += &format!(" ({})", escape_markdown(&dice));
        }
        let hidden_from = explanation::hidden_from(&entry.event.what);
        for part in [logged.follows(&self.game), hidden_from] {
            if !part.is_empty() {
                text += "; ";
                text += &escape_markdown(&part);
            }
        }
        if logged.is_struck {
            text = format!("~~{text}~~");
        }

        let time = (self.time)(entry.at, "%H:%M");
        let mut lines = format!("- **{time}** {text}\n");
        let fields = logged.fields(system);
        if !fields.is_empty() {
            lines += &format!("  - {}\n", escape_markdown(&fields));
        }
        lines
    }

    fn as_csv(&self, logged: &Logged) -> String {
        let entry = &logged.entry;
        let system = self.game.system;
        let kind = &entry.event.what;
        let at = entry.at.to_rfc3339_opts(SecondsFormat::Secs, true);
        let (hidden_from, _) = kind.hidden_from();
        let roller = match kind.roller() {
            Some((name, _)) => name,
            None => "",
        };

        let mut row = CsvRow::default();
        row.add(entry.number);
        row.add(at);
        row.add_text(&logged.scene);
        row.add_text(&entry.by);
        row.add(kind.kind());
        row.add_text(roller);
        self.add_outcome(&mut row, logged);
        row.add_text(&logged.dice(system).unwrap_or_default());
        row.add_text(&logged.follows(&self.game));
        row.add_text(&entry.event.text(system));
        row.add(logged.is_struck);
        row.add_text(&hidden_from.join(" "));
        row.add_text(&logged.fields(system));
        row.add_text(&logged.helpers(system).join(" "));
        row.end()
    }

    /// Adds the columns from `check` to `target`.
    fn add_outcome(&self, row: &mut CsvRow, logged: &Logged) {
        let system = self.game.system;
        let (Some(roll), Some(outcome)) = (logged.entry.roll(), logged.outcome(system)) else {
            row.add_empty(3);
            match &logged.entry.event.what {
                EventKind::Thrown(thrown) => row.add(thrown.total),
                _ => row.add_empty(1),
            }
            row.add_empty(1);
            return;
        };

        let check = match roll.spec(system) {
            Ok(check) => check.id,
            Err(_) => "",
        };
        row.add(check);
        if roll.outcome.is_empty() {
            row.add_empty(2);
        } else {
            row.add(roll.outcome_name(system));
            row.add_option(outcome.success);
        }
        row.add_option(outcome.total);
        row.add_option(outcome.target);
    }
}

impl Logged {
    /// The entry as a line of JSON, without invisible and control characters.
    pub fn as_json_line(&self, system: System) -> String {
        let json = EntryJson {
            entry: &self.entry,
            scene: &self.scene,
            session: self.session,
            is_struck: self.is_struck,
            system,
        };
        // The maps have text keys and the numbers are finite, so writing cannot fail.
        let json = serde_json::to_string(&json).unwrap_or_default();
        escape_json(&json).into_owned()
    }

    /// The helpers of a check.
    fn helpers(&self, system: System) -> Vec<&str> {
        match self.entry.roll() {
            Some(roll) if self.outcome(system).is_some() => {
                let helpers = roll.helpers.iter();
                helpers.map(|helper| helper.name.as_str()).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Joins rendered entries to a document.
pub struct LogWriter {
    form: LogForm,
    /// The scene of the previous entry.
    scene: Option<String>,
    /// The separator to write before the next entry.
    before: String,
}

impl LogWriter {
    /// Begins a document for the log of the game `name`.
    pub fn new(form: LogForm, name: &str) -> Self {
        let before = match form {
            LogForm::Markdown => format!("# {}\n", escape_markdown(name)),
            LogForm::Csv => format!("{CSV_COLUMNS}\n"),
            LogForm::Json => "[".to_owned(),
        };
        Self {
            form,
            scene: None,
            before,
        }
    }

    /// Returns the text of the document up to and including the next entry.
    pub fn add(&mut self, entry: &RenderedEntry) -> String {
        let mut text = std::mem::take(&mut self.before);
        match self.form {
            LogForm::Markdown => text += &self.scene_heading(entry),
            LogForm::Csv => {}
            LogForm::Json => {
                text += "\n";
                ",".clone_into(&mut self.before);
            }
        }
        text += &entry.text;
        text
    }

    /// Returns the end of the document.
    pub fn end(self) -> String {
        match (self.form, self.before.as_str()) {
            (LogForm::Json, ",") => "\n]\n".to_owned(),
            (LogForm::Json, before) => format!("{before}]\n"),
            (LogForm::Markdown | LogForm::Csv, before) => before.to_owned(),
        }
    }

    /// The heading of a scene before its first entry.
    fn scene_heading(&mut self, entry: &RenderedEntry) -> String {
        if self.scene.as_ref() == Some(&entry.scene) {
            return String::new();
        }

        let title = match entry.scene.as_str() {
            "" => "Before the first scene",
            scene => scene,
        };
        self.scene = Some(entry.scene.clone());
        format!("\n## {} ({})\n\n", escape_markdown(title), entry.day)
    }
}

const CSV_COLUMNS: &str = "number,at,scene,by,kind,who,check,outcome,success,total,target,dice,effects,text,struck,hidden-from,fields,helpers";

/// A row of comma-separated values.
#[derive(Default)]
struct CsvRow(String);

impl CsvRow {
    /// Adds a value that needs no quotes.
    fn add(&mut self, value: impl std::fmt::Display) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        // Writing to a `String` never fails.
        let _ = write!(self.0, "{value}");
    }

    fn add_option(&mut self, value: Option<impl std::fmt::Display>) {
        match value {
            Some(value) => self.add(value),
            None => self.add(""),
        }
    }

    /// Adds columns without values.
    fn add_empty(&mut self, columns: usize) {
        for _ in 0..columns {
            self.add("");
        }
    }

    fn add_text(&mut self, text: &str) {
        self.add(cell(text));
    }

    fn end(self) -> String {
        self.0 + "\n"
    }
}

/// Escapes characters that have a meaning in Markdown.
pub(super) fn escape_markdown(text: &str) -> String {
    escape(&sanitise(text, LONGEST), "\\`*_[]<>~#|")
}

/// Quotes a text for CSV if necessary, and prevents spreadsheets from reading it as a formula.
fn cell(text: &str) -> String {
    const FORMULA_STARTS: [char; 5] = ['=', '+', '-', '@', '\t'];
    const QUOTED: [char; 4] = [',', '"', '\n', '\r'];

    let mut cell = sanitise(text, LONGEST).into_owned();
    if cell.starts_with(FORMULA_STARTS) {
        cell.insert(0, '\'');
    }
    if cell.contains(QUOTED) {
        let doubled_quotes = cell.replace('"', "\"\"");
        cell = format!("\"{doubled_quotes}\"");
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_and_is_no_formula() {
        assert_eq!(cell("The climb"), "The climb");
        assert_eq!(cell("d8 5, \"d10\" 7"), "\"d8 5, \"\"d10\"\" 7\"");
        assert_eq!(cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
    }

    #[test]
    fn markdown_in_a_text_is_escaped() {
        assert_eq!(escape_markdown("*bold* <b>"), "\\*bold\\* \\<b\\>");
    }

    #[test]
    fn the_extension_of_a_file_selects_the_format() {
        assert_eq!(
            LogForm::of_file(Path::new("a/b.MD")),
            Some(LogForm::Markdown)
        );
        assert_eq!(LogForm::of_file(Path::new("b.csv")), Some(LogForm::Csv));
        assert_eq!(LogForm::of_file(Path::new("b")), None);
        assert_eq!(LogForm::of_file(Path::new("b.txt")), None);
    }
}
