//! The line about the seat of a player or a watcher: the name, the character and the available actions.

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::app::offered::is_offered;
use crate::view::bottom::draw_tab_hints;
use crate::view::painter::inside;
use crate::view::{Painter, ViewContext};
use crate::widget::{after, line_columns};
use crate::{Action, Role};
use tableside_table::{SeatRole, SeatView};
use tableside_text::join_with_and;

/// The actions that the line names, if the seat may do them.
const ACTIONS: [Action; 8] = [
    Action::Roll,
    Action::Dice,
    Action::Purse,
    Action::Note,
    Action::Pause,
    Action::Notes,
    Action::Recap,
    Action::LinesAndVeils,
];
/// The spaces between the name and the actions.
const GAP: u16 = 3;

/// Draws the line. It is blank for the GM.
pub(super) fn draw(painter: &mut Painter<'_>, area: Rect) {
    let context = painter.context;
    let Some(words) = describe_seat(context) else {
        return;
    };

    let area = inside(area);
    let words = context.look.fit(&words, area.width);
    let person = context.line(words, Role::Notice);
    painter.draw_line(area, &person);
    let free = after(area, line_columns(&person) + GAP);
    draw_tab_hints(painter, free, &offered_actions(context));
}

/// Returns a hash of everything that the line shows.
pub(super) fn key(context: ViewContext<'_>) -> u64 {
    let words = describe_seat(context);
    let has_actions = words.is_some();
    let mut key = FxBuildHasher.hash_one(words);
    if has_actions {
        let actions = offered_actions(context);
        key = FxBuildHasher.hash_one((key, actions, context.state.tab, context.state.panel));
    }
    key
}

fn offered_actions(context: ViewContext<'_>) -> Vec<Action> {
    if context.state.is_covered {
        return Vec::new();
    }
    ACTIONS
        .into_iter()
        .filter(|action| is_offered(*action, context.view))
        .collect()
}

/// Describes the seat of a player or a watcher: `You are Tom, playing Sir Alric`. For the GM it says how to uncover the
/// screen, or nothing.
fn describe_seat(context: ViewContext<'_>) -> Option<String> {
    if context.state.is_covered {
        let key = context.key(Action::Cover);
        return Some(format!(
            "Covered: this screen shows what players may see. {key} shows all again."
        ));
    }

    let view = context.view;
    let seat = view.seat();
    match seat.role {
        SeatRole::Gm => None,
        SeatRole::Watcher => Some("You are watching".to_owned()),
        SeatRole::Player => {
            let characters = own_names(view);
            let player = &seat.name;
            if characters.is_empty() {
                let gm = view.system().spec().gm;
                Some(format!(
                    "You are {player}. The {gm} has not given you a character yet"
                ))
            } else {
                let characters = join_with_and(&characters);
                Some(format!("You are {player}, playing {characters}"))
            }
        }
    }
}

/// Returns the same in short, for the title of a low screen, which has no row for the line.
pub(super) fn short_words(context: ViewContext<'_>) -> Option<Line<'_>> {
    let view = context.view;
    let seat = view.seat();
    if context.state.is_covered {
        let words = format!("{} shows all", context.key(Action::Cover));
        return Some(context.line(words, Role::Notice));
    }

    let words = match seat.role {
        SeatRole::Gm => return None,
        SeatRole::Watcher => "you are watching".to_owned(),
        SeatRole::Player => match own_names(view).as_slice() {
            [] => format!("you: {}", seat.name),
            names => format!("you: {}", names.join(", ")),
        },
    };
    Some(context.line(words, Role::Notice))
}

/// Returns the names of the characters of this seat.
fn own_names<'a>(view: &'a SeatView<'_>) -> Vec<&'a str> {
    let seat = view.seat();
    view.roster()
        .filter(|character| seat.characters.contains(&character.id))
        .map(|character| character.name.as_str())
        .collect()
}
