//! A request for a roll, which names characters and clocks instead of giving their ids.

use serde::{Deserialize, Serialize};

use super::check_reader::refuse_unreadable_sheet;
use super::known_names::{character_named, clock_named};
use super::{ParseError, RollOptions};
use tableside_dice::{Face, SystemDice};
use tableside_game::{
    Character, CharacterId, ClockId, Command, CommandError, Faces, Filled, FreeRoll,
    FreeRollCommand, GroupKind, RollCommand,
};
use tableside_rules::{CheckSpec, ChosenBy, Refused, RuleError};
use tableside_table::{Act, RequestError, Seat, SeatRole, SeatView, Table};

/// The words for a roll of free dice in refusals.
pub(super) const FREE_DICE: &str = "a roll of free dice";

/// A request for a roll from the command line or from plain words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RollRequest {
    /// The id of the system that the check belongs to.
    pub system: String,
    /// The id of the check.
    pub check: String,
    /// The name of the rolling character.
    pub who: Option<String>,
    /// Free dice instead of a check: `2d6+1`.
    pub dice: Option<String>,
    /// The ids of the typed fields of the check, and their values.
    pub fields: Vec<(String, String)>,
    /// The faces of a check's dice that were rolled by hand.
    pub faces: Option<Vec<Face>>,
    /// The faces of free dice that were rolled by hand. Free dice can have more sides than the dice of a check.
    pub free_faces: Option<Vec<i32>>,
    /// Answers to the choices of the check, in their order.
    pub choose: Vec<String>,
    /// The name of the clock that the roll fills.
    pub clock: Option<String>,
    /// The names of the helping characters.
    pub helpers: Vec<String>,
    /// The seed of the dice. The same seed gives the same faces.
    pub seed: Option<String>,
    pub options: RollOptions,
}

impl RollRequest {
    /// Builds the act of the request for this table.
    pub(super) fn act(&self, table: &Table, seat: &Seat) -> Result<Act, RequestError> {
        let roller = table.read(seat, |view| self.roller(view))?;
        if let Some(throw) = self.free_roll_by(roller) {
            return Ok(Command::FreeRoll(Box::new(throw)).into());
        }

        let roll = self.command(table, seat)?;
        Ok(Command::Roll(Box::new(roll)).into())
    }

    /// Builds the command that rolls the check at this table.
    pub fn command(&self, table: &Table, seat: &Seat) -> Result<RollCommand, RequestError> {
        let name = table.name();
        table.read(seat, |view| {
            let system = view.system();
            if system.spec().id != self.system {
                let message = format!(
                    "{name} is a game of {system}, so it has no check {} of {}",
                    self.check, self.system
                );
                return Err(RequestError::usage(message));
            }

            let roll = self.roll_by_named_character(view)?;
            Ok(roll)
        })
    }

    /// Returns the dice with the request's seed, if it has one.
    pub(super) fn seeded_dice(&self) -> Result<Option<SystemDice>, RequestError> {
        let Some(seed) = &self.seed else {
            return Ok(None);
        };
        match SystemDice::from_hex(seed) {
            Ok(dice) => Ok(Some(dice)),
            Err(error) => Err(RequestError::usage(error.to_string())),
        }
    }

    /// Builds the roll of free dice, if the request contains any.
    pub(super) fn free_roll_by(&self, roller: Option<CharacterId>) -> Option<FreeRollCommand> {
        let notation = self.dice.clone()?;
        Some(FreeRollCommand {
            who: roller,
            what: FreeRoll::Dice {
                notation,
                faces: self.free_faces.clone(),
            },
            noticed: self.options.noticed,
            hidden_from: self.options.stored_hidden_from(),
        })
    }

    fn roller(&self, view: &SeatView<'_>) -> Result<Option<CharacterId>, ParseError> {
        match &self.who {
            Some(name) => Ok(Some(character_named(name, view)?)),
            None => Ok(None),
        }
    }

    /// Builds the roll of the named character, or else of the character that always rolls for the clock.
    fn roll_by_named_character(&self, view: &SeatView<'_>) -> Result<RollCommand, ParseError> {
        let check = self.spec(view)?;
        let named = self.roller(view)?;
        let clock = self.clock_id(view)?;

        let attached = view.attached_check(check, clock);
        let fills_clock = attached.and_then(|attached| attached.who);
        self.roll_by(named.or(fills_clock), view)
    }

    /// Builds the roll of this character, or of no character.
    pub fn roll_by(
        &self,
        roller: Option<CharacterId>,
        view: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        refuse_unreadable_sheet(roller, view)?;
        let check = self.spec(view)?;
        let clock = self.clock_id(view)?;

        let filled = fill_fields(check, roller, clock, &self.fields, view)
            .map_err(|error| view.mention_call(roller, check.id, error))?;
        let mut helpers = self.helper_ids(view)?;
        helpers.extend(called_helpers(check, roller, view));

        let roll = RollCommand {
            clock,
            helpers,
            ..self.base_roll(roller, filled, view)
        };

        match roll.filled.fields.complete() {
            Ok(()) => Ok(roll),
            Err(error) => Err(ParseError::IncompleteRoll {
                source: view.explain_refusal(roller, &roll.filled.fields, error.into()),
                roll: Box::new(roll),
            }),
        }
    }

