//! Races between clocks: the chance of each clock to be full first.

use super::float_moves;
use tableside_dice::Distribution;

/// A clock in a race.
#[derive(Clone, Copy, Debug)]
pub struct Runner<'a> {
    /// The distribution of the number of segments that one roll fills.
    pub levels: &'a Distribution,
    /// The number of filled segments.
    pub filled: u8,
    /// The number of all segments.
    pub segments: u8,
}

impl Runner<'_> {
    /// The number of segments that are not filled.
    fn distance(&self) -> usize {
        usize::from(self.segments.saturating_sub(self.filled))
    }
}

/// The chances in a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// For each clock, the chance that it is full before all others.
    pub wins: Vec<f64>,
    /// The chance that two or more clocks are full in the same round, before all others.
    pub tie: f64,
}

/// The most rounds of a race that are computed.
const MAX_ROUNDS: usize = 20_000;

/// The computation of a race stops when the chance that the race is undecided is below this.
const NEGLIGIBLE_CHANCE: f64 = 1e-13;

/// The most moves of the two clocks that [`side_by_side`] computes, so that the forecast appears without a noticeable
/// delay.
const MAX_PAIR_MOVES: usize = 100_000_000;

/// A runner's position. The chance at index n is the chance that n segments are not filled.
struct Position {
    chances: Vec<f64>,
    moves: Vec<(isize, f64)>,
}

impl Position {
    fn new(runner: &Runner<'_>) -> Self {
        let mut chances = vec![0.0; usize::from(runner.segments) + 1];
        chances[runner.distance()] = 1.0;
        Self {
            chances,
            moves: float_moves(runner.levels, runner.segments),
        }
    }

    /// The chance that the clock is not full.
    fn open_chance(&self) -> f64 {
        1.0 - self.chances[0]
    }

    fn can_advance(&self) -> bool {
        self.moves.iter().any(|(step, _)| *step > 0)
    }

    fn roll(&mut self) {
        let farthest = self.chances.len() - 1;
        let mut chances_after = vec![0.0; self.chances.len()];
        chances_after[0] = self.chances[0];

        for (distance, chance) in self.chances.iter().enumerate().skip(1) {
            if *chance <= 0.0 {
                continue;
            }
            for (step, step_chance) in &self.moves {
                let distance_after = distance.saturating_add_signed(-step).min(farthest);
                chances_after[distance_after] += chance * step_chance;
            }
        }
        self.chances = chances_after;
    }
}

