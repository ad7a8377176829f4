//! Effects of a roll that were not applied, because the roll does not name their character.

use super::{
    Blow, Change, Character, EntityRef, Event, Game, Part, PoolKind, Roll, fill_fields::opponent_of,
};
use tableside_rules::{
    ConditionChange, Counted, Effect, Field, HIT_POINTS, Id, NumberChange, Party, PoolOwner,
    System, Whose,
};
use tableside_text::join;

/// The effects of a roll that wait for a GM to choose one character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingEffects {
    /// The role in the roll that no character fills: the roller or the opponent.
    pub missing: Party,
    pub effects: Vec<Effect>,
    /// The kind of blow with which damage among the effects hits.
    pub blow: Blow,
}

impl Game {
    /// The effects of a recorded roll that have no recipient, grouped by the missing character.
    pub fn pending_effects(&self, roll: &Roll) -> Vec<PendingEffects> {
        let mut groups = Vec::new();

        for missing in [Party::Opponent, Party::Roller] {
            if !self.lacks(missing, roll) {
                continue;
            }

            let mut effects = Vec::new();
            for effect in &roll.effects {
                if self.recipient(effect, roll) == Some(missing) {
                    effects.push(effect.clone());
                }
            }

            if !effects.is_empty() {
                groups.push(PendingEffects {
                    missing,
                    effects,
                    blow: self.blow_of(roll),
                });
            }
        }

        groups
    }

    /// Remarks for the log about the missing opponent and the missing roller, if one of `effects` was for them.
    pub(super) fn missing_recipients(&self, roll: &Roll, effects: &[Effect]) -> Vec<Effect> {
        let mut remarks = Vec::new();

        for missing in [Party::Opponent, Party::Roller] {
            let is_recipient = effects
                .iter()
                .any(|effect| self.recipient(effect, roll) == Some(missing));
            if !is_recipient || !self.lacks(missing, roll) {
                continue;
            }

            let field = match missing {
                Party::Opponent => self.opponent_field(roll).map(|field| field.id),
                Party::Roller | Party::Helpers | Party::Table => None,
            };
            remarks.push(Effect::NoRecipient {
                field: field.unwrap_or_default().to_owned(),
            });
        }

        remarks
    }

    /// True if the roll was made without this character. A character that was named and deleted later is not missing.
    pub fn lacks(&self, party: Party, roll: &Roll) -> bool {
        match party {
            Party::Roller => roll.id.is_none(),
            Party::Opponent => {
                let Ok(check) = roll.spec(self.system) else {
                    return false;
                };
                opponent_of(check, &roll.sources).is_none()
            }
            Party::Helpers | Party::Table => false,
        }
    }

    /// The characters that may receive the effects of a roll that was made without its roller or opponent, the most
    /// likely first.
    pub fn candidates(&self, roll: &Roll, missing: Party) -> Vec<&Character> {
        let mut candidates = match missing {
            Party::Opponent => self.possible_opponents(roll),
            Party::Roller => self.possible_rollers(),
            Party::Helpers | Party::Table => Vec::new(),
        };

        // Characters that are down come last.
        candidates.sort_by_key(|character| self.is_down(character));
        candidates
    }

    fn possible_opponents(&self, roll: &Roll) -> Vec<&Character> {
        let roller = self.optional_character(roll.id);
        match self.opponent_field(roll) {
            Some(field) => self.other_characters(roller, field).collect(),
            None => Vec::new(),
        }
    }

    fn possible_rollers(&self) -> Vec<&Character> {
        let mut present: Vec<&Character> = self
            .roster
            .iter()
            .filter(|character| character.is_here())
            .collect();
        present.sort_by_key(|character| character.side as u8);
        present
    }

    /// True if this event looks as if a GM applied the effects by hand, without a reference to the roll.
    pub fn applies_by_hand(&self, effects: &[Effect], event: &Event) -> bool {
        for effect in effects {
            if matches!(effect, Effect::Offer { .. }) {
                continue;
            }
            for change in &event.changes {
                if self.is_changed_by(effect, change) && amount_matches(effect, change) {
                    return true;
                }
            }
        }

        false
    }

    /// True if an event that follows from the roll made a change that one of the effects would make.
    pub fn applies(&self, effects: &[Effect], event: &Event) -> bool {
        effects.iter().any(|effect| {
            let mut changes = event.changes.iter();
            changes.any(|change| self.is_changed_by(effect, change))
        })
    }

    /// True if the effect would make a change of this kind, of any amount.
    pub(crate) fn is_changed_by(&self, effect: &Effect, change: &Change) -> bool {
        match effect {
            Effect::Damage { .. } => is_stat(change, HIT_POINTS),
            Effect::Token { pool, .. } => self.is_pool(change, *pool),
            Effect::Consequence { of, .. } => self.is_clock_or_overflow(change, *of),
            Effect::Number(NumberChange { what, id, .. }) => match what {
                Counted::Pool => self.is_pool(change, *id),
                Counted::Stat => is_stat(change, id.as_str()),
                Counted::Clock => self.is_clock_or_overflow(change, *id),
            },
            Effect::Condition(_) => {
                matches!(change.entity, EntityRef::Character(_)) && change.part == Part::Conditions
            }
            _ => false,
        }
    }

