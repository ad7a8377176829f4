//! Probabilities from publications and from other programs.
//!
//! Expected values come from the sources named at each test and never from this crate. Figures credited to "icepool" were
//! computed with icepool 2.1.3, "Icepool: Efficient Computation of Dice Pool Probabilities" (A. J. Liu, AIIDE 2022).
//! "By enumeration" means that a few lines of Python went through all rolls and applied the rule of the source.

use std::collections::BTreeMap;

use tableside_dice::{
    DiceGroup, Die, DieRole, EqualDice, Explosion, Fraction, Keep, Measure, Natural, Observation,
    Observations, PendingDie, Pool, PoolQuery, PoolReading, ReadingKind, choose, ratio,
};

fn fraction(part: u128, total: u128) -> Fraction {
    ratio(&part.into(), &total.into())
}

fn pool(dice: &[(Die, u8)], keep: Keep, measure: Measure) -> Pool {
    let dice = dice
        .iter()
        .map(|(die, count)| EqualDice::new(*die, *count, DieRole::POOL))
        .collect();
    Pool::new(dice, keep, measure)
}

fn chance(pool: &Pool, condition: impl Fn(&Observation) -> bool) -> Fraction {
    let observations = pool.observations();
    let ways: Natural = observations
        .ways
        .iter()
        .filter(|(observation, _)| condition(observation))
        .map(|(_, ways)| ways)
        .sum();
    ratio(&ways, &observations.total)
}

fn mean_sum(pool: &Pool) -> Fraction {
    let observations: &Observations = &pool.observations();
    let mut weighted = Natural::ZERO;
    for (observation, ways) in &observations.ways {
        let sum = u128::from(observation.sum().unsigned_abs());
        weighted.add_product(ways, &sum.into());
    }
    ratio(&weighted, &observations.total)
}

/// Dice of one kind with one reading.
fn query(die: Die, count: usize, explodes: Option<(Explosion, u8)>, reading: PoolReading) -> Pool {
    let most_explosions = explodes.map_or(0, |(_, most)| most);
    let group = DiceGroup {
        die,
        is_percentile: false,
        pending: vec![PendingDie::new(most_explosions); count],
        explodes: explodes.map(|(explosion, _)| explosion),
        rerolls: Vec::new(),
    };
    let query = PoolQuery {
        groups: vec![group],
        readings: vec![reading],
        is_final: true,
    };
    Pool::from_query(query, &[DieRole::POOL])
}

const fn reading(kind: ReadingKind) -> PoolReading {
    PoolReading {
        kind,
        groups: 1,
        lowest: i32::MIN,
        highest: i32::MAX,
    }
}

fn result(observation: &Observation) -> i32 {
    observation
        .results()
        .map_or(0, |results| results.iter().sum())
}

/// The rule as in Bob Carpenter, "Probabilities for action and resistance in Blades in the Dark" (Statistical Modeling
/// blog, July 2020); figures by enumeration.
#[test]
fn blades_in_the_dark_pools_have_the_published_odds() {
    // Dice, then the chances of failure, partial success, success and critical success.
    let published = [
        (0, [(3, 4), (2, 9), (1, 36), (0, 1)]),
        (1, [(1, 2), (1, 3), (1, 6), (0, 1)]),
        (2, [(1, 4), (4, 9), (5, 18), (1, 36)]),
        (3, [(1, 8), (49, 108), (25, 72), (2, 27)]),
        (4, [(1, 16), (34, 81), (125, 324), (19, 144)]),
        (5, [(1, 32), (1441, 3888), (3125, 7776), (763, 3888)]),
        (6, [(1, 64), (931, 2916), (3125, 7776), (12281, 46656)]),
    ];

    for (count, expected) in published {
        let rolled = if count == 0 {
            pool(&[(Die::D6, 2)], Keep::Lowest(1), Measure::KeptDice(0))
        } else {
            pool(&[(Die::D6, count)], Keep::Highest(2), Measure::KeptDice(0))
        };
        let outcome = |observation: &Observation| match observation.kept().0 {
            [(6, _), (6, _)] => 3,
            [(6, _), ..] => 2,
            [(4 | 5, _), ..] => 1,
            _ => 0,
        };
        for (index, (part, total)) in expected.into_iter().enumerate() {
            let chance = chance(&rolled, |observation| outcome(observation) == index);
            assert_eq!(chance, fraction(part, total), "{count}d, outcome {index}");
        }
    }
}

