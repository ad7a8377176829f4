//! Searching a log that is longer than what is in memory: the journal's files are gone through as bytes, the
//! newest first, on a few threads, and only lines that may match are read.

use std::ops::Range;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use regex::bytes::Regex;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

use super::filter::{Filter, Part};
use super::history::Mark;
use super::journal_entry::{BY, LazyEntry, Rolled, hash, read};
use super::view::INSERTED;
use super::{Entry, Seat, SeatView, Table};
use tableside_game::Game;
use tableside_store::{Record, StoreError, number_of};
use tableside_text::{fold_characters, join};

/// What a stretch of a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The numbers of the entries that are let through, oldest first.
    pub rows: Vec<u64>,
    /// The event back to which everything was looked at; 1 at the end.
    pub from: u64,
    /// What could not be looked at, and why.
    pub unread: Option<String>,
}

/// What one seat looks for.
struct Query<'a> {
    seat: &'a Seat,
    filter: &'a Filter,
    /// Is found in every line that can match, whatever else is; none where any line can.
    anchor: Option<Regex>,
    /// What the seat may read instead of what was stored, in small letters.
    inserted: String,
    below: u64,
}

/// So many processors are put to one search at most: others play on this machine, too.
const MOST_SHARES: usize = 4;

/// The threads that search. They must not be the threads that work out odds: a roll locks the table until its odds are
/// there, and a search that waits for the table on those threads would keep them from working the odds out.
static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    let threads = ThreadPoolBuilder::new().num_threads(MOST_SHARES).build();
    threads.expect("the system has a few threads")
});

/// So many lines are looked at before others get their turn at the table.
const AT_A_TIME: usize = 64;

/// Some lines, as the seat reads them that looks.
struct Stretch<'a> {
    query: &'a Query<'a>,
    seen: &'a SeatView<'a>,
    /// Whether the seat reads the rolls of somebody, by how they begin, for those of a file are by a few; and by the
    /// game's revision, for that one may be hidden meanwhile.
    rollers: &'a mut FxHashMap<u64, Option<bool>>,
}

impl<'a> Query<'a> {
    /// Looks for the longest letters and digits that stand in the journal's line of whatever matches, whatever else is
    /// made of that line for the seat. Signs may be escaped there.
    fn new(seat: &'a Seat, filter: &'a Filter, game: &Game, below: u64) -> Self {
        let words = filter.terms().filter(|(part, word)| {
            // A scene is another entry, and dice are told by their faces.
            let is_in_line = !matches!(part, Part::Scene | Part::Die);
            // Its dot becomes a letter of its own.
            is_in_line && !word.contains('\u{307}')
        });
        let pieces = words.flat_map(|(_, word)| word.split(|one: char| !one.is_alphanumeric()));
        let stays =
            |piece: &&str| !piece.is_empty() && (seat.sees_all() || !INSERTED.contains(piece));
        let longest = pieces.filter(stays).max_by_key(|piece| piece.len());
        // Others than the GM read names of now instead of those of then.
        let names = if seat.sees_all() {
            Vec::new()
        } else {
            names_by_id(game)
        };
        let inserted = join(names.iter().map(|(_, name)| name), "\n") + INSERTED;
        let anchor = longest.map(|word| {
            // What is done to an opponent is told by the check.
            let checks = game.system.spec().checks.iter();
            let deeds = checks.filter(|check| check.deed.contains(word));
            let deeds = deeds.map(|check| format!("|\"check\":\"{}\"", check.id));
            // A number is looked for where somebody is called so alone: there is one in each line. So is the
            // beginning of its key, and a search would stop there.
            let named = names.iter().filter(|(_, name)| name.contains(word));
            let named =
                named.map(|(id, _)| format!("|(?:d|character|lock|clock|pool)\":{id}[,}}]"));
            let others = join(deeds.chain(named), "");
            let anchor = format!("{}{others}", anchor_of(word));
            Regex::new(&anchor).expect("letters and digits stand for themselves")
        });
        Self {
            seat,
            filter,
            anchor,
            inserted,
            below,
        }
    }
}

