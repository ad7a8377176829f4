//! What an attribute roll comes to in words: what it achieves and costs, and the theme.

use super::{
    ATTRIBUTES, Against, CRITICAL_FAILURE, CRITICAL_SUCCESS, PAIN, Strategy, TIE, effect_table,
};
use crate::words::{capitalise, join};
use crate::{Effect, Explanation, Id, Key, OutcomeId, ShownDie, System};
use tableside_dice::Face;

/// A pool that may have the highest die: id, name, the highest of its dice that count.
type Highest = (&'static str, &'static str, Face);

impl Strategy {
    pub(super) fn sum_up(&self, hero: i32, target: i32, why: &mut Explanation) {
        let margin = hero - target;
        let outcome = self.judge(margin);
        let cell = effect_table::cell(self.row, outcome);
        let theme = self.theme(&why.dice);
        why.say(self.compare(&why.dice, hero, target));
        why.say(self.judgement(outcome, margin));
        why.say(self.achieved(outcome, cell));
        why.steps.extend(describe_theme(&theme));
        if cell.levels > 0 {
            let amount = cell.levels;
            why.effects.push(Effect::EffectLevels { amount });
        }
        why.effects
            .extend(cell.at_a_cost.then_some(Effect::AtACost));
        if cell.consequences > 0 {
            let (amount, of) = (cell.consequences, self.risk);
            why.effects.push(Effect::Consequence { amount, of });
        }
        if outcome == CRITICAL_FAILURE && cell.consequences > 0 {
            why.say("Consequences from a critical failure bring 1 Favor.");
            why.effects.push(Effect::tokens(Id::new("favor"), 1));
        }
        why.target = Some(target);
        let theme = theme.iter().map(|(id, ..)| *id).collect();
        why.keys = vec![
            ("margin", Key::Number(margin)),
            ("effect-levels", Key::Number(cell.levels)),
            ("consequences", Key::Number(cell.consequences)),
            ("at-a-cost", Key::Flag(cell.at_a_cost)),
            ("theme", Key::Words(theme)),
        ];
    }

    fn compare(&self, dice: &[ShownDie], hero: i32, target: i32) -> String {
        let counted = ATTRIBUTES.iter().filter_map(|(_, _, role)| {
            let die = dice.iter().find(|die| die.kept && die.role == *role)?;
            Some(die.face)
        });
        let (against, field, number) = match self.against {
            Against::Pain(count) => ("the Pain Pool's", "pain", i32::from(count)),
            Against::Difficulty(_) => ("the difficulty", "difficulty", target),
        };
        let field = self.spec.field(field);
        let named = field.and_then(|field| field.name_of(number));
        let named = named.map(|name| format!(" ({name})")).unwrap_or_default();
        let counted = join(counted, " + ");
        format!("{counted} makes {hero} for the Hero, against {against} {target}{named}.")
    }

    fn judgement(&self, outcome: OutcomeId, margin: i32) -> String {
        let label = self.spec.outcome(outcome).label;
        if outcome == TIE {
            return format!("Both are equal: {label}.");
        }
        let (by, least) = (margin.abs(), self.critical);
        let side = if margin > 0 { "above" } else { "below" };
        if outcome == CRITICAL_SUCCESS || outcome == CRITICAL_FAILURE {
            format!("{by} {side}, and {least} or more is a critical: {label}.")
        } else {
            format!("{by} {side}: {label}.")
        }
    }

    fn achieved(&self, outcome: OutcomeId, cell: effect_table::Cell) -> String {
        let what = match (cell.levels, cell.consequences) {
            (1, _) if cell.at_a_cost => "1 effect level, at a cost".to_owned(),
            (1, _) => "1 effect level".to_owned(),
            (0, count) => {
                let count = System::GNOSIS.spec().consequences(count, self.risk);
                format!("the Intent fails, and {count}")
            }
            (levels, _) => format!("{levels} effect levels"),
        };
        let label = self.spec.outcome(outcome).label;
        let scale = join(self.scale.split('-').map(capitalise), " ");
        format!("{label} at {scale}: {what}.")
    }

    /// The pools that share the highest counting die (Gnosis, Resolution: dominant narration theme).
    fn theme(&self, dice: &[ShownDie]) -> Vec<Highest> {
        let pools = ATTRIBUTES.into_iter().chain([PAIN]);
        let highest = pools.filter_map(|(id, name, role)| {
            let counting = dice.iter().filter(|die| die.kept && die.role == role);
            Some((id, name, counting.map(|die| die.face).max()?))
        });
        let mut pools: Vec<Highest> = highest.collect();
        let most = pools.iter().map(|(.., face)| *face).max();
        pools.retain(|(.., face)| Some(*face) == most);
        if self.first_theme {
            pools.truncate(1);
        }
        pools
    }
}

fn describe_theme(theme: &[Highest]) -> Option<String> {
    let names: Vec<&str> = theme.iter().map(|(_, name, _)| *name).collect();
    let (.., face) = theme.first()?;
    Some(match names.as_slice() {
        [one] => format!("The highest die is {face}, of {one}: the dominant theme."),
        several => format!(
            "The highest die, {face}, is shared by {}: the table picks the theme.",
            several.join(", ")
        ),
    })
}
