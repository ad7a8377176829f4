//! Expressions of system files.
//!
//! The syntax and the evaluator are Rhai's, reduced to whole numbers, words, true and false, without statements, loops or
//! functions other than `min`, `max`, `abs` and `counted`. Each expression remembers its results by the values that it uses, since
//! odds evaluate it thousands of times with few different values.

use std::sync::LazyLock;

use rhai::packages::{ArithmeticPackage, LogicPackage, Package};
use rhai::{AST, Dynamic, Engine, EvalAltResult, ImmutableString, Position, Scope};
use tableside_dice::Memo;

pub(crate) use super::expression_value::ExpressionValue;
use crate::system_file::read::unknown_name;

/// How many results an expression caches.
const MAX_REMEMBERED: usize = 1_000;

/// The functions that an expression may call.
const FUNCTIONS: [&str; 4] = ["min", "max", "abs", "counted"];

/// The words of the language.
const KEYWORDS: [&str; 6] = ["if", "else", "switch", "true", "false", "_"];

/// The meaning of a name in an expression. Each number is an index in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResolvedName {
    /// A field of the check.
    Field(usize),
    /// The position of a field's value among its words, from 0. The number is the index of the field.
    Place(usize),
    /// The sum of the ranks in a list of the sheet. The number is the index of the stat.
    Sum(usize),
    /// A reading or a `let` of the check.
    Step(usize),
    HouseRule(usize),
}

/// A fault in an expression or a template.
#[derive(Debug)]
pub(crate) struct ExpressionFault {
    /// How many characters of the text come before the fault.
    pub(crate) characters: usize,
    pub(crate) message: String,
}

/// A cache of results that depend only on the values of some names.
#[derive(Debug)]
pub(crate) struct ByNames<T> {
    names: Vec<ResolvedName>,
    results: Memo<Vec<ExpressionValue>, T>,
}

impl<T: Clone> ByNames<T> {
    /// Creates an empty cache for results that depend on these names.
    pub(crate) fn new(used: impl IntoIterator<Item = ResolvedName>) -> Self {
        let mut names = Vec::new();
        for name in used {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Self {
            names,
            results: Memo::new(MAX_REMEMBERED),
        }
    }

    /// Returns the result for the current values from the cache, or computes it.
    pub(crate) fn get_or_compute<E>(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue,
        compute: impl FnOnce(&[ExpressionValue]) -> Result<T, E>,
    ) -> Result<T, E> {
        let names = self.names.iter().copied();
        let values: Vec<ExpressionValue> = names.map(value_of).collect();
        self.results
            .get_or_compute(&values, || compute(&values), |_| 1)
    }
}

/// A parsed expression.
#[derive(Debug)]
pub(crate) struct Expression {
    form: ExpressionForm,
    /// Each name with its meaning.
    names: Vec<(ImmutableString, ResolvedName)>,
    results: ByNames<ExpressionValue>,
    /// The length of the text in bytes, 0 for a constant. It estimates how long an evaluation takes.
    pub(crate) length: usize,
}

#[derive(Debug)]
enum ExpressionForm {
    Constant(ExpressionValue),
    /// A single name.
    Name(ResolvedName),
    Ast(Box<AST>),
}

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let mut engine = Engine::new_raw();
    engine.register_global_module(ArithmeticPackage::new().as_shared_module());
    engine.register_global_module(LogicPackage::new().as_shared_module());
    engine.register_fn("min", |a: i64, b: i64| a.min(b));
    engine.register_fn("max", |a: i64, b: i64| a.max(b));
    engine.register_fn("counted", counted);
    engine.register_fn("+", |words: &str, number: i64| {
        format!("{words}{}", ExpressionValue::Number(number))
    });
    engine.set_strict_variables(true);
    engine.set_max_expr_depths(40);
    engine.set_max_operations(1_000);
    engine.set_max_string_size(200);
    engine.set_max_variables(200);
    engine
});

/// Returns a number with the word for one thing or for several: `no sixes`, `1 six`, `3 sixes`.
fn counted(number: i64, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{} {many}", ExpressionValue::Number(number)),
    }
}

