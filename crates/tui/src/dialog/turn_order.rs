//! The form for the order of turns: whose initiative is rolled, and the numbers that are typed.

use crate::dialog::{Dialog, DialogAction, Form, Row, RowId, ask_over};
use tableside_commands::InitiativeGroup;
use tableside_game::{Character, CharacterId, Command, Initiative, InitiativeCommand};
use tableside_table::{SeatId, SeatRole, SeatView};

/// The row that chooses whose initiative is rolled.
const ROLL_FOR: &str = "roll-for";

/// The characters whose initiative is rolled with Enter.
#[derive(Clone, Copy, PartialEq)]
enum RollFor {
    Group(InitiativeGroup),
    Nobody,
}

impl RollFor {
    /// The choices in the order of the row.
    const ALL: [Self; 4] = [
        Self::Group(InitiativeGroup::All),
        Self::Group(InitiativeGroup::Enemies),
        Self::Group(InitiativeGroup::New),
        Self::Nobody,
    ];

    fn members(self, view: &SeatView<'_>) -> Vec<CharacterId> {
        match self {
            Self::Group(group) => group.members(view),
            Self::Nobody => Vec::new(),
        }
    }

    fn label(self, view: &SeatView<'_>) -> String {
        let name = match self {
            Self::Group(InitiativeGroup::All) => "all",
            Self::Group(InitiativeGroup::Enemies) => "enemies",
            Self::Group(InitiativeGroup::New) => "those without an initiative",
            Self::Nobody => return "nobody".to_owned(),
        };
        let count = self.members(view).len();
        format!("{name} ({count})")
    }

    /// The choices that differ from each other now.
    fn choices(view: &SeatView<'_>) -> Vec<Self> {
        let mut choices = Self::ALL.to_vec();
        if !view.has_turn_order() {
            choices.retain(|choice| *choice != Self::Group(InitiativeGroup::New));
        }
        choices.retain(|choice| *choice == Self::Nobody || !choice.members(view).is_empty());
        choices
    }

    /// The choice that the form opens with.
    ///
    /// At the start of a fight it is everybody, or only the enemies while players who roll their own dice are connected.
    /// In a fight it is the characters that joined since.
    fn first(view: &SeatView<'_>) -> Self {
        let joined = Self::Group(InitiativeGroup::New);
        if view.has_turn_order() {
            return if joined.members(view).is_empty() {
                Self::Nobody
            } else {
                joined
            };
        }

        let has_players = view.present().any(|seat| {
            let is_player = seat.role == SeatRole::Player && seat.id != SeatId::HOST;
            is_player && !seat.characters.is_empty()
        });
        let enemies = Self::Group(InitiativeGroup::Enemies);
        if has_players && !enemies.members(view).is_empty() {
            enemies
        } else {
            Self::Group(InitiativeGroup::All)
        }
    }
}

/// Asks for the initiative of every character in the scene. The rows are in the order of turns. The note names the key
/// that ends the fight.
pub fn turn_order_form(end_fight_key: &str, view: &SeatView<'_>) -> Dialog {
    let mut rows = Vec::new();
    // Later changes of the game do not change the meaning of the chosen word.
    let choices = RollFor::choices(view);
    if view.system().spec().initiative.is_some() {
        let first = RollFor::first(view);
        let row = Row::one_of(ROLL_FOR, "Roll for", &choices, first, |choice| {
            choice.label(view)
        })
        .help(
            "Enter rolls for them at once. A number that you type below counts instead of a roll.",
        );
        rows.push(row);
    }

    let mut characters: Vec<&Character> = characters_in_scene(view).collect();
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
    let mut form = Form::new("Turn order", rows);
    if view.has_turn_order() && !end_fight_key.is_empty() {
        form.note = format!("Esc {end_fight_key} ends the fight");
    }
    let choices_to_mark = choices.clone();
    ask_over(
        form,
        view,
        move |form, view| mark_rolled(form, &choices_to_mark, view),
        move |form, view| set_turn_order(form, &choices, view),
    )
}

fn characters_in_scene<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Character> {
    view.roster().filter(|character| character.is_combatant())
}

fn turn_id(character: CharacterId) -> RowId {
    RowId::Nth("turn", character.0)
}

/// Returns the characters whose initiative is rolled: those of the chosen group whose number was not typed.
fn rolled(form: &Form, choices: &[RollFor], view: &SeatView<'_>) -> Vec<CharacterId> {
    if form.row(ROLL_FOR).is_none() {
        return Vec::new();
    }
    let choice = form.picked(ROLL_FOR, choices);
    let mut members = choice.members(view);
    members.retain(|who| {
        let row = form.row(turn_id(*who));
        row.is_some_and(|row| !row.is_changed())
    });
    members
}

/// Marks the rows of the characters whose initiative is rolled.
fn mark_rolled(form: &mut Form, choices: &[RollFor], view: &SeatView<'_>) {
    let rolled = rolled(form, choices, view);
    for row in &mut form.rows {
        let RowId::Nth("turn", id) = row.id else {
            continue;
        };
        row.beside = if rolled.contains(&CharacterId(id)) {
            "rolled".to_owned()
        } else {
            String::new()
        };
    }
}

/// Rolls for the chosen characters and takes the typed numbers, as one act.
fn set_turn_order(
    form: &Form,
    choices: &[RollFor],
    view: &SeatView<'_>,
) -> Result<DialogAction, String> {
    let mut set: Vec<(CharacterId, Option<Initiative>)> = Vec::new();
    for character in characters_in_scene(view) {
        let id = turn_id(character.id);
        if form.row(id).is_some_and(Row::is_changed) {
            set.push((character.id, form.initiative(id)?));
        }
    }

    let rolls = rolled(form, choices, view);
    Ok(Command::Initiative(InitiativeCommand { rolls, set }).into())
}