/// The folded names that entries are retold with, each with the number that their lines have instead. Pools and clocks
/// are listed by their owners' names as well.
fn names_by_id(game: &Game) -> Vec<(u32, String)> {
    let mut names = Vec::new();
    for character in &game.roster {
        names.push((character.id.0, fold_characters(&character.name)));
    }
    for departed in &game.departed {
        names.push((departed.id.0, fold_characters(&departed.name)));
    }
    for clock in &game.clocks {
        names.push((clock.id.0, fold_characters(&clock.name)));
        if let Some(race) = game.race_name(clock) {
            names.push((clock.id.0, fold_characters(&race)));
        }
    }
    for pool in &game.pools {
        names.push((pool.id.0, fold_characters(&pool.name)));
        names.push((pool.id.0, fold_characters(game.owner_name(pool.owner))));
    }
    names
}

impl Stretch<'_> {
    /// Whether the seat reads a roll as it was stored; none where the roll must be read whole to tell.
    fn reads_as_stored(&mut self, line: &LazyEntry<'_>) -> Option<bool> {
        let (lens, revision) = (self.seen.lens(), self.seen.revision());
        let read = || {
            let rolled: Rolled = line.roll()?;
            if !lens.sees_rolls_of(rolled.id, &rolled.hidden_from) {
                // Words are all that is read of what was noticed.
                let in_words = |(part, _)| matches!(part, Part::Text | Part::Who | Part::Scene);
                let may_match = rolled.noticed && self.query.filter.terms().all(in_words);
                return (!may_match).then_some(false);
            }
            // It is told by the name of now.
            let now = rolled.id.and_then(|id| lens.name(id));
            now.is_none_or(|now| now == rolled.who).then_some(true)
        };
        let roller = line.open_roller();
        match roller.map(|roller| hash((revision, roller))) {
            Some(roller) => *self.rollers.entry(roller).or_insert_with(read),
            None => read(),
        }
    }

    /// Whether an entry is to be shown, as far as its line tells; none where it must be read whole.
    fn tells(&mut self, number: u64, line: &[u8]) -> Option<bool> {
        let line = LazyEntry::at(line)?;
        let query = self.query;
        let is_read = if query.seat.sees_all() {
            true
        } else if line.is(&LazyEntry::ROLLS) {
            self.reads_as_stored(&line)?
        } else {
            // A scene's line says more than players read, and a step of the house is everybody's.
            let is_step = line.is(&[b"ticked\"", b"undone\"", b"redone\""]);
            let may_read = is_step && line.is_of_host()
                || line.is(&[b"scene\"", b"amended\"", b"rerolled\""])
                || line.seat()? == query.seat.id;
            return (!may_read).then_some(false);
        };
        if !is_read {
            return Some(false);
        }
        let (line, inserted) = ((number, &line), &query.inserted);
        query.filter.lets_line_through(line, inserted, self.seen)
    }

    /// The number of the entry on a line, if it is one to be shown.
    fn judge(&mut self, line: &[u8]) -> Option<u64> {
        let query = self.query;
        let number = number_of(line).filter(|number| *number < query.below)?;
        if query.seat.sees_all() && query.filter.is_empty() {
            return Some(number);
        }
        let is_shown = self.tells(number, line).or_else(|| {
            let entry = Arc::new(read(&Record::parse(line)?)?);
            let entry = self.seen.lens().entry(&entry, self.seen.history());
            Some(entry.is_some_and(|entry| query.filter.lets_through(&entry, self.seen)))
        })?;
        is_shown.then_some(number)
    }
}

impl Table {
    /// Looks for entries before `below` that the seat may read and the filter lets through, newest first,
    /// and stops after about `patience`.
    pub fn search(&self, seat: &Seat, filter: &Filter, below: u64, patience: Duration) -> Found {
        let began = Instant::now();
        let (reader, known, query) = {
            let inner = self.look();
            let below = below.min(inner.history.first());
            let query = Query::new(seat, filter, &inner.game, below);
            (inner.reader(), inner.history.marked_from(), query)
        };
        let mut stretches = vec![self.read(seat, |seen| {
            let is_older = |one: &Arc<Entry>| (query.below..below).contains(&one.number);
            let older = seen.log().rev().take_while(|one| is_older(one));
            let shown = older.filter(|one| filter.lets_through(one, seen));
            shown.map(|entry| entry.number).collect::<Vec<u64>>()
        })];
        let mut found = Found {
            from: 1,
            ..Found::default()
        };
        // What events say about entries before them is learned on the way, as far as there is no gap.
        let (mut marked, mut marks) = (known, Vec::new());
        let mut is_gapless = query.below >= known;
        let readers = reader.iter();
        let mut files = readers.flat_map(|reader| reader.back_from(query.below));
        while found.from == 1 {
            let some: Vec<_> = files.by_ref().take(MOST_SHARES).collect();
            if some.is_empty() {
                break;
            }
            let read = some.into_par_iter().filter_map(|read| read());
            let read = read.map(|file| {
                let (first, bytes) = file?;
                let learned = (is_gapless && first < known).then(|| marks_in(&bytes));
                Ok::<_, StoreError>((first, learned, self.scan(&bytes, &query)))
            });
            for file in THREADS.install(|| read.collect::<Vec<_>>()) {
                let (first, learned, rows) = match file {
                    Ok(file) => file,
                    Err(error) => {
                        found.unread = Some(error.to_string());
                        is_gapless = false;
                        continue;
                    }
                };
                stretches.push(rows);
                if let Some(learned) = learned.filter(|_| is_gapless) {
                    marks.extend(learned);
                    marked = first;
                }
                if began.elapsed() >= patience {
                    found.from = first;
                }
            }
        }
        if marked < known {
            self.inner().history.learn_marks(marked, known, marks);
        }
        found.rows = stretches.into_iter().rev().flatten().collect();
        found
    }

