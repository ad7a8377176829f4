//! The form for the order of turns: for whom the initiative is rolled, and the typed initiatives.

use crate::dialog::{Dialog, DialogAction, Form, Row, RowId, ask_over};
use tableside_commands::InitiativeGroup;
use tableside_game::{
    Allegiance, Character, CharacterId, Command, Initiative, InitiativeCommand, SIDE_INITIATIVES,
};
use tableside_table::{SeatId, SeatRole, SeatView};

/// The row that selects for whom the initiative is rolled, or which side acts first.
const FIRST: &str = "first";

/// The order of the characters without a typed number.
#[derive(Clone, Copy, PartialEq)]
enum Method {
    Roll(InitiativeGroup),
    /// This side acts before the other side.
    BySide(Allegiance),
    Typed,
}

impl Method {
    /// Returns the methods that differ from each other in the current fight.
    fn choices(view: &SeatView<'_>) -> Vec<Self> {
        let mut choices = Vec::new();
        if view.system().spec().initiative.is_none() {
            for side in [Allegiance::Party, Allegiance::Adversary] {
                if members_of(side, view).next().is_some() {
                    choices.push(Self::BySide(side));
                }
            }
        } else {
            let mut groups = vec![InitiativeGroup::All, InitiativeGroup::Enemies];
            if view.has_turn_order() {
                groups.push(InitiativeGroup::New);
            }
            groups.retain(|group| !group.members(view).is_empty());
            choices.extend(groups.into_iter().map(Self::Roll));
        }
        choices.push(Self::Typed);
        choices
    }

    fn label(self, view: &SeatView<'_>) -> String {
        let (name, count) = match self {
            Self::Roll(group) => {
                let name = match group {
                    InitiativeGroup::All => "all",
                    InitiativeGroup::Enemies => "enemies",
                    InitiativeGroup::New => "those without an initiative",
                };
                (name, group.members(view).len())
            }
            Self::BySide(side) => {
                let name = if side == Allegiance::Party {
                    "the party"
                } else {
                    "the adversaries"
                };
                (name, members_of(side, view).count())
            }
            Self::Typed if view.system().spec().initiative.is_none() => {
                return "the highest number".to_owned();
            }
            Self::Typed => return "nobody".to_owned(),
        };
        format!("{name} ({count})")
    }

    /// Returns the initial method.
    ///
    /// At the start of a fight all characters roll, or only the enemies while players are connected who roll their own
    /// dice. Later, only characters without an initiative roll. In a system without a roll for initiative, the party
    /// acts first, and an existing order stays.
    fn first(choices: &[Self], view: &SeatView<'_>) -> Self {
        if view.system().spec().initiative.is_none() {
            let first = choices.first().filter(|_| !view.has_turn_order());
            return first.copied().unwrap_or(Self::Typed);
        }

        if view.has_turn_order() {
            let joined = Self::Roll(InitiativeGroup::New);
            return if choices.contains(&joined) {
                joined
            } else {
                Self::Typed
            };
        }

        let has_players = view.present().any(|seat| {
            let is_player = seat.role == SeatRole::Player && seat.id != SeatId::HOST;
            is_player && !seat.characters.is_empty()
        });
        let enemies = Self::Roll(InitiativeGroup::Enemies);
        if has_players && choices.contains(&enemies) {
            enemies
        } else {
            Self::Roll(InitiativeGroup::All)
        }
    }
}

/// Returns the characters of a side that take turns. Allies act with the party.
fn members_of<'a>(
    side: Allegiance,
    view: &SeatView<'a>,
) -> impl Iterator<Item = CharacterId> + use<'a> {
    let members = InitiativeGroup::All.members(view);
    let view = *view;
    members.into_iter().filter(move |who| {
        let character = view.character(*who);
        let is_adversary =
            character.is_some_and(|character| character.side == Allegiance::Adversary);
        is_adversary == (side == Allegiance::Adversary)
    })
}

/// Asks for the initiative of every character in the scene. The rows are in the order of turns. The note names the key
/// that ends the fight.
pub fn turn_order_form(view: &SeatView<'_>) -> Dialog {
    // The options stay the same when the game changes, so that the selected word keeps its meaning.
    let choices = Method::choices(view);
    let first = Method::first(&choices, view);
    let mut form = Form::new("Turn order", rows(&choices, first, view));
    if !view.has_turn_order() {
        form.enter.label = Some("begin");
    }
    if view.system().spec().initiative.is_none() {
        // The focus starts on the first character, whose number can be typed at once.
        form.focus_index(1);
    }
    if view.has_turn_order() {
        "in the list, ⟨party.end-fight⟩ ends the fight".clone_into(&mut form.caption.note);
    }

    let choices_to_lay_out = choices.clone();
    ask_over(
        form,
        view,
        move |form, view| {
            // A combatant may have joined or left since the form opened.
            form.lay_out(rows(&choices_to_lay_out, first, view));
            describe_method(form, &choices_to_lay_out, view);
            mark_settled(form, &choices_to_lay_out, view);
        },
        move |form, view| set_turn_order(form, &choices, view),
    )
}

