//! The changes at the start and at the end of a character's turn.

use super::{
    Change, Character, CharacterId, ConditionEnd, Event, EventKind, Game, Part, PoolId, differences,
};
use tableside_dice::Dice;
use tableside_rules::Recharge;

/// The sides of the die that refills a pool.
const RECHARGE_SIDES: u32 = 6;

/// A pool that refills at the start of a turn.
struct Refill {
    pool: PoolId,
    /// The roll that it takes. `None` if it refills without a roll.
    recharge: Option<Recharge>,
}

impl Game {
    /// Applies everything that happens when a character's turn begins, and returns messages for the log.
    ///
    /// The characters before it that cannot act have missed their turns. Conditions of the character that end at the
    /// start of its turn are counted. Its pools that reset each turn go back to their start, and pools that recharge
    /// roll a d6 first.
    fn start_turn(&mut self, id: CharacterId, dice: &mut dyn Dice) -> Vec<String> {
        self.mark_missed_turns(id);
        let mut messages = self.expire_conditions(id, ConditionEnd::TurnStart);
        for refill in self.refills_of(id) {
            messages.extend(self.refill(&refill, dice));
        }
        messages
    }

    /// Ends the turn of a character: it has acted, and conditions that end with its turn are counted. Returns messages for
    /// the log.
    pub(super) fn end_turn_of(&mut self, id: CharacterId) -> Vec<String> {
        self.mark_as_acted(id);
        self.expire_conditions(id, ConditionEnd::TurnEnd)
    }

    fn mark_as_acted(&mut self, id: CharacterId) {
        if let Some(character) = self.character_mut(id)
            && !character.acted
        {
            character.acted = true;
        }
    }

    /// Marks the characters before this one in the order of turns as having acted.
    fn mark_missed_turns(&mut self, id: CharacterId) {
        let order: Vec<CharacterId> = self
            .turn_order()
            .iter()
            .map(|character| character.id)
            .collect();
        for missed in order.into_iter().take_while(|other| *other != id) {
            self.mark_as_acted(missed);
        }
    }

    /// The pools of a character that can refill at the start of its turn. A pool at its start needs no refill.
    fn refills_of(&self, id: CharacterId) -> Vec<Refill> {
        let mut refills = Vec::new();
        for pool in &self.pools {
            if pool.owner != Some(id) || pool.tokens == pool.start {
                continue;
            }

            let spec = self.pool_spec(pool);
            let recharge = pool.recharge(spec);
            if pool.resets_each_turn(spec) || recharge.is_some() {
                refills.push(Refill {
                    pool: pool.id,
                    recharge,
                });
            }
        }
        refills
    }

    /// Refills a pool, after a roll if it needs one. Returns a message about the roll.
    fn refill(&mut self, refill: &Refill, dice: &mut dyn Dice) -> Option<String> {
        let pool = self.pool_mut(refill.pool)?;
        let Some(recharge) = refill.recharge else {
            pool.tokens = pool.start;
            return None;
        };

        let face = dice.up_to(RECHARGE_SIDES);
        let owner = pool.owner;
        let name = pool.name.clone();
        let is_recharged = face >= u32::from(recharge.from);
        if is_recharged {
            pool.tokens = pool.start;
        }

        let owner = self.owner_name(owner);
        let result = if is_recharged {
            "recharges"
        } else {
            "does not recharge"
        };
        Some(format!("{owner}: {name} {result} (d6 shows {face})"))
    }

    /// The character whose turn it is. `None` before the first round, and without a turn order.
    pub fn on_turn(&self) -> Option<&Character> {
        if self.round == 0 {
            return None;
        }
        self.turns().first().copied()
    }

    /// Adds the end of a turn and the start of the next one to an event that passes the turn. `event` was decided on this
    /// game.
    ///
    /// Every turn begins here: after the end of another turn, at the start of a fight, and when the character whose turn
    /// it is leaves the fight.
    pub(super) fn with_turn_change(&self, mut event: Event, dice: &mut dyn Dice) -> Event {
        let is_in_fight = self.round > 0;
        let may_pass_turn = event
            .changes
            .iter()
            .any(|change| may_pass_turn(change, is_in_fight));
        if !may_pass_turn {
            return event;
        }

        let mut after = self.clone();
        after.apply(&event);
        let was_on_turn = self.on_turn().map(|character| character.id);
        let on_turn = after.on_turn().map(|character| character.id);
        if was_on_turn == on_turn && after.round == self.round {
            return event;
        }

        let mut messages = Vec::new();
        let ends_turn = matches!(event.what, EventKind::Turn { .. });
        if let Some(ended) = was_on_turn
            && !ends_turn
            && after.character(ended).is_some_and(|ended| ended.acted)
        {
            messages.extend(after.end_turn_of(ended));
        }
        if let Some(on_turn) = on_turn {
            messages.extend(after.start_turn(on_turn, dice));
        }
        if ends_turn && let Some(character) = after.on_turn() {
            messages.extend(after.due_in_turn(character));
        }

        event.changes = differences(self, &after);
        event.what.add_consequences(&messages);
        event
    }
}

/// True if a change can end one turn and begin another. In a fight, damage and conditions can take the character whose
/// turn it is out of the fight.
fn may_pass_turn(change: &Change, is_in_fight: bool) -> bool {
    match change.part {
        Part::Whole | Part::Absent | Part::Acted | Part::Initiative | Part::Round => true,
        Part::Conditions | Part::Side | Part::Stat(_) => is_in_fight,
        _ => false,
    }
}

impl EventKind {
    /// Adds messages about further changes to the text of the event.
    fn add_consequences(&mut self, messages: &[String]) {
        let (text, separator) = match self {
            Self::Initiative { over, .. } | Self::Turn { over, .. } | Self::Round { over, .. } => {
                (over, ", ")
            }
            Self::Edited { how, .. } => (how, "; "),
            _ => return,
        };
        for message in messages {
            if !text.is_empty() {
                text.push_str(separator);
            }
            text.push_str(message);
        }
    }
}
