//! Fits words into the form of a command: of all ways that fit, the surest.

use std::cmp::Reverse;

use super::check_reader::dice;
use super::{CommandSpec, ParseError, Piece, SlotKind, Slots, Thing, cut, find, known, number};
use tableside_dice::notation::Notation;
use tableside_game::Allegiance;
use tableside_table::SeatView;
use tableside_text::fold;

/// The most words of a name that is looked up.
const LONGEST_NAME: usize = 24;

/// The most names that are tried: words that fit in every place cost no more than others.
const MOST_TRIES: usize = 400;

/// How good a way to read the words is, the smallest first: how unsure its names are, how many words
/// are free text, and how few make up names.
type Doubt = (u32, usize, Reverse<usize>);

/// How far a way got that does not fit: the word, whether something near is known, and how many words
/// were looked at.
type Reached = (usize, u8, usize);

/// Fits words into forms.
pub(super) struct Matcher<'a> {
    words: &'a [&'a str],
    seen: &'a SeatView<'a>,
    best: Option<(Doubt, &'static CommandSpec, Slots)>,
    problem: Option<(Reached, ParseError)>,
    /// How many names were tried.
    tries: usize,
    /// The command at which that was enough.
    lost: Option<&'static CommandSpec>,
}

/// A way through a form, so far.
#[derive(Clone)]
struct Way {
    spec: &'static CommandSpec,
    /// The word that comes next.
    at: usize,
    slots: Slots,
    doubt: Doubt,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(words: &'a [&'a str], seen: &'a SeatView<'a>) -> Self {
        Self {
            words,
            seen,
            best: None,
            problem: None,
            tries: 0,
            lost: None,
        }
    }

    /// Tries one command.
    pub(super) fn try_spec(&mut self, spec: &'static CommandSpec) {
        let way = Way {
            spec,
            at: 0,
            slots: Slots::default(),
            doubt: Doubt::default(),
        };
        self.walk(&spec.pieces().iter().collect::<Vec<_>>(), way);
    }

    /// The best way found, or the problem of the one that got furthest.
    pub(super) fn finish(self) -> Result<(&'static CommandSpec, Slots), ParseError> {
        match (self.lost, self.best, self.problem) {
            (Some(spec), ..) => Err(spec.misspoken("so many words can be read in too many ways")),
            (None, Some((_, spec, slots)), _) => Ok((spec, slots)),
            (None, None, Some((_, problem))) => Err(problem),
            (None, None, None) => Err(ParseError::Verb("say what is to be done".to_owned())),
        }
    }

    fn fail(&mut self, reached: Reached, problem: impl FnOnce() -> ParseError) {
        let known = self.problem.as_ref();
        if known.is_none_or(|(known, _)| reached > *known) {
            self.problem = Some((reached, problem()));
        }
    }

    /// Something else stands there, or nothing.
    fn miss(&mut self, spec: &'static CommandSpec, at: usize, due: &str) {
        // From the beginning on nothing is missing: there it stands for the end.
        let given = self.words.get(at).filter(|_| at > 0);
        let what = given.map(|given| format!("should stand where {:?} does", cut(given)));
        let what = what.as_deref().unwrap_or("is missing");
        self.fail((at, 0, 0), || spec.misspoken(format!("{due} {what}")));
    }

    fn walk(&mut self, left: &[&Piece], mut way: Way) {
        let words = self.words.get(way.at..).unwrap_or_default();
        let Some((piece, rest)) = left.split_first() else {
            if !words.is_empty() {
                let what = format!("{:?} is too much", cut(&words.join(" ")));
                self.fail((way.at, 1, 0), || way.spec.misspoken(what));
            } else if self.best.as_ref().is_none_or(|best| way.doubt < best.0) {
                self.best = Some((way.doubt, way.spec, way.slots));
            }
            return;
        };
        let word = words.first().map(|word| word.to_lowercase());
        match piece {
            Piece::Word(known) => {
                let same = |known: &&str| Some(*known) == word.as_deref();
                if let Some(same) = known.split('|').find(same) {
                    way.slots.words.push(same);
                    way.at += 1;
                    self.walk(rest, way);
                } else {
                    let swallowed = words.is_empty() && way.doubt.1 > 0;
                    let at = if swallowed { 0 } else { way.at };
                    self.miss(way.spec, at, &known.replace('|', " or "));
                }
            }
            Piece::Filler(known) => {
                if word.is_some_and(|word| word == *known) {
                    let at = way.at + 1;
                    self.walk(rest, Way { at, ..way.clone() });
                }
                self.walk(rest, way);
            }
            Piece::Maybe(inside) => {
                let with: Vec<&Piece> = inside.iter().chain(rest.iter().copied()).collect();
                self.walk(&with, way.clone());
                self.walk(rest, way);
            }
            // A free text that swallowed everything got nowhere by it.
            Piece::Slot(slot, _) if words.is_empty() => {
                let reached = way.at.saturating_sub(way.doubt.1);
                self.fail((reached, 0, 0), || {
                    way.spec.misspoken(format!("{slot} is missing"))
                });
            }
            Piece::Slot(slot, kind) => self.fill(slot, *kind, rest, way),
        }
    }

    fn fill(&mut self, slot: &str, kind: SlotKind, rest: &[&Piece], mut way: Way) {
        let words = self.words.get(way.at..).unwrap_or_default();
        let Some(first) = words.first() else { return };
        let slots = &mut way.slots;
        let before = self.words.get(way.at.wrapping_sub(1));
        let before = before.map_or("", |word| word);
        let found = || self.look_up(SlotKind::Character, first, slots);
        let is_name = || found().is_ok_and(|(_, unsure)| unsure < 4);
        let goes_on = first.eq_ignore_ascii_case("and") || before.ends_with(',') && is_name();
        let is_free = kind == SlotKind::Name || slot == "CHECK…";
        if is_free && goes_on && !slots.things.is_empty() && slots.words.last() != Some(&before) {
            // It is one more of those before it.
            return;
        }
        let (taken, due) = match kind {
            SlotKind::Dice if matches!(dice(&words.join(" "), self.seen), Ok(None)) => {
                (0, "DICE, as in 2d6+1,".to_owned())
            }
            SlotKind::Text | SlotKind::Dice => {
                slots.text = words.join(" ");
                (words.len(), String::new())
            }
            SlotKind::Number => {
                let number = number(first);
                match slot {
                    "ROUNDS" => slots.rounds = number,
                    _ => slots.amount = number,
                }
                (usize::from(number.is_some()), format!("{slot}, a number,"))
            }
            SlotKind::Count => {
                let is_one = first
                    .parse::<Notation>()
                    .is_ok_and(|notation| notation.repetitions() == 1);
                slots.counts.extend(is_one.then(|| (*first).to_owned()));
                let due = format!("{slot}, a number or dice as in 4+d4,");
                (usize::from(is_one), due)
            }
            SlotKind::Entry => {
                slots.entry = self.entry(first);
                let due = "ENTRY, the number of an entry or \"last\",";
                (usize::from(slots.entry.is_some()), due.to_owned())
            }
            SlotKind::Waiting => {
                let number = first.strip_prefix('#');
                slots.waiting = number.and_then(|number| number.parse().ok());
                let due = "#ENTRY, the number of a roll that waits,";
                (usize::from(slots.waiting.is_some()), due.to_owned())
            }
            _ => return self.fill_name(kind, rest, &way),
        };
        if taken == 0 {
            return self.miss(way.spec, way.at, &due);
        }
        way.at += taken;
        self.walk(rest, way);
    }

    /// Fills in a name of one word, of two, and so on.
    fn fill_name(&mut self, kind: SlotKind, rest: &[&Piece], way: &Way) {
        let words = self.words.get(way.at..).unwrap_or_default();
        let is_free = kind == SlotKind::Name;
        let longest = if is_free { words.len() } else { LONGEST_NAME };
        for taken in 1..=words.len().min(longest) {
            self.tries += 1;
            if self.tries > MOST_TRIES {
                self.lost = Some(way.spec);
                return;
            }
            let name = words.get(..taken).unwrap_or_default().join(" ");
            let mut way = way.clone();
            way.at += taken;
            if is_free {
                way.slots.name = name;
                way.doubt.1 += taken;
                self.walk(rest, way);
                continue;
            }
            match self.look_up(kind, &name, &way.slots) {
                Ok((things, unsure)) => {
                    way.slots.things.extend(things);
                    way.doubt.0 += unsure;
                    way.doubt.2.0 += taken;
                    self.walk(rest, way);
                }
                Err(problem) => {
                    let near = match &problem {
                        ParseError::Several { .. } => 3,
                        ParseError::Unknown { near, .. } if !near.is_empty() => 2,
                        _ => 1,
                    };
                    self.fail((way.at - taken, near, taken), || problem);
                }
            }
        }
    }

    fn entry(&self, word: &str) -> Option<u64> {
        if word.eq_ignore_ascii_case("last") {
            return self.seen.log().next().map(|entry| entry.number);
        }
        // Others than the GM may not try which numbers there are of what they do not read.
        let may = |number: &u64| self.seen.seat().sees_all() || self.seen.entry(*number).is_some();
        let number = word.strip_prefix('#').unwrap_or(word);
        number.parse().ok().filter(may)
    }

    /// What a name leads to, and how unsure that is: one thing; where the slot takes several, also those of
    /// `Mira, Bo and Wren`, or everybody of the party who is here.
    fn look_up(
        &self,
        kind: SlotKind,
        name: &str,
        slots: &Slots,
    ) -> Result<(Vec<Thing>, u32), ParseError> {
        let folded = fold(name);
        let is = |names: &[&str]| names.contains(&folded.as_str());
        if kind == SlotKind::Owner && is(&["table", "the table", "everybody", "all"]) {
            return Ok((vec![Thing::Table], 0));
        }
        // A name in files is one stat's alone; headings may say the same of two.
        let mut stats = self.seen.system().spec().stats.iter();
        if kind == SlotKind::Stat
            && let Some(stat) = stats.find(|stat| stat.id == folded)
        {
            return Ok((vec![Thing::Stat(stat.id)], 0));
        }
        let owner = slots.owners().next().filter(|_| kind == SlotKind::Pool);
        let known = known(kind, owner, self.seen);
        let single = find(kind.noun(), name, &known).map(|(thing, unsure)| (vec![thing], unsure));
        if single.is_ok() || !matches!(kind, SlotKind::Characters | SlotKind::Things) {
            return single;
        }
        let all = ["all", "everybody", "everyone", "party", "the party"];
        if kind == SlotKind::Characters && is(&all) {
            let here = self.seen.roster().filter(|one| one.is_here());
            let party = here.filter(|one| one.side == Allegiance::Party);
            return Ok((party.map(|one| Thing::Character(one.id)).collect(), 0));
        }
        let parts = name.split(',').flat_map(|part| part.split(" and "));
        let parts: Vec<&str> = parts.map(str::trim).filter(|one| !one.is_empty()).collect();
        if parts.len() < 2 {
            return single;
        }
        let (mut things, mut unsure) = (Vec::new(), 0);
        for part in parts {
            let (thing, more) = find(kind.noun(), part, &known)?;
            unsure += more;
            things.extend((!things.contains(&thing)).then_some(thing));
        }
        Ok((things, unsure))
    }
}
