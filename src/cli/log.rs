//! `tableside log`: what happened, as lines, JSON, CSV or Markdown, oldest first; and `tableside verify`: every
//! logged outcome derived again.

use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Local, NaiveDate, Utc};

use super::host_game::GameOrHost;
use super::log_statistics::print_statistics;
use super::number::number_from;
use super::reader::find_reader;
use super::{App, CliError, Ink, Output, pluralise};
use tableside_game::{Game, dice_in_words, sentence};
use tableside_store::{GameLocation, Reader, StoreError};
use tableside_table::{
    self, Entry, EntryFormat, Filter, Incomplete, LogForm, LogWriter, Logged, Part, Seat, SeatView,
    Statistics, Table,
};

/// How often it is looked whether something was written.
const PAUSE: Duration = Duration::from_millis(100);

/// A line that is still not whole by then is damaged.
const TORN: Duration = Duration::from_secs(3);

#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(super) struct Args {
    #[command(flatten)]
    which: GameOrHost,
    /// As one JSON document
    #[arg(long)]
    json: bool,
    /// As comma-separated values
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    csv: bool,
    /// As Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Goes on with each entry as it happens, a line each; with --json one document a line
    #[arg(long, conflicts_with_all = ["csv", "markdown", "explain"])]
    follow: bool,
    /// Only one session: its number, or last for the newest one that was played
    #[arg(long, value_name = "N", conflicts_with_all = ["follow", "explain"])]
    session: Option<SessionArg>,
    /// What this player, or the player of this character, reads; `players` for what all read
    #[arg(long = "for", value_name = "NAME", conflicts_with_all = ["follow", "explain"])]
    reader: Option<String>,
    /// The dice and the luck of everyone instead of the entries; with --json as one document
    #[arg(long, conflicts_with_all = ["csv", "markdown", "follow", "explain"])]
    statistics: bool,
    /// One entry step by step
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["json", "csv", "markdown"], value_parser = number_from(0..=u64::MAX))]
    explain: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// The game
    game: String,
}

/// Prints the log.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = args.which.name(app)?;
    let table = app.look_at(&name)?;
    let place = app.storage()?.location(&name);
    let forms = [
        (args.json, LogForm::Json),
        (args.csv, LogForm::Csv),
        (args.markdown, LogForm::Markdown),
    ];
    let form = forms.into_iter().find(|(is_asked, _)| *is_asked);
    let form = form.map(|(_, form)| form).filter(|_| !args.follow);
    let seat = match &args.reader {
        Some(name) => table.read(&Seat::gm(), |view| find_reader(name, view))?,
        None => Seat::gm(),
    };
    let session = match args.session {
        Some(session) => Some(session.number_in(&table.game())?),
        None => None,
    };
    if args.statistics {
        let statistics = statistics_of(&table, &seat, session)?;
        return print_statistics(app, &statistics, session, args.json);
    }

    let out = &mut app.out;
    if let Some(number) = args.explain {
        table.reach_back(1)?;
        return table.read(&seat, |seen| explain(out, seen, number));
    }
    let game = table.read(&seat, |view| view.game().clone());
    let all = Filter::default();
    let is_asked = |logged: &Logged| session.is_none_or(|session| logged.session == session);
    let Some(form) = form else {
        let mut day = None;
        let mut print = |out: &mut Output<'_>, logged: &Logged| {
            if !is_asked(logged) {
                return Ok(());
            }
            if !args.json {
                return as_line(out, logged, &game, &mut day);
            }
            out.verbatim(&format!("{}\n", logged.as_json_line(game.system)))
        };
        table.whole_log(&seat, &all, |logged| logged, |logged| print(out, &logged))?;
        // A log that is not whole has no end to follow.
        if !args.follow || table.incomplete().is_some() {
            return Ok(());
        }
        out.finish()?;
        return follow(&table, &place, &mut |logged| {
            print(out, logged)?;
            out.finish()
        });
    };
    let time =
        |at: DateTime<Utc>, format: &str| at.with_timezone(&Local).format(format).to_string();
    let format = EntryFormat::new(form, game, &time);
    let mut writer = LogWriter::new(form, &table.name());
    table.whole_log(
        &seat,
        &all,
        |logged| is_asked(&logged).then(|| format.render(logged)),
        |entry| match entry {
            Some(entry) => out.verbatim(&writer.add(&entry)),
            None => Ok(()),
        },
    )?;
    out.verbatim(&writer.end())
}

/// A session as the command line names it.
#[derive(Clone, Copy, Debug)]
enum SessionArg {
    Number(usize),
    /// The newest session with an entry.
    Last,
}

impl FromStr for SessionArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.eq_ignore_ascii_case("last") {
            return Ok(Self::Last);
        }
        match text.parse() {
            Ok(number) if number > 0 => Ok(Self::Number(number)),
            _ => Err("a session is a number from 1, or last".to_owned()),
        }
    }
}

impl SessionArg {
    fn number_in(self, game: &Game) -> Result<usize, CliError> {
        let newest = match game.last_session() {
            Some(_) => game.sessions.len(),
            None => game.session_number(),
        };
        match self {
            Self::Last => Ok(newest),
            Self::Number(number) if number <= newest => Ok(number),
            Self::Number(number) => {
                let sessions = pluralise(newest as u64, "session");
                let problem = format!("there is no session {number}; the game has {sessions}");
                Err(CliError::failed(problem))
            }
        }
    }
}

