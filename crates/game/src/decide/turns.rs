//! Deciding the order of turns, the end of a turn, and the end of a fight.

use std::collections::BTreeSet;

use crate::{
    Character, CharacterId, CommandError, ConditionEnd, DYING, Event, EventKind, Every, Filled,
    Game, Initiative, InitiativeCommand, InitiativeRoll, Named, Result, RollCommand, SetInitiative,
    refused,
};
use tableside_dice::Dice;
use tableside_rules::{AnswerSource, FirstAid, InitiativeRules, Progress, Value, resolve};
use tableside_text::is_same_name;

/// The most places that are told apart among characters whose totals are equal, besides the last place.
const MOST_TIED: usize = 9;

impl Game {
    /// Rolls the initiative of characters, and sets the typed ones. The first order also begins the first round.
    pub(super) fn decide_initiative(
        &self,
        command: &InitiativeCommand,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut after = self.clone();
        let mut rolls = Vec::new();
        if !command.rolls.is_empty() {
            let Some(rules) = self.system.spec().initiative else {
                let system = self.system.spec().name;
                return Err(refused(format!(
                    "{system} has no roll for initiative; type the numbers instead"
                )));
            };
            for who in &command.rolls {
                rolls.push(after.roll_initiative(*who, rules, dice)?);
            }
            self.settle_ties(&mut rolls, rules);
        }

        for rolled in &rolls {
            if let Some(who) = rolled.roll.id {
                after.set_initiative(who, Some(rolled.initiative))?;
            }
        }
        let mut set = Vec::new();
        for (who, initiative) in &command.set {
            let character = self.known_character(*who)?;
            if character.initiative != *initiative {
                set.push(SetInitiative {
                    who: Named::from(character),
                    to: *initiative,
                });
            }
            after.set_initiative(*who, *initiative)?;
        }
        if rolls.is_empty() && set.is_empty() {
            return Err(CommandError::Unchanged);
        }
        rolls.sort_by_key(|rolled| std::cmp::Reverse(rolled.initiative));

        let mut messages = Vec::new();
        if self.round == 0 && after.has_turn_order() {
            messages.extend(after.begin_round());
        }
        let act = EventKind::Initiative {
            rolls,
            set,
            over: messages.join(", "),
        };
        Ok(self.event(act, &after))
    }

    fn set_initiative(&mut self, who: CharacterId, initiative: Option<Initiative>) -> Result<()> {
        self.known_character(who)?;
        if let Some(character) = self.character_mut(who) {
            character.initiative = initiative;
            if initiative.is_none() {
                character.acted = false;
            }
        }
        Ok(())
    }

    /// Rolls the initiative of one character, and applies the effects of the roll.
    fn roll_initiative(
        &mut self,
        who: CharacterId,
        rules: InitiativeRules,
        dice: &mut dyn Dice,
    ) -> Result<InitiativeRoll> {
        let check = self.system.check(rules.check)?;
        let command = RollCommand::new(Some(who), self.fill(check, Some(who)));
        let filled: Filled = self.complete_fields(&command)?;
        let mut roll = self.new_roll(&command, filled)?;
        roll.group = false;

        let machine = roll.machine(self.system)?;
        let mut answers = AnswerSource::rolling(dice);
        answers.defaults = true;
        let progress = resolve(&*machine, &mut roll.trail, &mut answers)?;
        if let Progress::Waits(_) = progress {
            let label = check.label;
            return Err(refused(format!(
                "{label} asks a question, so it cannot be rolled for several characters at once"
            )));
        }
        self.conclude(&mut roll, &*machine)?;
        roll.luck = roll.derive_luck(self.system)?;

        let total = roll.total.unwrap_or(0);
        Ok(InitiativeRoll {
            initiative: Initiative::from(total.clamp(-999, 999)),
            roll,
        })
    }

    /// Separates equal totals of one roll by the stat that the rules name. Equal stats leave the tie.
    fn settle_ties(&self, rolls: &mut [InitiativeRoll], rules: InitiativeRules) {
        let Some(tie) = rules.tie else {
            return;
        };
        let stat_of = |rolled: &InitiativeRoll| {
            let character = self.optional_character(rolled.roll.id)?;
            character.sheet.number(tie)
        };

        let totals: BTreeSet<Initiative> = rolls.iter().map(|rolled| rolled.initiative).collect();
        for total in totals {
            let stats: BTreeSet<Option<i32>> = rolls
                .iter()
                .filter(|rolled| rolled.initiative == total)
                .map(stat_of)
                .collect();
            for rolled in rolls.iter_mut() {
                if rolled.initiative != total {
                    continue;
                }
                let stat = stat_of(rolled);
                let lower = stats.iter().filter(|other| **other < stat).count();
                let place = i32::try_from(lower.min(MOST_TIED)).unwrap_or(0);
                rolled.initiative = total.at_place(place);
            }
        }
    }

