//! What follows a roll by a system's file: numbers change, conditions come and go, and pools that come to a number do
//! what the file says of it.

use super::dying::Hit;
use super::error::{Result, refused};
use super::{Character, CharacterId, Condition, Game, PoolKind, Roll, TokenPool};
use tableside_rules::{Counted, Effect, HIT_POINTS, NumberChange, Party, TokenClaim};
use tableside_text::{is_same_name, join};

/// What a pool does when it comes to a number may fill another; so many times it goes on.
const MOST_AFTER_ANOTHER: usize = 4;

impl Game {
    /// Books what a system's file says of a roll, and returns it as it was booked.
    pub(super) fn book_of_file(
        &mut self,
        roll: &Roll,
        effect: &Effect,
        of: Party,
    ) -> Result<Vec<Effect>> {
        let whom = self.whom(roll, of)?;
        // What is due is recorded as it is; what bounds or thresholds made of it is told beside it.
        let mut booked = vec![effect.clone()];
        let mut effect = effect.clone();
        if let Effect::Number(change) = &mut effect {
            change.must |= self.claims(roll, change)?;
        }
        for one in whom {
            let before = one.and_then(|id| self.character(id)).cloned();
            booked.extend(self.change(one, &effect, 0)?);
            if let Some(before) = before {
                booked.extend(self.change_of_hit_points(roll, &effect, &before)?);
            }
        }
        Ok(booked)
    }

    /// What follows from an effect on the hit points of a character who was so before.
    fn change_of_hit_points(
        &mut self,
        roll: &Roll,
        effect: &Effect,
        before: &Character,
    ) -> Result<Vec<Effect>> {
        if self.dying_rules().is_none() {
            return Ok(Vec::new());
        }

        let (of, by) = match effect {
            Effect::Number(change)
                if change.what == Counted::Stat && change.id.as_str() == HIT_POINTS =>
            {
                (change.of, change.by)
            }
            _ => return Ok(Vec::new()),
        };

        let damage = by.filter(|by| *by < 0).map(i32::saturating_neg);
        let hit = damage.map(|damage| Hit {
            damage,
            blow: self.blow_of(roll),
        });
        let words = self.settle_hit_points(before, hit)?;
        let stat = before.sheet.stat(HIT_POINTS)?;
        let now = self.character(before.id);
        let now = now.and_then(|now| now.sheet.number(HIT_POINTS));
        let told = words.into_iter().map(|told| Effect::Reached {
            pool: format!("{of}{}", stat.label),
            pool_id: None,
            now: now.unwrap_or(0),
            told,
            of: Some(before.id.0),
        });
        Ok(told.collect())
    }

    /// Whether a change takes tokens that the roll claimed from its first die on: then a pool never pays fewer.
    fn claims(&self, roll: &Roll, change: &NumberChange) -> Result<bool> {
        let takes = change.what == Counted::Pool && change.by.is_some_and(|by| by < 0);
        if !takes {
            return Ok(false);
        }
        let fields = roll.all_fields(self.system)?;
        let claims = fields.spec().token_claims(&fields, &roll.house);
        let is_claimed =
            |claim: &TokenClaim| (claim.pool, claim.of) == (change.id, change.of) && claim.most > 0;
        Ok(claims.iter().any(is_claimed))
    }

    /// Whom something that follows a roll is about; `None` is the table.
    pub fn whom(&self, roll: &Roll, of: Party) -> Result<Vec<Option<CharacterId>>> {
        Ok(match of {
            Party::Table => vec![None],
            Party::Roller => roll.id.into_iter().map(Some).collect(),
            Party::Helpers => roll.helpers.iter().map(|one| Some(one.id)).collect(),
            Party::Opponent => {
                let opponent = self.opponent(roll.spec(self.system)?, &roll.sources);
                opponent.map(|one| Some(one.id)).into_iter().collect()
            }
        })
    }

