//! Reads the end of a journal, and checks that it belongs to the snapshot.

use std::path::Path;

use tableside_store::backend::{ChainEnd, Result};
use tableside_store::{Block, Mismatch, MismatchFinding, Snapshot, StoreError};

use crate::database::TextRow;
use crate::game_row::GameRow;
use crate::journal_rows::join_lines;

/// The beginning of the first line of a journal.
const FIRST_LINE: &[u8] = b"{\"n\":1,";

/// The name of the sidecar file that receives the events of a journal that does not belong to the snapshot.
const TORN_JOURNAL: &str = "journal.torn";

/// Reads the end of a journal: the newest event of the snapshot, which has the number `reached`, all later events, and
/// at least the last `tail` events. Also reads the event before them, because the next checksum continues its checksum.
pub(crate) fn read_end(game: &GameRow, reached: u64, tail: u64) -> Result<Block> {
    let sql = "select line from journal where game = GAME and n >= least(
        coalesce((select n from journal where game = GAME and n <= $3::bigint order by n desc offset 1 limit 1), 1),
        (select max(n) from journal where game = GAME) - $4::bigint) order by n";
    let rows = game.read(sql, &[&reached.to_string(), &tail.to_string()])?;
    Ok(scan_lines(&game.display_path(), &rows))
}

/// Checks consecutive lines. The checksum of the first line is not checked, because it continues a line that was not
/// read. Event 1 continues no line, so its checksum is checked.
pub(crate) fn scan_lines(game: &Path, rows: &[TextRow]) -> Block {
    let bytes = join_lines(rows);
    let chain = if bytes.starts_with(FIRST_LINE) {
        Some(ChainEnd::default())
    } else {
        None
    };
    Block::scan(game.join("journal"), bytes, chain)
}

/// Fails if the end of the journal is damaged or does not belong to the snapshot. Returns the number of the last event.
pub(crate) fn check_history(game: &GameRow, snapshot: &Snapshot) -> Result<u64> {
    let block = read_end(game, snapshot.last, 0)?;
    if let Some(mismatch) = find_mismatch(&block, snapshot, &game.display_path()) {
        return Err(StoreError::Mismatched(Box::new(mismatch)));
    }
    match block.first_damage() {
        Some(damage) => Err(StoreError::Damaged(damage)),
        None => Ok(block.end().unwrap_or_default().n),
    }
}

/// Checks that a journal contains the newest event of the snapshot. `block` begins with that event or an earlier one.
pub(crate) fn find_mismatch(block: &Block, snapshot: &Snapshot, game: &Path) -> Option<Mismatch> {
    let end = block.end().unwrap_or_default();
    let newest = block
        .ends()
        .take_while(|end| end.n <= snapshot.last)
        .last()
        .unwrap_or_default();

    let is_same = match snapshot.checksums {
        Some(checksums) => newest.crc == checksums.end,
        None => end.n >= snapshot.last,
    };
    if is_same {
        return None;
    }

    Some(Mismatch {
        snapshot: snapshot.path.clone(),
        journal: game.join("journal"),
        reached: snapshot.last,
        finding: MismatchFinding::new(newest.n, end.n, snapshot.last),
        before_belongs: false,
    })
}

/// Moves all events of the journal into a sidecar file. Returns a notice for the user.
pub(crate) fn set_journal_aside(game: &GameRow) -> Result<String> {
    let sql = "with lines as (delete from journal where game = GAME returning n, line)
        insert into file (game, name, text)
        select GAME, $3, string_agg(line, chr(10) order by n) from lines having count(*) > 0
        on conflict (game, name) do update
        set text = file.text || chr(10) || excluded.text, version = nextval('file_version')";
    game.write(sql, &[TORN_JOURNAL])?;

    let path = game.display_path().join(TORN_JOURNAL);
    Ok(format!(
        "The journal did not belong to the saved state. Its events were moved to {}, and the log begins with the next event.",
        path.display()
    ))
}
