//! The search of the palette: fuzzy matches, recent items first, and commands that are typed in full.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::Action;
use crate::dialog::palette::{Item, ItemAction, Palette};
use tableside_commands::{CommandId, ParseError, Target, parse, parse_act};
use tableside_table::SeatView;
use tableside_text::{fold_keeping_spaces, is_same_name};

/// The maximum number of items that are shown.
const MAX_SHOWN_ITEMS: usize = 200;

/// The characters between two words.
const WORD_SEPARATORS: [char; 5] = [' ', '-', '/', '(', ','];

/// The bonus for the most recent item. The bonus of each earlier item is one less.
const RECENT_SCORE: u32 = 16;

/// Scores texts against a search.
struct Scorer {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl Scorer {
    fn new(search: &str) -> Self {
        Self {
            matcher: Matcher::new(Config::DEFAULT),
            pattern: Pattern::parse(search, CaseMatching::Ignore, Normalization::Smart),
            buffer: Vec::new(),
        }
    }

    fn score(&mut self, text: &str) -> Option<u32> {
        let text = Utf32Str::new(text, &mut self.buffer);
        self.pattern.score(text, &mut self.matcher)
    }
}

/// An item that matches the search.
struct Match<'a> {
    item: &'a Item,
    score: u32,
}

/// Returns common synonyms for an action, in lower case.
fn synonyms(action: Action) -> &'static str {
    match action {
        Action::CallRoll => "group everybody together withdraw check save",
        Action::EndSession => "finish evening stop",
        Action::TurnOrder => "initiative fight combat battle start",
        Action::EndTurn => "fight combat",
        Action::EndFight => "stop combat battle over",
        Action::Visibility => "reveal secret",
        Action::Notes => "journal npcs",
        Action::Pause => "x-card xcard stop safety",
        Action::LinesAndVeils => "safety",
        Action::Delete => "remove kill",
        Action::Damage => "hurt wound harm hit points",
        Action::Games => "campaign list load",
        Action::Recap => "summary last time",
        Action::RandomTables => "oracle",
        Action::Invite => "join add player",
        Action::Seats => "table players",
        Action::Quit => "leave exit",
        Action::Statistics => "luck",
        Action::Export => "save markdown csv json",
        _ => "",
    }
}

impl Item {
    /// Returns the text without an explanation in brackets at its end.
    fn searched_text(&self) -> &str {
        match self.does {
            ItemAction::Action(_) => match self.text.split_once(" (") {
                Some((text, _explanation)) => text,
                None => &self.text,
            },
            _ => &self.text,
        }
    }

    /// Returns words that find the item although they are not in its text.
    fn hidden_words(&self) -> String {
        match self.does {
            ItemAction::Action(action) => format!("{} {}", action.label(), synonyms(action)),
            ItemAction::Create(_) => "add create make".to_owned(),
            ItemAction::RollOnTable(_) => "random roll".to_owned(),
            // The text names the deleted entity, but not its kind.
            ItemAction::Command(CommandId::Delete, Some(target)) => match target.subject() {
                Some(subject) => subject.kind().into_str().to_owned(),
                None => String::new(),
            },
            _ => String::new(),
        }
    }

    /// Returns true if the item has a match for each word of the search.
    ///
    /// A match begins with the same letter and contains the other letters in their order.
    fn has_words(&self, search: &str) -> bool {
        let text =
            fold_keeping_spaces(&format!("{} {}", self.searched_text(), self.hidden_words()));
        for search_word in search.split(WORD_SEPARATORS) {
            let is_found = text
                .split(WORD_SEPARATORS)
                .any(|word| has_letters(word, search_word));
            if !search_word.is_empty() && !is_found {
                return false;
            }
        }
        true
    }
}

fn has_letters(word: &str, search_word: &str) -> bool {
    if word.chars().next() != search_word.chars().next() {
        return false;
    }
    let mut letters = word.chars();
    search_word
        .chars()
        .all(|sought| letters.any(|letter| letter == sought))
}

