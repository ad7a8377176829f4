//! The dice and the luck of everyone, as the log has them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::scroll::{Block, Page, Scroll};
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::theme::Role;
use crate::screen::widget::Look;
use crate::table::{Figures, Seen};

/// The dice and the luck of everyone.
#[derive(Clone, Debug, Default)]
pub struct StatisticsDialog {
    scroll: Scroll,
}

/// Columns that the figures want.
const WIDTH: u16 = 72;

/// The signs of a small plot, from nothing to all.
const HEIGHTS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

impl StatisticsDialog {
    fn blocks(seen: &Seen<'_>, ascii: bool) -> Vec<Block> {
        let figures = seen.statistics();
        let mut blocks = Vec::new();
        if figures.all.rolls == 0 {
            let words = "Nobody has rolled yet: r rolls.";
            return vec![Block::words(Role::Muted, words)];
        }
        if figures.from > 1 {
            let words = format!(
                "From entry #{} on; what came before is not counted.",
                figures.from
            );
            blocks.push(Block::words(Role::Muted, words));
            blocks.push(Block::Gap);
        }
        tell(&figures.all, "Everybody", ascii, &mut blocks);
        for one in &figures.each {
            blocks.push(Block::Gap);
            let name = if one.who.is_empty() {
                "Nobody in particular"
            } else {
                &one.who
            };
            tell(one, name, ascii, &mut blocks);
        }
        blocks
    }
}

fn tell(figures: &Figures, name: &str, ascii: bool, blocks: &mut Vec<Block>) {
    let rolls = match figures.rolls {
        1 => "1 roll".to_owned(),
        rolls => format!("{rolls} rolls"),
    };
    blocks.push(Block::words(Role::Heading, format!("{name}: {rolls}")));
    if let Some(luck) = figures.luck {
        let away = (luck.mean - 0.5).abs() / luck.deviation.max(f64::EPSILON);
        let word = match (away < 1.0, luck.mean > 0.5) {
            (true, _) => "as chance has it",
            (false, true) => "luckier than most",
            (false, false) => "unluckier than most",
        };
        let words = format!(
            "Luck {:.0} of 100, {word} (chance alone moves it by {:.0}).",
            luck.mean * 100.0,
            luck.deviation * 100.0
        );
        blocks.push(Block::words(Role::Text, words));
    }
    for die in &figures.dice {
        let most = die
            .faces
            .iter()
            .map(|(_, fell)| *fell)
            .max()
            .unwrap_or(0)
            .max(1);
        let plot: Vec<String> = die
            .faces
            .iter()
            .map(|(_, fell)| {
                let step = usize::try_from(fell * 7 / most).unwrap_or(0);
                if ascii {
                    format!("{fell} ")
                } else {
                    HEIGHTS[step.min(7)].to_owned()
                }
            })
            .collect();
        let test = match &die.test {
            Some(test) => format!("p = {:.2}", test.p),
            None => "too few to tell".to_owned(),
        };
        blocks.push(Block::Parts(vec![
            (Role::Die, format!("{:>4}", die.die)),
            (Role::Text, format!("{:>6}  ", die.thrown)),
            (Role::Info, format!("{:<20}", plot.concat())),
            (Role::Muted, format!("  {:.1} of each due, {test}", die.due)),
        ]));
    }
    for check in &figures.checks {
        let outcomes = check.outcomes.iter().filter(|(_, times)| *times > 0);
        let words: Vec<String> = outcomes
            .map(|(outcome, times)| format!("{} {times}", check.check.outcome(*outcome).label))
            .collect();
        let words = format!("{}: {}", check.check.label, words.join(", "));
        blocks.push(Block::words(Role::Muted, words));
    }
}

impl Manner for StatisticsDialog {
    fn contexts(&self) -> &'static [Context] {
        Context::Help.chain()
    }

    fn hints(&self) -> &'static [Action] {
        &[Action::Up, Action::Down, Action::PageDown, Action::Close]
    }

    fn hear(&mut self, heard: &Heard, _seen: &Seen<'_>) -> Reply {
        self.scroll.hear(heard)
    }

    fn view(
        &self,
        seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let page = Page {
            title: "Dice and luck",
            note: "",
            blocks: &Self::blocks(seen, look.ascii),
            width: WIDTH,
        };
        self.scroll.show(&page, *look, area, buffer);
        None
    }
}