    /// Brings entries into memory, wherever in the log they are. What cannot be read is not brought.
    pub fn fetch(&self, numbers: &[u64]) {
        let (reader, mut wanted) = {
            let inner = self.look();
            let missing = numbers.iter().copied();
            let missing = missing.filter(|number| inner.history.entry(*number).is_none());
            (inner.reader(), missing.collect::<Vec<u64>>())
        };
        let Some(reader) = reader else { return };
        wanted.sort_unstable();
        let mut records = Vec::new();
        for run in wanted.chunk_by(|one, next| one + 1 == *next) {
            match run {
                [first, .., last] => records.extend(reader.read(*first..last + 1)),
                [number] => records.extend(reader.event(*number).map(Vec::from_iter)),
                [] => {}
            }
        }
        let entries = records.iter().flatten().filter_map(read);
        let entries: Vec<_> = entries.map(Arc::new).collect();
        self.inner().history.hold(entries);
    }

    /// Learns which of all entries do not hold any more, wherever in the log they are.
    pub(super) fn know_marks(&self) -> Result<(), StoreError> {
        let (reader, known) = {
            let inner = self.look();
            (inner.reader(), inner.history.marked_from())
        };
        let mut marks = Vec::new();
        let files = reader.iter().flat_map(|reader| reader.back_from(known));
        for file in files.filter_map(|read| read()) {
            marks.extend(marks_in(&file?.1));
        }
        self.inner().history.learn_marks(1, known, marks);
        Ok(())
    }

    /// The numbers of the entries of a file that are to be shown.
    fn scan(&self, bytes: &[u8], query: &Query<'_>) -> Vec<u64> {
        let (mut lines, mut from) = (Vec::new(), 0);
        // One of this thread's own is not waited for.
        let anchor = query.anchor.clone();
        let hit_from = |from| match &anchor {
            Some(anchor) => anchor.find_at(bytes, from).map(|hit| hit.start()),
            None => Some(from),
        };
        while from < bytes.len()
            && let Some(hit) = hit_from(from)
        {
            let place = line_at(bytes, hit);
            let line = bytes.get(place.clone()).unwrap_or_default();
            // Digits stand in the number and the time of many lines that have them nowhere else.
            let told = || place.start + BY.find(line).unwrap_or(0);
            if anchor.is_some() && hit < told() {
                from = told();
                continue;
            }
            from = place.end + 1;
            lines.push(line);
        }
        let (mut shown, mut rollers) = (Vec::new(), FxHashMap::default());
        for some in lines.chunks(AT_A_TIME) {
            self.read(query.seat, |seen| {
                let mut stretch = Stretch {
                    query,
                    seen,
                    rollers: &mut rollers,
                };
                shown.extend(some.iter().filter_map(|line| stretch.judge(line)));
            });
        }
        shown
    }
}

/// What the events of a file say about entries before them.
fn marks_in(bytes: &[u8]) -> Vec<(u64, (u64, Mark))> {
    let finder = Finder::new(b",\"what\":{\"");
    let entries = finder.find_iter(bytes).filter_map(|hit| {
        let what = bytes.get(hit + finder.needle().len()..)?;
        let is_mark = Mark::KINDS.iter().any(|kind| what.starts_with(kind));
        let line = is_mark.then(|| bytes.get(line_at(bytes, hit)))??;
        read(&Record::parse(line)?)
    });
    let marks = entries.filter_map(|one| Some((one.number, Mark::of(&one.event.what)?)));
    marks.collect()
}

