//! The commands that a roll offers: damage, conditions and treatment.

use crate::dialog::follow_ups::OfferedCommand;
use crate::dialog::follow_ups::waiting::{MAX_SEARCHED_ENTRIES, newest_number};
use tableside_commands::with_conditions;
use tableside_game::{
    Allegiance, Blow, Change, Character, CharacterId, Command, Condition, DYING, EntityRef, Part,
    Roll, opponent_of,
};
use tableside_rules::{Effect, FirstAid, Id, Key, Value};
use tableside_table::{SeatView, read_again};

/// The maximum number of characters that are offered for treatment.
const MAX_TREATED: usize = 2;

/// The levels of the condition that a successful stance causes (Heart Rush, Combat, Stances).
const STANCE_LEVELS: i32 = 2;

/// The number of wounds that means death (Friday Night Dungeon, Health, Healing, Wounds).
const MAX_WOUNDS: i32 = 4;

/// The damage of a roll, and the character that takes it.
pub(in crate::dialog) struct Hit<'a> {
    pub(super) target: &'a Character,
    pub(super) amount: i32,
}

/// Returns all commands that a roll offers, except ticks of clocks.
pub(super) fn offered_commands(roll: &Roll, view: &SeatView<'_>) -> Vec<OfferedCommand> {
    let mut offers = Vec::new();
    offers.extend(damage_offers(roll, view).unwrap_or_default());
    offers.extend(stance_offers(roll, view).unwrap_or_default());

    let treatment_offers = match view.system().spec().first_aid {
        FirstAid::TreatsWounds => wound_treatment_offers(roll, view),
        FirstAid::RemovesHarm => first_aid_offers(roll, view),
        FirstAid::EndsDying => fallen_offers(roll, view),
        FirstAid::None => None,
    };
    offers.extend(treatment_offers.unwrap_or_default());
    offers
}

/// Returns the command that the rules demand after a roll: its damage to a known target, or the result of a challenge
/// against death.
pub(in crate::dialog) fn demanded_command(roll: &Roll, view: &SeatView<'_>) -> Option<Command> {
    let offers = damage_offers(roll, view).or_else(|| fallen_offers(roll, view))?;
    let offer = offers.into_iter().next()?;
    Some(offer.command)
}

/// Returns the damage of a roll, if its target is known.
pub(in crate::dialog) fn hit<'a>(roll: &Roll, view: &'a SeatView<'_>) -> Option<Hit<'a>> {
    for effect in &roll.effects {
        if let Effect::Damage { amount, own } = effect {
            let target = if *own {
                view.character(roll.id?)?
            } else {
                opponent(roll, view)?
            };
            return Some(Hit {
                target,
                amount: *amount,
            });
        }
    }
    None
}

