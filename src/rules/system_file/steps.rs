//! Reads the steps and outcomes of a check.

use std::cell::RefCell;

use super::effects::{Change, EffectRule, What};
use super::expression::{Expression, Fault, Name};
use super::program::{
    Act, AgainId, Bearing, Bounds, Choice, DieRule, Ending, HeapRule, Program, Question,
    ReadingRule, Step, Throw,
};
use super::reader::{Given, Table};
use super::template::Template;
use crate::dice::{Die, DieRole, OwnDie, Reads};
use crate::rules::words::capital;
use crate::rules::{
    Asked, ChoiceSpec, ClockSpec, ConditionSpec, Counted, Field, HouseRule, Id, Kind, OutcomeSpec,
    Party, PoolSpec, Side, Source, Tone,
};

/// The most steps in a check, and the most groups, readings or options in a step.
const MOST_STEPS: usize = 20;

/// A die is rolled at most so often for faces that explode.
const MOST_ROLLS: i32 = 20;

/// What a system has beside its checks.
pub(super) struct Around<'a> {
    pub(super) stats: &'a [Field],
    pub(super) pools: &'a [PoolSpec],
    pub(super) clocks: &'a [ClockSpec],
    pub(super) conditions: &'a [ConditionSpec],
    pub(super) house: &'a [HouseRule],
    pub(super) dice: &'a [&'static OwnDie],
    /// The checks by name, with the names of their fields.
    pub(super) checks: &'a [(&'static str, Vec<&'static str>)],
}

/// A check that is being read.
pub(super) struct CheckReader<'a, 't> {
    pub(super) around: &'a Around<'a>,
    pub(super) table: &'a Table<'t>,
    /// Its fields; what expressions look up on the sheet is added to them.
    pub(super) fields: RefCell<Vec<Field>>,
    /// The readings and `let`s, each with whether it is told, and the step that names it first.
    names: RefCell<Vec<(&'static str, bool, usize)>>,
}

const SIDES: [(&str, Side); 3] = [
    ("roller", Side::Actor),
    ("opponent", Side::Opponent),
    ("gm", Side::Gm),
];

const PARTIES: [(&str, Party); 4] = [
    ("roller", Party::Roller),
    ("opponent", Party::Opponent),
    ("helpers", Party::Helpers),
    ("table", Party::Table),
];

const TONES: [(&str, Tone); 5] = [
    ("great", Tone::Triumph),
    ("good", Tone::Good),
    ("mixed", Tone::Mixed),
    ("bad", Tone::Bad),
    ("disaster", Tone::Disaster),
];

/// An id as an expression writes it.
fn in_expressions(id: &str) -> String {
    id.replace(['-', '.'], "_")
}

impl<'a, 't> CheckReader<'a, 't> {
    pub(super) fn new(around: &'a Around<'a>, table: &'a Table<'t>, fields: Vec<Field>) -> Self {
        let (fields, names) = (RefCell::new(fields), RefCell::default());
        Self {
            around,
            table,
            fields,
            names,
        }
    }