/// Returns the row of the method, and the rows of all combatants in the order of turns.
fn rows(choices: &[Method], first: Method, view: &SeatView<'_>) -> Vec<Row> {
    let label = if view.system().spec().initiative.is_some() {
        "Roll for"
    } else {
        "First"
    };
    let row = Row::one_of(FIRST, label, choices, first, |choice| choice.label(view));
    let mut rows = vec![row];

    let mut characters: Vec<&Character> = combatants(view).collect();
    characters.sort_by_key(|character| character.place_in_turn());
    for character in characters {
        let row = Row::initiative(
            turn_id(character.id),
            character.name.clone(),
            character.initiative,
        )
        .help("The highest acts first. Decimals settle ties. Leave it blank for a character without turns.");
        rows.push(row);
    }
    rows
}

/// Describes the effect of submitting the form with the selected method.
fn describe_method(form: &mut Form, choices: &[Method], view: &SeatView<'_>) {
    let help = match form.picked(FIRST, choices) {
        Method::Roll(_) => {
            "⟨submit⟩ rolls for them at once. A number that you type below counts instead of a roll."
        }
        Method::BySide(_) => {
            "⟨submit⟩ lets this side act first, and then the other side. Numbers that you type below count instead."
        }
        Method::Typed if view.system().spec().initiative.is_none() => {
            "⟨submit⟩ sets the numbers that you type below. The highest acts first."
        }
        Method::Typed => "⟨submit⟩ sets the numbers that you type below, without a roll.",
    };
    if let Some(row) = form.shown_row_mut(FIRST) {
        row.help = help.into();
    }
}

fn combatants<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Character> {
    view.roster().filter(|character| character.is_combatant())
}

fn turn_id(character: CharacterId) -> RowId {
    RowId::Nth("turn", character.0)
}

/// The characters whose initiative Enter determines, except characters with a typed number. A single typed number
/// cancels the whole order by side.
#[derive(Default)]
struct Settled {
    rolls: Vec<CharacterId>,
    by_side: Vec<(CharacterId, i32)>,
}

fn settled_by_enter(form: &Form, choices: &[Method], view: &SeatView<'_>) -> Settled {
    let mut settled = Settled::default();
    match form.picked(FIRST, choices) {
        Method::Roll(group) => settled.rolls = group.members(view),
        Method::BySide(first) => {
            let second = match first {
                Allegiance::Adversary => Allegiance::Party,
                _ => Allegiance::Adversary,
            };
            for (side, initiative) in [first, second].into_iter().zip(SIDE_INITIATIVES) {
                let members = members_of(side, view);
                settled.by_side.extend(members.map(|who| (who, initiative)));
            }
        }
        Method::Typed => {}
    }

    let is_typed = |who: CharacterId| form.row(turn_id(who)).is_some_and(Row::is_changed);
    settled.rolls.retain(|who| !is_typed(*who));
    if settled.by_side.iter().any(|(who, _)| is_typed(*who)) {
        settled.by_side.clear();
    }
    settled
}

/// Marks the rows of the characters whose initiative Enter determines.
fn mark_settled(form: &mut Form, choices: &[Method], view: &SeatView<'_>) {
    let settled = settled_by_enter(form, choices, view);
    for row in &mut form.rows {
        let RowId::Nth("turn", id) = row.id else {
            continue;
        };
        let who = CharacterId(id);
        let by_side = settled.by_side.iter().find(|(member, _)| *member == who);
        row.beside = if settled.rolls.contains(&who) {
            "rolled".to_owned()
        } else if let Some((_, initiative)) = by_side {
            initiative.to_string()
        } else {
            String::new()
        };
    }
}

/// Rolls for the selected characters or orders them by side, and sets the typed numbers, all in one act.
fn set_turn_order(
    form: &Form,
    choices: &[Method],
    view: &SeatView<'_>,
) -> Result<DialogAction, String> {
    let settled = settled_by_enter(form, choices, view);
    let mut set: Vec<(CharacterId, Option<Initiative>)> = Vec::new();
    for character in combatants(view) {
        let id = turn_id(character.id);
        if form.row(id).is_some_and(Row::is_changed) {
            set.push((character.id, form.maybe_initiative(id)?));
        }
    }
    for (who, initiative) in settled.by_side {
        set.push((who, Some(Initiative::from(initiative))));
    }

    let rolls = settled.rolls;
    if rolls.is_empty() && set.is_empty() && !view.has_turn_order() {
        let other_way = if view.system().spec().initiative.is_some() {
            "roll for somebody"
        } else {
            "choose the side that acts first"
        };
        return Err(format!(
            "type a number for at least one combatant, or {other_way}"
        ));
    }
    Ok(Command::Initiative(InitiativeCommand { rolls, set }).into())
}

#[cfg(test)]
mod tests;
