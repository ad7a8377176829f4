//! The chances of the outcomes of a roll, as one bar with labels.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::theme::Role;
use crate::widget::{Appearance, after, below, columns, in_rows, join, left, row};

/// One outcome and its chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance<'a> {
    /// The name of the outcome.
    pub label: &'a str,
    /// The chance, 0 to 1.
    pub share: f64,
    pub role: Role,
    /// The sign of the outcome's tone.
    pub sign: &'static str,
}

/// The chances of all outcomes as one bar, with labels below it.
#[derive(Clone, Copy, Debug)]
pub struct OddsBar<'a> {
    /// The outcomes, from one end of the bar to the other.
    pub chances: &'a [Chance<'a>],
    /// How the screen looks.
    pub look: Appearance<'a>,
}

impl OddsBar<'_> {
    /// Returns the rows that the bar and its labels take at this width.
    pub fn height(&self, width: u16) -> u16 {
        if self.labels_stand_beneath(&self.cells(width)) {
            return 2;
        }
        let legend = self.places(Rect::new(0, 1, width, u16::MAX - 1));
        legend.last().map_or(2, |place| place.bottom())
    }

    /// Returns the outcomes that are possible.
    fn possible(&self) -> impl Iterator<Item = &Chance<'_>> {
        self.chances.iter().filter(|chance| chance.share > 0.0)
    }

    fn cells(&self, width: u16) -> Vec<u16> {
        let shares: Vec<f64> = self.chances.iter().map(|chance| chance.share).collect();
        apportion(&shares, width)
    }

    /// Returns true if each label fits below its part of the bar.
    fn labels_stand_beneath(&self, cells: &[u16]) -> bool {
        let parts = self.chances.iter().zip(cells);
        let mut parts = parts.filter(|(chance, _)| chance.share > 0.0).peekable();
        std::iter::from_fn(|| Some((parts.next()?, parts.peek().is_some()))).all(
            |((chance, cells), has_next)| columns(&beneath(chance)) + u16::from(has_next) <= *cells,
        )
    }

    /// Returns the fills and chances of the possible outcomes, without names.
    pub fn in_short(&self) -> Line<'static> {
        let words = self.filled().filter(|(chance, _)| chance.share > 0.0);
        let words = words.map(|(chance, fill)| {
            let [fill, _, _, share] = self.entry(chance, fill);
            let sign = Span::styled(chance.sign, fill.style);
            Line::from(vec![fill, sign, share])
        });
        join(words, "  ")
    }

    /// Returns each outcome with its fill.
    fn filled(&self) -> impl Iterator<Item = (&Chance<'_>, &'static str)> {
        self.chances.iter().zip(fills(self.chances.len()))
    }

    fn entry(&self, chance: &Chance<'_>, fill: &'static str) -> [Span<'static>; 4] {
        let (label, share, role) = (chance.label, chance.share, chance.role);
        [
            Span::styled(fill, self.look.style(role)),
            Span::raw(" "),
            Span::styled(format!("{label} "), self.look.style(Role::Text)),
            Span::styled(percent(share), self.look.style(role)),
        ]
    }

    /// Returns the place of each entry of the legend.
    fn places(&self, area: Rect) -> Vec<Rect> {
        let widths = self.possible().map(|chance| columns(&beneath(chance)) + 2);
        in_rows(area, widths, 2, 1)
    }
}

/// The fills of the parts of a bar, from the best outcome to the worst. They differ without colour.
const FILLS: [&str; 8] = ["█", "▓", "▒", "░", "┆", "·", "≡", "╌"];

/// Returns fills for this number of outcomes that differ as much as possible.
fn fills(of: usize) -> impl Iterator<Item = &'static str> {
    let last = of.clamp(6, FILLS.len()) - 1;
    let at = move |place: usize| (place * last / of.saturating_sub(1).max(1)).min(last);
    (0..of).map(move |place| FILLS[at(place)])
}

fn beneath(chance: &Chance<'_>) -> String {
    format!("{} {}", chance.label, percent(chance.share))
}

impl Widget for &OddsBar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }
        let cells = self.cells(area.width);
        let stand_beneath = self.labels_stand_beneath(&cells);
        let mut rest = area;
        for ((chance, fill), cells) in self.filled().zip(&cells) {
            let style = self.look.style(chance.role);
            let bar = fill.repeat((*cells).into());
            self.look
                .put(&Span::styled(bar, style).into(), rest, buffer);
            if stand_beneath {
                let [_, _, label, share] = self.entry(chance, fill);
                let words = Line::from(vec![label, share]);
                self.look.put(&words, left(row(rest, 1), *cells), buffer);
            }
            rest = after(rest, *cells);
        }
        if stand_beneath {
            return;
        }
        let possible = self.filled().filter(|(chance, _)| chance.share > 0.0);
        for ((chance, fill), place) in possible.zip(self.places(below(area, 1))) {
            let line = Line::from(self.entry(chance, fill).to_vec());
            self.look.put(&line, place, buffer);
        }
    }
}

/// Formats a chance as a percentage. Chances near 0 and 1 get more digits, so that they differ from 0% and 100%.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        ..=0.0 => "0%".to_owned(),
        ..0.1 => "<0.1%".to_owned(),
        percent @ ..99.5 if percent >= 9.95 => format!("{percent:.0}%"),
        percent @ ..99.95 => format!("{percent:.1}%"),
        _ if share < 1.0 => ">99.9%".to_owned(),
        _ => "100%".to_owned(),
    }
}

