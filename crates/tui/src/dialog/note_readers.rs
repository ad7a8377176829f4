//! The rows that choose the readers of a note, and the entity that it is pinned to.

use crate::dialog::{Form, Row, RowId};
use tableside_game::{Allegiance, Character, CharacterId, Named, Pin, Readers, SeatId};
use tableside_table::{SeatRole, SeatView};

/// The id of the row that chooses the readers.
pub(super) const READERS: &str = "readers";

/// The id of the row that chooses the pin.
const PIN: &str = "pin";

/// An option in the row of readers.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ReaderChoice {
    Author,
    Gm,
    Everybody,
    /// The player of one character.
    Character(CharacterId),
    /// The players of several characters, which are chosen in the rows below.
    Several,
    Seat {
        seat: SeatId,
        name: String,
    },
}

/// The row that chooses the readers, and below it a row for each character if there are several.
pub(super) struct ReaderRows {
    choices: Vec<ReaderChoice>,
    characters: Vec<CharacterId>,
    /// The readers when the form opened.
    before: Readers,
}

impl ReaderRows {
    /// Offers all readers that the seat may choose. `before` are the initial readers.
    pub(super) fn new(before: Readers, view: &SeatView<'_>) -> Self {
        let characters: Vec<CharacterId> = view
            .roster()
            .filter(|character| has_player(character))
            .map(|character| character.id)
            .collect();

        let mut choices = Vec::new();
        if !view.seat().sees_all() {
            choices.push(ReaderChoice::Author);
        }
        choices.extend([ReaderChoice::Gm, ReaderChoice::Everybody]);
        choices.extend(characters.iter().copied().map(ReaderChoice::Character));
        if characters.len() > 1 {
            choices.push(ReaderChoice::Several);
        }
        for seat in view.listed().unwrap_or_default() {
            if !seat.is_passing && seat.role != SeatRole::Gm {
                choices.push(ReaderChoice::Seat {
                    seat: seat.id,
                    name: seat.name.clone(),
                });
            }
        }

        let choice_before = choice_of(&before);
        if !choices.contains(&choice_before) {
            choices.push(choice_before);
        }
        Self {
            choices,
            characters,
            before,
        }
    }

    /// Returns true if the chosen readers are only the author and the GM.
    pub(super) fn is_private(&self, form: &Form) -> bool {
        matches!(self.choice(form), ReaderChoice::Author | ReaderChoice::Gm)
    }

    fn choice(&self, form: &Form) -> ReaderChoice {
        // A new form has no row yet.
        if form.row(READERS).is_none() {
            return choice_of(&self.before);
        }
        match self.choices.get(form.choice(READERS)) {
            Some(choice) => choice.clone(),
            None => choice_of(&self.before),
        }
    }

    pub(super) fn rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let choice = self.choice(form);
        let choice_before = choice_of(&self.before);
        let index_before = self
            .choices
            .iter()
            .position(|offered| *offered == choice_before);
        let labels = self.choices.iter().map(|choice| label_of(choice, view));

        let row = Row::choice(READERS, "For", labels, index_before.unwrap_or(0)).by_typing();
        let mut rows = vec![row.help(help_on(&choice, view))];
        if choice == ReaderChoice::Several {
            let characters = self.characters.iter().filter_map(|id| view.character(*id));
            rows.extend(characters.map(|character| self.character_row(character)));
        }
        rows
    }

    /// Returns the row that chooses a character as one of several readers.
    fn character_row(&self, character: &Character) -> Row {
        let id = reader_id(character.id);
        let label = format!("  {}", character.name);
        Row::flag(id, label, self.was_reader(character.id))
            .beside(&character.player)
            .help("Let the player of this character read it.")
    }

    /// Returns true if the player of a character was a reader when the form opened.
    fn was_reader(&self, character: CharacterId) -> bool {
        match &self.before {
            Readers::Characters(characters) => characters.iter().any(|named| named.id == character),
            _ => false,
        }
    }

    /// Returns the chosen readers, or the reason why the choice is not complete.
    pub(super) fn chosen(&self, form: &Form, view: &SeatView<'_>) -> Result<Readers, String> {
        let choice = self.choice(form);
        // An unchanged choice also keeps readers that the seat cannot see.
        if choice == choice_of(&self.before) && choice != ReaderChoice::Several {
            return Ok(self.before.clone());
        }

        match choice {
            ReaderChoice::Author => Ok(Readers::Author),
            ReaderChoice::Gm => Ok(Readers::Gm),
            ReaderChoice::Everybody => Ok(Readers::Everybody),
            ReaderChoice::Seat { seat, name } => Ok(Readers::Seat { seat, name }),
            ReaderChoice::Character(id) => {
                let character = view
                    .character(id)
                    .ok_or("that character was deleted; choose another reader")?;
                Ok(Readers::Characters(vec![Named::from(character)]))
            }
            ReaderChoice::Several => self.chosen_characters(form, view),
        }
    }

    fn chosen_characters(&self, form: &Form, view: &SeatView<'_>) -> Result<Readers, String> {
        let characters: Vec<Named> = self
            .characters
            .iter()
            .filter(|id| form.is_on(reader_id(**id)))
            .filter_map(|id| view.character(*id))
            .map(Named::from)
            .collect();
        if characters.is_empty() {
            return Err("choose at least one character below".to_owned());
        }
        Ok(Readers::Characters(characters))
    }
}