/// A regular expression that is found in each text that has this word when both are compared.
fn anchor_of(word: &str) -> String {
    format!("(?i:{word}){}", other_spellings(word))
}

/// A regular expression, to stand behind another, for the characters that may spell a part of this word in another
/// way than the word itself: `É` and `ß`, accents and full-width letters in journals of older versions.
fn other_spellings(word: &str) -> String {
    /// Each such character with the letters that it is compared as.
    static SPELLINGS: LazyLock<Vec<(char, String)>> = LazyLock::new(|| {
        let letters = ('\u{80}'..='\u{FFFF}').chain('\u{1D400}'..='\u{1D7FF}');
        let spelled =
            letters.map(|letter| (letter, fold_characters(letter.encode_utf8(&mut [0; 4]))));
        let is_other = |letter: char, folded: &str| {
            let is_wide = matches!(letter, '\u{FF00}'..='\u{FFEF}');
            let has_forms = letter.to_uppercase().count() > 1 || letter.to_lowercase().count() > 1;
            is_wide || has_forms || folded.chars().count() > 1 || letter == 'ı'
        };
        let others = spelled.filter(|(letter, folded)| is_other(*letter, folded));
        others.collect()
    });

    let parts: String = word.nfd().collect();
    let marks = parts
        .chars()
        .filter(|part| !word.contains(*part) && !part.is_ascii());
    let spellings = SPELLINGS.iter().filter(|(_, folded)| {
        let mut letters = folded.chars();
        letters.any(|letter| {
            letter.is_alphanumeric() && (word.contains(letter) || parts.contains(letter))
        })
    });
    let spellings = spellings.map(|(letter, _)| *letter);

    let mut others: String = marks.chain(spellings).collect();
    if word.contains('i') {
        // The dot of a separated `İ` is not compared.
        others.push('\u{307}');
    }
    // Comparisons ignore these characters, which may stand between any two letters.
    others.push_str(r"\x{AD}\x{34F}\x{200B}\x{FE00}-\x{FE0F}\x{E0100}-\x{E01EF}");
    format!("|[{others}]")
}

/// The line around that place, without its newline.
fn line_at(bytes: &[u8], place: usize) -> Range<usize> {
    let (before, after) = bytes.split_at(place);
    let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
    start..memchr(b'\n', after).map_or(bytes.len(), |end| place + end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_word_is_found_however_a_journal_spells_it() {
        for (written, word) in [
            ("Jose\u{301} falls", "josé"),
            ("JOSE\u{301} falls", "josé"),
            ("Nguye\u{302}\u{303}n", "nguyễn"),
            ("Ｇｏｂｌｉｎ", "goblin"),
            ("Straße", "strasse"),
            ("STRASSE", "strasse"),
            ("İstanbul", "istanbul"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
            ("ﾊﾟﾊﾟ", "パパ"),
            ("葛\u{E0100}城", "葛城"),
            ("dra\u{AD}gon", "dragon"),
            ("a\u{E0100}A", "aa"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
        ] {
            assert!(fold_characters(written).contains(word), "{written}");
            let anchor = Regex::new(&anchor_of(word)).unwrap();
            assert!(anchor.is_match(written.as_bytes()), "{written}");
        }
        let anchor = Regex::new(&anchor_of("goblin")).unwrap();
        assert!(!anchor.is_match("Mira and Jürgen".as_bytes()));
    }

    proptest! {
        #[test]
        fn each_part_of_a_text_is_found_in_it(
            text in "[a-zA-ZäöüßéÉıİςΣσ\u{301}\u{308}\u{323}Ａ-Ｚﾊﾟパ한\u{1100}-\u{1112}\u{1161}-\u{1175}葛\u{E0100}ﬁ]{1,8}",
            from in 0_usize..8,
            length in 1_usize..8,
        ) {
            let folded: Vec<char> = fold_characters(&text).chars().collect();
            let word: String = folded.iter().skip(from).take(length).collect();
            prop_assume!(!word.is_empty() && word.chars().all(char::is_alphanumeric));
            let anchor = Regex::new(&anchor_of(&word)).unwrap();
            prop_assert!(anchor.is_match(text.as_bytes()), "{} in {}", word, text);
        }
    }
}
