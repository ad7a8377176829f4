//! The palette: every action, and every command that needs one thing and no more, found by a few letters; all others
//! run when they are typed in full.

mod items;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::layout::{Position, Rect};
use ratatui::widgets::Widget as _;
use rustc_hash::FxHashMap;

use crate::app::keymap::Keymap;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, RollDialog, Touched,
    draw_scroll_signs,
};
use crate::terminal::input::Key;
use crate::widget::{
    DialogFrame, Field, FieldView, PanelFrame, RowMarks, below, columns, draw_marks, right, row,
    scroll_to, wrap,
};
use crate::{Action, Context, Role};
use items::{items, other_words, prepared};
use tableside_commands::{
    CommandId, ParseError, RollRequest, Target, parse, parse_act, roll_on_table,
};
use tableside_game::{CharacterId, Command, CommandError, Faces, RollCommand};
use tableside_table::{Act, SeatView};
use tableside_text::{fold_keeping_spaces, is_same_name, join};

/// The longest search.
const LONGEST: usize = 300;

/// The most that is shown of what was found.
const MOST_FOUND: usize = 200;

/// So many lines further is the next page.
const PAGE: usize = 8;

/// What stands between two words.
const BETWEEN_WORDS: [char; 5] = [' ', '-', '/', '(', ','];

/// The columns and the rows that it wants.
const SIZE: (u16, u16) = (58, 18);

/// Something that can be done.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    /// What it says.
    words: String,
    does: ItemAction,
}

/// What an item of the palette does.
#[derive(Clone, Debug, PartialEq)]
enum ItemAction {
    /// An action of the screen.
    Action(Action),
    /// Runs a command, on a target if it needs one.
    Command(CommandId, Option<Target>),
    /// Opens the dialog of a roll.
    Roll(RollItem),
    /// Rolls on the random table of this name.
    RollOnTable(String),
    /// Opens the dialog of that action on that thing.
    Open(Action, Target),
    /// Runs the command that was typed.
    Typed,
}

/// A check that a character can roll, with an entry of the sheet for one of its fields.
#[derive(Clone, Debug, PartialEq)]
struct RollItem {
    roller: Option<CharacterId>,
    check: &'static str,
    /// The id of the field, and the entry of the sheet.
    field: Option<(&'static str, String)>,
}

impl RollItem {
    /// The roll, or an error with the part of the roll that is known.
    fn roll(&self, view: &SeatView<'_>) -> Result<RollCommand, ParseError> {
        let mut request = RollRequest {
            check: self.check.to_owned(),
            ..RollRequest::default()
        };
        if let Some((field, entry)) = &self.field {
            request.fields.push(((*field).to_owned(), entry.clone()));
        }
        request.roll_by(self.roller, view)
    }
}

/// What was chosen in the palette.
pub struct Chosen {
    /// What it said.
    pub words: String,
    pub does: ChosenAction,
}

pub enum ChosenAction {
    /// An action of the screen.
    Action(Action),
    /// Opens the dialog of that action on that thing.
    Open(Action, Target),
    Act(Act),
    Dialog(Box<Dialog>),
}

impl Item {
    fn typed(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            does: ItemAction::Typed,
        }
    }

    /// The action whose key does the same to what is in hand.
    fn action(&self) -> Option<Action> {
        match self.does {
            ItemAction::Action(action) | ItemAction::Open(action, _) => Some(action),
            ItemAction::Command(id, _) => Action::of_command(id),
            ItemAction::Roll(_) | ItemAction::RollOnTable(_) | ItemAction::Typed => None,
        }
    }

    /// Other words that it is found by.
    fn others(&self) -> String {
        match self.does {
            ItemAction::Action(action) => format!("{} {}", action.label(), other_words(action)),
            // What goes is named: the kind alone says nothing of what is in hand.
            ItemAction::Command(CommandId::Delete, Some(target)) => {
                let subject = target.subject();
                subject.map_or("", |it| it.kind().into_str()).to_owned()
            }
            _ => String::new(),
        }
    }