/// "Ironsworn Probabilities", r/rpg, January 2021, in per cent of 600 rolls; the row +1 also in icepool's Ironsworn
/// notebook (271, 238 and 91 of 600).
#[test]
fn ironsworn_action_rolls_have_the_published_odds() {
    let published = [
        // Modifier, strong hits, weak hits, misses.
        (-1, 30, 140, 430),
        (0, 55, 190, 355),
        (1, 91, 238, 271),
        (2, 139, 262, 199),
        (3, 199, 262, 139),
        (4, 271, 238, 91),
        (5, 336, 208, 56),
    ];
    let action = pool(&[(Die::D6, 1)], Keep::All, Measure::Sum).observations();
    let challenge = pool(&[(Die::D10, 2)], Keep::All, Measure::KeptDice(0)).observations();

    for (modifier, strong, weak, miss) in published {
        let mut ways = [Natural::ZERO, Natural::ZERO, Natural::ZERO];
        for (action_die, action_ways) in &action.ways {
            let score = (action_die.sum() + modifier).min(10);
            for (challenge_dice, challenge_ways) in &challenge.ways {
                let (dice, _) = challenge_dice.kept();
                let beaten = dice
                    .iter()
                    .filter(|(face, _)| score > i32::from(*face))
                    .count();
                ways[beaten].add_product(action_ways, challenge_ways);
            }
        }
        let expected = [miss, weak, strong].map(|ways: usize| Natural::from(ways));
        assert_eq!(ways, expected, "modifier {modifier}");
    }
}

/// "How to Win Risk: the odds" (everygamemade.com) has all six rows in per cent, such as 37.17, 33.58 and 29.26 for three
/// dice against two; numbers of ways by enumeration.
#[test]
fn risk_battles_have_the_published_odds() {
    let published: [(u8, u8, &[u128]); 6] = [
        // Attacking and defending dice, then the ways in which the attacker wins 0, 1 and 2 comparisons.
        (1, 1, &[21, 15]),
        (1, 2, &[161, 55]),
        (2, 1, &[91, 125]),
        (2, 2, &[581, 420, 295]),
        (3, 1, &[441, 855]),
        (3, 2, &[2275, 2611, 2890]),
    ];

    for (attackers, defenders, expected) in published {
        let compared = Keep::Highest(attackers.min(defenders).into());
        let attack = pool(&[(Die::D6, attackers)], compared, Measure::KeptDice(0)).observations();
        let defence = pool(&[(Die::D6, defenders)], compared, Measure::KeptDice(0)).observations();

        let mut ways = vec![Natural::ZERO; expected.len()];
        for (attack, attack_ways) in &attack.ways {
            for (defence, defence_ways) in &defence.ways {
                let pairs = attack.kept().0.iter().zip(defence.kept().0);
                let wins = pairs
                    .filter(|(attack, defence)| attack.0 > defence.0)
                    .count();
                ways[wins].add_product(attack_ways, defence_ways);
            }
        }
        let expected: Vec<Natural> = expected.iter().map(|ways| Natural::from(*ways)).collect();
        assert_eq!(ways, expected, "{attackers} against {defenders}");
    }
}

/// "Math Behind 4d6 Drop Lowest" (mygurps.com): all occurrences and the mean of 12.24; the fraction of the mean by icepool.
#[test]
fn four_dice_that_drop_the_lowest_have_the_published_odds() {
    let published = [
        1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21,
    ];
    let ability = pool(&[(Die::D6, 4)], Keep::Highest(3), Measure::Sum);

    for (sum, ways) in (3..).zip(published) {
        let chance = chance(&ability, |observation| observation.sum() == sum);
        assert_eq!(chance, fraction(ways, 1_296), "sum {sum}");
    }
    let mean = mean_sum(&ability);
    assert_eq!(mean, fraction(15_869, 1_296));
    assert!((mean.to_f64().value() - 12.2446).abs() < 0.000_05);
}

/// icepool, `d20.highest(2)` and `d20.lowest(2)`: means 13.825 and 7.175.
#[test]
fn advantage_and_disadvantage_have_the_published_odds() {
    let dice = [(Die::D20, 2)];
    let advantage = pool(&dice, Keep::Highest(1), Measure::Sum);
    let disadvantage = pool(&dice, Keep::Lowest(1), Measure::Sum);

    assert_eq!(mean_sum(&advantage), fraction(553, 40));
    assert_eq!(mean_sum(&disadvantage), fraction(287, 40));
    let hits = |pool| chance(pool, |observation| observation.sum() >= 11);
    assert_eq!(hits(&advantage), fraction(3, 4));
    assert_eq!(hits(&disadvantage), fraction(1, 4));
}

