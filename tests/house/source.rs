//! The source as far as its imports go: `use` trees, paths in code, and what is re-exported where.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A word or a sign of the source, and its line.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// A path that a file names, as it is written there.
pub(crate) struct Used {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    /// What it is called in this module, where it stands in a `use`.
    alias: Option<String>,
}

/// One file, without its comments, texts and tests.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The module that it is: `["table", "seat"]`.
    module: Vec<String>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) paths: Vec<Used>,
}

impl Source {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let inside = path.strip_prefix("src").unwrap().with_extension("");
        let names = inside.components();
        let names = names.map(|name| name.as_os_str().to_str().unwrap().to_owned());
        let tokens = without_tests(tokens(&text));
        let paths = paths(&tokens);
        Self {
            module: names.filter(|name| name != "lib").collect(),
            path,
            tokens,
            paths,
        }
    }

    /// The room it is in; none for the root.
    pub(crate) fn room(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }

    pub(crate) fn is_test(&self) -> bool {
        self.module.iter().any(|name| name == "tests")
    }
}

/// Every file of the library.
pub(crate) fn read_all() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(Path::new("src"), &mut found);
    found.retain(|path| path != Path::new("src/main.rs"));
    assert!(found.len() > 20, "the test runs in the package's folder");
    found.into_iter().map(Source::read).collect()
}

/// All files by their modules.
pub(crate) struct Tree {
    pub(crate) sources: BTreeMap<Vec<String>, Source>,
}

impl Tree {
    pub(crate) fn new(sources: Vec<Source>) -> Self {
        let sources = sources.into_iter();
        Self {
            sources: sources
                .map(|source| (source.module.clone(), source))
                .collect(),
        }
    }

    /// A path from the root; none for one that leads to another crate.
    pub(crate) fn absolute(&self, from: &Source, path: &[String]) -> Option<Vec<String>> {
        let mut module = from.module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                module.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    module.pop();
                    rest = &rest[1..];
                }
            }
            name => {
                module.push(name.to_owned());
                if !self.sources.contains_key(&module) {
                    return None;
                }
                rest = &rest[1..];
            }
        }
        module.extend(rest.iter().cloned());
        Some(module)
    }

    /// The file in which what a path from the root leads to is defined.
    pub(crate) fn file_of(&self, path: &[String]) -> Option<&Path> {
        self.file_within(path, 8)
    }

    fn file_within(&self, path: &[String], patience: usize) -> Option<&Path> {
        let modules = (0..=path.len()).rev();
        let mut known = modules.filter_map(|length| {
            let found = self.sources.get(&path[..length])?;
            Some((length, found))
        });
        let (length, source) = known.next()?;
        let Some(item) = path.get(length).filter(|_| patience > 0) else {
            return Some(&source.path);
        };
        let alias = |used: &&Used| used.alias.as_ref() == Some(item);
        let Some(used) = source.paths.iter().find(alias) else {
            return Some(&source.path);
        };
        // It is defined elsewhere, and only comes by here.
        let mut target = self.absolute(source, &used.path)?;
        target.extend(path[length + 1..].iter().cloned());
        self.file_within(&target, patience - 1)
    }
}

/// The words and signs of a source, without comments and texts.
fn tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let at = |place: usize| letters.get(place).copied().unwrap_or('\0');
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut place, mut line) = (0, 1);
    let mut found = Vec::new();
    while place < letters.len() {
        let begin = place;
        let mut word = false;
        match at(place) {
            '/' if at(place + 1) == '/' => {
                while place < letters.len() && at(place) != '\n' {
                    place += 1;
                }
            }
            'r' if at(place + 1) == '"'
                || (at(place + 1) == '#' && "\"#".contains(at(place + 2))) =>
            {
                let signs = (1..letters.len())
                    .take_while(|ahead| at(place + ahead) == '#')
                    .count();
                let end: Vec<char> = std::iter::once('"').chain(vec!['#'; signs]).collect();
                place += signs + 2;
                while place < letters.len() && !letters[place..].starts_with(&end) {
                    place += 1;
                }
                place += end.len();
            }
            '"' => {
                place += 1;
                while place < letters.len() && at(place) != '"' {
                    place += if at(place) == '\\' { 2 } else { 1 };
                }
                place += 1;
            }
            // A letter, not a lifetime.
            '\'' if at(place + 1) == '\\' || at(place + 2) == '\'' => {
                place += if at(place + 1) == '\\' { 3 } else { 2 };
                while place < letters.len() && at(place) != '\'' {
                    place += 1;
                }
                place += 1;
            }
            ':' if at(place + 1) == ':' => (place, word) = (place + 2, true),
            letter if is_word(letter) => {
                while is_word(at(place)) {
                    place += 1;
                }
                word = true;
            }
            letter => (place, word) = (place + 1, !letter.is_whitespace()),
        }
        let end = place.min(letters.len());
        if word {
            let text = letters[begin..end].iter().collect();
            found.push(Token { text, line });
        }
        line += letters[begin..end]
            .iter()
            .filter(|letter| **letter == '\n')
            .count();
    }
    found
}

