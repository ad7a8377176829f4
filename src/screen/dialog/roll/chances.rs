//! The odds of the check as it stands, and what one more of something would be worth.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::rules::{CheckSpec, Fields, House, Odds, Policy, Theme, Worth, worth};
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::widget::odds::{Chance, Odds as Bar, percent};
use crate::screen::widget::{Look, row};

/// A question whose answer may take longer than a key: what one more of something would be worth.
#[derive(Clone, Debug)]
pub struct Worthwhile {
    ticket: u64,
    fields: Fields,
    house: House,
}

impl Worthwhile {
    /// Works it out.
    pub fn answer(self) -> Worths {
        let Self {
            ticket,
            fields,
            house,
        } = self;
        let worth = worth(fields.spec(), &fields, &house, &Policy::default());
        Worths { ticket, worth }
    }
}

/// The answer to a [`Worthwhile`].
#[derive(Clone, Debug)]
pub struct Worths {
    ticket: u64,
    worth: Vec<Worth>,
}

/// A bar, its shares, and the line beneath.
const SHORT: u16 = 3;

/// The odds of the check as it stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Chances {
    known: Option<(Fields, House)>,
    odds: Option<Arc<Odds>>,
    worth: Vec<Worth>,
    /// How likely each theme of the narration is, where the check has any.
    themes: Vec<Theme>,
    /// Counts the questions, so that a late answer is known as late.
    ticket: u64,
    asked: bool,
}

impl Chances {
    /// Weighs the check, unless it is the same as before.
    pub(super) fn weigh(&mut self, fields: &Fields, house: &House) {
        let known = self.known.as_ref();
        if known.is_some_and(|(of, under)| of == fields && under == house) {
            return;
        }
        self.known = Some((fields.clone(), house.clone()));
        self.worth.clear();
        self.themes = (fields.spec().system.spec().themes)(fields, house);
        self.ticket += 1;
        self.asked = false;
        let spec = fields.spec();
        let complete = fields.complete().is_ok();
        let check = complete
            .then(|| (spec.prepare)(fields, house).ok())
            .flatten();
        // What is shown here is known when the roll wants its luck a moment later.
        let policy = Policy::default();
        self.odds = check.and_then(|check| Odds::known(&*check, fields, house, &policy).ok());
    }

    /// The question that is still open, once.
    pub(super) fn wonder(&mut self) -> Option<Worthwhile> {
        if std::mem::replace(&mut self.asked, true) || self.odds.is_none() {
            return None;
        }
        let (fields, house) = self.known.clone()?;
        Some(Worthwhile {
            ticket: self.ticket,
            fields,
            house,
        })
    }

    /// Takes an answer, if it is to the question asked last.
    pub(super) fn learn(&mut self, wondered: Worths) {
        if wondered.ticket == self.ticket {
            self.worth = wondered.worth;
        }
    }

    /// The rows that the bar and the line beneath take: at the least, and with every outcome named.
    pub(super) fn height(&self, spec: &CheckSpec, width: u16, look: Look<'_>) -> (u16, u16) {
        let chances = self.chances(spec);
        let bar = Bar {
            chances: &chances,
            look,
        };
        let whole = bar.height(width) + 1 + u16::from(!self.themes.is_empty());
        (whole.min(SHORT), whole)
    }