    /// Begins the next round: all characters can act again, and conditions lose one round. Returns messages about the
    /// conditions that ended and the clocks that ticked.
    pub(super) fn begin_round(&mut self) -> Vec<String> {
        // Conditions from before the first round lose no round when the first round begins.
        let is_first_round = self.round == 0;
        self.round += 1;

        let ids: Vec<CharacterId> = self.roster.iter().map(|character| character.id).collect();
        let mut messages = Vec::new();
        for id in ids {
            // Without a turn of its own, a character's conditions are counted with the rounds.
            let has_turn = self.character(id).is_some_and(|character| {
                character.is_in_turn_order() && self.takes_turn(character)
            });
            if let Some(character) = self.character_mut(id)
                && character.acted
            {
                character.acted = false;
            }
            if is_first_round {
                continue;
            }

            messages.extend(self.run_down_conditions(id));
            if !has_turn {
                messages.extend(self.expire_conditions(id, ConditionEnd::TurnStart));
                messages.extend(self.expire_conditions(id, ConditionEnd::TurnEnd));
            }
        }
        messages.extend(self.tick_every(Every::Round));
        messages
    }

    /// Shortens a character's conditions by one round, removes those that end, and returns messages about them. Conditions
    /// that end with a turn are counted in the turn.
    fn run_down_conditions(&mut self, id: CharacterId) -> Vec<String> {
        let dying_kills = self.system.spec().first_aid == FirstAid::EndsDying;
        let Some(character) = self.character_mut(id) else {
            return Vec::new();
        };

        let name = character.name.clone();
        let mut messages = Vec::new();
        for mut condition in std::mem::take(&mut character.conditions) {
            if condition.ends != ConditionEnd::Round || condition.run_down() {
                character.conditions.push(condition);
            } else if dying_kills && is_same_name(&condition.name, DYING) {
                messages.push(format!("{name} dies because no aid came in time"));
                // A fourth wound kills. A sheet without wounds has no place to record the death.
                character.sheet.set("wounds", Value::Number(4)).ok();
            } else {
                messages.push(format!("{name} is no longer {}", condition.name));
            }
        }
        messages
    }

    /// Begins the next round for all characters.
    pub(super) fn decide_next_round(&self) -> Event {
        let mut after = self.clone();
        let messages = after.begin_round();
        let act = EventKind::Round {
            round: after.round,
            over: messages.join(", "),
        };
        self.event(act, &after)
    }

    /// Ends the current turn. After the last turn a new round begins.
    pub(super) fn decide_end_turn(&self) -> Result<Event> {
        if !self.has_turn_order() {
            return Err(refused(
                "no character has an initiative yet; set one with: initiative WHO VALUE",
            ));
        }

        let mut after = self.clone();
        let mut messages = Vec::new();
        let ended = self.turns().first().map(|character| character.id);
        if let Some(ended) = ended {
            messages.extend(after.end_turn_of(ended));
        }
        if after.turns().is_empty() {
            messages.extend(after.begin_round());
        }

        let begins = after
            .turns()
            .first()
            .map(|character| Named::from(*character));
        let act = EventKind::Turn {
            begins,
            round: if after.round == self.round {
                None
            } else {
                Some(after.round)
            },
            over: messages.join(", "),
        };
        Ok(self.event(act, &after))
    }

    /// Ends the fight: clears the order of turns, the round, and the marks of those that have acted.
    pub(super) fn decide_end_fight(&self) -> Result<Event> {
        if self.round == 0 && !self.has_turn_order() {
            return Err(refused("no fight is going on"));
        }

        let mut after = self.clone();
        after.clear_turns();
        let act = EventKind::FightEnded { rounds: self.round };
        Ok(self.event(act, &after))
    }

    /// Clears the order of turns and the round.
    pub(super) fn clear_turns(&mut self) {
        self.round = 0;
        let is_in_fight = |character: &Character| character.acted || character.initiative.is_some();
        self.roster.change_where(is_in_fight, |character| {
            character.acted = false;
            character.initiative = None;
        });
    }
}
