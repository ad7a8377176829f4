//! The explanation of an attribute roll's end: the comparison, the outcome, its effects, and the theme.

use super::{
    ATTRIBUTES, CRITICAL_FAILURE, CRITICAL_SUCCESS, GnosisPool, Opposition, PAIN_POOL, Strategy,
    TIE,
};
use crate::gnosis::effect_table::{EffectCell, effect_cell};
use crate::words::{capitalise, join};
use crate::{Effect, Explanation, Id, Key, OutcomeId, ShownDie, System};
use tableside_dice::Face;

/// A pool with the highest of its counting dice.
struct PoolHighest {
    pool: GnosisPool,
    face: Face,
}

impl Strategy {
    /// Explains the end of the roll, and records its effects and keys.
    pub(super) fn explain_outcome(&self, hero_sum: i32, target: i32, why: &mut Explanation) {
        let margin = hero_sum - target;
        let outcome = self.judge(margin);
        let cell = effect_cell(self.effect_row, outcome);
        let themes = self.dominant_themes(&why.dice);

        why.say(self.describe_comparison(&why.dice, hero_sum, target));
        why.say(self.describe_margin(outcome, margin));
        why.say(self.describe_effect(outcome, cell));
        why.steps.extend(describe_themes(&themes));

        self.record_effects(outcome, cell, why);
        why.target = Some(target);
        why.keys = vec![
            ("margin", Key::Number(margin)),
            ("effect-levels", Key::Number(cell.levels)),
            ("consequences", Key::Number(cell.consequences)),
            ("at-a-cost", Key::Flag(cell.at_a_cost)),
            (
                "theme",
                Key::Words(themes.iter().map(|theme| theme.pool.id).collect()),
            ),
        ];
    }

    /// Adds the effects of a cell of the effect table to the explanation. Consequences of a critical failure also bring
    /// a Favor.
    fn record_effects(&self, outcome: OutcomeId, cell: EffectCell, why: &mut Explanation) {
        if cell.levels > 0 {
            why.effects.push(Effect::EffectLevels {
                amount: cell.levels,
            });
        }
        if cell.at_a_cost {
            why.effects.push(Effect::AtACost);
        }
        if cell.consequences > 0 {
            why.effects.push(Effect::Consequence {
                amount: cell.consequences,
                of: self.risk,
            });
        }
        if outcome == CRITICAL_FAILURE && cell.consequences > 0 {
            why.say("Consequences from a critical failure bring 1 Favor.");
            why.effects.push(Effect::tokens(Id::new("favor"), 1));
        }
    }

    fn describe_comparison(&self, dice: &[ShownDie], hero_sum: i32, target: i32) -> String {
        let counted_faces = ATTRIBUTES
            .iter()
            .filter_map(|attribute| {
                dice.iter()
                    .find(|die| die.kept && die.role == attribute.role)
            })
            .map(|die| die.face);
        let terms = join(counted_faces, " + ");

        let (opposition, target_name) = match self.opposition {
            Opposition::Pain(count) => ("the Pain Pool's", self.value_name("pain", count.into())),
            Opposition::Difficulty(_) => ("the difficulty", self.value_name("difficulty", target)),
        };
        format!(
            "{terms} makes {hero_sum} for the Hero, against {opposition} {target}{target_name}."
        )
    }

    /// Returns the name of a field's value in brackets, or an empty text if the value has no name.
    fn value_name(&self, field: &str, value: i32) -> String {
        let name = self
            .spec
            .field(field)
            .and_then(|field| field.name_of(value));
        match name {
            Some(name) => format!(" ({name})"),
            None => String::new(),
        }
    }

    fn describe_margin(&self, outcome: OutcomeId, margin: i32) -> String {
        let label = self.spec.outcome(outcome).label;
        if outcome == TIE {
            return format!("Both are equal: {label}.");
        }

        let side = if margin > 0 { "above" } else { "below" };
        let difference = margin.abs();
        if outcome == CRITICAL_SUCCESS || outcome == CRITICAL_FAILURE {
            let critical_margin = self.critical_margin;
            format!("{difference} {side}, and {critical_margin} or more is a critical: {label}.")
        } else {
            format!("{difference} {side}: {label}.")
        }
    }

    fn describe_effect(&self, outcome: OutcomeId, cell: EffectCell) -> String {
        let effect = match cell.levels {
            0 => {
                let spec = System::GNOSIS.spec();
                let consequences = spec.consequences(cell.consequences, self.risk);
                format!("the Intent fails, and {consequences}")
            }
            1 if cell.at_a_cost => "1 effect level, at a cost".to_owned(),
            1 => "1 effect level".to_owned(),
            levels => format!("{levels} effect levels"),
        };
        let label = self.spec.outcome(outcome).label;
        let scale = join(self.scale.split('-').map(capitalise), " ");
        format!("{label} at {scale}: {effect}.")
    }

    /// Returns the pools with the highest counting die (Gnosis, Resolution: dominant narration theme).
    fn dominant_themes(&self, dice: &[ShownDie]) -> Vec<PoolHighest> {
        let mut themes = Vec::new();
        for pool in ATTRIBUTES.into_iter().chain([PAIN_POOL]) {
            let highest_face = dice
                .iter()
                .filter(|die| die.kept && die.role == pool.role)
                .map(|die| die.face)
                .max();
            if let Some(face) = highest_face {
                themes.push(PoolHighest { pool, face });
            }
        }

        let highest = themes.iter().map(|theme| theme.face).max();
        themes.retain(|theme| Some(theme.face) == highest);
        if self.first_pool_is_theme {
            themes.truncate(1);
        }
        themes
    }
}

fn describe_themes(themes: &[PoolHighest]) -> Option<String> {
    let face = themes.first()?.face;
    if let [theme] = themes {
        let name = theme.pool.name;
        return Some(format!(
            "The highest die is {face}, of {name}: the dominant theme."
        ));
    }

    let names = join(themes.iter().map(|theme| theme.pool.name), ", ");
    Some(format!(
        "The highest die, {face}, is shared by {names}: the table picks the theme."
    ))
}