fn has_player(character: &Character) -> bool {
    character.side == Allegiance::Party || !character.player.is_empty()
}

fn reader_id(character: CharacterId) -> RowId {
    RowId::Nth("reader", character.0)
}

fn choice_of(readers: &Readers) -> ReaderChoice {
    match readers {
        Readers::Author => ReaderChoice::Author,
        Readers::Gm => ReaderChoice::Gm,
        Readers::Everybody => ReaderChoice::Everybody,
        Readers::Characters(characters) => match characters.as_slice() {
            [only] => ReaderChoice::Character(only.id),
            _ => ReaderChoice::Several,
        },
        Readers::Seat { seat, name } => ReaderChoice::Seat {
            seat: *seat,
            name: name.clone(),
        },
    }
}

fn label_of(choice: &ReaderChoice, view: &SeatView<'_>) -> String {
    let gm = view.system().spec().gm;
    match choice {
        ReaderChoice::Author => "only me".to_owned(),
        ReaderChoice::Gm if view.seat().sees_all() => format!("only me, the {gm}"),
        ReaderChoice::Gm => format!("the {gm}"),
        ReaderChoice::Everybody => "everybody".to_owned(),
        ReaderChoice::Character(id) => view.owner_name(Some(*id)).to_owned(),
        ReaderChoice::Several => "several, chosen below".to_owned(),
        ReaderChoice::Seat { name, .. } => format!("the seat of {name}"),
    }
}

fn help_on(choice: &ReaderChoice, view: &SeatView<'_>) -> String {
    let gm = view.system().spec().gm;
    match choice {
        ReaderChoice::Author => format!("Only you can read it, not even the {gm}."),
        ReaderChoice::Gm if view.seat().sees_all() => {
            "No player can read it. ⟨form.lower⟩ and ⟨form.raise⟩ choose other readers.".to_owned()
        }
        ReaderChoice::Gm => format!("You and the {gm} can read it."),
        ReaderChoice::Everybody => "All players and watchers can read it.".to_owned(),
        ReaderChoice::Character(id) => match view.character(*id) {
            Some(character) if !character.player.is_empty() => {
                format!("{} and the {gm} can read it.", character.player)
            }
            _ => format!("The player of this character and the {gm} can read it."),
        },
        ReaderChoice::Several => {
            format!("The players of the chosen characters and the {gm} can read it.")
        }
        ReaderChoice::Seat { name, .. } => format!("{name} and the {gm} can read it."),
    }
}

/// The row that chooses what a note is pinned to.
pub(super) struct PinRow {
    choices: Vec<Option<Pin>>,
    before: Option<Pin>,
}

impl PinRow {
    /// Offers the entity under the cursor and the current scene first, then all characters and clocks.
    pub(super) fn new(before: Option<Pin>, under_cursor: Option<Pin>, view: &SeatView<'_>) -> Self {
        let scene = current_scene(view);
        let likely_pins = [before, under_cursor, scene].into_iter().flatten();
        let characters = view.roster().map(|character| Pin::Character(character.id));
        let clocks = view.clocks().map(|view| Pin::Clock(view.clock.id));

        let mut choices = vec![None];
        for pin in likely_pins.chain(characters).chain(clocks) {
            if !choices.contains(&Some(pin)) {
                choices.push(Some(pin));
            }
        }
        Self { choices, before }
    }

    pub(super) fn row(&self, view: &SeatView<'_>) -> Row {
        let label = |pin| match pin {
            None => "nothing".to_owned(),
            Some(pin) => describe_pin(pin, view),
        };
        let row = Row::one_of(PIN, "Pin to", &self.choices, self.before, label).by_typing();
        row.help("A pinned note is shown with its character, its clock or its scene.")
    }

    pub(super) fn chosen(&self, form: &Form) -> Option<Pin> {
        form.picked(PIN, &self.choices)
    }
}

/// Returns the current scene.
pub(crate) fn current_scene(view: &SeatView<'_>) -> Option<Pin> {
    view.scenes.len().checked_sub(1).map(Pin::Scene)
}

/// Describes the entity that a note is pinned to: `Mira`, `the clock The alarm`, `the scene The docks`.
pub(super) fn describe_pin(pin: Pin, view: &SeatView<'_>) -> String {
    let Some(name) = view.pin_name(pin) else {
        return "a deleted item".to_owned();
    };
    match pin {
        Pin::Character(_) => name.to_owned(),
        Pin::Clock(_) => format!("the clock {name}"),
        Pin::Scene(index) if name.is_empty() => format!("scene {}", index + 1),
        Pin::Scene(_) => format!("the scene {name}"),
    }
}