impl Palette {
    /// Searches again after the text changed.
    pub(super) fn find(&mut self, view: &SeatView<'_>) {
        let search = self.field.value().trim().to_owned();
        self.focus = 0;
        self.problem = None;
        if search.is_empty() {
            self.found = self.recent_first();
            return;
        }

        self.found = self.best_matches(&search);
        self.put_typed_command_first(&search, view);
        if self.found.is_empty()
            && let Err(error) = parse_act(&search, view)
        {
            self.problem = Some(error.to_string());
        }
    }

    /// Returns the place of an item among the recent items. The place of the most recent item is 0.
    fn recency(&self, item: &Item) -> Option<usize> {
        self.recent.iter().position(|text| *text == item.text)
    }

    fn recent_first(&self) -> Vec<Item> {
        let mut items: Vec<&Item> = self.all.iter().collect();
        items.sort_by_key(|item| self.recency(item).unwrap_or(usize::MAX));
        items.into_iter().take(MAX_SHOWN_ITEMS).cloned().collect()
    }

    fn best_matches(&self, search: &str) -> Vec<Item> {
        let folded_search = fold_keeping_spaces(search);
        let mut scorer = Scorer::new(search);
        let mut matches = Vec::new();
        for item in &self.all {
            if item.has_words(&folded_search) {
                let score = self.score(item, &mut scorer);
                matches.push(Match { item, score });
            }
        }
        matches.sort_by_key(|found| Reverse(found.score));

        // Next to a good match, a match whose letters are scattered over a long text is noise.
        let best_score = matches.first().map_or(0, |found| found.score);
        matches
            .into_iter()
            .filter(|found| found.score * 3 >= best_score * 2)
            .take(MAX_SHOWN_ITEMS)
            .map(|found| found.item.clone())
            .collect()
    }

    fn score(&self, item: &Item, scorer: &mut Scorer) -> u32 {
        let text_score = scorer.score(item.searched_text());
        let hidden_score = scorer.score(&item.hidden_words());
        let best_score = hidden_score.map(|score| score + 1).max(text_score);
        // If some of the words are in the text and some in the synonyms, neither matches alone.
        let score = best_score.unwrap_or(1);

        let recency = self
            .recency(item)
            .and_then(|place| u32::try_from(place).ok());
        match recency {
            Some(place) => score + RECENT_SCORE.saturating_sub(place),
            None => score,
        }
    }

    /// Puts the typed text first if it is a complete command. If an item does the same, that item comes first instead.
    ///
    /// An unfinished text may be a command on another entity: `heal Goblin 1` before `heal Goblin 12`. The list shows
    /// the command before Enter is pressed.
    fn put_typed_command_first(&mut self, search: &str, view: &SeatView<'_>) {
        let Ok(parsed) = parse(search, view) else {
            return;
        };
        let is_complete = match parsed.act(view) {
            Ok(_) => true,
            Err(ParseError::IncompleteRoll { .. }) => false,
            Err(_) => return,
        };
        let typed = TypedCommand {
            text: search,
            folded_text: fold_keeping_spaces(search),
            is_complete,
            target: parsed.of_target(),
        };

        let same_item = self.found.iter().position(|item| typed.is_same(item));
        let item = match same_item {
            Some(index) => self.found.remove(index),
            // The matches complete a command that is not finished.
            None if self.found.iter().any(|item| typed.is_begun_by(item)) => return,
            None => Item::typed(search),
        };
        self.found.insert(0, item);
    }
}

/// A text that is a complete command.
struct TypedCommand<'a> {
    text: &'a str,
    folded_text: String,
    /// False for a roll whose fields are missing.
    is_complete: bool,
    /// The command and its target, if the text has no other value.
    target: Option<(CommandId, Target)>,
}

impl TypedCommand<'_> {
    /// Returns true if an item does the same as the typed command.
    fn is_same(&self, item: &Item) -> bool {
        match (&item.does, self.target) {
            (ItemAction::Command(id, Some(target)), Some(typed)) if self.is_complete => {
                (*id, *target) == typed
            }
            (ItemAction::Action(action), None) if action.label() == self.folded_text => {
                self.is_complete
            }
            _ => is_same_name(&item.text, self.text),
        }
    }

    /// Returns true if the command is not complete and the item completes it.
    fn is_begun_by(&self, item: &Item) -> bool {
        !self.is_complete && fold_keeping_spaces(&item.text).starts_with(&self.folded_text)
    }
}
