//! The end of a recap as Markdown: tokens and loose ends.

use super::{in_sentence, item, possessive};
use crate::log_export::escape_markdown;
use crate::recap::{LooseEnds, NearlyFull, TokenMove};

/// The tokens of each owner in a line. Empty without tokens.
pub(super) fn tokens(moves: &[TokenMove]) -> String {
    if moves.is_empty() {
        return String::new();
    }

    let mut text = "\n## Tokens\n\n".to_owned();
    let mut index = 0;
    while let Some(first) = moves.get(index) {
        let of_owner: Vec<&TokenMove> = moves[index..]
            .iter()
            .take_while(|tokens| tokens.owner == first.owner)
            .collect();
        index += of_owner.len();

        let owner = first.owner.as_deref().unwrap_or("The table");
        let pools: Vec<String> = of_owner.iter().map(|tokens| tokens.describe()).collect();
        let pools = escape_markdown(&pools.join(", "));
        text += &item(&format!("**{}**: {pools}.", escape_markdown(owner)));
    }
    text
}

impl TokenMove {
    /// `Destiny Points 3 → 2 (1 gained, 2 spent)`. The sums are left out if they follow from the numbers.
    fn describe(&self) -> String {
        let Self {
            pool,
            from,
            to,
            gained,
            spent,
            ..
        } = self;
        let net = if from == to {
            format!("{pool} again {}", signed(*to))
        } else {
            format!("{pool} {} → {}", signed(*from), signed(*to))
        };
        let is_one_way = *gained == 0 || *spent == 0;
        if is_one_way && to - from == gained - spent {
            return net;
        }
        match (gained, spent) {
            (gained, 0) => format!("{net} ({gained} gained)"),
            (0, spent) => format!("{net} ({spent} spent)"),
            (gained, spent) => format!("{net} ({gained} gained, {spent} spent)"),
        }
    }
}

fn signed(number: i64) -> String {
    if number < 0 {
        format!("−{}", number.unsigned_abs())
    } else {
        number.to_string()
    }
}

/// The loose ends, a line each. Empty without loose ends.
pub(super) fn loose_ends(open: &LooseEnds) -> String {
    if open.is_empty() {
        return String::new();
    }

    let mut lines = Vec::new();
    for roll in &open.rolls {
        let who = match roll.who.as_str() {
            "" => "the GM".to_owned(),
            who => escape_markdown(who),
        };
        let check = escape_markdown(&in_sentence(&roll.check));
        lines.push(format!("A roll of {who} waits for an answer: {check}."));
    }
    for call in &open.calls {
        let who = escape_markdown(&call.who);
        let check = escape_markdown(&in_sentence(&call.check));
        lines.push(format!("**{who}** has yet to roll: {check}."));
    }
    for clock in &open.clocks {
        lines.push(clock.describe());
    }
    for character in &open.characters {
        let name = escape_markdown(&character.name);
        let states = escape_markdown(&character.changes.join(", "));
        lines.push(format!("**{name}**: {states}."));
    }
    for lock in &open.locks {
        let line = format!("{} cannot try {} again yet.", lock.who, lock.about);
        lines.push(escape_markdown(&line));
    }

    let mut text = "\n## Still open\n\n".to_owned();
    for line in lines {
        text += &item(&line);
    }
    text
}

impl NearlyFull {
    /// `**The alarm**: 5 of 6.`
    fn describe(&self) -> String {
        let name = match &self.owner {
            Some(owner) => format!("{} {}", possessive(owner), self.clock),
            None => self.clock.clone(),
        };
        let name = escape_markdown(&name);
        format!("**{name}**: {} of {}.", self.filled, self.segments)
    }
}
