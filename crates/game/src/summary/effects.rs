//! The words for the effects of an event: the characters for which it counts, answers by default, and changed numbers.

use super::roll_words::default_answers;
use crate::harm_taken::hit_point_damage;
use crate::{Change, CharacterId, ClockId, EntityRef, Event, EventKind, Game, Part, Roll};
use tableside_rules::{Effect, HIT_POINTS, NumberChange};
use tableside_text::{join, uncapitalise};

impl Event {
    /// Describes the effects of the event, one in a line. With `aloud` the words suit a screen reader.
    pub fn describe_effects(&self, game: &Game, aloud: bool) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.describe_set_aside(game));

        let changes = self.changes_with_returned_tokens();
        let mut changes: Vec<&Change> = changes.iter().collect();
        changes.sort_by_key(|change| display_order(change, game));

        let roll = self.what.resolved();
        if let Some(roll) = roll {
            lines.extend(describe_group_success(roll, game));
            lines.extend(self.describe_helpers_without_action(roll));
            if let Ok(machine) = roll.machine(game.system) {
                lines.extend(default_answers(&*machine, &roll.trail));
            }
            lines.extend(describe_roll_effects(roll, &changes, game, aloud));
        }

        for change in changes {
            let triggered_by_roll = roll.is_some_and(|roll| is_triggered(roll, change));
            let is_own_clock = match roll.and_then(|roll| roll.clock) {
                Some(clock) => change.entity == EntityRef::Clock(clock),
                None => false,
            };
            // An effect of the roll describes a clock that another clock triggered.
            if !triggered_by_roll || is_own_clock {
                let damage = roll.and_then(|roll| damage_of(roll, change));
                lines.extend(change.describe_counter(game, damage, aloud));
            }
            // Players do not get stored words about clocks, so the end of a race is described for them here.
            if roll.is_some() && !triggered_by_roll {
                lines.extend(change.describe_clock_end(game));
            }
        }
        lines
    }

    /// Describes the hit points that damage of this roll took: `hit points 10 → 2`. `None` for other effects, and for
    /// damage to no character or to several.
    pub fn describe_damaged(&self, effect: &Effect, game: &Game) -> Option<String> {
        hit_point_damage(effect)?;
        let roll = self.what.resolved()?;
        let is_damage = |change: &&Change| damage_of(roll, change).is_some();
        let mut damaged = self.changes.iter().filter(is_damage);
        match (damaged.next(), damaged.next()) {
            (Some(change), None) => Some(uncapitalise(&change.describe(game, false)?)),
            _ => None,
        }
    }

    /// Describes the tokens that are set aside for a roll that begins to wait.
    pub(super) fn describe_set_aside(&self, game: &Game) -> Option<String> {
        let begun = self.changes.iter().find_map(Change::waiting_after)?;
        let tokens = non_empty(game.describe_set_aside(&begun))?;
        Some(format!("set aside until the roll ends: {tokens}"))
    }

    /// Returns the changes. The tokens that were set aside for a roll that ended count as in their pool before.
    fn changes_with_returned_tokens(&self) -> Vec<Change> {
        let mut changes = self.changes.clone();
        let ended = self.changes.iter().find_map(Change::waiting_before);
        let set_aside = ended.and_then(|waiting| waiting.set_aside);
        for set_aside in set_aside.into_iter().flatten() {
            let pool = EntityRef::Pool(set_aside.pool);
            for change in &mut changes {
                if change.is_of(pool, &Part::Tokens)
                    && let Some(tokens) = change.before::<i32>()
                {
                    change.from = (tokens + set_aside.tokens).into();
                }
            }
        }
        changes.retain(|change| change.part != Part::Tokens || change.from != change.to);
        changes
    }

    /// Names each helper that had acted before in the same round, if helping takes an action (Heart Rush, Helping;
    /// Gnosis, Working Together).
    fn describe_helpers_without_action(&self, roll: &Roll) -> Vec<String> {
        if !matches!(self.what, EventKind::Rolled(_)) {
            return Vec::new();
        }

        roll.helpers
            .iter()
            .filter(|helper| roll.acted_before.contains(&helper.id))
            .map(|helper| {
                format!(
                    "{} had already acted this round, but helping takes an action in combat",
                    helper.name
                )
            })
            .collect()
    }
}

fn non_empty(words: String) -> Option<String> {
    if words.is_empty() { None } else { Some(words) }
}

/// Characters and their clocks come first, then tokens, then the clocks of the table.
fn display_order(change: &Change, game: &Game) -> u8 {
    match change.entity {
        EntityRef::Character(_) => 0,
        EntityRef::Pool(_) => 1,
        EntityRef::Clock(id) => match game.clock(id) {
            Some(clock) if clock.owner.is_some() => 0,
            _ => 2,
        },
        _ => 2,
    }
}

