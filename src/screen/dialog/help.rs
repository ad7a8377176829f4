//! The keys of a place, read off the keymap.

use super::reading::{Block, ReadDialog, Readable, Reading};
use super::{Canvas, Dialog};
use crate::screen::action::{Action, Context};
use crate::screen::input::Key;
use crate::screen::keymap::Keymap;
use crate::screen::theme::Role;
use crate::screen::widget::columns;
use crate::table::SeatView;

const WIDTH: u16 = 62;

/// Keys, and what they do.
type Bound = (Vec<Key>, Action);

#[derive(Debug)]
pub struct HelpDialog {
    title: String,
    /// What the rules say before a check is made.
    advice: &'static [&'static str],
    places: Vec<(Context, Vec<Bound>)>,
}

impl HelpDialog {
    /// The keys that count in these places, the nearest first, and what is on top there.
    pub fn open(
        contexts: &[Context],
        on_top: Option<&dyn Dialog>,
        keymap: &Keymap,
    ) -> ReadDialog<Self> {
        // A key that a nearer place has is told there.
        let nearest = |key: Key| {
            let mut places = contexts.iter();
            places.find(|place| keymap.action(&[**place], key).is_some())
        };
        let of_place = |place: &Context| {
            let bindings = keymap.bindings(*place).iter().map(|binding| {
                let own = binding.keys.iter().copied();
                let own = own.filter(|key| nearest(*key) == Some(place));
                (own.collect(), binding.action)
            });
            (*place, bindings.collect())
        };
        ReadDialog::new(Self {
            title: contexts
                .first()
                .map_or_else(String::new, |place| format!("Keys to {}", place.describe())),
            advice: on_top.map_or(&[], Dialog::advice),
            places: contexts.iter().map(of_place).collect(),
        })
    }
}

impl Readable for HelpDialog {
    fn read(&self, _seen: &SeatView<'_>, canvas: &Canvas<'_>) -> Reading {
        let mut blocks = Vec::new();
        if !self.advice.is_empty() {
            blocks.push(Block::words(Role::Heading, "Is a check needed at all?"));
            let advice = self.advice.iter();
            blocks.extend(advice.map(|words| Block::words(Role::Text, *words)));
        }
        let label = |keys: &[Key]| {
            let labels = keys.iter().map(|key| key.label(canvas.look.ascii));
            labels.collect::<Vec<_>>().join(" ")
        };
        let all = self.places.iter().flat_map(|(_, bindings)| bindings);
        let widest = all.map(|(keys, _)| columns(&label(keys))).max();
        let widest = usize::from(widest.unwrap_or(0).min(WIDTH / 2));
        for (place, bindings) in &self.places {
            let bound: Vec<_> = bindings
                .iter()
                .filter(|(keys, _)| !keys.is_empty())
                .collect();
            if bound.is_empty() {
                continue;
            }
            if !blocks.is_empty() {
                blocks.push(Block::Gap);
            }
            blocks.push(Block::words(Role::Heading, place.label()));
            blocks.extend(bound.into_iter().map(|(keys, action)| {
                let keys = format!("{:widest$}  ", label(keys));
                Block::Parts(vec![
                    (Role::Key, keys),
                    (Role::Text, action.describe().to_owned()),
                ])
            }));
        }
        Reading {
            title: self.title.clone(),
            note: String::new(),
            blocks,
            width: WIDTH,
        }
    }
}
