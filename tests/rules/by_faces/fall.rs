//! Every way in which dice can fall, one by one.

use std::collections::BTreeMap;
use std::fmt;

/// An exact share of all falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share(u128, u128);

impl Share {
    pub(crate) const NONE: Self = Self(0, 1);

    pub(crate) fn new(part: u128, whole: u128) -> Self {
        let (mut a, mut b) = (part, whole);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self(part / a, whole / a)
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self::new(self.0 * other.0, self.1 * other.1)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            1 => write!(formatter, "{}", self.0),
            whole => write!(formatter, "{}/{whole}", self.0),
        }
    }
}

/// Each result with its share.
pub(crate) type Counted<T> = BTreeMap<T, Share>;

/// Dice that fall as scripted; dice beyond the script show 1 and are noted.
pub(crate) struct Fall {
    script: Vec<i32>,
    sides: Vec<i32>,
    at: usize,
}

impl Fall {
    /// Rolls a die with the faces 1 to `sides`.
    pub(crate) fn die(&mut self, sides: i32) -> i32 {
        if self.at == self.script.len() {
            self.script.push(1);
            self.sides.push(sides);
        }
        self.at += 1;
        self.script[self.at - 1]
    }

    /// The next fall: the last die that can turn up another face does.
    fn turn(&mut self) -> bool {
        self.at = 0;
        while let (Some(face), Some(sides)) = (self.script.pop(), self.sides.pop()) {
            if face < sides {
                self.script.push(face + 1);
                self.sides.push(sides);
                return true;
            }
        }
        false
    }
}

/// Rolls it in every way.
pub(crate) fn count<T: Ord>(roll: impl Fn(&mut Fall) -> T) -> Counted<T> {
    let mut fall = Fall {
        script: Vec::new(),
        sides: Vec::new(),
        at: 0,
    };
    let mut ways: BTreeMap<T, BTreeMap<u128, u128>> = BTreeMap::new();
    loop {
        let result = roll(&mut fall);
        let whole = fall
            .sides
            .iter()
            .map(|&sides| u128::from(sides.unsigned_abs()));
        *ways
            .entry(result)
            .or_default()
            .entry(whole.product())
            .or_default() += 1;
        if !fall.turn() {
            break;
        }
    }
    let share = |ways: BTreeMap<u128, u128>| {
        let shares = ways
            .into_iter()
            .map(|(whole, part)| Share::new(part, whole));
        shares.fold(Share::NONE, Share::plus)
    };
    ways.into_iter()
        .map(|(result, ways)| (result, share(ways)))
        .collect()
}

/// Two things that fall apart from each other.
pub(crate) fn both<A, B, T: Ord>(
    a: &Counted<A>,
    b: &Counted<B>,
    combine: impl Fn(&A, &B) -> T,
) -> Counted<T> {
    let mut all: Counted<T> = BTreeMap::new();
    for (one, share) in a {
        for (other, more) in b {
            let sum = all.entry(combine(one, other)).or_insert(Share::NONE);
            *sum = sum.plus(share.times(*more));
        }
    }
    all
}