/// icepool, `d10.explode(depth=2).highest(rolled, kept)`: Legend of the Five Rings 4th edition, tens explode.
#[test]
fn roll_and_keep_pools_have_icepools_odds() {
    let published = [
        // Rolled, kept, and the chances to reach 15 and 20.
        (2, 1, (291, 2_500), (199, 10_000)),
        (3, 2, (2_349, 5_000), (1_049, 5_000)),
        (5, 3, (93_183, 100_000), (35_897, 50_000)),
    ];
    let explosion = Explosion {
        lowest: 10,
        adds_dice: false,
    };

    for (rolled, count, fifteen, twenty) in published {
        let kind = ReadingKind::SumOfKept {
            count,
            highest: true,
        };
        let pool = query(Die::D10, rolled, Some((explosion, 2)), reading(kind));
        for (target, (part, total)) in [(15, fifteen), (20, twenty)] {
            let chance = chance(&pool, |observation| result(observation) >= target);
            assert_eq!(
                chance,
                fraction(part, total),
                "{rolled}k{count} reaches {target}"
            );
        }
    }
}

/// icepool, `Pool([d6, d8, d10]).highest(2).sum()`: the total of a Cortex Prime roll.
#[test]
fn the_total_of_mixed_dice_has_icepools_odds() {
    let published = [
        1, 3, 7, 12, 19, 27, 36, 44, 51, 55, 56, 52, 44, 32, 23, 12, 6,
    ];
    let three = [(Die::D6, 1), (Die::D8, 1), (Die::D10, 1)];
    let total = pool(&three, Keep::Highest(2), Measure::Sum);
    for (sum, ways) in (2..).zip(published) {
        let chance = chance(&total, |observation| observation.sum() == sum);
        assert_eq!(chance, fraction(ways, 480), "sum {sum}");
    }
    assert_eq!(mean_sum(&total), fraction(355, 32));

    let five = [Die::D4, Die::D6, Die::D8, Die::D10, Die::D12].map(|die| (die, 1));
    let total = pool(&five, Keep::Highest(2), Measure::Sum);
    assert_eq!(mean_sum(&total), fraction(80_927, 5_760));
    let fifteen = chance(&total, |observation| observation.sum() >= 15);
    assert_eq!(fifteen, fraction(10_607, 23_040));
}

/// icepool, `d6.explode(depth=3)` and `3 @ d6.explode(depth=2)`.
#[test]
fn exploding_dice_have_icepools_odds() {
    let explosion = Explosion {
        lowest: 6,
        adds_dice: false,
    };
    let one = query(Die::D6, 1, Some((explosion, 3)), reading(ReadingKind::Sum));
    assert_eq!(
        chance(&one, |observation| result(observation) >= 10),
        fraction(1, 12)
    );

    let three = query(Die::D6, 3, Some((explosion, 2)), reading(ReadingKind::Sum));
    assert_eq!(
        chance(&three, |observation| result(observation) >= 18),
        fraction(221, 1_296)
    );
}

/// icepool, `d6.reroll({1}, depth=1)` and `2 @ d6.reroll({1, 2}, depth=1)`: the Great Weapon Fighting style of the
/// fifth edition, mean 8.33 with a greatsword.
#[test]
fn rerolled_dice_have_icepools_odds() {
    let mean = |text: &str| {
        let notation: tableside_dice::notation::Notation = text.parse().expect("a dice expression");
        notation.odds().expect("few dice").mean
    };
    assert_eq!(mean("d6r<2"), Some(fraction(47, 12)));
    assert_eq!(mean("2d6r<3"), Some(fraction(25, 3)));
}

/// icepool, `10 @ (d10 >= 8)`: a Storyteller pool of ten dice.
#[test]
fn counted_successes_have_icepools_odds() {
    let successes = PoolReading {
        lowest: 8,
        ..reading(ReadingKind::Count)
    };
    let pool = query(Die::D10, 10, None, successes);
    let three = chance(&pool, |observation| result(observation) >= 3);
    assert_eq!(three, fraction(771_521_517, 1_250_000_000));
}

