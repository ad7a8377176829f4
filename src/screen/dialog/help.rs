//! The keys of a place, read off the keymap.

use super::dialog_spec::{Dialog, read};
use super::reading::Block;
use crate::screen::action::Context;
use crate::screen::input::Key;
use crate::screen::keymap::Keymap;
use crate::screen::theme::Role;
use crate::screen::widget::columns;

const WIDTH: u16 = 62;

/// The keys that count in these places, the nearest first, and what the rules say before one does what is on
/// top there.
pub fn help_with_keys(contexts: &[Context], on_top: Option<&Dialog>, keymap: &Keymap) -> Dialog {
    // A key that a nearer place has is told there.
    let nearest = |key: Key| {
        let mut places = contexts.iter();
        places.find(|place| keymap.action(&[**place], key).is_some())
    };
    let of_place = |place: &Context| {
        let bindings = keymap.bindings(*place).iter().map(|binding| {
            let own = binding.keys.iter().copied();
            let own: Vec<Key> = own.filter(|key| nearest(*key) == Some(place)).collect();
            (own, binding.action)
        });
        let bound = bindings.filter(|(keys, _)| !keys.is_empty());
        (*place, bound.collect::<Vec<_>>())
    };
    let title = contexts
        .first()
        .map_or_else(String::new, |place| format!("Keys to {}", place.describe()));
    let advice = on_top.map_or(&[][..], |top| top.form.advice);
    let places: Vec<_> = contexts.iter().map(of_place).collect();
    read(title, WIDTH, move |_, canvas| {
        let mut blocks = Vec::new();
        if !advice.is_empty() {
            blocks.push(Block::words(Role::Heading, "Is a check needed at all?"));
            let advice = advice.iter();
            blocks.extend(advice.map(|words| Block::words(Role::Text, *words)));
        }
        let label = |keys: &[Key]| {
            let labels = keys.iter().map(|key| key.label(canvas.look.ascii));
            labels.collect::<Vec<_>>().join(" ")
        };
        let all = places.iter().flat_map(|(_, bound)| bound);
        let widest = all.map(|(keys, _)| columns(&label(keys))).max();
        let widest = usize::from(widest.unwrap_or(0).min(WIDTH / 2));
        for (place, bound) in places.iter().filter(|(_, bound)| !bound.is_empty()) {
            if !blocks.is_empty() {
                blocks.push(Block::Gap);
            }
            blocks.push(Block::words(Role::Heading, place.label()));
            blocks.extend(bound.iter().map(|(keys, action)| {
                let keys = format!("{:widest$}  ", label(keys));
                let does = action.describe().to_owned();
                Block::Parts(vec![(Role::Key, keys), (Role::Text, does)])
            }));
        }
        blocks
    })
}
