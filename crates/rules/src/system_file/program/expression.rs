//! Expressions of a system's file: Rhai's, of whole numbers, words, true and false, and nothing else of Rhai.

use std::fmt;
use std::sync::LazyLock;

use rhai::packages::{ArithmeticPackage, LogicPackage, Package};
use rhai::{AST, Dynamic, Engine, EvalAltResult, ImmutableString, Position, Scope};

use crate::Value;
use tableside_dice::Memo;

/// A value that an expression knows or comes to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    /// A whole number.
    Number(i64),
    /// A word.
    Word(ImmutableString),
    /// True or false.
    Truth(bool),
}

impl Default for Known {
    fn default() -> Self {
        Self::Number(0)
    }
}

/// The value of a field as an expression knows it.
impl From<&Value> for Known {
    fn from(value: &Value) -> Self {
        match value {
            Value::Flag(flag) => Self::Number(i64::from(*flag)),
            Value::Number(number) => Self::Number((*number).into()),
            Value::Die(die) => Self::Number(die.sides().into()),
            Value::Text(text) => Self::Word(text.into()),
            Value::Ranks(ranks) => {
                let highest = ranks.iter().map(|(_, rank)| *rank).max();
                Self::Number(highest.unwrap_or_default().into())
            }
        }
    }
}

impl Known {
    /// The number that it is.
    pub(crate) fn amount(self) -> Result<i32, String> {
        match self {
            Self::Number(number) => {
                let out = |_| format!("{number} is out of bounds");
                i32::try_from(number).map_err(out)
            }
            Self::Truth(truth) => Ok(truth.into()),
            Self::Word(word) => Err(format!("a number is wanted, and it is {word:?}")),
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) if *number < 0 => write!(formatter, "−{}", number.unsigned_abs()),
            Self::Number(number) => number.fmt(formatter),
            Self::Word(word) => formatter.write_str(word),
            Self::Truth(true) => formatter.write_str("yes"),
            Self::Truth(false) => formatter.write_str("no"),
        }
    }
}

/// Where the value of a name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// The field of the check at that place.
    Field(usize),
    /// How far up among its words the word is of the field at that place, from 0.
    Place(usize),
    /// What the ranks of the list at that place of the sheet add up to.
    Sum(usize),
    /// A reading or a `let`, at that place.
    Step(usize),
    /// The house rule at that place.
    HouseRule(usize),
}

/// A fault in an expression: where in it, in characters from 0, and what.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) what: String,
}

/// What follows from the values of some names, remembered: odds ask a thousand times, with few different values.
#[derive(Debug)]
pub(crate) struct ByNames<T> {
    names: Vec<Name>,
    known: Memo<Vec<Known>, T>,
}

impl<T: Clone> ByNames<T> {
    pub(crate) fn new(looked_at: impl IntoIterator<Item = Name>) -> Self {
        let (mut names, known) = (Vec::new(), Memo::new(1_000));
        for name in looked_at {
            names.extend((!names.contains(&name)).then_some(name));
        }
        Self { names, known }
    }

    /// What follows from these values, worked out unless it is known.
    pub(crate) fn answer<E>(
        &self,
        of: impl Fn(Name) -> Known,
        work_out: impl FnOnce(&[Known]) -> Result<T, E>,
    ) -> Result<T, E> {
        let values: Vec<Known> = self.names.iter().map(|name| of(*name)).collect();
        self.known
            .get_or_compute(&values, || work_out(&values), |_| 1)
    }
}

/// An expression, read and checked.
#[derive(Debug)]
pub(crate) struct Expression {
    form: Form,
    /// Each name in it, as it is written there, with where its value comes from.
    names: Vec<(ImmutableString, Name)>,
    known: ByNames<Known>,
    /// How long it is where it must be worked out: so long does that take.
    pub(crate) length: usize,
}

#[derive(Debug)]
enum Form {
    /// The same whatever is known.
    Always(Known),
    /// What its one name stands for.
    Named(Name),
    Worked(Box<AST>),
}

/// What an expression may call.
const FUNCTIONS: [&str; 3] = ["min", "max", "abs"];

/// What belongs to the language.
const WORDS: [&str; 6] = ["if", "else", "switch", "true", "false", "_"];

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let mut engine = Engine::new_raw();
    engine.register_global_module(ArithmeticPackage::new().as_shared_module());
    engine.register_global_module(LogicPackage::new().as_shared_module());
    engine.register_fn("min", |a: i64, b: i64| a.min(b));
    engine.register_fn("max", |a: i64, b: i64| a.max(b));
    engine.register_fn("+", |words: &str, number: i64| {
        format!("{words}{}", Known::Number(number))
    });
    engine.set_strict_variables(true);
    engine.set_max_expr_depths(40);
    engine.set_max_operations(1_000);
    engine.set_max_string_size(200);
    engine.set_max_variables(200);
    engine
});

/// One word of an expression: where it begins, in characters and in bytes, what it is, and whether it is called.
struct Word<'a> {
    at: usize,
    byte: usize,
    text: &'a str,
    is_called: bool,
}

/// The words outside quotes; `stat.might` is one.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut letters = text.char_indices().zip(0..).peekable();
    let (mut found, mut quote) = (Vec::new(), None);
    while let Some(((byte, letter), at)) = letters.next() {
        if let Some(closes) = quote {
            if letter == '\\' {
                letters.next();
            } else if letter == closes {
                quote = None;
            }
            continue;
        }
        if matches!(letter, '"' | '\'' | '`') {
            quote = Some(letter);
            continue;
        }
        let in_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        if !in_word(letter) {
            continue;
        }
        let mut end = byte + letter.len_utf8();
        while let Some(((next, letter), _)) = letters.next_if(|((_, letter), _)| in_word(*letter)) {
            end = next + letter.len_utf8();
        }
        let (Some(word), Some(rest)) = (text.get(byte..end), text.get(end..)) else {
            continue;
        };
        if !letter.is_ascii_digit() {
            found.push(Word {
                at,
                byte,
                text: word,
                is_called: rest.trim_start().starts_with('('),
            });
        }
    }
    found
}