/// The large signs of a percentage, as rows of dots. Each sign has three columns, and the point has one.
const LARGE: [(char, [u8; 5]); 14] = [
    ('0', [7, 5, 5, 5, 7]),
    ('1', [2, 6, 2, 2, 7]),
    ('2', [7, 1, 7, 4, 7]),
    ('3', [7, 1, 7, 1, 7]),
    ('4', [5, 5, 7, 1, 1]),
    ('5', [7, 4, 7, 1, 7]),
    ('6', [7, 4, 7, 5, 7]),
    ('7', [7, 1, 1, 1, 1]),
    ('8', [7, 5, 7, 5, 7]),
    ('9', [7, 5, 7, 1, 7]),
    ('%', [5, 1, 2, 4, 5]),
    ('.', [0, 0, 0, 0, 1]),
    ('<', [1, 2, 4, 2, 1]),
    ('>', [4, 2, 1, 2, 4]),
];

/// Returns a percentage in large digits: three lines, each with two rows of dots.
pub fn large_digits(percentage: &str) -> [String; 3] {
    let signs = percentage.chars();
    let signs = signs.filter_map(|sign| LARGE.iter().find(|(known, _)| *known == sign));
    let mut lines: [String; 3] = Default::default();
    for (sign, dots) in signs {
        for (line, rows) in lines.iter_mut().zip(dots.chunks(2)) {
            let lower = rows.get(1).copied().unwrap_or(0);
            for dot in if *sign == '.' { 0..1 } else { 0..3 }.rev() {
                let is_on = |row: u8| row >> dot & 1 == 1;
                line.push(match (is_on(rows[0]), is_on(lower)) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                });
            }
            line.push(' ');
        }
    }
    lines
}

/// Distributes cells in proportion to the shares. Each possible outcome gets at least one cell if there are enough.
pub fn apportion(shares: &[f64], cells: u16) -> Vec<u16> {
    let total: f64 = shares.iter().sum();
    let mut given = vec![0_u16; shares.len()];
    let possible = (0..shares.len()).filter(|index| shares[*index] > 0.0);
    for _ in 0..cells {
        // Possible outcomes without a cell come first, and then the outcome that lacks most.
        let lack = |index: &usize| {
            let have = given[*index];
            let due = shares[*index] / total * f64::from(cells);
            (have == 0, due - f64::from(have))
        };
        let most = |one: &usize, other: &usize| {
            let order = lack(one).partial_cmp(&lack(other));
            order.expect("shares are numbers")
        };
        if let Some(index) = possible.clone().max_by(most) {
            given[index] += 1;
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::{shown, with_looks};
    use proptest::prelude::*;
    use std::fmt::Write as _;

    const fn chance(label: &'static str, share: f64, role: Role) -> Chance<'static> {
        let sign = "";
        Chance {
            label,
            share,
            role,
            sign,
        }
    }

    const CHANCES: [Chance<'static>; 5] = [
        chance("Critical", 0.031, Role::Triumph),
        chance("Success", 0.4685, Role::Success),
        chance("At a cost", 0.25, Role::Partial),
        chance("Failure", 0.25, Role::Failure),
        chance("Fumble", 0.0005, Role::Disaster),
    ];

    #[test]
    fn odds_say_what_they_are_at_any_width() {
        with_looks(|look, name| {
            let all = OddsBar {
                chances: &CHANCES,
                look,
            };
            let two = OddsBar {
                chances: &CHANCES[1..3],
                look,
            };
            let mut text = String::new();
            for (odds, width) in [(&two, 60), (&two, 24), (&all, 100), (&all, 60), (&all, 38)] {
                let height = odds.height(width);
                write!(text, "{width}x{height}\n{}\n", shown(odds, width, height)).unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("odds_{name}"), text);
            }
        });
    }

    #[test]
    fn no_two_outcomes_of_a_check_look_alike_without_colour() {
        let systems = tableside_rules::System::shipped();
        let checks = systems.flat_map(|system| system.spec().checks);
        let mut counted = 0;
        for check in checks {
            counted += 1;
            let fills: Vec<&str> = fills(check.outcomes.len()).collect();
            let plain = fills
                .iter()
                .map(|fill| crate::terminal::display::in_ascii(fill));
            let plain: std::collections::BTreeSet<&str> = plain.collect();
            assert_eq!(plain.len(), check.outcomes.len(), "{}: {fills:?}", check.id);
        }
        assert_eq!(counted, 43);
    }

    #[test]
    fn a_percentage_is_read_in_large() {
        let lines = large_digits("4.7%").map(|line| line.trim_end().to_owned());
        assert_eq!(lines, ["█ █   ▀▀█ ▀ █", "▀▀█     █ ▄▀", "  ▀ ▀   ▀ ▀ ▀"]);
    }

    #[test]
    fn a_percentage_tells_near_from_never() {
        for (share, words) in [
            (0.0, "0%"),
            (0.0004, "<0.1%"),
            (0.031, "3.1%"),
            (0.4685, "47%"),
            (0.9949, "99%"),
            (0.998, "99.8%"),
            (0.9999, ">99.9%"),
            (1.0, "100%"),
        ] {
            assert_eq!(percent(share), words);
        }
    }

    proptest! {
        #[test]
        fn every_cell_is_given_and_no_chance_is_lost(
            shares in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0_f64], 1..8),
            cells in 0_u16..120,
        ) {
            let given = apportion(&shares, cells);
            let possible = shares.iter().filter(|share| **share > 0.0).count();
            if possible > 0 {
                prop_assert_eq!(given.iter().sum::<u16>(), cells);
            }
            for (share, cells_of_it) in shares.iter().zip(&given) {
                prop_assert!(*share > 0.0 || *cells_of_it == 0);
                if usize::from(cells) >= possible && *share > 0.0 {
                    prop_assert!(*cells_of_it > 0);
                }
            }
        }
    }
}
