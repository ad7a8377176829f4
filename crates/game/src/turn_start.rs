//! The changes at the start of a character's turn.

use super::{Change, Character, CharacterId, Event, EventKind, Game, Part, PoolId, differences};
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
    /// Pools of the character that reset each turn go back to their start. Pools that recharge roll a d6 first.
    pub(super) fn start_turn(&mut self, id: CharacterId, dice: &mut dyn Dice) -> Vec<String> {
        let mut messages = Vec::new();
        for refill in self.refills_of(id) {
            messages.extend(self.refill(&refill, dice));
        }
        messages
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

    /// Adds the start of a turn to an event that begins one. `event` was decided on this game.
    pub(super) fn with_turn_start(&self, mut event: Event, dice: &mut dyn Dice) -> Event {
        if !event.changes.iter().any(may_begin_turn) {
            return event;
        }

        let mut before_turn = self.clone();
        before_turn.apply(&event);
        let Some(on_turn) = before_turn.on_turn().map(|character| character.id) else {
            return event;
        };
        let was_on_turn = self.on_turn().map(|character| character.id);
        if was_on_turn == Some(on_turn) && before_turn.round == self.round {
            return event;
        }

        let mut after = before_turn.clone();
        let messages = after.start_turn(on_turn, dice);
        event.changes.extend(differences(&before_turn, &after));
        event.what.add_consequences(&messages);
        event
    }
}

/// True if a change can end one turn and begin another.
fn may_begin_turn(change: &Change) -> bool {
    matches!(
        change.part,
        Part::Whole | Part::Absent | Part::Acted | Part::Initiative | Part::Round
    )
}

impl EventKind {
    /// Adds messages about further changes to the text of the event.
    fn add_consequences(&mut self, messages: &[String]) {
        let (text, separator) = match self {
            Self::Round { over, .. } => (over, ", "),
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