    /// Whether each of the words sought is the beginning of one of its words, or letters of one in their order from
    /// its first on.
    fn has_words(&self, sought: &str) -> bool {
        let own = fold_keeping_spaces(&format!("{} {}", self.words, self.others()));
        let has = |word: &str| {
            own.split(BETWEEN_WORDS).any(|known| {
                let mut letters = known.chars();
                let begins = known.chars().next() == word.chars().next();
                begins && word.chars().all(|one| letters.any(|letter| letter == one))
            })
        };
        let mut sought = sought.split(BETWEEN_WORDS);
        sought.all(|word| word.is_empty() || has(word))
    }
}

#[derive(Debug)]
pub struct Palette {
    /// What is looked for.
    field: Field,
    /// What was found, the best first.
    found: Vec<Item>,
    /// The one that Enter would do.
    at: usize,
    /// Why nothing came of the words, until they change.
    problem: Option<String>,
    all: Vec<Item>,
    /// The words of what was done last, the newest first.
    recent: Vec<String>,
    /// The first key of each action, of those in the open tab if it has one.
    keys: FxHashMap<Action, Key>,
}

impl Palette {
    /// The palette with everything in it: what was done last, then what belongs to the open tab.
    pub fn open(
        here: &[Context],
        keymap: &Keymap,
        recent: &[String],
        view: &SeatView<'_>,
    ) -> Dialog {
        let palette = Self::new(here, keymap, recent, view);
        let mut form = Form::default().with_context(Context::Picker, &[Action::Up]);
        form.takes_all_letters = true;
        Dialog::without_view(form, palette)
    }

    fn new(here: &[Context], keymap: &Keymap, recent: &[String], view: &SeatView<'_>) -> Self {
        let mut keys = FxHashMap::default();
        for place in here.iter().chain(Context::ALL) {
            for binding in keymap.bindings(*place) {
                if let Some(key) = binding.keys.first() {
                    keys.entry(binding.action).or_insert(*key);
                }
            }
        }
        let mut palette = Self {
            field: Field::new("", LONGEST),
            found: Vec::new(),
            at: 0,
            problem: None,
            all: items(here, keymap, view),
            recent: recent.to_vec(),
            keys,
        };
        palette.find(view);
        palette
    }

    /// Finds again after the search changed.
    fn find(&mut self, view: &SeatView<'_>) {
        let sought = self.field.value().trim().to_owned();
        self.at = 0;
        self.problem = None;
        let age = |item: &Item| self.recent.iter().position(|words| *words == item.words);
        if sought.is_empty() {
            let mut found: Vec<&Item> = self.all.iter().collect();
            found.sort_by_key(|item| age(item).unwrap_or(usize::MAX));
            self.found = found.into_iter().take(MOST_FOUND).cloned().collect();
            return;
        }
        let small = fold_keeping_spaces(&sought);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(&sought, CaseMatching::Ignore, Normalization::Smart);
        let mut letters = Vec::new();
        let mut score =
            |words: &str| pattern.score(Utf32Str::new(words, &mut letters), &mut matcher);
        let scored = self.all.iter().filter_map(|item| {
            if !item.has_words(&small) {
                return None;
            }
            let by_others = score(&item.others()).map(|score| score + 1);
            // Some of the words may stand here and some there.
            let best = by_others.max(score(&item.words)).unwrap_or(1);
            // What was just done is wanted again more often than its like.
            let again = age(item).map_or(0, |age| {
                16_u32.saturating_sub(u32::try_from(age).unwrap_or(16))
            });
            Some((best + again, item))
        });
        let mut scored: Vec<(u32, &Item)> = scored.collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        // Letters strewn over a long line are no find beside a good one.
        let best = scored.first().map_or(0, |(score, _)| *score);
        scored.retain(|(score, _)| *score * 3 >= best * 2);
        let found = scored.into_iter().take(MOST_FOUND);
        self.found = found.map(|(_, item)| item.clone()).collect();
        self.take_said(&sought, view);
        let is_unknown = self.found.is_empty();
        let why = is_unknown.then(|| parse_act(&sought, view).err());
        self.problem = why.flatten().map(|why| why.to_string());
    }