/// The statistics of the whole log or of one session, as a seat may see them.
fn statistics_of(
    table: &Table,
    seat: &Seat,
    session: Option<usize>,
) -> Result<Statistics, CliError> {
    if let Some(session) = session
        && let Some(statistics) = table.session_statistics(seat, session)?
    {
        return Ok(statistics);
    }

    table.count_all()?;
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method itself is not general enough in its lifetime"
    )]
    Ok(table.read(seat, |view| view.statistics()))
}

/// Hands over what is written to a log from now on, until something fails.
fn follow(
    table: &Table,
    place: &GameLocation,
    print: &mut dyn FnMut(&Logged) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let reader = Reader::new(place);
    let mut end = None;
    let mut torn_since = None;
    loop {
        let now = reader.end()?;
        if now != end || torn_since.is_some() {
            match table.catch_up() {
                Ok(entries) => {
                    torn_since = None;
                    let seen =
                        |entry: &Arc<Entry>| table.read(&Seat::gm(), |seen| seen.logged(entry));
                    entries
                        .iter()
                        .filter_map(seen)
                        .try_for_each(|logged| print(&logged))?;
                }
                // It may be in the middle of being written.
                Err(error @ StoreError::Damaged(_)) => {
                    let since = *torn_since.get_or_insert_with(Instant::now);
                    if since.elapsed() > TORN {
                        return Err(error.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
            end = now;
        }
        thread::sleep(PAUSE);
    }
}

/// An entry step by step.
fn explain(out: &mut Output<'_>, seen: &SeatView<'_>, number: u64) -> Result<(), CliError> {
    let Some((title, parts)) = seen.explain(number) else {
        return Err(
            CliError::failed(format!("there is no entry #{number} in this log"))
                .hint("`tableside log` lists all entries with their numbers"),
        );
    };
    out.inked(&[(Ink::Strong, &format!("#{number}  {title}"))])?;
    for part in parts {
        let (ink, words) = match part {
            Part::Aside(words) | Part::Hidden(words) => (Ink::Faint, words),
            Part::Warning(words) | Part::Narration(words) | Part::Text(words) => {
                (Ink::Plain, words)
            }
            Part::Reading { lead, headline, .. } => {
                (Ink::Faint, format!("{lead}{}", headline.words()))
            }
            Part::Dice(dice) => (Ink::Plain, dice_in_words(&dice)),
            Part::Headline(headline) => (Ink::Outcome(headline.tone), headline.words()),
            Part::Step(number, words) => (Ink::Plain, format!("{number:>2}  {words}")),
            Part::Heading(words) => (Ink::Strong, words.to_owned()),
            Part::Followed(words) => (Ink::Plain, format!("    {}", sentence(&words))),
            Part::Gap => (Ink::Plain, String::new()),
        };
        out.inked(&[(ink, &words)])?;
    }
    Ok(())
}

/// An entry in a line or more, under its day.
fn as_line(
    out: &mut Output<'_>,
    logged: &Logged,
    game: &Game,
    day: &mut Option<NaiveDate>,
) -> Result<(), CliError> {
    let entry = &logged.entry;
    let at = entry.at.with_timezone(&Local);
    if day.replace(at.date_naive()) != Some(at.date_naive()) {
        out.inked(&[(Ink::Strong, &at.format("%Y-%m-%d").to_string())])?;
    }
    let number = format!("#{}", entry.number);
    let number = format!("{number:>5}  {}  ", at.format("%H:%M"));
    let (ink, end) = if logged.is_replaced {
        (Ink::Faint, "  (replaced)")
    } else if logged.is_struck {
        (Ink::Faint, "  (undone)")
    } else if entry.event.what.ends_a_scene() {
        (Ink::Strong, "")
    } else {
        (Ink::Plain, "")
    };
    let text = entry.event.text(game.system);
    out.inked(&[(Ink::Faint, &number), (ink, &text), (Ink::Faint, end)])?;
    if let Some(dice) = logged.dice(game.system) {
        out.inked(&[(Ink::Faint, &format!("{:15}{dice}", ""))])?;
    }
    let follows = logged.follows(game);
    if !follows.is_empty() {
        out.line(&format!("{:15}{follows}", ""))?;
    }
    Ok(())
}

/// Derives every logged outcome again, and names each entry that does not hold.
pub(super) fn verify(app: &mut App<'_>, args: &VerifyArgs) -> Result<(), CliError> {
    let given = args.game.as_str();
    let name = app.name(given)?;
    let (table, _) = app.open(&name, true)?;
    let reader = Reader::new(app.storage()?.location(&name));
    let mut verified = tableside_table::verify(&reader, table.game().system)?;
    let last = table.last_event();
    let next = verified.last + 1;
    if let Some(Incomplete::Mismatched(mismatch)) = table.incomplete() {
        let reached = mismatch.reached;
        verified.wrong.push((reached, mismatch.to_string()));
        verified.wrong.sort_by_key(|(number, _)| *number);
    } else if next <= last && verified.wrong.iter().all(|(at, _)| *at != next) {
        let what =
            format!("the journal ends before it, and the saved state contains all up to #{last}");
        verified.wrong.push((next, what));
    }
    for (number, what) in &verified.wrong {
        let number = format!("#{number}  ");
        app.out
            .inked(&[(Ink::Strong, &number), (Ink::Plain, what)])?;
    }
    let rolls = pluralise(verified.rolls, "roll");
    let read = format!("{rolls} in {}", pluralise(verified.events, "event"));
    if verified.wrong.is_empty() {
        return app.out.line(&format!("{read}: everything holds"));
    }
    let wrong = match verified.wrong.len() {
        1 => "1 entry does not hold".to_owned(),
        count => format!("{count} entries do not hold"),
    };
    Err(CliError::failed(format!("{given}: {read}, and {wrong}")))
}