/// Offers the damage of a roll, and half of it for a character that shrugs off the other half.
fn damage_offers(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<OfferedCommand>> {
    let hit = hit(roll, view)?;
    let name = &hit.target.name;
    let damage = |shrug_off| Command::Damage {
        who: hit.target.id,
        amount: hit.amount,
        shrug_off,
        blow: Blow::Ordinary,
    };

    let mut offers = vec![
        OfferedCommand {
            command: damage(false),
            label: format!("{name} takes {}", hit.amount),
        },
        OfferedCommand {
            command: damage(true),
            label: format!("{name} shrugs off half"),
        },
    ];
    // A character whose heart die cannot shrink cannot shrug off damage.
    offers.retain(|offer| view.preview(&offer.command).is_ok());
    Some(offers)
}

/// Returns the character whose sheet provided the other side's values.
fn opponent<'a>(roll: &Roll, view: &'a SeatView<'_>) -> Option<&'a Character> {
    let spec = roll.spec(view.system()).ok()?;
    view.character(opponent_of(spec, &roll.sources)?)
}

/// Offers the condition of a stance: Cunning that beats Agility dazes, unbalances or weakens (Heart Rush, Combat,
/// Stances). The program does not record whether it beat Agility.
fn stance_offers(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<OfferedCommand>> {
    let ability = roll.sources.get("ability")?;
    let is_landed_hit = matches!(roll.outcome.as_str(), "wound" | "hit");
    if roll.check != "attack" || ability.name() != Some("Cunning") || !is_landed_hit {
        return None;
    }

    let target = opponent(roll, view)?;
    let mut offers = Vec::new();
    for condition in ["dazed", "off-balanced", "weakened"] {
        let command = with_conditions(target, |conditions| {
            Condition::worsen(conditions, condition, STANCE_LEVELS);
        });
        let label = format!("{} {condition} {STANCE_LEVELS}", target.name);
        offers.push(OfferedCommand { command, label });
    }
    Some(offers)
}

/// Offers to treat wounds, because a successful skill check may have been such a treatment (Heart Rush, Treating
/// Wounds).
fn wound_treatment_offers(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<OfferedCommand>> {
    let total = roll.total?;
    if roll.check != "skill" || !roll.outcome.starts_with("success") {
        return None;
    }

    let mut offers = Vec::new();
    for character in view.roster() {
        let is_patient = character.is_here() && !view.is_dead(character);
        if !is_patient || character.side == Allegiance::Adversary {
            continue;
        }
        let command = Command::TreatWounds {
            who: character.id,
            total,
        };
        if view.preview(&command).is_ok() {
            let label = format!("Treat {}'s wounds", character.name);
            offers.push(OfferedCommand { command, label });
        }
        if offers.len() == MAX_TREATED {
            break;
        }
    }
    Some(offers)
}

/// Offers First Aid, because a Safe roll against the difficulty of Traumas or Wounds may have been First Aid (Gnosis,
/// First Aid).
fn first_aid_offers(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<OfferedCommand>> {
    let fields = roll.all_fields(view.system()).ok()?;
    if fields.text("risk") != "safe" {
        return None;
    }
    let (clock_id, harm) = match fields.maybe_number("difficulty") {
        Some(16) => (Id::new("stress"), "Traumas"),
        Some(20) => (Id::new("blood"), "Wounds"),
        _ => return None,
    };

    let stat = view.system().spec().clock(clock_id)?.overflow;
    let levels = effect_levels(roll, view)?;
    let mut offers = Vec::new();
    for character in view.roster() {
        let treatable = view.treatable(character, stat);
        if treatable <= 0 || offers.len() == MAX_TREATED {
            continue;
        }
        let command = Command::FirstAid {
            who: character.id,
            of: clock_id,
            levels,
        };
        let removed = levels.min(treatable);
        let label = format!("{}: {harm} −{removed}", character.name);
        offers.push(OfferedCommand { command, label });
    }
    Some(offers)
}

/// Returns the effect levels of a roll, if it has any.
pub(in crate::dialog) fn effect_levels(roll: &Roll, view: &SeatView<'_>) -> Option<i32> {
    let (_, outcome) = read_again(roll, view.system())?;
    for (key, value) in &outcome.keys {
        if let Key::Number(levels) = value
            && *key == "effect-levels"
            && *levels > 0
        {
            return Some(*levels);
        }
    }
    None
}

/// Offers the result of the challenge of a character that is down: success is one more wound and dying, failure is
/// death (Friday Night Dungeon, Health, Healing, Wounds).
pub(super) fn fallen_offers(roll: &Roll, view: &SeatView<'_>) -> Option<Vec<OfferedCommand>> {
    if view.system().spec().first_aid != FirstAid::EndsDying {
        return None;
    }
    let character = view.character(roll.id?)?;
    let is_at_zero = character.sheet.number("hit-points") == Some(0);
    let is_settled = character.suffers(DYING) || view.is_dead(character);
    let is_challenge = roll.check == "challenge" && is_after_fall(roll, character.id, view);
    if !is_at_zero || is_settled || !is_challenge {
        return None;
    }

    if roll.outcome == "failure" {
        let command = set_wounds(character.id, MAX_WOUNDS);
        let label = format!("{} is dead", character.name);
        return Some(vec![OfferedCommand { command, label }]);
    }

    let wounds = character.sheet.number("wounds").unwrap_or(0);
    let fall = with_conditions(character, |conditions| {
        conditions.push(Condition::new("unconscious", None, None));
        conditions.push(Condition::new(DYING, None, Some(3)));
    });
    let command = Command::All(vec![
        set_wounds(character.id, (wounds + 1).min(MAX_WOUNDS)),
        fall,
    ]);
    let label = format!("{} is wounded and dying", character.name);
    Some(vec![OfferedCommand { command, label }])
}

/// Returns true if a roll was made after its character fell to 0 hit points. Only the latest entries are searched.
fn is_after_fall(roll: &Roll, who: CharacterId, view: &SeatView<'_>) -> bool {
    let first = newest_number(view).saturating_sub(MAX_SEARCHED_ENTRIES);
    let mut is_after = false;
    for entry in view.log_since(first) {
        if entry.roll() == Some(roll) {
            is_after = true;
        } else if !view.is_struck(entry.number)
            && entry
                .event
                .changes
                .iter()
                .any(|change| is_fall(change, who))
        {
            is_after = false;
        }
    }
    is_after
}

/// Returns true if a change takes the last hit points of a character.
fn is_fall(change: &Change, who: CharacterId) -> bool {
    let is_of_character = change.entity == EntityRef::Character(who);
    let is_hit_points = matches!(&change.part, Part::Stat(id) if id == "hit-points");
    is_of_character && is_hit_points && change.to.as_i64() == Some(0)
}

fn set_wounds(who: CharacterId, wounds: i32) -> Command {
    Command::SetStat {
        who,
        stat: "wounds".to_owned(),
        value: Value::Number(wounds),
    }
}
