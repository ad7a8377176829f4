//! A check as somebody asks for it, in names and words, and the roll that it comes to at a table.

use serde::{Deserialize, Serialize};

use super::{ParseError, character_named, clock_named};
use tableside_dice::Face;
use tableside_game::{
    Character, CharacterId, ClockId, Command, CommandError, Faces, Filled, GroupKind, RollCommand,
    Throw, ThrowCommand,
};
use tableside_rules::{CheckSpec, ChosenBy, Refused, RuleError};
use tableside_table::{SeatRole, SeatView};

/// A check as somebody asks for it: the command line, or plain words.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a word that may be said by itself"
)]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RollRequest {
    /// The system whose check it is.
    pub system: String,
    /// Its name in that system.
    pub check: String,
    /// Who rolls, by name.
    pub who: Option<String>,
    /// Free dice instead of a check, as in `2d6+1`.
    pub dice: Option<String>,
    /// Fields as they were written.
    pub fields: Vec<(String, String)>,
    /// Faces of a check's dice rolled by hand.
    pub faces: Option<Vec<Face>>,
    /// Those of free dice, which may have more sides.
    pub free_faces: Option<Vec<i32>>,
    /// Answers, in the order in which choices come up.
    pub choose: Vec<String>,
    /// The clock that it fills, by name.
    pub clock: Option<String>,
    /// Who helps, by name.
    pub helpers: Vec<String>,
    /// Dice that fall the same way again.
    pub seed: Option<String>,
    /// Whether a choice that nobody answered waits; else its default is taken.
    pub wait: bool,
    /// Whether it is closed to the players.
    pub closed: bool,
    /// The players it is closed to; empty if it is closed to all of them.
    #[serde(default)]
    pub hidden_from: Vec<String>,
    /// Whether players notice that something is rolled, where it is closed to them.
    pub noticed: bool,
    /// Whether all players see the call for it.
    pub shown: bool,
}

impl RollRequest {
    /// The free dice that it asks for, of that character or of nobody in particular.
    pub(super) fn thrown_by(&self, who: Option<CharacterId>) -> Option<Command> {
        Some(Command::Throw(Box::new(ThrowCommand {
            who,
            what: Throw::Dice {
                notation: self.dice.clone()?,
                faces: self.free_faces.clone(),
            },
            noticed: self.noticed,
            hidden_from: self.hidden_from(),
        })))
    }

    /// The players whom the roll is hidden from; `*` stands for all of them.
    fn hidden_from(&self) -> Vec<String> {
        if self.hidden_from.is_empty() {
            closed_to_all(self.closed)
        } else {
            self.hidden_from.clone()
        }
    }

    /// Who rolls, where somebody is named.
    pub(super) fn who(&self, seen: &SeatView<'_>) -> Result<Option<CharacterId>, ParseError> {
        let who = self.who.as_deref();
        who.map(|name| character_named(name, seen)).transpose()
    }

    /// The check of the one who is named, else of the one who always fills the clock.
    pub(super) fn check(&self, seen: &SeatView<'_>) -> Result<RollCommand, ParseError> {
        let check = self.spec(seen)?;
        let who = self.who(seen)?;
        let clock = self.clock(seen)?;
        self.made_by(who.or_else(|| seen.attached_check(check, clock)?.who), seen)
    }

    /// The roll of that character, or of nobody in particular.
    pub(super) fn made_by(
        &self,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let check = self.spec(seen)?;
        let clock = self.clock(seen)?;
        let (filled, helpers) = plan(check, who, clock, &self.fields, seen)
            .map_err(|error| seen.mention_call(who, check.id, error))?;
        let roll = self.roll(who, filled, clock, helpers, seen)?;
        match roll.filled.fields.complete() {
            Ok(()) => Ok(roll),
            Err(error) => Err(ParseError::Open {
                source: seen.explain_refusal(who, &roll.filled.fields, error.into()),
                begun: Box::new(roll),
            }),
        }
    }

    /// The roll of the worst or the best of the party.
    pub(super) fn made_by_group(
        &self,
        kind: GroupKind,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let check = self.spec(seen)?;
        let clock = self.clock(seen)?;
        let mut fields = seen.counted_on(check, clock);
        fields.extend_from_slice(&self.fields);
        let pick = seen.group(check, kind, &fields, &[])?;
        let group = kind == GroupKind::Worst;
        let roll = self.roll(Some(pick.who), pick.filled, clock, pick.helpers, seen)?;
        Ok(RollCommand { group, ..roll })
    }

