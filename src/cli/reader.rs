//! The reader that an option `--for NAME` names.

use super::CliError;
use tableside_commands::readers_named;
use tableside_game::Readers;
use tableside_table::{Seat, SeatId, SeatRole, SeatView};

/// Returns a seat that sees what the named players see: a character, a player, or `players` for what all see.
///
/// It is never the author of a note, because the GM at the command line may not read notes that players keep to
/// themselves.
pub(super) fn find_reader(name: &str, view: &SeatView<'_>) -> Result<Seat, CliError> {
    let readers = readers_named(name, view).map_err(|error| CliError::failed(error.to_string()))?;
    let seat = match readers {
        Readers::Author | Readers::Gm => Seat::gm(),
        Readers::Everybody => Seat::onlooker(),
        Readers::Characters(characters) => Seat {
            characters: characters.iter().map(|named| named.id).collect(),
            ..Seat::new(SeatId::NOBODY, name, SeatRole::Player)
        },
        Readers::Seat { name, .. } => Seat::new(SeatId::NOBODY, &name, SeatRole::Player),
    };
    Ok(seat)
}