impl Expression {
    /// The same number always.
    pub(crate) fn number(number: i64) -> Self {
        Self::new(Form::Always(Known::Number(number)), Vec::new(), 0)
    }

    fn new(form: Form, names: Vec<(ImmutableString, Name)>, length: usize) -> Self {
        let known = ByNames::new(names.iter().map(|(_, from)| *from));
        Self {
            form,
            names,
            known,
            length,
        }
    }

    /// The same word always.
    pub(crate) fn word(word: &str) -> Self {
        Self::new(Form::Always(Known::Word(word.into())), Vec::new(), 0)
    }

    /// Reads an expression. `find` says where the value of a name comes from, as it is written but with `_` for a
    /// dot; `unknown` says of a name that it is none.
    pub(crate) fn read(
        text: &str,
        find: impl Fn(&str) -> Option<Name>,
        unknown: impl Fn(&str) -> String,
    ) -> Result<Self, Fault> {
        if let Ok(number) = text.trim().parse() {
            return Ok(Self::number(number));
        }
        let mut plain = text.to_owned();
        let mut names: Vec<(ImmutableString, Name)> = Vec::new();
        for word in words(text) {
            let Word { at, text, .. } = word;
            if WORDS.contains(&text) || word.is_called && FUNCTIONS.contains(&text) {
                continue;
            }
            if word.is_called {
                let known = FUNCTIONS.iter().copied();
                let what = crate::system_file::read::unknown("there is no function", text, known);
                return Err(Fault { at, what });
            }
            let name = text.replacen('.', "_", 1);
            plain.replace_range(word.byte..word.byte + text.len(), &name);
            let Some(from) = find(&name) else {
                let what = unknown(text);
                return Err(Fault { at, what });
            };
            if names.iter().all(|(other, _)| *other != name) {
                names.push((name.into(), from));
            }
        }
        let mut scope = Scope::new();
        for (name, _) in &names {
            scope.push(name.as_str(), 0_i64);
        }
        let ast = ENGINE.compile_expression_with_scope(&scope, &plain);
        let equals = if text.contains(" = ") {
            ", with == for ="
        } else {
            ""
        };
        let ast = ast.map_err(|error| Fault {
            at: place(text, error.position()),
            what: format!("the expression can't be read from here on{equals}"),
        })?;
        let form = match names[..] {
            [(ref name, from)] if *name == plain => Form::Named(from),
            _ => Form::Worked(Box::new(ast)),
        };
        Ok(Self::new(form, names, text.len()))
    }

    /// Where the values of its names come from.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.names.iter().map(|(_, from)| *from)
    }

    /// What it comes to.
    pub(crate) fn value(&self, of: impl Fn(Name) -> Known) -> Result<Known, String> {
        let ast = match &self.form {
            Form::Always(known) => return Ok(known.clone()),
            Form::Named(name) => return Ok(of(*name)),
            Form::Worked(ast) => ast,
        };
        self.known.answer(of, |values| self.work_out(ast, values))
    }

    fn work_out(&self, ast: &AST, values: &[Known]) -> Result<Known, String> {
        let mut scope = Scope::new();
        for ((name, _), value) in self.names.iter().zip(values) {
            let value = match value {
                Known::Number(number) => Dynamic::from_int(*number),
                Known::Word(word) => word.clone().into(),
                Known::Truth(truth) => Dynamic::from_bool(*truth),
            };
            scope.push_dynamic(name.clone(), value);
        }
        let value: Result<Dynamic, _> = ENGINE.eval_ast_with_scope(&mut scope, ast);
        let value = value.map_err(|error| told(&error))?;
        if let Ok(number) = value.as_int() {
            return Ok(Known::Number(number));
        }
        if let Ok(truth) = value.as_bool() {
            return Ok(Known::Truth(truth));
        }
        let word = value.into_immutable_string();
        word.map(Known::Word)
            .map_err(|_kind| "it comes to no number, word, true or false".to_owned())
    }

    /// Whether it holds: true, or a number that is not 0.
    pub(crate) fn holds(&self, of: impl Fn(Name) -> Known) -> Result<bool, String> {
        match self.value(of)? {
            Known::Truth(truth) => Ok(truth),
            Known::Number(number) => Ok(number != 0),
            Known::Word(word) => Err(format!("true or false is wanted, and it is {word:?}")),
        }
    }

    /// The number that it comes to.
    pub(crate) fn amount(&self, of: impl Fn(Name) -> Known) -> Result<i32, String> {
        self.value(of)?.amount()
    }
}

/// The place in the expression, from 0.
fn place(text: &str, position: Position) -> usize {
    let before = position.line().unwrap_or(1).saturating_sub(1);
    let before = text.split_inclusive('\n').take(before);
    let column = position.position().unwrap_or(1).saturating_sub(1);
    before.map(|line| line.chars().count()).sum::<usize>() + column
}

/// What went wrong, without where: the file's reader says that.
fn told(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorArithmetic(what, _) => what.clone(),
        EvalAltResult::ErrorFunctionNotFound(what, _) => {
            let sign = what.split(' ').next().unwrap_or_default();
            format!("{sign} takes numbers, and it is given something else")
        }
        EvalAltResult::ErrorMismatchDataType(wanted, ..) if wanted == "bool" => {
            "only what is true or false goes with &&, || and !, as in push == 1".to_owned()
        }
        _ => "it is too long, or mixes numbers with words, to be worked out".to_owned(),
    }
}
