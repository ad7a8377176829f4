//! `tableside do`: any action of the palette, in plain English.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Command;

use super::args::WHOLE;
use super::roll::Venue;
use super::{App, CliError, creatures};
use tableside_commands::{Request, SECTIONS};
use tableside_game::LONGEST_HANDOUT;
use tableside_store::Name;
use tableside_table::EntryJson;
use tableside_text::{join, nearest};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "As in `tableside do friday tick the alarm 2`, `… roll Mira agility cn=12`, `… next scene The \
                  warehouse`, `… undo`."
)]
pub(super) struct Args {
    /// The game
    game: Option<String>,
    /// Uses the host's shared clocks (created on first use), which appear in every game
    #[arg(long)]
    host: bool,
    /// What is to be done; `tableside do --list` lists all that can be
    action: Vec<String>,
    /// The text of a note or a handout, in Markdown if you like; - is standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Lists every action with its form
    #[arg(long)]
    list: bool,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command and prints what came of it.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let first = args.game.iter().filter(|_| args.host);
    let mut words = join(first.chain(&args.action), " ");
    if let Some((take, file)) = words
        .rsplit_once(" from ")
        .filter(|(take, _)| take.starts_with("take"))
    {
        words = format!("{take} from {}", whole_path(file));
    }
    if args.list || words.trim().eq_ignore_ascii_case("help") {
        return list(app);
    }
    let game = match &args.game {
        _ if args.host => {
            app.create_host_game()?;
            Name::host_game()
        }
        Some(game) => app.name(game)?,
        None => {
            return Err(CliError::usage("GAME is missing")
                .hint("`tableside do --list` lists all actions, `tableside games` all games"));
        }
    };
    if let Some(character) = template_to_save(&words) {
        return creatures::save(app, game.as_str(), character);
    }
    let wait = app.can_ask && !args.json;
    let text = match &args.file {
        Some(file) => Some(read_text(app, file)?),
        None => None,
    };
    let said = app.send(&game, &Request::Say { words, wait, text });
    let mut done = said.map_err(|error| match misspelt_option(&args.action) {
        Some(hint) => error.hint(hint),
        None => error,
    })?;
    if wait {
        done = app.put_choices(&Venue::Game(&game), done)?;
    }
    if args.json {
        app.out.json(&EntryJson {
            entry: &done.entry,
            scene: &done.scene,
            session: done.session,
            is_struck: false,
            system: done.system,
        })?;
    } else {
        app.out.lines(&done.aloud)?;
    }
    app.out.finish()?;
    Ok(done.saved()?)
}

/// Returns the character of `save CHARACTER as template`. The template goes into a file of the user, not into the game.
fn template_to_save(words: &str) -> Option<&str> {
    let words = words.trim();
    let (verb, rest) = words.split_once(' ')?;
    let (character, ending) = rest.rsplit_once(" as ")?;
    let is_template = ["template", "a template"]
        .iter()
        .any(|known| ending.trim().eq_ignore_ascii_case(known));
    if verb.eq_ignore_ascii_case("save") && is_template {
        Some(character.trim())
    } else {
        None
    }
}