    /// Builds the roll of the party member with the worst or the best odds.
    pub(super) fn roll_by_group(
        &self,
        kind: GroupKind,
        view: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let check = self.spec(view)?;
        let clock = self.clock_id(view)?;

        let mut fields = view.fields_from_clock(check, clock);
        fields.extend_from_slice(&self.fields);
        let pick = view.group(check, kind, &fields, &[])?;

        let mut helpers = self.helper_ids(view)?;
        helpers.extend(pick.helpers);

        Ok(RollCommand {
            clock,
            helpers,
            group: kind == GroupKind::Worst,
            ..self.base_roll(Some(pick.who), pick.filled, view)
        })
    }

    /// Builds the roll without its clock and helpers.
    fn base_roll(
        &self,
        roller: Option<CharacterId>,
        filled: Filled,
        view: &SeatView<'_>,
    ) -> RollCommand {
        RollCommand {
            who: roller,
            filled,
            faces: self.faces(),
            choose: self.choose.clone(),
            by: chosen_by(view),
            wait: self.options.wait,
            hidden_from: self.options.stored_hidden_from(),
            noticed: self.options.noticed,
            clock: None,
            helpers: Vec::new(),
            group: false,
        }
    }

    /// Refuses all values except those in `allowed`, because the command `verb` does not use them.
    pub(super) fn allow_only(&self, verb: &str, allowed: &[&str]) -> Result<(), CommandError> {
        let typed_words = [
            ("faces", self.faces.is_some()),
            ("choose", !self.choose.is_empty()),
            ("help", !self.helpers.is_empty()),
            ("for CLOCK", self.clock.is_some()),
            ("wait", self.options.wait),
            ("hidden", self.options.hidden),
            ("shown", self.options.shown),
        ];
        for (word, is_given) in typed_words {
            if is_given && !allowed.contains(&word) {
                let is_roll = verb == "roll" || verb == FREE_DICE;
                let advice = if is_roll {
                    "leave it out"
                } else {
                    "give it with the roll instead"
                };
                let reason = format!("{verb} does not accept {word}; {advice}");
                return Err(Refused(reason).into());
            }
        }
        Ok(())
    }

    pub(super) fn spec(&self, view: &SeatView<'_>) -> Result<&'static CheckSpec, CommandError> {
        Ok(view.system().check(&self.check)?)
    }

    pub(super) fn faces(&self) -> Faces {
        match &self.faces {
            Some(faces) => Faces::Typed(faces.clone()),
            None => Faces::Rolled,
        }
    }

    pub(super) fn helper_ids(&self, view: &SeatView<'_>) -> Result<Vec<CharacterId>, ParseError> {
        let mut helpers = Vec::new();
        for name in &self.helpers {
            helpers.push(character_named(name, view)?);
        }
        Ok(helpers)
    }

    fn clock_id(&self, view: &SeatView<'_>) -> Result<Option<ClockId>, ParseError> {
        match &self.clock {
            Some(name) => Ok(Some(clock_named(name, view)?)),
            None => Ok(None),
        }
    }
}

/// Returns the author of the answers to a roll's choices, as the log records it.
pub(super) fn chosen_by(view: &SeatView<'_>) -> ChosenBy {
    match view.seat().role {
        SeatRole::Player => ChosenBy::Player,
        SeatRole::Gm | SeatRole::Watcher => ChosenBy::Command,
    }
}

/// Fills the fields of a check from the sheet, then from the clock's check, then from the call that the roll answers, and
/// last from the typed values.
///
/// Typed names are filled in before typed numbers and dice, because a name can bring a value that a number replaces.
fn fill_fields(
    check: &'static CheckSpec,
    roller: Option<CharacterId>,
    clock: Option<ClockId>,
    typed: &[(String, String)],
    view: &SeatView<'_>,
) -> Result<Filled, CommandError> {
    let is_typed = |id: &str| typed.iter().any(|(name, _)| name == id);

    let mut filled = view.fill(check, roller);
    for (name, value) in view.brought(check, roller, clock) {
        if let Some(field) = check.field(&name)
            && !is_typed(&name)
        {
            view.fill_in(&mut filled, roller, field, &value)?;
        }
    }

    for field in check.fields {
        if let Some(excluded) = field.excludes
            && field.optional
            && is_typed(field.id)
            && is_typed(excluded)
        {
            return Err(RuleError::Both(field.id, excluded).into());
        }
    }

    let mut names = Vec::new();
    let mut values = Vec::new();
    for (name, value) in typed {
        let is_value = check
            .field(name)
            .is_some_and(|field| field.parse(value).is_ok());
        if is_value {
            values.push((name, value));
        } else {
            names.push((name, value));
        }
    }
    for (name, value) in names.into_iter().chain(values) {
        let field = filled.field(name)?;
        view.fill_in(&mut filled, roller, field, value)?;
    }
    Ok(filled)
}

/// Returns the present helpers of the call that the roll answers.
fn called_helpers(
    check: &CheckSpec,
    roller: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Vec<CharacterId> {
    let Some(call) = roller.and_then(|roller| view.call_for(roller, check.id)) else {
        return Vec::new();
    };

    let mut helpers = call.helpers.clone();
    helpers.retain(|id| view.character(*id).is_some_and(Character::is_here));
    helpers
}
