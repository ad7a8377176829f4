//! What a Hero's sheet says of how the Hero stands and rolls.

use crate::rules::{Derived, House, Sheet, Standing, Value};

/// Taken out once Wounds and Traumas leave every attribute at disadvantage, whatever Boons are brought
/// (Gnosis, Consequences): each level takes one from the attribute that has most.
pub(super) fn standing(sheet: &Sheet, _: &House) -> Option<Standing> {
    let (harm, holds) = self::harm(sheet)?;
    (harm >= holds).then_some(Standing {
        word: "taken out",
        means: "every attribute is at disadvantage: taken out until First Aid",
        asks: &[],
    })
}

/// The Wounds and Traumas, and how many of them leave no attribute without disadvantage.
pub(super) fn harm(sheet: &Sheet) -> Option<(i32, i32)> {
    let harm = sheet.number("wounds")? + sheet.number("traumas")?;
    let lists = ["power-boons", "precision-boons", "possibility-boons"];
    let best = |list| {
        let tiers = sheet.ranks(list).iter().map(|(_, tier)| *tier);
        tiers.max().unwrap_or(0).max(0)
    };
    let holds = lists.into_iter().map(|list| best(list) + 1).sum();
    Some((harm, holds))
}

/// What each Boon rolls: its tier in dice beside the attribute's own, of which the highest counts (Gnosis,
/// Resolution).
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    let die = sheet.die(stat.strip_suffix("-boons")?)?;
    let boons = sheet.ranks(stat).iter();
    let told: Vec<String> = boons
        .map(|(name, tier)| format!("{name} {}{die}", tier + 1))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// Works out the disadvantage: each Wound and each Trauma is a level, and they add up (Gnosis,
/// Consequences).
pub(super) fn derive(sheet: &Sheet, _: &House, field: &'static str, name: Option<&str>) -> Derived {
    if field != "disadvantage" || name.is_some() {
        return None;
    }
    let (wounds, traumas) = (sheet.number("wounds")?, sheet.number("traumas")?);
    let count = |amount: i32, one: &str| match amount {
        1 => format!("1 {one}"),
        _ => format!("{amount} {one}s"),
    };
    let words = match (wounds, traumas) {
        (0, 0) => "no Wounds or Traumas".to_owned(),
        (_, 0) => count(wounds, "Wound"),
        (0, _) => count(traumas, "Trauma"),
        _ => format!("{}, {}", count(wounds, "Wound"), count(traumas, "Trauma")),
    };
    // More than the field takes leaves nobody standing anyway.
    Some((Value::Number((wounds + traumas).min(9)), words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::System;

    #[test]
    fn wounds_and_traumas_add_up_to_the_disadvantage() {
        let mut sheet = Sheet::new(System::GNOSIS);
        let derived =
            |sheet: &Sheet| derive(sheet, &House::default(), "disadvantage", None).unwrap();
        assert_eq!(
            derived(&sheet),
            (Value::Number(0), "no Wounds or Traumas".to_owned())
        );
        sheet.set("wounds", Value::Number(2)).unwrap();
        sheet.set("traumas", Value::Number(1)).unwrap();
        assert_eq!(
            derived(&sheet),
            (Value::Number(3), "2 Wounds, 1 Trauma".to_owned())
        );
    }
}