/// The tokens without what is compiled for tests alone.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut left: Vec<Token> = Vec::new();
    let mut depth: usize = 0;
    let mut skips = false;
    for token in tokens {
        if skips {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            skips = depth > 0 || !["}", ";"].contains(&token.text.as_str());
            continue;
        }
        left.push(token);
        let end = left[left.len().saturating_sub(6)..].iter();
        if end
            .map(|it| &it.text)
            .eq(["[", "cfg", "(", "test", ")", "]"])
        {
            // The sign before the bracket goes, too.
            left.truncate(left.len() - 7);
            skips = true;
        }
    }
    left
}

/// The paths that the tokens name.
fn paths(tokens: &[Token]) -> Vec<Used> {
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        let is_name = token
            .text
            .starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if token.text == "use" {
            place += 1;
            take_tree(tokens, &mut place, &[], &mut found);
        } else if is_name && tokens.get(place + 1).is_some_and(|next| next.text == "::") {
            let mut path = vec![token.text.clone()];
            while tokens.get(place + 1).is_some_and(|next| next.text == "::") {
                let Some(next) = tokens.get(place + 2) else {
                    break;
                };
                path.push(next.text.clone());
                place += 2;
            }
            found.push(Used {
                path,
                line: token.line,
                alias: None,
            });
            place += 1;
        } else {
            place += 1;
        }
    }
    found
}

/// One branch of a `use`, from the place on, and all that hangs on it.
fn take_tree(tokens: &[Token], place: &mut usize, before: &[String], found: &mut Vec<Used>) {
    let mut path = before.to_vec();
    while let Some(token) = tokens.get(*place) {
        match token.text.as_str() {
            "::" => *place += 1,
            "{" => {
                *place += 1;
                while tokens.get(*place).is_some_and(|token| token.text != "}") {
                    take_tree(tokens, place, &path, found);
                    if tokens.get(*place).is_some_and(|token| token.text == ",") {
                        *place += 1;
                    }
                }
                *place += 1;
                return;
            }
            "," | "}" | ";" => break,
            "as" => {
                let alias = tokens.get(*place + 1).map(|token| token.text.clone());
                found.push(Used {
                    path,
                    line: token.line,
                    alias,
                });
                *place += 2;
                return;
            }
            name => {
                path.push(name.to_owned());
                *place += 1;
            }
        }
    }
    let line = tokens.get(*place).map_or(0, |token| token.line);
    path.retain(|name| name != "*");
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    let alias = path.last().cloned();
    found.push(Used { path, line, alias });
}

#[test]
fn imports_are_read_as_the_compiler_reads_them() {
    let text = r##"
        use crate::{one, two::{self, Three as Four}, five::*};
        pub use super::super::six::Seven; // use crate::not::this;
        fn eight<'a>(nine: &'a str) -> char { crate::ten::eleven("use crate::nor::this", 'x') }
        const TWELVE: &str = r#"crate::nor::this " either"#;
        #[cfg(test)]
        mod tests { use crate::nor::this; }
        use self::last;
    "##;
    let found = paths(&without_tests(tokens(text)));
    let found: Vec<_> = found.iter().map(|used| used.path.join("::")).collect();
    let due = "crate::one crate::two crate::two::Three crate::five super::super::six::Seven \
        crate::ten::eleven self::last";
    assert_eq!(found.join(" "), due);
}
