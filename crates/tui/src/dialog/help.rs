//! The keys, read off the keymap: first what one needs all evening, then the places that are near, then the others.

use crate::app::keymap::Keymap;
use crate::app::offered::is_offered;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Scroll, StyledText,
};
use crate::terminal::input::{Key, KeyCode};
use crate::widget::columns;
use crate::{Action, Context, Role};
use tableside_table::SeatView;
use tableside_text::fold;

/// Columns that it wants, and from which on keys stand in two columns.
const WIDTH: u16 = 126;
const WIDE: u16 = 96;
/// What stands beside the title before anything is sought.
const UNSOUGHT: &str = "type to find one";
/// The longest search.
const LONGEST: usize = 30;

/// What a game master needs all evening, the most useful first.
const ALL_EVENING: [Action; 19] = {
    use Action::{
        Advance, CallRoll, Conditions, Damage, Filter, New, NextPanel, NextRound, NextScene, Note,
        Palette, Purse, Roll, TabClocks, TabLog, TabParty, TabTable, TabTokens, Undo,
    };
    [
        Roll, Undo, NextScene, CallRoll, NextRound, Palette, Conditions, Damage, Advance, Purse,
        Note, New, Filter, NextPanel, TabTable, TabParty, TabClocks, TabTokens, TabLog,
    ]
};

/// An action with its keys.
type Bound = (Vec<Key>, Action);

/// Keys under a heading.
type Section = (&'static str, Vec<Bound>);

struct Help {
    sections: Vec<Section>,
    advice: &'static [&'static str],
    sought: String,
}

/// The keys that count in these places, the nearest first, and what the rules say before one does what is on
/// top there; then the keys of all other places. Typing shows those alone that do something of these words.
pub fn help_dialog(contexts: &[Context], on_top: Option<&Dialog>, keymap: &Keymap) -> Dialog {
    let needed = ALL_EVENING.map(|action| (keymap.keys_for(action, contexts), action));
    // Over a dialog the game waits, and before one is picked there is none.
    let is_open =
        contexts.contains(&Context::Everywhere) && contexts.first() != Some(&Context::Games);
    let has_key = |(keys, _): &Bound| is_open && !keys.is_empty();
    let needed: Vec<Bound> = needed.into_iter().filter(has_key).collect();
    let is_needed = |action: Action| needed.iter().any(|(_, known)| *known == action);
    let is_text = contexts.contains(&Context::Field);
    // A key that a nearer place has is told there, and letters are text where one types.
    let counts = |place: Context, key: Key| {
        let mut places = contexts.iter();
        let nearest = places.find(|place| keymap.action(&[**place], key).is_some());
        nearest == Some(&place) && !(is_text && key.letter().is_some())
    };
    let of_place = |place: Context| {
        let is_near = contexts.contains(&place);
        let bindings = keymap.bindings(place).iter().map(|binding| {
            let own = binding.keys.iter().copied();
            let own = own.filter(|key| !is_near || counts(place, *key));
            (own.collect::<Vec<_>>(), binding.action)
        });
        let told = |(keys, action): &Bound| !(keys.is_empty() || is_near && is_needed(*action));
        (place.label(), bindings.filter(told).collect())
    };
    let others = Context::ALL.iter();
    let others = others.filter(|place| !contexts.contains(place));
    let places = contexts.iter().chain(others).map(|place| of_place(*place));
    let mut sections: Vec<Section> = places.collect();
    sections.insert(0, ("All evening", needed));
    let mut form = Form::new("Keys", Vec::new()).with_width(WIDTH);
    form.takes_all_letters = true;
    let help = Help {
        sections,
        advice: on_top.map_or(&[][..], |top| top.spec.advice()),
        sought: String::new(),
    };
    UNSOUGHT.clone_into(&mut form.note);
    Dialog::without_view(form, help)
}

impl DialogSpec for Help {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let key = event.try_as_key_ref()?;
        match (key.letter(), key.code) {
            (Some('?'), _) => return Some(DialogAction::Close),
            (Some(letter), _) if self.sought.chars().count() < LONGEST => self.sought.push(letter),
            (None, KeyCode::Backspace) => drop(self.sought.pop()),
            _ => return None,
        }
        form.note.clone_from(&self.sought);
        if self.sought.is_empty() {
            UNSOUGHT.clone_into(&mut form.note);
        }
        form.scroll = Scroll::default();
        Some(DialogAction::Stay)
    }

    fn blocks(&self, _form: &Form, view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let width = WIDTH.min(canvas.area.width.saturating_sub(4));
        let sought = fold(&self.sought);
        let side_by_side = 1 + usize::from(width >= WIDE);
        let room = usize::from(width) / side_by_side;
        // The keys that have room, the first one at any rate.
        let label = |keys: &[Key]| {
            let labels = keys.iter().map(|key| key.label(canvas.look.ascii));
            let mut labels: Vec<String> = labels.collect();
            labels.dedup();
            while labels.len() > 1 && usize::from(columns(&labels.join(" "))) > room / 4 {
                labels.pop();
            }
            labels.join(" ")
        };
        let is_sought = |keys: &[Key], action: Action| {
            let mut said = [action.describe(), action.label()].into_iter();
            let is_said = said.any(|words| words.to_lowercase().contains(&sought));
            let mut labels = keys.iter().map(|key| key.label(canvas.look.ascii));
            let is_key = labels.any(|label| label.to_lowercase() == sought);
            is_offered(action, view) && (is_said || is_key)
        };
        let mut blocks = Vec::new();
        if !self.advice.is_empty() && sought.is_empty() {
            blocks.push(Block::words(Role::Heading, "Is a check needed at all?"));
            let advice = self.advice.iter();
            blocks.extend(advice.map(|words| Block::words(Role::Text, *words)));
        }
        for (heading, bindings) in &self.sections {
            let told = bindings.iter();
            let told = told.filter(|(keys, action)| is_sought(keys, *action));
            let told: Vec<&Bound> = told.collect();
            if told.is_empty() {
                continue;
            }
            blocks.extend((!blocks.is_empty()).then_some(Block::Gap));
            blocks.push(Block::words(Role::Heading, *heading));
            let widths = told.iter().map(|(keys, _)| columns(&label(keys)));
            let widest = usize::from(widths.max().unwrap_or(0));
            let rows = told.len().div_ceil(side_by_side);
            for row in 0..rows {
                let cells = told.iter().skip(row).step_by(rows);
                let parts = cells.flat_map(|(keys, action)| -> [StyledText; 2] {
                    let keys = format!("{:widest$}  ", label(keys));
                    let rest = room.saturating_sub(usize::from(columns(&keys)) + 1);
                    let wide = u16::try_from(rest).unwrap_or(u16::MAX);
                    let does = canvas.look.fit(action.describe(), wide);
                    [(Role::Key, keys), (Role::Text, format!("{does:rest$} "))]
                });
                blocks.push(Block::Parts(parts.collect()));
            }
        }
        if blocks.is_empty() {
            let words = "no key does anything of that name; : finds what has no key";
            blocks.push(Block::words(Role::Muted, words));
        }
        blocks
    }
}