fn describe_group_success(roll: &Roll, game: &Game) -> Option<String> {
    let outcome = roll.derive(game.system).ok()?;
    if !roll.group || outcome.success != Some(true) {
        return None;
    }
    if roll.helpers.is_empty() {
        return Some("the whole party succeeds".to_owned());
    }

    let mut names = vec![roll.who.as_str()];
    for helper in &roll.helpers {
        names.push(&helper.name);
    }
    let members = join(names, ", ");
    Some(format!("all succeed: {members}"))
}

/// Describes the effects of a roll that no change describes.
///
/// A screen has a button for a check that the roll offers, so only the words for a screen reader mention it.
fn describe_roll_effects(
    roll: &Roll,
    changes: &[&Change],
    game: &Game,
    aloud: bool,
) -> Vec<String> {
    // The change of the pool describes the tokens, unless some of them had been set aside before.
    let mut parts = changes.iter().map(|change| &change.part);
    let changes_pool = parts.any(|part| *part == Part::Tokens);
    let has_same_tokens = tokens_gained(changes) == tokens_of_effects(roll);
    let pool_describes_tokens = changes_pool && has_same_tokens;
    let is_changed_stat = |id: &str| {
        let mut stats = changes.iter().filter_map(|change| change.stat());
        stats.any(|(_, stat)| stat == id)
    };

    let mut lines = Vec::new();
    for effect in &roll.effects {
        let mut named_effect = effect.clone();
        match &mut named_effect {
            Effect::Token { .. } if pool_describes_tokens => continue,
            Effect::Offer { .. } if !aloud => continue,
            Effect::Number(number) if is_changed_stat(number.id.as_str()) => continue,
            Effect::Number(number) => {
                let mut made = changes
                    .iter()
                    .filter(|change| game.is_changed_by(effect, change));
                if made.any(|change| is_whole(number, change)) {
                    continue;
                }
            }
            Effect::Token { owner, .. } if owner.is_none() && !roll.who.is_empty() => {
                *owner = Some(roll.who.clone());
            }
            _ => {}
        }
        let words = game.describe_state(&named_effect);
        lines.push(words.unwrap_or_else(|| named_effect.text(game.system)));
    }
    lines
}

/// True if a change is by the whole amount of the effect that made it, and not cut short by a bound.
fn is_whole(effect: &NumberChange, change: &Change) -> bool {
    let (Some(before), Some(after)) = (change.from.as_i64(), change.to.as_i64()) else {
        return false;
    };
    match (effect.by, effect.to) {
        (Some(amount), _) => after - before == i64::from(amount),
        (None, Some(number)) => after == i64::from(number),
        (None, None) => true,
    }
}

impl Game {
    /// Describes an effect that put a character out of the fight, with the name of the character: `Goblin 2 is down`.
    /// `None` for other effects, and for a character that this game does not have.
    pub fn describe_state(&self, effect: &Effect) -> Option<String> {
        let Effect::Reached {
            pool_id: None,
            told,
            of: Some(who),
            ..
        } = effect
        else {
            return None;
        };

        let name = &self.character(CharacterId(*who))?.name;
        match told.as_str() {
            "down" => Some(format!("{name} is down")),
            // A bound of a stat is no state of the character.
            "the maximum" | "the minimum" => None,
            state => Some(format!("{name} {state}")),
        }
    }
}

/// The damage that a roll deals, if the change takes hit points. It may be more than the hit points that were lost.
fn damage_of(roll: &Roll, change: &Change) -> Option<i32> {
    let (_, stat) = change.stat()?;
    let lost = change.from.as_i64()? - change.to.as_i64()?;
    if stat != HIT_POINTS || lost <= 0 {
        return None;
    }

    let mut damages = roll.effects.iter().filter_map(hit_point_damage);
    match (damages.next(), damages.next()) {
        (Some(damage), None) => Some(damage),
        _ => i32::try_from(lost).ok(),
    }
}

/// True if another clock triggered the changed clock, by an effect of the roll.
fn is_triggered(roll: &Roll, change: &Change) -> bool {
    roll.effects.iter().any(|effect| match effect {
        Effect::ClockMessage { clock, .. } => change.entity == EntityRef::Clock(ClockId(*clock)),
        _ => false,
    })
}

/// The sum of the tokens that all pools gained.
fn tokens_gained(changes: &[&Change]) -> i64 {
    let mut gained = 0;
    for change in changes {
        if change.part == Part::Tokens {
            gained += change.to.as_i64().unwrap_or(0);
            gained -= change.from.as_i64().unwrap_or(0);
        }
    }
    gained
}

/// The sum of the tokens that the effects of a roll bring.
fn tokens_of_effects(roll: &Roll) -> i64 {
    let mut sum = 0;
    for effect in &roll.effects {
        if let Effect::Token { amount, .. } = effect {
            sum += i64::from(*amount);
        }
    }
    sum
}
