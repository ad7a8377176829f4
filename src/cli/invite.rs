//! `tableside invite`: a code that lets one person in once. It works while the table is open, too.

use super::{App, CliError};
use tableside_game::Allegiance;
use tableside_server;
use tableside_store::Name;
use tableside_table::{Invited, Seat, SeatRole};
use tableside_text::is_same_name;
use tableside_tui::Zone;

/// The party and its players; empty if the game cannot be read now.
fn party(app: &mut App<'_>, game: &Name) -> Vec<(String, String)> {
    let Ok((table, _)) = app.open(game, true) else {
        return Vec::new();
    };
    table.read(&Seat::gm(), |seen| {
        let party = seen.roster().filter(|one| one.side == Allegiance::Party);
        let names = party.map(|one| (one.name.clone(), one.player.clone()));
        names.collect()
    })
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game; with --host, the name of the invited player
    game: String,
    /// Who is invited: what the person types before the @
    #[arg(
        value_name = "NAME",
        required_unless_present = "host",
        conflicts_with = "host"
    )]
    seat: Option<String>,
    /// Invite to the lobby that `tableside host` opens
    #[arg(long, conflicts_with = "role")]
    host: bool,
    #[arg(
        long,
        help = "gm, player or watcher [player]",
        hide_possible_values = true
    )]
    #[arg(value_parser = ["gm", "player", "watcher"])]
    role: Option<String>,
}

/// Makes an invitation.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    if args.host {
        app.create_host_game()?;
        let made = tableside_server::invite_to_host(&app.storage()?, &args.game, (app.clock)())?;
        let until = Zone::Local.day_and_time(made.until);
        let words = format!("{} is invited to the host until {until}.", made.name);
        app.out.line(&words)?;
        return tell_code(app, &made);
    }
    let game = app.name(&args.game)?;
    let place = app.storage()?.location(&game);
    if !place.exists() {
        return Err(app.missing(&game));
    }
    let mut roles = [SeatRole::Gm, SeatRole::Player, SeatRole::Watcher].into_iter();
    let role = roles.find(|role| args.role.as_deref() == Some(role.into_str()));
    let party = party(app, &game);
    let asked = args.seat.as_deref().unwrap_or_default();
    let has_seat = tableside_server::has_seat(&place, asked)?;
    // A character's name means its player.
    let is_player = party.iter().any(|(_, player)| is_same_name(player, asked));
    let is_meant = |(character, _): &&(String, String)| is_same_name(character, asked);
    let named = party.iter().find(is_meant);
    let named = named.filter(|_| !has_seat && !is_player);
    let (seat, plays) = match named {
        Some((character, player)) if player.is_empty() => (asked, Some(character.as_str())),
        Some((_, player)) => (player.as_str(), None),
        None => (asked, None),
    };
    let made =
        tableside_server::invite((&app.storage()?, &game), (seat, role, plays), (app.clock)())?;
    let until = Zone::Local.day_and_time(made.until);
    let out = &mut app.out;
    out.line(&format!(
        "{} is invited as {} until {until}.",
        made.name,
        made.role.into_str()
    ))?;
    if let Some((character, player)) = named.filter(|(_, player)| !player.is_empty()) {
        out.line(&format!(
            "{player} plays {character}: the seat has the player's name."
        ))?;
    }
    let is_nobodys = made.characters.is_empty()
        && !party
            .iter()
            .any(|(_, player)| is_same_name(player, &made.name));
    if made.role == SeatRole::Player && is_nobodys {
        let mut players: Vec<&str> = party.iter().map(|(_, player)| player.as_str()).collect();
        players.retain(|player| !player.is_empty());
        let known = if players.is_empty() {
            String::new()
        } else {
            format!(" Players there are: {}.", players.join(", "))
        };
        out.line(&format!(
            "{} has no character yet: enter the name as the player of a character.{known}",
            made.name
        ))?;
    }
    tell_code(app, &made)
}

/// Tells the code and how it is used.
fn tell_code(app: &mut App<'_>, made: &Invited) -> Result<(), CliError> {
    let out = &mut app.out;
    out.line(&format!("Code:         {}   (it works once)", made.code))?;
    let unknown = match &made.command {
        command if command.starts_with("ssh -p PORT") => "   (port and host of --listen)",
        command if command.ends_with("HOST") => "   (HOST is this machine's name or address)",
        _ => "",
    };
    out.line(&format!("They type:    {}{unknown}", made.command))?;
    out.line(&format!("They compare: {}", made.fingerprint))
}