    /// Refuses words that say how a roll is made and that `verb` cannot keep; `kept` lists those that it keeps.
    pub(super) fn keep_only(&self, verb: &str, kept: &[&str]) -> Result<(), CommandError> {
        let given = [
            ("faces", self.faces.is_some()),
            ("choose", !self.choose.is_empty()),
            ("help", !self.helpers.is_empty()),
            ("for CLOCK", self.clock.is_some()),
            ("wait", self.wait),
            ("hidden", self.closed),
            ("shown", self.shown),
        ];
        for (word, is_given) in given {
            if is_given && !kept.contains(&word) {
                let why = format!("{verb} takes no {word}; give it with the roll instead");
                return Err(Refused(why).into());
            }
        }

        Ok(())
    }

    pub(super) fn spec(&self, seen: &SeatView<'_>) -> Result<&'static CheckSpec, CommandError> {
        Ok(seen.system().check(&self.check)?)
    }

    pub(super) fn faces(&self) -> Faces {
        self.faces.clone().map_or(Faces::Rolled, Faces::Typed)
    }

    /// Those who help, as they were named.
    pub(super) fn helpers(&self, seen: &SeatView<'_>) -> Result<Vec<CharacterId>, ParseError> {
        let named = self.helpers.iter();
        named.map(|name| character_named(name, seen)).collect()
    }

    fn clock(&self, seen: &SeatView<'_>) -> Result<Option<ClockId>, ParseError> {
        let named = self.clock.as_deref();
        named.map(|name| clock_named(name, seen)).transpose()
    }

    fn roll(
        &self,
        who: Option<CharacterId>,
        filled: Filled,
        clock: Option<ClockId>,
        more: Vec<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let mut helpers = self.helpers(seen)?;
        helpers.extend(more);
        Ok(RollCommand {
            who,
            filled,
            faces: self.faces(),
            choose: self.choose.clone(),
            by: chosen_by(seen),
            wait: self.wait,
            hidden_from: self.hidden_from(),
            noticed: self.noticed,
            clock,
            helpers,
            group: false,
        })
    }
}

/// Who answers, as it is recorded.
pub(super) fn chosen_by(seen: &SeatView<'_>) -> ChosenBy {
    match seen.seat().role {
        SeatRole::Player => ChosenBy::Player,
        SeatRole::Gm | SeatRole::Watcher => ChosenBy::Command,
    }
}

/// From whom a roll is hidden: from all players, or from nobody.
pub(super) fn closed_to_all(is_closed: bool) -> Vec<String> {
    is_closed.then(|| "*".to_owned()).into_iter().collect()
}

/// Fills a check's fields: from the sheet, then as the clock's own check has them, then as the call has
/// them that the roll answers, then as they are written. Written names come before written values: what a
/// name brings along, a value overrules. Also returns who helps by the call.
fn plan(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    clock: Option<ClockId>,
    written: &[(String, String)],
    seen: &SeatView<'_>,
) -> Result<(Filled, Vec<CharacterId>), CommandError> {
    let mut filled = seen.fill(check, who);
    let is_written = |id: &str| written.iter().any(|(name, _)| name == id);
    for (name, value) in seen.brought(check, who, clock) {
        if let Some(field) = check.field(&name).filter(|_| !is_written(&name)) {
            seen.fill_in(&mut filled, who, field, &value)?;
        }
    }
    for field in check.fields.iter().filter(|field| is_written(field.id)) {
        let other = field.excludes.filter(|other| is_written(other));
        if let Some(other) = other.filter(|_| field.optional) {
            return Err(RuleError::Both(field.id, other).into());
        }
    }
    let is_value = |(name, value): &&(String, String)| {
        let field = check.field(name);
        field.is_some_and(|field| field.parse(value).is_ok())
    };
    let (values, names): (Vec<_>, Vec<_>) = written.iter().partition(is_value);
    for (name, value) in names.into_iter().chain(values) {
        let field = filled.field(name)?;
        seen.fill_in(&mut filled, who, field, value)?;
    }
    let here = |id: &&CharacterId| seen.character(**id).is_some_and(Character::is_here);
    let call = who.and_then(|who| seen.call_for(who, check.id));
    let helpers = call.iter().flat_map(|call| &call.helpers).filter(here);
    Ok((filled, helpers.copied().collect()))
}
