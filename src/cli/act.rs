//! `tableside do`: any action of the palette, in plain words.

use clap::ArgMatches;
use serde_json::{Value as Json, json};

use super::output::Ink;
use super::{CliError, Desk};
use crate::rules::Ask;
use crate::session::{EventKind, Roll};
use crate::table::command_language::{Place, commands};
use crate::table::{Request, Response, log_json};
use crate::text::{fit, width};

/// The widest form in the list.
const WIDEST: usize = 44;

/// Does what the words say.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let json = matches.get_flag("json");
    let words: Vec<&str> = matches
        .get_many::<String>("action")
        .unwrap_or_default()
        .map(String::as_str)
        .collect();
    let words = words.join(" ");
    if matches.get_flag("list") || words.trim().eq_ignore_ascii_case("help") {
        return list(desk, json);
    }
    let Some(session) = matches.get_one::<String>("name") else {
        return Err(CliError::usage("SESSION is missing")
            .hint("`tableside do --list` lists all actions, `tableside sessions` all sessions"));
    };
    let asks = desk.can_ask && !json;
    let errand = Request::Say { words, wait: asks };
    let mut done = desk.send(session, &errand)?;
    while asks
        && let (Some(check), EventKind::Incomplete(roll)) = (done.waiting, &done.entry.event.what)
    {
        let Some(chose) = put(desk, &done, roll)? else {
            break;
        };
        let errand = Request::Answer {
            check,
            chose,
            seed: None,
        };
        done = desk.send(session, &errand)?;
    }
    if json {
        desk.out
            .json(&log_json(&done.entry, &done.scene, false, done.system))?;
    } else {
        let notices = std::mem::take(&mut desk.notices);
        notices
            .iter()
            .try_for_each(|notice| desk.out.line(notice))?;
        done.aloud.iter().try_for_each(|line| desk.out.line(line))?;
    }
    desk.out.finish()?;
    Ok(done.saved()?)
}

/// Puts the choice that a check waits for to whoever sits there.
fn put(desk: &mut Desk<'_>, done: &Response, roll: &Roll) -> Result<Option<String>, CliError> {
    let machine = roll.machine(done.system)?;
    match machine.after(&roll.trail)? {
        Ask::Choose { what, .. } => Ok(Some(desk.put(&*machine, &roll.trail, &what)?)),
        Ask::Roll { .. } | Ask::Response(..) => Ok(None),
    }
}

/// Lists every action with its form.
fn list(desk: &mut Desk<'_>, json: bool) -> Result<(), CliError> {
    if json {
        let all = Place::ALL.into_iter().flat_map(|place| {
            let commands = place.commands().iter();
            commands.map(move |spec| {
                json!({
                    "place": place.title(),
                    "form": spec.form(),
                    "help": spec.help,
                    "example": spec.example,
                })
            })
        });
        return desk.out.json(&all.collect::<Vec<Json>>());
    }
    let forms = commands().map(|spec| width(&spec.form()));
    let column = forms.max().unwrap_or(0).min(WIDEST);
    for (index, place) in Place::ALL.into_iter().enumerate() {
        if index > 0 {
            desk.out.line("")?;
        }
        desk.out.inked(&[(Ink::Strong, place.title())])?;
        for spec in place.commands() {
            let form = spec.form();
            if width(&form) > column {
                desk.out.line(&format!("  {form}"))?;
                desk.out.line(&format!("  {:column$}  {}", "", spec.help))?;
            } else {
                let form = fit(&form, column);
                let gap = " ".repeat(column - width(&form));
                desk.out.line(&format!("  {form}{gap}  {}", spec.help))?;
            }
        }
    }
    desk.out.line("")?;
    desk.out.line(
        "Names are found by their beginning, or by some of their letters in order. WHO… takes several: \
         Mira and Bo, or all.",
    )
}