/// A word of an expression, such as `push`, `stat.might` or `min`.
struct WrittenWord<'a> {
    /// How many characters come before it.
    characters: usize,
    /// How many bytes come before it.
    bytes: usize,
    text: &'a str,
    /// True if an opening bracket follows.
    is_called: bool,
}

/// Returns the words of an expression, without quoted texts and numbers.
fn written_words(text: &str) -> Vec<WrittenWord<'_>> {
    let mut words = Vec::new();
    let mut remaining = text;
    let mut open_quote = None;

    while let Some(letter) = remaining.chars().next() {
        let word_length = remaining.find(|next: char| !is_in_word(next));
        let (word, after_word) = remaining.split_at(word_length.unwrap_or(remaining.len()));
        let (_, after_letter) = remaining.split_at(letter.len_utf8());

        if let Some(quote) = open_quote {
            remaining = after_letter;
            if letter == '\\' {
                remaining = skip_letter(remaining);
            } else if letter == quote {
                open_quote = None;
            }
            continue;
        }
        if word.is_empty() {
            if matches!(letter, '"' | '\'' | '`') {
                open_quote = Some(letter);
            }
            remaining = after_letter;
            continue;
        }

        let is_number = letter.is_ascii_digit();
        if !is_number {
            let (before, _) = text.split_at(text.len() - remaining.len());
            words.push(WrittenWord {
                characters: before.chars().count(),
                bytes: before.len(),
                text: word,
                is_called: after_word.trim_start().starts_with('('),
            });
        }
        remaining = after_word;
    }
    words
}

fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

/// Returns the text without its first letter.
fn skip_letter(text: &str) -> &str {
    let mut letters = text.chars();
    letters.next();
    letters.as_str()
}

impl Expression {
    fn new(
        form: ExpressionForm,
        names: Vec<(ImmutableString, ResolvedName)>,
        length: usize,
    ) -> Self {
        let results = ByNames::new(names.iter().map(|(_, name)| *name));
        Self {
            form,
            names,
            results,
            length,
        }
    }

    fn constant(value: ExpressionValue) -> Self {
        Self::new(ExpressionForm::Constant(value), Vec::new(), 0)
    }

    /// Returns an expression that is always this number.
    pub(crate) fn number(number: i64) -> Self {
        Self::constant(ExpressionValue::Number(number))
    }

    /// Returns an expression that is always this word.
    pub(crate) fn word(word: &str) -> Self {
        Self::constant(ExpressionValue::Word(word.into()))
    }

    /// Parses an expression.
    ///
    /// `resolve` returns the meaning of a name, in which `_` replaces the dot. `unresolved` returns the message for a name
    /// without a meaning, as it is written.
    pub(crate) fn parse(
        text: &str,
        resolve: impl Fn(&str) -> Option<ResolvedName>,
        unresolved: impl Fn(&str) -> String,
    ) -> Result<Self, ExpressionFault> {
        if let Ok(number) = text.trim().parse() {
            return Ok(Self::number(number));
        }

        let mut rhai_text = text.to_owned();
        let mut names: Vec<(ImmutableString, ResolvedName)> = Vec::new();
        for word in written_words(text) {
            let is_function = word.is_called && FUNCTIONS.contains(&word.text);
            if is_function || KEYWORDS.contains(&word.text) {
                continue;
            }
            if word.is_called {
                return Err(ExpressionFault {
                    characters: word.characters,
                    message: unknown_name("unknown function", word.text, &FUNCTIONS),
                });
            }

            // Rhai reads a dot as field access. One byte replaces one byte, so the positions of later words stay right.
            let name = word.text.replacen('.', "_", 1);
            let word_end = word.bytes + word.text.len();
            rhai_text.replace_range(word.bytes..word_end, &name);

            let Some(resolved) = resolve(&name) else {
                return Err(ExpressionFault {
                    characters: word.characters,
                    message: unresolved(word.text),
                });
            };
            let is_new = names.iter().all(|(other, _)| *other != name);
            if is_new {
                names.push((name.into(), resolved));
            }
        }

        let ast = compile_rhai(text, &rhai_text, &names)?;
        let form = match names.as_slice() {
            [(name, resolved)] if *name == rhai_text => ExpressionForm::Name(*resolved),
            _ => ExpressionForm::Ast(Box::new(ast)),
        };
        Ok(Self::new(form, names, text.len()))
    }