    /// Puts what was typed first where it says a command by itself, in the words of the item that is the
    /// same. One letter too many is no command yet, and one too few may be another's name: both are told
    /// in time.
    fn take_said(&mut self, sought: &str, view: &SeatView<'_>) {
        let Ok(parsed) = parse(sought, view) else {
            return;
        };
        let is_whole = match parsed.act(view) {
            Ok(_) => true,
            Err(ParseError::IncompleteRoll { .. }) => false,
            Err(_) => return,
        };
        let of_target = parsed.of_target();
        let begun = fold_keeping_spaces(sought);
        let same = |item: &Item| match (&item.does, of_target) {
            (ItemAction::Command(id, Some(target)), Some(typed)) if is_whole => {
                (*id, *target) == typed
            }
            (ItemAction::Action(action), None) if action.label() == begun => is_whole,
            _ => is_same_name(&item.words, sought),
        };
        let known = self.found.iter().position(same);
        // What is only begun is better taken from what was found.
        let begins =
            |item: &Item| !is_whole && fold_keeping_spaces(&item.words).starts_with(&begun);
        if known.is_none() && self.found.iter().any(begins) {
            return;
        }
        let item = known.map(|at| self.found.remove(at));
        let item = item.unwrap_or_else(|| Item::typed(sought));
        self.found.insert(0, item);
    }

    /// Does what Enter would do: what is marked, or what was typed; or says why that means nothing.
    fn choose(&mut self, view: &SeatView<'_>) -> DialogAction {
        let marked = self.found.get(self.at).cloned();
        let item = marked.unwrap_or_else(|| Item::typed(self.field.value().trim()));
        let chosen = match &item.does {
            ItemAction::Action(action) => Ok(ChosenAction::Action(*action)),
            ItemAction::Open(action, target) => Ok(ChosenAction::Open(*action, *target)),
            ItemAction::Command(id, target) => {
                let targets = target.iter().copied().collect();
                act_or_dialog(id.act_on(targets, view), view)
            }
            ItemAction::Roll(roll) => roll_dialog(roll.roll(view), view),
            ItemAction::RollOnTable(name) => roll_on_table_named(name, view),
            ItemAction::Typed => act_or_dialog(parse_act(&item.words, view), view),
        };
        match chosen {
            Ok(does) => {
                let words = item.words;
                DialogAction::Choose(Chosen { words, does })
            }
            Err(why) => {
                self.problem = Some(why);
                DialogAction::Stay
            }
        }
    }

    fn draw_item(&self, item: &Item, is_marked: bool, line: Rect, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        if is_marked {
            draw_marks(RowMarks::SELECTED, look, line, canvas.buffer);
        }
        let key = item.action().and_then(|action| self.keys.get(&action));
        let key = key.map_or_else(String::new, |key| key.label(look.ascii));
        let width = columns(&key).min(line.width);
        canvas.put(right(line, width), &key, Role::Key);
        let words = Rect {
            x: line.x + 2,
            width: line.width.saturating_sub(width + 4),
            ..line
        };
        let role = if is_marked { Role::Title } else { Role::Text };
        canvas.put(words, &look.fit_name(&item.words, words.width), role);
    }
}

/// What the screen does with an act: a roll opens its dialog first.
fn act_or_dialog(
    result: Result<Act, ParseError>,
    view: &SeatView<'_>,
) -> Result<ChosenAction, String> {
    match result {
        Ok(Act::Do(command)) => match *command {
            Command::Roll(roll) => roll_dialog(Ok(*roll), view),
            command => Ok(ChosenAction::Act(command.into())),
        },
        Ok(act) => Ok(ChosenAction::Act(act)),
        Err(error) => roll_dialog(Err(error), view),
    }
}