    /// Does it to that character, or to the table; returns what is told beside it.
    pub(super) fn change(
        &mut self,
        whose: Option<CharacterId>,
        effect: &Effect,
        depth: usize,
    ) -> Result<Vec<Effect>> {
        if depth > MOST_AFTER_ANOTHER {
            return Ok(Vec::new());
        }
        match effect {
            Effect::Number(change) => {
                if change.what != Counted::Pool {
                    let told = self.change_sheet(whose, change);
                    return Ok(told.into_iter().collect());
                }
                let Some(pool) = self.pool_of(change.id, whose).cloned() else {
                    return Ok(Vec::new());
                };
                let wanted = match (change.by, change.to) {
                    (Some(by), _) => pool.tokens.saturating_add(by),
                    (None, to) => to.unwrap_or(pool.start),
                };
                let now = pool.within(wanted);
                let (owner, holds) = (self.owner_name(pool.owner), pool.tokens);
                if change.must && wanted < now {
                    return Err(self.not_enough(&pool, owner, holds, holds - wanted));
                }
                if change.must && wanted > now {
                    let name = &pool.name;
                    return Err(refused(format!(
                        "{owner} holds {holds} in {name}, and {now} is the most; {wanted} would be too many"
                    )));
                }
                self.set_tokens(pool.id, now, 0);
                let cut = if now == wanted {
                    None
                } else {
                    Some(Effect::Reached {
                        pool: format!("{}{}", change.of, pool.name),
                        pool_id: Some(pool.id.0),
                        now,
                        told: CUT_SHORT.to_owned(),
                        of: pool.owner.map(|owner| owner.0),
                    })
                };
                let told = self.come_to(&pool, now, whose, depth)?;
                return Ok(cut.into_iter().chain(told).collect());
            }
            Effect::Condition(change) => {
                let before = whose.and_then(|id| self.character(id)).cloned();
                if let Some(one) = whose.and_then(|id| self.character_mut(id)) {
                    let (name, level) = (&change.name, change.level);
                    one.conditions
                        .retain(|condition| !is_same_name(&condition.name, name));
                    let rounds = change.rounds.and_then(|rounds| u32::try_from(rounds).ok());
                    let rounds = rounds.filter(|rounds| *rounds > 0);
                    let level = (level != 1).then_some(level);
                    let condition = || Condition::new(name, level, rounds);
                    one.conditions.extend((!change.gone).then(condition));
                }
                if let (Some(rules), Some(before)) = (self.dying_rules(), before) {
                    self.settle_conditions(rules, &before);
                }
            }
            // Nothing else is of a file.
            _ => {}
        }
        Ok(Vec::new())
    }

    /// What a pool tells where it comes to a number: its own notes, and what the system's file says and has it do.
    pub(super) fn come_to(
        &mut self,
        before: &TokenPool,
        now: i32,
        whose: Option<CharacterId>,
        depth: usize,
    ) -> Result<Vec<Effect>> {
        let mut told: Vec<Effect> = before.reached_at(now).into_iter().collect();
        let PoolKind::Rule(id) = before.kind else {
            return Ok(told);
        };
        let at = self.system.spec().pool(id).map_or(&[][..], |pool| pool.at);
        let comes_to = |at: i32| before.reaches(at, now) && !before.reaches(at, before.tokens);
        for threshold in at.iter().filter(|threshold| comes_to(threshold.value)) {
            let effects = threshold.effects();
            let words = effects.iter().map(|effect| effect.text(self.system));
            let said = (!threshold.say.is_empty()).then(|| threshold.say.to_owned());
            let words = join(said.into_iter().chain(words), ", ");
            told.push(before.tells(now, words));
            for effect in effects {
                told.extend(self.change(whose.or(before.owner), &effect, depth + 1)?);
            }
        }
        Ok(told)
    }

    /// Changes a value of a sheet or fills a character's clock, within its bounds; returns what is told where
    /// they cut it short.
    fn change_sheet(
        &mut self,
        whose: Option<CharacterId>,
        change: &NumberChange,
    ) -> Option<Effect> {
        let (id, by, to) = (change.id, change.by, change.to);
        let before = self.character(whose?)?.clone();
        if change.what == Counted::Clock {
            let mut clocks = self.clocks.iter_mut();
            let clock = clocks.find(|clock| clock.is_given(id, before.id))?;
            let filled = i32::from(clock.filled);
            let by = by.unwrap_or_else(|| to.unwrap_or(0) - filled);
            if by > 0 {
                self.take_consequences(&before, id, by);
            } else {
                clock.filled = u8::try_from(filled + by).unwrap_or(0);
            }
            return None;
        }
        let stat = before.sheet.stat(id.as_str()).ok()?;
        let value = match (by, to) {
            (Some(by), _) => stat.kind.stepped(before.sheet.value(stat.id)?, by)?,
            (None, Some(to)) => stat.value_of(to)?,
            (None, None) => stat.at_first(),
        };
        let one = self.character_mut(before.id)?;
        one.sheet.set(stat.id, value).ok()?;
        let now = one.sheet.number(stat.id)?;
        let wanted = by.map(|by| before.sheet.number(stat.id).unwrap_or(0).saturating_add(by));
        let is_cut = wanted.or(to).is_some_and(|wanted| wanted != now);
        is_cut.then(|| cut_short((change.of, Some(before.id)), stat.label, now))
    }
}

/// Said of a number whose bounds left less than was due.
const CUT_SHORT: &str = "it goes no further";

/// What is told beside a stat whose bounds left less than was due.
fn cut_short((of, owner): (Party, Option<CharacterId>), name: &str, now: i32) -> Effect {
    Effect::Reached {
        pool: format!("{of}{name}"),
        pool_id: None,
        now,
        told: CUT_SHORT.to_owned(),
        of: owner.map(|owner| owner.0),
    }
}