    /// Returns the meanings of the names.
    pub(crate) fn names(&self) -> impl Iterator<Item = ResolvedName> + '_ {
        self.names.iter().map(|(_, name)| *name)
    }

    /// Evaluates the expression.
    pub(crate) fn value(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue,
    ) -> Result<ExpressionValue, String> {
        match &self.form {
            ExpressionForm::Constant(value) => Ok(value.clone()),
            ExpressionForm::Name(name) => Ok(value_of(*name)),
            ExpressionForm::Ast(ast) => self
                .results
                .get_or_compute(value_of, |values| self.evaluate(ast, values)),
        }
    }

    fn evaluate(&self, ast: &AST, values: &[ExpressionValue]) -> Result<ExpressionValue, String> {
        let mut scope = Scope::new();
        for ((name, _), value) in self.names.iter().zip(values) {
            let value = match value {
                ExpressionValue::Number(number) => Dynamic::from_int(*number),
                ExpressionValue::Word(word) => word.clone().into(),
                ExpressionValue::Truth(truth) => Dynamic::from_bool(*truth),
            };
            scope.push_dynamic(name.clone(), value);
        }

        let result: Dynamic = ENGINE
            .eval_ast_with_scope(&mut scope, ast)
            .map_err(|error| evaluation_error(&error))?;
        if let Ok(number) = result.as_int() {
            return Ok(ExpressionValue::Number(number));
        }
        if let Ok(truth) = result.as_bool() {
            return Ok(ExpressionValue::Truth(truth));
        }
        match result.into_immutable_string() {
            Ok(word) => Ok(ExpressionValue::Word(word)),
            Err(_) => Err("the result must be a number, a word, true or false".to_owned()),
        }
    }

    /// Evaluates a condition. A number other than 0 is true.
    pub(crate) fn holds(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue,
    ) -> Result<bool, String> {
        match self.value(value_of)? {
            ExpressionValue::Truth(truth) => Ok(truth),
            ExpressionValue::Number(number) => Ok(number != 0),
            ExpressionValue::Word(word) => Err(format!("expected true or false, got {word:?}")),
        }
    }

    /// Evaluates a number.
    pub(crate) fn amount(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue,
    ) -> Result<i32, String> {
        self.value(value_of)?.amount()
    }
}

fn compile_rhai(
    text: &str,
    rhai_text: &str,
    names: &[(ImmutableString, ResolvedName)],
) -> Result<AST, ExpressionFault> {
    let mut scope = Scope::new();
    for (name, _) in names {
        scope.push(name.as_str(), 0_i64);
    }

    ENGINE
        .compile_expression_with_scope(&scope, rhai_text)
        .map_err(|error| {
            let hint = if text.contains(" = ") {
                "; compare with == instead of ="
            } else {
                ""
            };
            ExpressionFault {
                characters: characters_before(text, error.position()),
                message: format!("syntax error in the expression{hint}"),
            }
        })
}

/// Returns the number of characters before a position of Rhai. Lines and columns of Rhai count from 1.
fn characters_before(text: &str, position: Position) -> usize {
    let full_lines = position.line().unwrap_or(1).saturating_sub(1);
    let column = position.position().unwrap_or(1).saturating_sub(1);
    let in_full_lines: usize = text
        .split_inclusive('\n')
        .take(full_lines)
        .map(|line| line.chars().count())
        .sum();
    in_full_lines + column
}

/// Returns the message for a failed evaluation. The caller adds the step and its line.
fn evaluation_error(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorArithmetic(message, _) => message.clone(),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => {
            let sign = signature.split(' ').next().unwrap_or_default();
            format!("{sign} can only be applied to numbers")
        }
        EvalAltResult::ErrorMismatchDataType(wanted, ..) if wanted == "bool" => {
            "&&, || and ! take only true or false; compare a number first, as in push == 1"
                .to_owned()
        }
        _ => "the expression is too long, or mixes numbers with words".to_owned(),
    }
}