/// Reads the text of a note from a file, or from standard input.
fn read_text(app: &mut App<'_>, file: &Path) -> Result<String, CliError> {
    /// The largest file, in bytes: four for each character.
    const LARGEST: u64 = 4 * LONGEST_HANDOUT as u64;

    let is_input = file == Path::new("-");
    let name = if is_input {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    };
    let failed = |why: String| CliError::failed(format!("{name}: {why}"));
    let too_long = || {
        let limit = format!("it is too long; a note has at most {LONGEST_HANDOUT} characters");
        failed(limit)
    };

    let mut bytes = Vec::new();
    let read = if is_input {
        app.input.take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        let opened = std::fs::File::open(file);
        opened.and_then(|opened| opened.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| failed(format!("cannot read it: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_long());
    }

    let text = String::from_utf8(bytes)
        .map_err(|_error| failed("it is not UTF-8 text; save it as text or Markdown".to_owned()))?;
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.is_empty() {
        return Err(failed("it is empty".to_owned()));
    }
    if text.chars().count() > LONGEST_HANDOUT {
        return Err(too_long());
    }
    Ok(text.to_owned())
}

/// The command line with the options of `do` before its words, and the words as words: behind the game's name all is
/// text but for the options that the help lists. Behind `--` those are text, too.
pub(super) fn part_words_from_options(args: &[OsString], whole: &Command) -> Vec<OsString> {
    let options = Options::of_do(whole);
    let Some(at) = options.place_of_do(args) else {
        return args.to_vec();
    };

    let (before, behind) = args.split_at(at + 1);
    let mut given: Vec<OsString> = Vec::new();
    let mut words: Vec<OsString> = Vec::new();
    let mut behind = behind.iter();
    while let Some(word) = behind.next() {
        let option = word
            .to_str()
            .filter(|word| word.starts_with('-') && *word != "-");
        let names_game = words.is_empty() && !given.iter().any(|option| option == "--host");
        match option {
            Some("--") => {
                let rest = behind.as_slice();
                let begins = words.len() < 2;
                let is_needed = rest
                    .iter()
                    .any(|word| word.to_string_lossy().starts_with('-'));
                // Elsewhere it is a dash.
                if !begins && !is_needed {
                    words.push(word.clone());
                }
                words.extend(rest.iter().cloned());
                break;
            }
            Some(option) if names_game || options.has(option) => {
                given.push(word.clone());
                if options.takes_value(option) {
                    given.extend(behind.next().cloned());
                }
            }
            _ => words.push(word.clone()),
        }
    }

    let mut parted = before.to_vec();
    parted.append(&mut given);
    if !words.is_empty() {
        parted.push("--".into());
        parted.append(&mut words);
    }
    parted
}

/// The options that `tableside do --help` lists.
struct Options {
    flags: Vec<String>,
    with_value: Vec<String>,
}

impl Options {
    fn of_do(whole: &Command) -> Self {
        let of_do = whole.find_subcommand("do").into_iter();
        let own = of_do.flat_map(Command::get_arguments);
        let everywhere = whole.get_arguments().filter(|arg| arg.is_global_set());
        let named = own.chain(everywhere).filter_map(|arg| {
            let name = format!("--{}", arg.get_long()?);
            Some((arg.get_action().takes_values(), name))
        });

        let mut options = Self {
            flags: vec!["--help".to_owned(), "-h".to_owned()],
            with_value: Vec::new(),
        };
        for (takes_value, name) in named {
            if takes_value {
                options.with_value.push(name);
            } else {
                options.flags.push(name);
            }
        }
        options
    }

    fn has(&self, word: &str) -> bool {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        self.flags.iter().any(|flag| flag == word)
            || self.with_value.iter().any(|known| known == name)
    }

    /// Whether the next word is the value of this option.
    fn takes_value(&self, word: &str) -> bool {
        self.with_value.iter().any(|known| known == word)
    }

    /// Where the word `do` stands, if it is the command.
    fn place_of_do(&self, args: &[OsString]) -> Option<usize> {
        let mut at = 1;
        loop {
            let word = args.get(at)?.to_string_lossy();
            if !word.starts_with('-') {
                return (word == "do").then_some(at);
            }
            at += if self.takes_value(&word) { 2 } else { 1 };
        }
    }
}

/// The option that a word of a refused act was meant to be.
fn misspelt_option(words: &[String]) -> Option<String> {
    let options = Options::of_do(&WHOLE);
    let mut long = words.iter().filter(|word| word.starts_with("--"));
    let (word, near) = long.find_map(|word| {
        let known = options.flags.iter().chain(&options.with_value);
        Some((word, nearest(word, known.map(String::as_str))?))
    })?;
    Some(format!("{word} was read as text; did you mean {near}?"))
}

/// A system's file by its whole path: the game may be open in another folder.
fn whole_path(word: &str) -> String {
    let path =
        Some(Path::new(word)).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let whole = path.and_then(|path| std::fs::canonicalize(path).ok());
    whole.map_or_else(
        || word.to_owned(),
        |whole| whole.to_string_lossy().into_owned(),
    )
}

/// Prints every action with its form.
fn list(app: &mut App<'_>) -> Result<(), CliError> {
    for section in SECTIONS {
        let commands = section.commands.iter();
        let items = commands.map(|spec| (spec.form(), vec![spec.help().to_owned()]));
        app.out.section(section.title, items.collect())?;
    }
    let templates = vec![(
        "save CHARACTER as [a] template".to_owned(),
        vec!["Save a character as a template of creatures, in a file of yours".to_owned()],
    )];
    app.out.section("Templates", templates)?;
    app.out.line("")?;
    app.out.line(
        "Names can be shortened to their beginning, or to some of their letters in order. WHO… accepts several \
         characters: Mira and Bo, or all.",
    )
}