/// Computes the chances of a race in which each clock gets one roll per round.
///
/// A clock that is already full has won, and two full clocks have tied. All chances are 0 if no clock can advance.
pub fn race(runners: &[Runner<'_>]) -> Race {
    let full_count = runners
        .iter()
        .filter(|runner| runner.distance() == 0)
        .count();
    if full_count > 0 {
        return finished_race(runners, full_count);
    }

    let mut race = Race {
        wins: vec![0.0; runners.len()],
        tie: 0.0,
    };
    let mut positions: Vec<Position> = runners.iter().map(Position::new).collect();
    if !positions.iter().any(Position::can_advance) {
        return race;
    }

    for _ in 0..MAX_ROUNDS {
        let open_before: Vec<f64> = positions.iter().map(Position::open_chance).collect();
        for position in &mut positions {
            position.roll();
        }
        let open_after: Vec<f64> = positions.iter().map(Position::open_chance).collect();

        let mut won_alone = 0.0;
        for (index, wins) in race.wins.iter_mut().enumerate() {
            let others_open: f64 = open_after
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .map(|(_, open)| open)
                .product();
            let wins_now = (open_before[index] - open_after[index]) * others_open;
            *wins += wins_now;
            won_alone += wins_now;
        }

        let still_open: f64 = open_after.iter().product();
        let ended_now = open_before.iter().product::<f64>() - still_open;
        race.tie += (ended_now - won_alone).max(0.0);
        if still_open < NEGLIGIBLE_CHANCE {
            break;
        }
    }
    race
}

/// Returns the result of a race in which clocks are already full.
fn finished_race(runners: &[Runner<'_>], full_count: usize) -> Race {
    let mut wins = vec![0.0; runners.len()];
    if full_count > 1 {
        return Race { wins, tie: 1.0 };
    }

    for (wins, runner) in wins.iter_mut().zip(runners) {
        if runner.distance() == 0 {
            *wins = 1.0;
        }
    }
    Race { wins, tie: 0.0 }
}

/// Computes which of two clocks is full first if each roll moves both clocks.
///
/// `moves` holds the possible results of a roll: the number of segments by which it moves each clock, and its chance.
/// `clocks` holds the filled segments and all segments of each clock.
pub fn side_by_side(moves: &[([i32; 2], f64)], clocks: [(u8, u8); 2]) -> Race {
    let mut race = Race {
        wins: vec![0.0; 2],
        tie: 0.0,
    };
    let mut pair = ClockPair::new(clocks);
    let can_advance = moves.iter().any(|(steps, _)| steps[0] > 0 || steps[1] > 0);

    let moves_per_round = pair.chances.len() * moves.len().max(1);
    for _ in 0..=MAX_ROUNDS.min(MAX_PAIR_MOVES / moves_per_round) {
        pair.take_ended(&mut race);
        if !can_advance || pair.chances.iter().sum::<f64>() < NEGLIGIBLE_CHANCE {
            break;
        }
        pair.roll(moves);
    }
    race
}

/// Two clocks that are moved together.
struct ClockPair {
    /// The segments of each clock.
    segments: [usize; 2],
    /// The chance of each pair of numbers of filled segments, sorted by the first clock and then by the second.
    chances: Vec<f64>,
}

impl ClockPair {
    fn new(clocks: [(u8, u8); 2]) -> Self {
        let segments = clocks.map(|(_, segments)| usize::from(segments));
        let filled = clocks.map(|(filled, segments)| usize::from(filled.min(segments)));

        let pairs = (segments[0] + 1) * (segments[1] + 1);
        let mut pair = Self {
            segments,
            chances: vec![0.0; pairs],
        };
        let start = pair.index(filled);
        pair.chances[start] = 1.0;
        pair
    }

    fn index(&self, filled: [usize; 2]) -> usize {
        filled[0] * (self.segments[1] + 1) + filled[1]
    }

    fn filled(&self, index: usize) -> [usize; 2] {
        let row_length = self.segments[1] + 1;
        [index / row_length, index % row_length]
    }

    /// Moves the chances of pairs with a full clock from `chances` to the result.
    fn take_ended(&mut self, race: &mut Race) {
        for index in 0..self.chances.len() {
            let filled = self.filled(index);
            let first_is_full = filled[0] == self.segments[0];
            let second_is_full = filled[1] == self.segments[1];
            let result = match (first_is_full, second_is_full) {
                (true, true) => &mut race.tie,
                (true, false) => &mut race.wins[0],
                (false, true) => &mut race.wins[1],
                (false, false) => continue,
            };
            *result += std::mem::take(&mut self.chances[index]);
        }
    }

    fn roll(&mut self, moves: &[([i32; 2], f64)]) {
        let mut chances_after = vec![0.0; self.chances.len()];
        for (index, chance) in self.chances.iter().enumerate() {
            if *chance <= 0.0 {
                continue;
            }
            let filled = self.filled(index);
            for (steps, step_chance) in moves {
                let filled_after = [
                    self.move_clock(0, filled[0], steps[0]),
                    self.move_clock(1, filled[1], steps[1]),
                ];
                chances_after[self.index(filled_after)] += chance * step_chance;
            }
        }
        self.chances = chances_after;
    }

    /// Returns the filled segments of a clock after a move.
    fn move_clock(&self, clock: usize, filled: usize, step: i32) -> usize {
        let step = isize::try_from(step).unwrap_or(0);
        filled.saturating_add_signed(step).min(self.segments[clock])
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::distribution as spread;
    use super::*;
    use tableside_dice::{Dice, SystemDice};

    #[test]
    fn side_by_side_agrees_with_simulated_rolls() {
        let faces = [[2, 0], [1, 0], [1, 1], [0, 1], [0, 2], [0, -1]];
        let moves = faces.map(|steps| (steps, 1.0 / 6.0));
        let race = side_by_side(&moves, [(1, 5), (0, 4)]);

        let mut dice = SystemDice::from_key([8; 32]);
        let games = 20_000;
        let (mut first_wins, mut second_wins, mut ties) = (0, 0, 0);
        for _ in 0..games {
            let (mut first, mut second) = (1, 0);
            while first < 5 && second < 4 {
                let face = usize::try_from(dice.up_to(6) - 1).unwrap();
                first += faces[face][0];
                second = (second + faces[face][1]).max(0);
            }
            match (first >= 5, second >= 4) {
                (true, true) => ties += 1,
                (true, false) => first_wins += 1,
                _ => second_wins += 1,
            }
        }

        let computed = [race.wins[0], race.wins[1], race.tie];
        for (count, chance) in [first_wins, second_wins, ties].into_iter().zip(computed) {
            let share = f64::from(count) / f64::from(games);
            assert!((share - chance).abs() < 0.015, "{share} {race:?}");
        }
        assert!((computed.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    const fn runner(levels: &Distribution, filled: u8, segments: u8) -> Runner<'_> {
        Runner {
            levels,
            filled,
            segments,
        }
    }

    #[test]
    fn a_race_is_followed_to_its_end() {
        let (coin, dead) = (spread(&[(0, 1), (1, 1)]), spread(&[(0, 1)]));
        let almost_full = runner(&coin, 3, 4);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        // In the last round either clock or both advance, each with the same chance.
        let two = race(&[almost_full, almost_full]);
        assert!(near(two.wins[0], 1.0 / 3.0) && near(two.tie, 1.0 / 3.0));
        // A third clock that never advances changes no chance.
        let three = race(&[almost_full, almost_full, runner(&dead, 0, 4)]);
        assert!(near(three.wins[0], two.wins[0]) && near(three.wins[2], 0.0));
        assert!(near(three.wins.iter().sum::<f64>() + three.tie, 1.0));
    }

    #[test]
    fn a_full_clock_wins_and_clocks_that_never_advance_do_not() {
        let (coin, dead) = (spread(&[(0, 1), (1, 1)]), spread(&[(0, 1)]));
        let race = super::race(&[runner(&coin, 4, 4), runner(&coin, 3, 4)]);
        assert_eq!((race.wins, race.tie), (vec![1.0, 0.0], 0.0));
        let race = super::race(&[runner(&dead, 0, 4), runner(&dead, 0, 4)]);
        assert_eq!((race.wins, race.tie), (vec![0.0, 0.0], 0.0));
    }
}