    /// True if a change is about the tokens of a pool of this kind.
    fn is_pool(&self, change: &Change, kind: Id) -> bool {
        let EntityRef::Pool(id) = change.entity else {
            return false;
        };
        let is_about_tokens = change.part == Part::Tokens || change.part == Part::GainedThisScene;
        let pool = self.pool(id);
        is_about_tokens && pool.is_some_and(|pool| pool.kind == PoolKind::Rule(kind))
    }

    /// True if a change fills a clock of this rule, or the stat that takes its overflow.
    fn is_clock_or_overflow(&self, change: &Change, rule: Id) -> bool {
        if let EntityRef::Clock(id) = change.entity
            && change.part == Part::Filled
        {
            let clock = self.clock(id);
            return clock.is_some_and(|clock| clock.rule == Some(rule));
        }

        let spec = self.system.spec().clock(rule);
        spec.is_some_and(|spec| is_stat(change, spec.overflow))
    }

    /// The field that names the opponent of a roll.
    fn opponent_field(&self, roll: &Roll) -> Option<&'static Field> {
        let check = roll.spec(self.system).ok()?;
        check
            .fields
            .iter()
            .find(|field| field.whose == Whose::Opponent)
    }
}

impl PendingEffects {
    /// The effects as the label of a button: `Goblin takes 8, prone`.
    pub fn label(&self, name: &str, system: System) -> String {
        let mut parts = Vec::new();
        let mut damage = None;

        for effect in &self.effects {
            match hit_points(effect) {
                Some(points) if points < 0 => damage = Some(points.unsigned_abs()),
                _ => parts.push(of_recipient(effect).text(system)),
            }
        }

        match damage {
            Some(damage) => {
                parts.insert(0, format!("{name} takes {damage}"));
                join(parts, ", ")
            }
            None => format!("{name}: {}", join(parts, ", ")),
        }
    }
}

/// The change of hit points that an effect makes.
pub fn hit_points(effect: &Effect) -> Option<i32> {
    match effect {
        Effect::Damage { amount, .. } => Some(-amount),
        Effect::Number(change)
            if change.what == Counted::Stat && change.id.as_str() == HIT_POINTS =>
        {
            change.by
        }
        _ => None,
    }
}

/// The effect in the form that follows the name of its recipient: `Stress +1` instead of `Opponent: Stress +1`.
pub(super) fn of_recipient(effect: &Effect) -> Effect {
    let mut anonymous = effect.clone();
    match &mut anonymous {
        Effect::Number(NumberChange { of, .. })
        | Effect::Condition(ConditionChange { of, .. })
        | Effect::Offer { of, .. } => *of = Party::Roller,
        Effect::Token { owner, .. } => *owner = None,
        _ => {}
    }
    anonymous
}

impl Game {
    /// The side of the roll that receives an effect, if a single character receives it.
    fn recipient(&self, effect: &Effect, roll: &Roll) -> Option<Party> {
        if self.belongs_to_table(effect) {
            return None;
        }

        match effect {
            // A condition ends for a character that has it, and a roll without that character cannot tell who that is.
            Effect::Condition(ConditionChange { gone: true, .. }) => None,
            Effect::Number(NumberChange { of, .. })
            | Effect::Condition(ConditionChange { of, .. }) => Some(*of),
            Effect::Damage { own: true, .. } | Effect::Token { owner: None, .. } => {
                Some(Party::Roller)
            }
            Effect::Token {
                owner: Some(owner), ..
            } if *owner == roll.who => Some(Party::Roller),
            Effect::Damage { own: false, .. } | Effect::Token { owner: Some(_), .. } => {
                Some(Party::Opponent)
            }
            // Helpers share the consequences, so they have a recipient.
            Effect::Consequence { of, .. } if *of != Id::NONE && roll.helpers.is_empty() => {
                Some(Party::Roller)
            }
            _ => None,
        }
    }

    /// True if an effect changes a pool of the table.
    fn belongs_to_table(&self, effect: &Effect) -> bool {
        let pool = match effect {
            Effect::Token { pool, .. } => *pool,
            Effect::Number(change) if change.what == Counted::Pool => change.id,
            _ => return false,
        };
        let spec = self.system.spec().pool(pool);
        spec.is_some_and(|spec| spec.purse == PoolOwner::Table)
    }
}

fn is_stat(change: &Change, id: &str) -> bool {
    change.stat().is_some_and(|(_, stat)| stat == id)
}

/// True if a change has the size of the effect. A bound of the sheet may have cut it short.
fn amount_matches(effect: &Effect, change: &Change) -> bool {
    let amount = match effect {
        Effect::Condition(condition) => {
            let was_there = contains_text(&change.from, &condition.name);
            let is_there = contains_text(&change.to, &condition.name);
            return was_there == condition.gone && is_there != condition.gone;
        }
        Effect::Damage { amount, .. } => Some(-amount),
        Effect::Token { amount, .. } | Effect::Consequence { amount, .. } => Some(*amount),
        Effect::Number(NumberChange { by, .. }) => *by,
        _ => None,
    };

    let Some(from) = change.from.as_i64() else {
        return false;
    };
    let Some(to) = change.to.as_i64() else {
        return false;
    };
    let Some(amount) = amount.map(i64::from) else {
        return true;
    };

    let step = to - from;
    let is_cut_short_at_zero = to == 0 && amount < step && step < 0;
    step == amount || is_cut_short_at_zero
}

fn contains_text(value: &serde_json::Value, text: &str) -> bool {
    value.to_string().contains(text)
}
