//! `tableside completions`, `man` and `keys`: what packagers put where their systems want it, and the keys as
//! they stand, the user's own among them.

use std::fs;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use super::{App, CliError, Ink};
use tableside_commands::commands;
use tableside_text::join;
use tableside_tui::app::action::Context;
use tableside_tui::app::keymap::{Binding, Keymap};

#[derive(Debug, clap::Args)]
pub(super) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The folder to write a page for each command into
    dir: Option<PathBuf>,
}

/// Prints a shell's completions.
pub(super) fn completions(app: &mut App<'_>, args: &CompletionArgs) -> Result<(), CliError> {
    let shell = args.shell;
    let mut script = Vec::new();
    clap_complete::generate(
        shell,
        &mut app.command_line.clone(),
        "tableside",
        &mut script,
    );
    let script = String::from_utf8_lossy(&script);
    let commands = commands_of_a_session(app.command_line).join(" ");
    app.out.verbatim(&with_games(shell, &script, &commands))
}

/// The commands whose first word is a game that there is.
fn commands_of_a_session(whole: &Command) -> Vec<&str> {
    let asks = |command: &&Command| {
        let first = command.get_positionals().next();
        first.is_some_and(|arg| arg.get_id() == "game")
    };
    let commands = whole.get_subcommands().filter(asks);
    commands.map(Command::get_name).collect()
}

/// The script, completing the names of games and of systems, too.
fn with_games(shell: Shell, script: &str, commands: &str) -> String {
    let own = match shell {
        Shell::Bash => include_str!("packaging/with_games.bash"),
        Shell::Zsh => include_str!("packaging/with_games.zsh"),
        Shell::Fish => include_str!("packaging/with_games.fish"),
        _ => return script.to_owned(),
    };
    if shell != Shell::Zsh {
        return format!("{script}\n{}", own.replace("{commands}", commands));
    }
    let asks = ["roll", "odds"]
        .iter()
        .fold(script.to_owned(), |asks, command| {
            let list = format!("__{command}_commands() {{\n    local commands; commands=(\n");
            let systems = "${(f)\"$(tableside systems --names 2>/dev/null)\"} \\\n";
            asks.replace(&list, &format!("{list}{systems}"))
        });
    let asks = asks
        .replace(
            ":game -- The game:_default",
            ":game -- The game:_tableside_games",
        )
        .replace(":SYSTEM:_default", ":SYSTEM:_tableside_systems")
        .replace("or its file:_default", "or its file:_tableside_systems");
    // The first line says what is completed, and stays the first.
    asks.replacen('\n', &format!("\n\n{own}"), 1)
}

/// Prints the manual page, or writes one for each command into a folder.
pub(super) fn man(app: &mut App<'_>, args: &ManArgs) -> Result<(), CliError> {
    let whole = app.command_line.clone();
    let whole = whole.mut_subcommand("do", |command| command.after_long_help(actions()));
    let Some(folder) = &args.dir else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(whole).render(&mut page);
        rendered.map_err(|error| CliError::failed(format!("cannot make the page: {error}")))?;
        return app.out.verbatim(&String::from_utf8_lossy(&page));
    };
    let made = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(whole, folder));
    made.map_err(|error| {
        CliError::failed(format!("{} cannot be written: {error}", folder.display()))
    })
}

/// Every action of `tableside do`.
fn actions() -> String {
    let actions = commands().map(|spec| format!("\n\n{}\n    {}", spec.form(), spec.help()));
    format!("The actions:{}", actions.collect::<String>())
}

/// Lists every key of every place. A mistake in the user's file is an error that names it.
pub(super) fn keys(app: &mut App<'_>) -> Result<(), CliError> {
    let usual = Keymap::default();
    let keymap = app.keymap()?;
    for place in Context::ALL {
        let bindings = keymap.bindings(*place);
        if bindings.is_empty() {
            continue;
        }
        let title = format!("[{}]  to {}", place.into_str(), place.describe());
        app.out.inked(&[(Ink::Strong, &title)])?;
        let rows = bindings.iter().map(|binding| {
            let is_own = !usual.bindings(*place).contains(binding);
            let own = if is_own { "  (yours)" } else { "" };
            let (does, name) = (binding.action.describe(), binding.action.into_str());
            (labels(binding), format!("{does}  {name}{own}"))
        });
        app.out.columns(&rows.collect::<Vec<_>>())?;
        app.out.line("")?;
    }
    app.out.line(&match app.config.keys_file() {
        Some(path) => format!("Keys of your own go into {}.", path.display()),
        None => "There is no home folder to keep keys of your own in.".to_owned(),
    })
}

fn labels(binding: &Binding) -> String {
    if binding.keys.is_empty() {
        return "none".to_owned();
    }
    join(binding.keys.iter().map(|key| key.label(true)), " ")
}