    /// Every outcome, the impossible ones too; none has a chance while the check cannot be made.
    fn chances<'a>(&self, spec: &'a CheckSpec) -> Vec<Chance<'a>> {
        let outcomes = spec.outcomes.iter().enumerate();
        outcomes
            .map(|(index, outcome)| {
                let odds = self.odds.as_ref();
                let share = odds.and_then(|odds| odds.outcomes.get(index));
                Chance {
                    label: outcome.label,
                    share: share.map_or(0.0, |(_, share)| share.to_f64()),
                    role: tone::role(outcome.tone),
                }
            })
            .collect()
    }

    /// The shares of what can happen, with the signs and in the colours that outcomes have everywhere.
    fn shares(spec: &CheckSpec, chances: &[Chance<'_>], look: Look<'_>) -> Line<'static> {
        let tones = spec.outcomes.iter().map(|outcome| outcome.tone);
        let possible = chances.iter().zip(tones);
        let possible = possible.filter(|(chance, _)| chance.share > 0.0);
        let spans = possible.map(|(chance, tone)| {
            let sign = tone::sign(tone, look.ascii);
            let words = format!("{sign} {}  ", percent(chance.share));
            Span::styled(words, look.style(chance.role))
        });
        spans.collect()
    }

    /// What stands beneath the bar: the chance of success, and the worth of one more, the most first.
    fn beneath(&self, spec: &CheckSpec, look: Look<'_>) -> Line<'static> {
        let Some(odds) = &self.odds else {
            return Line::default();
        };
        let mut line = Line::default();
        if let Some(success) = &odds.success {
            let success = percent(success.to_f64());
            line.push_span(Span::styled(success, look.style(Role::Heading)));
            line.push_span(Span::styled(" to succeed", look.style(Role::Muted)));
        }
        let mut steps: Vec<&Worth> = self.worth.iter().collect();
        steps.sort_by(|one, other| other.gain.cmp(&one.gain));
        let more = steps.iter().filter_map(|step| {
            let label = spec.field(step.field)?.label;
            Some(format!("{label} +{}", percent(step.gain.to_f64())))
        });
        for (words, first) in more.zip(std::iter::once(true).chain(std::iter::repeat(false))) {
            let dot = format!(" {} ", look.glyphs().dot);
            let lead = if first { "   one more: " } else { &dot };
            line.push_span(Span::styled(lead.to_owned(), look.style(Role::Muted)));
            line.push_span(Span::styled(words, look.style(Role::Info)));
        }
        line
    }

    /// How likely each theme is to dominate the narration, the likeliest first.
    fn dominant(&self, look: Look<'_>) -> Line<'static> {
        let mut themes: Vec<&Theme> = self.themes.iter().collect();
        themes.sort_by(|one, other| other.share.total_cmp(&one.share));
        let mut line = Line::default();
        for (place, theme) in themes.into_iter().enumerate() {
            let lead = if place == 0 {
                "theme: ".to_owned()
            } else {
                format!(" {} ", look.glyphs().dot)
            };
            line.push_span(Span::styled(lead, look.style(Role::Muted)));
            let words = format!("{} {}", theme.name, percent(theme.share));
            line.push_span(Span::styled(words, look.style(Role::Text)));
        }
        line
    }

    /// Draws the bar with what stands beneath it.
    pub(super) fn draw(&self, spec: &CheckSpec, look: Look<'_>, area: Rect, buffer: &mut Buffer) {
        if area.height == 0 {
            return;
        }
        let chances = self.chances(spec);
        let bar = Bar {
            chances: &chances,
            look,
        };
        let wanted = bar.height(area.width);
        let beneath = 1 + u16::from(!self.themes.is_empty());
        let spare = area.height.saturating_sub(beneath);
        // Where there is no room for all, the themes go first.
        let spare = if spare < wanted {
            area.height.saturating_sub(1)
        } else {
            spare
        };
        let given = wanted.min(spare).max(1);
        let bar_area = Rect {
            height: if given < wanted { 1 } else { given },
            ..area
        };
        (&bar).render(bar_area, buffer);
        if given < wanted {
            // No room for names: the shares with their signs, in the order of the bar.
            let shares = Self::shares(spec, &chances, look);
            let line = row(area, 1);
            buffer.set_line(
                line.x,
                line.y,
                &look.fit_line(&shares, line.width),
                line.width,
            );
        }
        let lines = [self.beneath(spec, look), self.dominant(look)];
        for (line, down) in lines.iter().zip(given..) {
            let below = row(area, down);
            if below.height > 0 {
                let line = look.fit_line(line, below.width);
                buffer.set_line(below.x, below.y, &line, below.width);
            }
        }
    }
}