    /// Its program, its outcomes and its questions; none where it has no steps: then it is code.
    pub(super) fn program(
        &self,
        fields: &[Table<'t>],
    ) -> (Program, Vec<OutcomeSpec>, Vec<ChoiceSpec>) {
        let tables = self.table.tables("step");
        if tables.len() > MOST_STEPS {
            self.table.fault(format!(
                "{} has more than {MOST_STEPS} steps",
                self.table.what
            ));
        }
        let mut program = Program::default();
        let mut choices = Vec::new();
        self.find_names();
        let mut again: Vec<(AgainId, DieRole, Given<'t>)> = Vec::new();
        for (at, table) in tables.iter().enumerate() {
            let when = table.get("when").and_then(|given| self.expression(given));
            if let Some(act) = self.act(table, at, &mut choices, &mut again) {
                program.steps.push(Step { when, act });
            }
        }
        for (id, name, given) in again {
            self.rolled_again(&mut program, id, name, given);
        }
        let outcomes = self.table.tables("outcome");
        let last = outcomes.len().saturating_sub(1);
        if outcomes.is_empty() {
            self.table
                .fault(format!("{} needs an outcome", self.table.what));
        }
        let outcomes = outcomes.iter().enumerate();
        let outcomes = outcomes
            .map(|(at, table)| self.outcome(table, at == last, !tables.is_empty(), &mut program));
        let outcomes = outcomes.collect();
        program.total = self
            .table
            .get("total")
            .and_then(|given| self.expression(given));
        program.target = self
            .table
            .get("target")
            .and_then(|given| self.expression(given));
        for field in fields {
            program.spends.extend(self.spends(field));
        }
        let names = self.names.take().into_iter();
        program.names = names.map(|(name, is_told, _)| (name, is_told)).collect();
        program.find_what_lives();
        (program, outcomes, choices)
    }

    /// Finds what the steps name, so that an expression may look at what a later step names: it is 0 until then.
    fn find_names(&self) {
        for (at, step) in self.table.tables_again("step").iter().enumerate() {
            let options = step.tables_again("option");
            let lets = options
                .iter()
                .chain([step])
                .filter_map(|table| table.get("let"));
            for given in lets
                .chain(step.get("read"))
                .filter(|given| given.is_table())
            {
                let Some(named) = given.table("") else {
                    continue;
                };
                for (name, _) in named.all() {
                    let mut names = self.names.borrow_mut();
                    if names.iter().all(|(known, ..)| *known != name) {
                        names.push((name, false, at));
                    }
                }
            }
        }
    }

    /// Where the value of a name comes from.
    fn find(&self, name: &str) -> Option<Name> {
        let is_field = |field: &Field| in_expressions(field.id) == name;
        if let Some(at) = self.fields.borrow().iter().position(is_field) {
            return Some(Name::Field(at));
        }
        let names = self.names.borrow();
        if let Some(at) = names
            .iter()
            .position(|(known, ..)| in_expressions(known) == name)
        {
            return Some(Name::Step(at));
        }
        if let Some(id) = name.strip_prefix("house_") {
            let rule = self
                .around
                .house
                .iter()
                .find(|rule| in_expressions(rule.id) == id);
            return rule.map(|rule| Name::House(rule.id));
        }
        self.looked_up(name)
    }

    /// A field for what an expression looks up on the sheet or in a pool.
    fn looked_up(&self, name: &str) -> Option<Name> {
        let field = if let Some(id) = name.strip_prefix("stat_") {
            let stat = self
                .around
                .stats
                .iter()
                .find(|stat| in_expressions(stat.id) == id)?;
            if matches!(stat.kind, Kind::Ranks { .. }) {
                return None;
            }
            Field {
                id: format!("stat.{}", stat.id).leak(),
                label: stat.label,
                kind: stat.kind,
                start: stat.start.clone(),
                source: Source::Stat(stat.id),
                help: "Off the sheet.",
                asked: Asked::Seldom,
                ..Field::default()
            }
        } else {
            let id = name.strip_prefix("pool_")?;
            let pool = self
                .around
                .pools
                .iter()
                .find(|pool| in_expressions(pool.id.as_str()) == id)?;
            Field {
                id: format!("pool.{}", pool.id.as_str()).leak(),
                label: pool.name,
                kind: Kind::Number {
                    min: pool.floor.unwrap_or(-9_999),
                    max: pool.cap.unwrap_or(9_999),
                },
                start: Some(pool.start.into()),
                source: Source::Tokens {
                    kind: pool.id,
                    owed: false,
                },
                help: "What the pool holds.",
                asked: Asked::Seldom,
                ..Field::default()
            }
        };
        let mut fields = self.fields.borrow_mut();
        fields.push(field);
        Some(Name::Field(fields.len() - 1))
    }

    fn known(&self) -> Vec<&'static str> {
        let fields = self.fields.borrow();
        let fields = fields.iter().map(|field| &*in_expressions(field.id).leak());
        let names = self.names.borrow();
        fields.chain(names.iter().map(|(name, ..)| *name)).collect()
    }

    fn read(&self, text: &str) -> Result<Expression, Fault> {
        Expression::read(text, |name| self.find(name), &self.known())
    }

    /// A number, true or false, or an expression.
    pub(super) fn expression(&self, given: Given<'t>) -> Option<Expression> {
        if given.is_number() {
            return given
                .number()
                .map(|number| Expression::number(number.into()));
        }
        if given.is_flag() {
            return given.flag().map(|flag| Expression::number(flag.into()));
        }
        let read = self.read(given.text()?);
        read.map_err(|fault| given.fault_inside(fault.at, fault.what))
            .ok()
    }

    /// Whether a condition whose `when` this is bears on the check: always, or where its fields say so; never where
    /// the check does not have them.
    pub(super) fn bearing(&self, when: &'static str) -> Bearing {
        match when {
            "" => Bearing::Always,
            when => self.read(when).map_or(Bearing::Never, Bearing::Where),
        }
    }

    fn template(&self, given: Option<Given<'t>>) -> Template {
        let Some((given, text)) = given.and_then(|given| Some((given, given.text()?))) else {
            return Template::default();
        };
        let read = Template::read(text, |inside| self.read(inside));
        let read = read.map_err(|fault| given.fault_inside(fault.at, fault.what));
        read.unwrap_or_default()
    }

    /// The place of a new name, or of an old one that gets a new value.
    fn name(&self, given: Given<'t>, name: &'static str, is_told: bool) -> usize {
        let plain = in_expressions(name);
        let is_plain = plain.starts_with(|letter: char| letter.is_ascii_lowercase())
            && plain.chars().all(|letter| {
                letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_'
            });
        if !is_plain
            || ["stat_", "pool_", "house_"]
                .iter()
                .any(|taken| plain.starts_with(taken))
        {
            given.fault(format!("{name:?} is no name: it is letters a to z, digits and _, and does not begin with stat_, pool_ or house_"));
        }
        if self
            .fields
            .borrow()
            .iter()
            .any(|field| in_expressions(field.id) == plain)
        {
            given.fault(format!("{name} is a field already; choose another name"));
        }
        let mut names = self.names.borrow_mut();
        if let Some(at) = names.iter().position(|(known, ..)| *known == name) {
            names[at].1 |= is_told;
            return at;
        }
        names.push((name, is_told, MOST_STEPS));
        names.len() - 1
    }

    fn lets(&self, table: &Table<'t>) -> Vec<(usize, Expression)> {
        let Some(lets) = table.table("let") else {
            return Vec::new();
        };
        let lets = lets.all().filter_map(|(name, given)| {
            let value = self.expression(given)?;
            Some((self.name(given, name, false), value))
        });
        lets.collect()
    }

    fn act(
        &self,
        table: &Table<'t>,
        at: usize,
        choices: &mut Vec<ChoiceSpec>,
        again: &mut Vec<(AgainId, DieRole, Given<'t>)>,
    ) -> Option<Act> {
        if let Some(roll) = table.table("roll") {
            return Some(Act::Roll(self.throw(table, &roll)));
        }
        if let Some(id) = table.text("choose") {
            let question = self.question(table, (id, at), again);
            choices.push(ChoiceSpec {
                id,
                answers: question
                    .options
                    .iter()
                    .map(|option| option.id)
                    .collect::<Vec<_>>()
                    .leak(),
                written: "",
                help: table.words("ask"),
            });
            return Some(Act::Choose(question));
        }
        if let Some(words) = table.get("refuse") {
            return Some(Act::Refuse(self.template(Some(words))));
        }
        if let Some(words) = table.get("say") {
            return Some(Act::Say(self.template(Some(words))));
        }
        if table.get("let").is_some() {
            return Some(Act::Let(self.lets(table)));
        }
        table.fault(format!(
            "{} does nothing; it is one of roll, let, choose, refuse, say",
            table.what
        ));
        None
    }

    fn throw(&self, table: &Table<'t>, roll: &Table<'t>) -> Throw {
        let heaps = roll.all().filter_map(|(name, given)| {
            self.heap(name, &given.table(&format!("the dice {name}"))?)
        });
        let heaps: Vec<HeapRule> = heaps.collect();
        if heaps.is_empty() || heaps.len() > MOST_STEPS {
            roll.fault(format!(
                "{} rolls 1 to {MOST_STEPS} groups of dice",
                table.what
            ));
        }
        let readings = table.table("read");
        // What a roll reads is known only after it.
        let read = readings
            .iter()
            .flat_map(Table::all)
            .filter_map(|(name, given)| {
                let reading = given.table(&format!("the reading {name}"))?;
                let rule = self.reading(&reading, &heaps)?;
                let is_told = reading.get("shown").and_then(Given::flag).unwrap_or(true);
                Some((name, given, is_told, rule))
            });
        let read: Vec<_> = read.collect();
        let readings = read
            .into_iter()
            .map(|(name, given, is_told, rule)| (self.name(given, name, is_told), rule));
        Throw {
            readings: readings.collect(),
            heaps,
        }
    }

    fn heap(&self, name: &'static str, table: &Table<'t>) -> Option<HeapRule> {
        let count = match table.get("count") {
            Some(given) => self.expression(given)?,
            None => Expression::number(1),
        };
        let explodes = table.get("explode").and_then(|given| {
            if given.is_flag() {
                return given.flag()?.then_some((None, 20, false));
            }
            let table = given.table("explode")?;
            let from = table.get("from").and_then(|from| self.expression(from));
            let most = table.number("most").unwrap_or(MOST_ROLLS);
            if !(0..=MOST_ROLLS).contains(&most) {
                table.fault(format!("most is a number from 0 to {MOST_ROLLS}"));
            }
            let as_dice = table
                .one_of("as", &[("add", false), ("dice", true)])
                .unwrap_or(false);
            Some((from, u8::try_from(most).unwrap_or(20), as_dice))
        });
        let by = table.one_of("by", &SIDES).unwrap_or(Side::Actor);
        let die = self.die(table.must("die")?)?;
        let name = DieRole::named(name);
        Some(HeapRule {
            name,
            count,
            die,
            explodes,
            by,
            again: Vec::new(),
        })
    }

    fn die(&self, given: Given<'t>) -> Option<DieRule> {
        let name = given.text()?;
        if let Some(own) = self.around.dice.iter().find(|own| own.name == name) {
            return Some(DieRule::Plain(Die::Own(own)));
        }
        let sides = name.strip_prefix('d').and_then(|sides| sides.parse().ok());
        match (name, sides) {
            ("digit", _) => return Some(DieRule::Plain(Die::Digit)),
            ("d100", _) => return Some(DieRule::Hundred),
            (_, Some(sides @ 2..=100)) => return Some(DieRule::Plain(Die::of_sides(sides))),
            _ => {}
        }
        let plain = in_expressions(name);
        let found = self
            .find(&plain)
            .or_else(|| self.looked_up(&format!("stat_{plain}")));
        if let Some(Name::Field(at)) = found
            && self.fields.borrow()[at].kind == Kind::Die
        {
            return Some(DieRule::Field(at));
        }
        let known = ["d4", "d6", "d8", "d10", "d12", "d20", "d100", "digit"].into_iter();
        given.unknown(
            "there is no die",
            name,
            known.chain(self.around.dice.iter().map(|own| own.name)),
        );
        None
    }

    fn reading(&self, table: &Table<'t>, heaps: &[HeapRule]) -> Option<ReadingRule> {
        let keep = table.get("keep");
        let symbol = table.text("symbol");
        let kinds = ["sum", "highest", "lowest", "count", "alike"];
        let mut said = kinds
            .iter()
            .filter_map(|kind| Some((*kind, table.get(kind)?)));
        let (Some((kind, of)), None) = (said.next(), said.next()) else {
            table.fault(format!("{} is one of {}", table.what, kinds.join(", ")));
            return None;
        };
        let mut heap_bits = 0;
        for given in of.one_or_several() {
            let name = given.text()?;
            match heaps.iter().position(|heap| heap.name.name() == name) {
                Some(at) => heap_bits |= 1 << at,
                None => given.unknown(
                    "no dice are called",
                    name,
                    heaps.iter().map(|heap| heap.name.name()),
                ),
            }
        }
        let mut kept = None;
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
                let many = self
                    .read(many)
                    .map_err(|fault| keep.fault(fault.what))
                    .ok()?;
                kept = Some(many);
                Reads::Kept { most: 0, high }
            }
            ("sum", None, Some(symbol)) => Reads::Symbol(symbol),
            ("sum", None, None) => Reads::Sum,
            ("highest", None, None) => Reads::Kept {
                most: 1,
                high: true,
            },
            ("lowest", None, None) => Reads::Kept {
                most: 1,
                high: false,
            },
            ("count", None, None) => Reads::Count,
            ("alike", None, None) => Reads::Alike,
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

    fn bounds(&self, table: &Table<'t>) -> Bounds {
        let read = |key| table.get(key).and_then(|given| self.expression(given));
        let equal = read("equal");
        let is_equal = equal.is_some();
        if is_equal && (table.get("from").is_some() || table.get("to").is_some()) {
            table.fault("equal stands alone, without from and to");
        }
        Bounds {
            from: equal.or_else(|| read("from")),
            to: if is_equal { read("equal") } else { read("to") },
        }
    }

    fn question(
        &self,
        table: &Table<'t>,
        (id, at): (&'static str, usize),
        again: &mut Vec<(AgainId, DieRole, Given<'t>)>,
    ) -> Question {
        let by = table.one_of("by", &SIDES).unwrap_or(Side::Actor);
        let ask = self.template(table.get("ask"));
        let times = table.get("times").and_then(|given| self.expression(given));
        let (mut options, mut default) = (Vec::new(), 0);
        for (place, option) in table.tables("option").iter().enumerate() {
            if option.flag("default") {
                default = place;
            }
            let mut rolls_again = Vec::new();
            let given = option.get("reroll");
            let rerolls = given.and_then(|given| given.table("reroll"));
            for (nth, (name, bounds)) in rerolls.iter().flat_map(Table::all).enumerate() {
                let name = DieRole::named(name);
                rolls_again.push(name);
                again.push(((at, place, nth), name, bounds));
            }
            options.push(Choice {
                id: option.must("id").and_then(Given::id).unwrap_or_default(),
                when: option.get("when").and_then(|given| self.expression(given)),
                label: self.template(option.get("label")),
                lets: self.lets(option),
                effects: self.effects(option.get("effects"), false),
                again: rolls_again,
            });
        }
        if options.len() < 2 || options.len() > MOST_STEPS {
            table.fault(format!("{id} needs 2 to {MOST_STEPS} options"));
        }
        let times = times.unwrap_or(Expression::number(1));
        Question {
            id,
            ask,
            by,
            times,
            options,
            default,
        }
    }

    /// Notes within which bounds an option rolls dice again, with the roll that they lie there from.
    fn rolled_again(&self, program: &mut Program, id: AgainId, name: DieRole, given: Given<'t>) {
        let Some(table) = given.table("reroll") else {
            return;
        };
        let mut is_known = false;
        for (at, step) in program.steps.iter_mut().enumerate() {
            let Act::Roll(throw) = &mut step.act else {
                continue;
            };
            let mut heaps = throw.heaps.iter_mut();
            let Some(heap) = heaps.find(|heap| heap.name == name) else {
                continue;
            };
            is_known = true;
            let bounds = self.bounds(&table);
            let later = bounds
                .from
                .iter()
                .chain(&bounds.to)
                .flat_map(Expression::names);
            let names = self.names.borrow();
            let is_later = |name| matches!(name, Name::Step(place) if names[place].2 >= at);
            if later.into_iter().any(is_later) {
                given.fault("the bounds of a reroll are worked out when the dice are rolled first; only earlier names stand in them");
            }
            heap.again.push((id, bounds));
            if heap.again.len() > 3 {
                given.fault(
                    "the dice of a group are rolled again within at most three pairs of bounds",
                );
            }
        }
        if !is_known {
            given.fault(format!("no dice are called {:?}", name.name()));
        }
        let _asked = self.bounds(&table);
    }

    fn outcome(
        &self,
        table: &Table<'t>,
        is_last: bool,
        has_steps: bool,
        program: &mut Program,
    ) -> OutcomeSpec {
        let id = table.must("id").and_then(Given::id).unwrap_or_default();
        let when = table.get("when");
        match (when, is_last && has_steps) {
            (Some(when), true) => when.fault(format!(
                "{id} is the last outcome and has no when: what fits nowhere comes here"
            )),
            (None, false) if has_steps => {
                table.fault(format!("{id} needs a when; only the last outcome has none"));
            }
            _ => {}
        }
        let when = when.and_then(|given| self.expression(given));
        let success = table.must("success").and_then(Given::flag).unwrap_or(false);
        let ticks = table.get("ticks").and_then(|given| self.expression(given));
        program.endings.push(Ending {
            when,
            ticks: ticks.unwrap_or_else(|| Expression::number(success.into())),
            effects: self.effects(table.get("effects"), false),
        });
        let tone = table.one_of("tone", &TONES);
        OutcomeSpec {
            help: table.words("help"),
            id,
            label: table
                .text("label")
                .unwrap_or_else(|| capital(&id.replace('-', " ")).leak()),
            success,
            tone: tone.unwrap_or(if success { Tone::Good } else { Tone::Bad }),
        }
    }

    /// What a field spends, and what each helper does.
    fn spends(&self, table: &Table<'t>) -> Option<EffectRule> {
        let id = table.text("id")?;
        let each = table.get("each");
        let given = each.or_else(|| table.get("spends"))?;
        let spent = given.table("what is spent")?;
        // Without an amount the field's number is spent: the session books that.
        if spent.get("add").is_none() {
            spent.leave_rest();
            return None;
        }
        let mut rule = self.effect(&spent, true)?;
        if each.is_some() {
            rule.of = Party::Helpers;
        }
        if rule.when.is_none() {
            rule.when = self.read(&format!("{} != 0", in_expressions(id))).ok();
        }
        Some(rule)
    }

    pub(super) fn effects(&self, given: Option<Given<'t>>, must: bool) -> Vec<EffectRule> {
        let given = given
            .map(super::reader::Given::one_or_several)
            .unwrap_or_default();
        let effects = given
            .into_iter()
            .filter_map(|given| self.effect(&given.table("the effect")?, must));
        effects.collect()
    }

    fn effect(&self, table: &Table<'t>, must: bool) -> Option<EffectRule> {
        let when = table.get("when").and_then(|given| self.expression(given));
        let of = table.one_of("of", &PARTIES).unwrap_or_default();
        let around = self.around;
        let pools = around.pools.iter().map(|pool| pool.id.as_str());
        let stats = around.stats.iter().map(|stat| stat.id);
        let clocks = around.clocks.iter().map(|clock| clock.id.as_str());
        let numbers: [(&'static str, Counted, Vec<&'static str>); 3] = [
            ("pool", Counted::Pool, pools.collect()),
            ("stat", Counted::Stat, stats.collect()),
            ("clock", Counted::Clock, clocks.collect()),
        ];
        for (key, what, known) in numbers {
            let Some(given) = table.get(key) else {
                continue;
            };
            let id = given.text()?;
            if !known.contains(&id) {
                given.unknown(&format!("there is no {key}"), id, known.iter().copied());
            }
            let to = match (table.get("add"), table.get("set")) {
                (Some(add), None) => Change::By(self.expression(add)?),
                (None, Some(set)) if set.is_text() && set.text() == Some("start") => Change::Start,
                (None, Some(set)) => Change::To(self.expression(set)?),
                _ => {
                    table.fault(format!("{key} needs either add or set"));
                    return None;
                }
            };
            return Some(EffectRule {
                when,
                of,
                what: What::Number {
                    what,
                    id: Id::new(id),
                    to,
                },
                must,
            });
        }
        let what = if let Some(given) = table.get("condition") {
            let name = given.text()?;
            let known = around.conditions.iter().map(|condition| condition.name);
            if !known.clone().any(|known| known == name) {
                given.unknown("there is no condition", name, known);
            }
            let number = |key| table.get(key).and_then(|given| self.expression(given));
            What::Condition {
                name,
                level: number("level").unwrap_or(Expression::number(1)),
                rounds: number("rounds"),
                is_gone: table.flag("remove"),
            }
        } else if let Some(given) = table.get("tell") {
            What::Tell(self.template(Some(given)))
        } else if let Some(given) = table.get("lock") {
            What::Lock(self.template(Some(given)))
        } else if let Some(given) = table.get("offer") {
            let check = given.text()?;
            let offered = around.checks.iter().find(|(known, _)| *known == check);
            if offered.is_none() {
                let known = around.checks.iter().map(|(known, _)| *known);
                given.unknown("there is no check", check, known);
            }
            let with = table.table("with");
            let with = with
                .iter()
                .flat_map(Table::all)
                .filter_map(|(field, given)| {
                    if let Some((_, fields)) = offered.filter(|(_, all)| !all.contains(&field)) {
                        let no = format!("{check} has no field");
                        given.unknown(&no, field, fields.iter().copied());
                    }
                    let is_word = given.is_text()
                        && given.text().is_some_and(|text| {
                            self.find(&in_expressions(text)).is_none()
                                && text
                                    .chars()
                                    .all(|letter| letter.is_alphabetic() || letter == '-')
                        });
                    let value = if is_word {
                        Expression::word(given.text()?)
                    } else {
                        self.expression(given)?
                    };
                    Some((field, value))
                });
            What::Offer {
                check,
                with: with.collect(),
            }
        } else {
            table.fault("an effect is one of pool, stat, clock, condition, tell, offer, lock");
            return None;
        };
        Some(EffectRule {
            when,
            of,
            what,
            must,
        })
    }
}