/// icepool, `d6.pool(5).largest_count()` and `d10.pool(10).largest_count()`.
#[test]
fn the_largest_set_has_icepools_odds() {
    let five = [(5, 54), (25, 36), (125, 648), (25, 1_296), (1, 1_296)];
    let pool = query(Die::D6, 5, None, reading(ReadingKind::LargestSet));
    for (size, (part, total)) in (1..).zip(five) {
        let chance = chance(&pool, |observation| result(observation) == size);
        assert_eq!(chance, fraction(part, total), "{size} of 5");
    }

    let ten = [
        (567, 1_562_500),
        (2_471_553, 6_250_000),
        (596_547, 1_250_000),
        (276_507, 2_500_000),
        (7_439_607, 500_000_000),
        (137_781, 100_000_000),
    ];
    let pool = query(Die::D10, 10, None, reading(ReadingKind::LargestSet));
    for (size, (part, total)) in (1..).zip(ten) {
        let chance = chance(&pool, |observation| result(observation) == size);
        assert_eq!(chance, fraction(part, total), "{size} of 10");
    }
}

/// The number of dice that show each face of a d6.
type Hand = [u8; 6];

/// Returns every hand of that many dice with the number of ways to roll it.
fn hands(count: u8) -> Vec<(Hand, Natural)> {
    let rolled = pool(&[(Die::D6, count)], Keep::All, Measure::KeptDice(0));
    let mut hands = Vec::new();
    for (observation, ways) in &rolled.observations().ways {
        let mut hand = [0; 6];
        for (face, _) in observation.kept().0 {
            hand[usize::from(face.unsigned_abs()) - 1] += 1;
        }
        hands.push((hand, ways.clone()));
    }
    hands
}

/// Returns every hand that is part of another hand.
fn parts_of(hand: Hand) -> Vec<Hand> {
    let mut parts = vec![[0; 6]];
    for (face, most) in hand.iter().enumerate() {
        let mut longer = Vec::new();
        for part in parts {
            for kept in 0..=*most {
                let mut next: Hand = part;
                next[face] = kept;
                longer.push(next);
            }
        }
        parts = longer;
    }
    parts
}

/// Returns the ways to five of a kind, out of 7776 for each re-roll, if the player keeps the best dice each time.
fn best_ways(hand: Hand, rerolls: u32, known: &mut BTreeMap<(Hand, u32), Natural>) -> Natural {
    if rerolls == 0 {
        return Natural::from(usize::from(hand.contains(&5)));
    }

    let mut best = Natural::ZERO;
    for kept in parts_of(hand) {
        best = best.max(ways_after_keeping(kept, rerolls, known));
    }
    best
}

fn ways_after_keeping(
    kept: Hand,
    rerolls: u32,
    known: &mut BTreeMap<(Hand, u32), Natural>,
) -> Natural {
    if let Some(ways) = known.get(&(kept, rerolls)) {
        return ways.clone();
    }

    let count: u8 = kept.iter().sum();
    let mut sum = Natural::ZERO;
    for (rolled, ways) in hands(5 - count) {
        let mut hand = kept;
        for (face, more) in hand.iter_mut().zip(rolled) {
            *face += more;
        }
        sum.add_product(&ways, &best_ways(hand, rerolls - 1, known));
    }
    // The kept dice count as if they had been rolled in every way.
    let sum = &sum * &Natural::from(6_usize).pow(count.into());
    known.insert((kept, rerolls), sum.clone());
    sum
}

/// 347897/7558272, about 4.603 %, is the commonly published chance of a Yahtzee in three rolls with the best choices.
#[test]
fn five_of_a_kind_with_two_rerolls_has_the_published_chance() {
    let mut known = BTreeMap::new();
    let ways = ways_after_keeping([0; 6], 3, &mut known);
    let total = Natural::from(7_776_usize).pow(3);
    assert_eq!(ratio(&ways, &total), fraction(347_897, 7_558_272));
}

/// Blaise Pascal, "Traité du triangle arithmétique": row 8.
#[test]
fn binomial_coefficients_are_those_of_pascals_triangle() {
    let row: Vec<Natural> = (0..=8).map(|k| choose(8, k)).collect();
    assert_eq!(
        row,
        [1, 8, 28, 56, 70, 56, 28, 8, 1].map(|entry: usize| entry.into())
    );
}
