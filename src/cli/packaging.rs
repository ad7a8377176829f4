//! `tableside completions` and `tableside man`: what packagers put where their systems want it.

use std::fs;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use super::App;
use super::error::CliError;
use crate::table::command_language::commands;

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
    app.out.verbatim(&with_sessions(shell, &script, &commands))
}

/// The commands whose first word is a session that there is.
fn commands_of_a_session(whole: &Command) -> Vec<&str> {
    let asks = |command: &&Command| {
        let first = command.get_positionals().next();
        first.is_some_and(|arg| arg.get_id() == "session")
    };
    let commands = whole.get_subcommands().filter(asks);
    commands.map(Command::get_name).collect()
}

/// The script, completing the names of sessions, too.
fn with_sessions(shell: Shell, script: &str, commands: &str) -> String {
    match shell {
        Shell::Bash => format!(
            "{script}
_tableside_with_sessions() {{
    _tableside \"$@\"
    local IFS=$'\\n' name word=\"${{COMP_WORDS[COMP_CWORD]}}\"
    case \" {commands} \" in
        *\" ${{COMP_WORDS[1]}} \"*) [[ $COMP_CWORD -eq 2 ]] || return 0 ;;
        *) [[ $COMP_CWORD -eq 1 ]] || return 0 ;;
    esac
    for name in $(tableside sessions --names 2>/dev/null); do
        [[ $name == \"$word\"* ]] && COMPREPLY+=(\"$(printf %q \"$name\")\")
    done
    return 0
}}
complete -F _tableside_with_sessions -o bashdefault -o default tableside
"
        ),
        Shell::Zsh => {
            let asks = script.replace(
                ":session -- The session:_default",
                ":session -- The session:_tableside_sessions",
            );
            let function = "_tableside_sessions() {\n    local -a names\n    names=(\"${(@f)$(tableside sessions \
                            --names 2>/dev/null)}\")\n    compadd -a names\n}\n";
            // The first line says what is completed, and stays the first.
            match asks.split_once('\n') {
                Some((first, rest)) => format!("{first}\n\n{function}{rest}"),
                None => asks,
            }
        }
        Shell::Fish => format!(
            "{script}\ncomplete -c tableside -n \"__fish_seen_subcommand_from {commands}; and test (count \
             (commandline -opc)) -eq 2\" -f -a \"(tableside sessions --names 2>/dev/null)\"\ncomplete -c tableside \
             -n \"__fish_use_subcommand\" -f -a \"(tableside sessions --names 2>/dev/null)\"\n"
        ),
        _ => script.to_owned(),
    }
}

/// Prints the manual page, or writes one for each command into a folder.
pub(super) fn man(app: &mut App<'_>, args: &ManArgs) -> Result<(), CliError> {
    let whole = app.command_line.clone();
    let Some(folder) = &args.dir else {
        return app.out.verbatim(&page(whole)?);
    };
    let refused = |path: &std::path::Path, error: &std::io::Error| {
        CliError::failed(format!("{} cannot be written: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| refused(folder, &error))?;
    let mut pages = vec![("tableside".to_owned(), whole.clone())];
    for command in whole.get_subcommands() {
        let name = format!("tableside-{}", command.get_name());
        let page = command
            .clone()
            .name(name.clone())
            .bin_name(name.replacen('-', " ", 1));
        pages.push((name, page));
    }
    for (name, command) in pages {
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page(command)?).map_err(|error| refused(&path, &error))?;
    }
    Ok(())
}

fn page(command: Command) -> Result<String, CliError> {
    let command = if command.get_name() == "tableside-do" {
        command.after_long_help(actions())
    } else {
        command
    };
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(|error| CliError::failed(format!("cannot make the page: {error}")))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Every action of `tableside do`.
fn actions() -> String {
    let actions = commands().map(|spec| {
        let form = spec.form();
        format!("\n\n{form}\n    {}", spec.help)
    });
    ["The actions:".to_owned()]
        .into_iter()
        .chain(actions)
        .collect()
}
