//! What a pool comes to before the chains: what counts, and how many dice explode (HFRPG,
//! Exploding/Imploding Dice).

use crate::HouseRules;
use tableside_dice::Face;

/// What an exploding die adds beside its further roll (a house rule).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Explosion {
    /// Each die counts at most once.
    Once,
    /// On top of the best other die.
    Apart,
    /// On top of the highest die, itself included.
    Twice,
}

/// What a pool comes to before the chains.
///
/// The order is that of worth, by exploding dice first: an exploding die adds its maximum and a chain,
/// which is more than any face beside it. So what is greater in this order has at least the chance of
/// every total to be reached, and the higher expected total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Base {
    /// Dice that explode: each adds its maximum and a chain.
    pub(super) exploding: u8,
    /// What counts beside them, 0 if nothing does.
    pub(super) beside: Face,
}

impl Explosion {
    /// What the table decided.
    pub(super) fn at(house: &HouseRules) -> Self {
        match () {
            () if house.is("explosion", "apart") => Self::Apart,
            () if house.is("explosion", "twice") => Self::Twice,
            () => Self::Once,
        }
    }
}

impl Base {
    /// What the pool adds to the result before the chains.
    pub(super) fn fixed(self, top: Face) -> i32 {
        i32::from(self.exploding) * i32::from(top) + i32::from(self.beside)
    }

    /// Its place in the order of worth.
    pub(super) fn rank(self, top: Face) -> u32 {
        u32::from(self.exploding) * (u32::from(top.unsigned_abs()) + 1)
            + u32::from(self.beside.unsigned_abs())
    }

    /// The one at that place.
    pub(super) fn of_rank(rank: u32, top: Face) -> Self {
        let step = u32::from(top.unsigned_abs()) + 1;
        let exploding = u8::try_from(rank / step).unwrap_or(u8::MAX);
        Self {
            exploding,
            beside: Face::try_from(rank % step).unwrap_or(Face::MAX),
        }
    }
}

/// Where to find what counts beside the exploding dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// Nothing counts beside them.
    Nothing,
    /// A maximum: a cancelled one, or an exploding one counted again.
    Top,
    /// The die at this place, counted from the highest.
    At(usize),
}

/// How many of `len` dice explode when so many show their maximum and so many a 1, and which die counts
/// beside them.
#[inline]
pub(super) fn judge(explosion: Explosion, len: usize, tops: usize, ones: usize) -> (usize, Beside) {
    // An exploding and an imploding die cancel each other; a cancelled maximum still counts as a die.
    if ones > tops {
        // Each die that implodes removes the highest one left, but one die is always left.
        return (0, Beside::At((ones - tops).min(len.saturating_sub(1))));
    }
    let exploding = tops - ones;
    let beside = match (exploding, explosion) {
        (0, _) => Beside::At(0),
        (_, Explosion::Twice) => Beside::Top,
        (_, Explosion::Once | Explosion::Apart) if ones > 0 => Beside::Top,
        (_, Explosion::Apart) if exploding < len => Beside::At(exploding),
        (_, Explosion::Once | Explosion::Apart) => Beside::Nothing,
    };
    (exploding, beside)
}

/// How many dice show that face.
pub(super) fn how_many(faces: &[Face], face: Face) -> usize {
    faces.iter().map(|&other| usize::from(other == face)).sum()
}

/// What these faces come to, given from the highest down; `top` is the die's maximum.
#[inline]
pub(super) fn read(explosion: Explosion, faces: &[Face], top: Face) -> Base {
    let len = faces.len();
    let tops = faces.iter().position(|face| *face != top).unwrap_or(len);
    let last = faces.iter().rposition(|face| *face != 1);
    let ones = last.map_or(len, |last| len - 1 - last);
    let (exploding, beside) = judge(explosion, len, tops, ones);
    Base {
        exploding: u8::try_from(exploding).unwrap_or(u8::MAX),
        beside: match beside {
            Beside::Nothing => 0,
            Beside::Top => top,
            Beside::At(index) => faces.get(index).copied().unwrap_or(0),
        },
    }
}