/// Opens the dialog of a roll. Fields may be missing.
fn roll_dialog(
    result: Result<RollCommand, ParseError>,
    view: &SeatView<'_>,
) -> Result<ChosenAction, String> {
    let roll = match result {
        Ok(roll) => roll,
        Err(ParseError::IncompleteRoll { roll, .. }) => *roll,
        Err(error) => return Err(error.to_string()),
    };

    let faces = match &roll.faces {
        Faces::Typed(faces) => Some(join(faces, " ")),
        Faces::Rolled => None,
    };
    let dialog = RollDialog::prepared(&prepared(&roll, view), faces, view);
    let dialog = dialog.ok_or("this system has no such check")?;
    Ok(ChosenAction::Dialog(dialog.into()))
}

fn roll_on_table_named(name: &str, view: &SeatView<'_>) -> Result<ChosenAction, String> {
    let tables = view.random_tables();
    let table = tables.tables.iter().find(|table| table.name == name);
    match table {
        Some(table) => Ok(ChosenAction::Act(roll_on_table(table, view))),
        None => Err(CommandError::Gone("random table").to_string()),
    }
}

impl DialogSpec for Palette {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match event {
            DialogEvent::Action(Action::Close) => return Some(DialogAction::Close),
            DialogEvent::Action(Action::Open | Action::Submit) => return Some(self.choose(view)),
            DialogEvent::Action(action) => match action.distance(PAGE) {
                Some(by) => {
                    let last = self.found.len().saturating_sub(1);
                    self.at = self.at.saturating_add_signed(by).min(last);
                    return Some(DialogAction::Stay);
                }
                None => self.field.apply(*action),
            },
            DialogEvent::Key(key) => key.letter().is_some_and(|one| self.field.insert(one)),
            DialogEvent::Paste(text) | DialogEvent::Written(text) => self.field.paste(text),
            DialogEvent::Click { touched, .. } => {
                let Some(Touched::Row(place)) = touched else {
                    return Some(DialogAction::Close);
                };
                self.at = *place;
                return Some(self.choose(view));
            }
        };
        self.find(view);
        Some(DialogAction::Stay)
    }

    fn draw(&self, _form: &Form, _: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (look, screen) = (canvas.look, canvas.area);
        let panel = PanelFrame {
            foot: "Enter does it   Esc leaves",
            focused: true,
            ..PanelFrame::new("Commands", look)
        };
        let dialog = DialogFrame { panel, size: SIZE };
        (&dialog).render(screen, canvas.buffer);
        let inner = dialog.inner(screen);
        let field = row(inner, 0);
        let view = FieldView {
            focused: true,
            placeholder: "what to do, and to whom: tick The alarm",
            ..FieldView::new(&self.field, look)
        };
        (&view).render(field, canvas.buffer);
        let list = below(inner, 2);
        let said = self.problem.iter();
        let said = said.flat_map(|problem| wrap(problem, list.width));
        let said: Vec<_> = said.map(|line| (Role::Warning, line)).collect();
        let top = scroll_to(0, list.height.max(1).into(), self.at, self.at);
        let found = (0..list.height).zip(self.found.iter().enumerate().skip(top));
        for (down, (place, item)) in found.skip(said.len()) {
            let line = row(list, down);
            canvas.touch(line, Touched::Row(place));
            self.draw_item(item, place == self.at, line, canvas);
        }
        let in_sight = usize::from(list.height);
        draw_scroll_signs((top > 0, top + in_sight < self.found.len()), list, canvas);
        for (down, (role, words)) in (0..list.height).zip(said) {
            canvas.put(row(list, down), &words, role);
        }
        view.cursor(field)
    }
}

#[cfg(test)]
mod tests;
