//! Reads the dice of a step: what is rolled, and what the rule looks at.

use crate::system_file::compile::scope::{CheckReader, MOST_LISTED, in_expressions};
use crate::system_file::program::expression::{Expression, Fault, Name};
use crate::system_file::program::{Bounds, DieRule, HeapRule, ReadingRule, Throw};
use crate::system_file::read::{Given, Table};
use crate::{Kind, Side};
use tableside_dice::{Die, DieRole, ReadingKind};

/// A die is rolled at most so often for faces that explode.
const MOST_ROLLS: i32 = 20;

impl CheckReader<'_> {
    pub(crate) fn throw(&self, table: &Table<'_>, roll: &Table<'_>) -> Throw {
        let heaps = roll.all().filter_map(|(name, given)| {
            Some(self.heap(name, &given.table(&format!("the dice {name}"))?))
        });
        let heaps: Vec<HeapRule> = heaps.collect();
        if heaps.is_empty() {
            roll.fault(format!("{} rolls no dice", table.what));
        }
        roll.check_count("groups of dice", heaps.len(), MOST_LISTED);
        // What a roll reads is known only after it.
        let read = table.entries("read").into_iter();
        let read = read.filter_map(|(name, given)| {
            let reading = given.table(&format!("the reading {name}"))?;
            let rule = self.reading(&reading, &heaps)?;
            let is_told = reading.get("shown").and_then(Given::flag).unwrap_or(true);
            Some((name, given, is_told, rule))
        });
        let read = read.collect::<Vec<_>>().into_iter();
        let readings =
            read.map(|(name, given, is_told, rule)| (self.name(given, name, is_told), rule));
        let readings = readings.collect();
        let of = |(at, heap): (usize, &HeapRule)| {
            let is_new = heaps[..at].iter().all(|one| one.by != heap.by);
            is_new.then_some(heap.by)
        };
        let sides = heaps.iter().enumerate().filter_map(of).collect();
        Throw {
            heaps,
            sides,
            readings,
        }
    }

    fn heap(&self, name: &'static str, table: &Table<'_>) -> HeapRule {
        let count = self.worked(table, "count");
        let die = table.must("die").and_then(|given| self.die(given));
        // Symbols don't add up to a face.
        let has_symbols =
            matches!(die, Some(DieRule::Plain(Die::Custom(own))) if !own.symbols.is_empty());
        let explodes = table.get("explode").and_then(|given| {
            if !given.is_table() {
                return given.flag()?.then_some((None, 20, has_symbols));
            }
            let table = given.table("explode")?;
            let from = self.worked(&table, "from");
            let most = table.number("most").unwrap_or(MOST_ROLLS);
            if !(0..=MOST_ROLLS).contains(&most) {
                table.fault(format!("most is a number from 0 to {MOST_ROLLS}"));
            }
            let ways = [("add", false), ("dice", true)];
            let as_dice = table.get("as").and_then(|given| given.one_of(&ways));
            let most = u8::try_from(most).unwrap_or(20);
            Some((from, most, as_dice.unwrap_or(false) || has_symbols))
        });
        HeapRule {
            name: DieRole::named(name, table.text("label")),
            count: count.unwrap_or_else(|| Expression::number(1)),
            die: die.unwrap_or(DieRule::Plain(Die::D6)),
            explodes,
            by: table.variant("by").unwrap_or(Side::Actor),
            again: Vec::new(),
        }
    }

    fn die(&self, given: Given<'_>) -> Option<DieRule> {
        let name = given.text()?;
        if let Some(own) = self.around.dice.iter().find(|own| own.name == name) {
            return Some(DieRule::Plain(Die::Custom(own)));
        }
        let sides = name.strip_prefix('d').and_then(|sides| sides.parse().ok());
        match (name, sides) {
            ("digit", _) => return Some(DieRule::Plain(Die::Digit)),
            ("d100", _) => return Some(DieRule::Hundred),
            (_, Some(sides @ 2..=100)) if name == format!("d{sides}") => {
                return Some(DieRule::Plain(Die::with_sides(sides)));
            }
            _ => {}
        }
        let plain = in_expressions(name);
        let off_sheet = || self.look_up(&format!("stat_{plain}"));
        let found = self.find(&plain).or_else(off_sheet);
        if let Some(Name::Field(at)) = found
            && self.fields.borrow()[at].kind == Kind::Die
        {
            return Some(DieRule::Field(at));
        }
        let plain = ["d4", "d6", "d8", "d10", "d12", "d20", "d100", "digit"].into_iter();
        let own = self.around.dice.iter().map(|own| own.name);
        let fields = self.fields.borrow();
        let fields = fields.iter().filter(|field| field.kind == Kind::Die);
        let fields = fields.map(|field| field.id);
        let used = self.is_partial.get().then_some(name);
        let known = plain.chain(own).chain(fields).chain(used);
        given.known("there is no die", known)?;
        None
    }

    fn reading(&self, table: &Table<'_>, heaps: &[HeapRule]) -> Option<ReadingRule> {
        let keep = table.get("keep");
        let symbols = self.around.dice.iter().flat_map(|own| own.symbols);
        let symbols = symbols.map(|(symbol, _)| *symbol);
        let symbol = table.get("symbol");
        let symbol = symbol.and_then(|given| given.known("no die shows", symbols));
        let kinds = ["sum", "highest", "lowest", "count", "alike"];
        let said = kinds.into_iter();
        let mut said = said.filter_map(|kind| Some((kind, table.get(kind)?)));
        let (Some((kind, of)), None) = (said.next(), said.next()) else {
            table.lacks(format!("{} is one of {}", table.what, kinds.join(", ")));
            return None;
        };
        let mut heap_bits = 0;
        let names = heaps.iter().map(|heap| heap.name.name());
        for given in of.one_or_several() {
            let name = given.known("no dice are called", names.clone())?;
            let at = (0..).zip(names.clone()).find(|(_, known)| *known == name);
            // Of more groups than there are bits the file is refused anyway.
            heap_bits |= at.map_or(0, |(at, _)| 1_u32.checked_shl(at).unwrap_or(0));
        }
        let mut kept = None;
        let one = |high| ReadingKind::SumOfKept {
            count: 1,
            highest: high,
        };
        let reads = match (kind, keep, symbol) {
            ("sum", Some(keep), None) => {
                let (which, many) = keep.text()?.split_once(' ').unwrap_or_default();
                let high = match which {
                    "highest" => true,
                    "lowest" => false,
                    _ => {
                        keep.fault("keep says which and how many, as in \"highest 3\"");
                        return None;
                    }
                };
                let many = self.read(many);
                let fault =
                    |fault: Fault| keep.fault_inside(which.len() + 1 + fault.at, fault.what);
                kept = Some(many.map_err(fault).ok()?);
                ReadingKind::SumOfKept {
                    count: 0,
                    highest: high,
                }
            }
            ("sum", None, Some(symbol)) => ReadingKind::Symbol(symbol),
            ("sum", None, None) => ReadingKind::Sum,
            ("highest", None, None) => one(true),
            ("lowest", None, None) => one(false),
            ("count", None, None) => ReadingKind::Count,
            ("alike", None, None) => ReadingKind::LargestSet,
            _ => {
                table.fault("keep and symbol belong to a sum, and only one of them");
                return None;
            }
        };
        Some(ReadingRule {
            reads,
            keep: kept,
            of: heap_bits,
            bounds: self.bounds(table),
        })
    }

    pub(crate) fn bounds(&self, table: &Table<'_>) -> Bounds {
        let is_equal = table.get("equal").is_some();
        if is_equal && (table.get("from").is_some() || table.get("to").is_some()) {
            table.fault("equal stands alone, without from and to");
        }
        let bound = |key| self.worked(table, if is_equal { "equal" } else { key });
        Bounds {
            from: bound("from"),
            to: bound("to"),
        }
    }
}
