//! The end of a recap as Markdown: loose ends, tokens and dice.

use super::characters::is_adjective;
use super::{bold, in_sentence, item, possessive, signed};
use crate::log_export::escape_markdown;
use crate::recap::{LooseEnds, OpenClock, OpenState, Recap, RemarkableLuck, Roller, TokenMove};
use tableside_text::{capitalise, join_with_and, pluralise};

/// Describes the pools that changed, in one line for each kind of pool. Empty if no pool has changed.
pub(super) fn tokens(moves: &[TokenMove]) -> String {
    let changed: Vec<&TokenMove> = moves.iter().filter(|tokens| tokens.has_changed()).collect();
    if changed.is_empty() {
        return String::new();
    }

    let mut text = "\n## Tokens\n\n".to_owned();
    let mut described: Vec<&str> = Vec::new();
    for pool in changed.iter().map(|tokens| tokens.pool.as_str()) {
        if described.contains(&pool) {
            continue;
        }
        described.push(pool);
        let owners: Vec<String> = changed
            .iter()
            .filter(|tokens| tokens.pool == pool)
            .map(|tokens| tokens.describe())
            .collect();
        let owners = escape_markdown(&owners.join(", "));
        text += &item(&format!("{}: {owners}.", bold(pool)));
    }
    text
}

impl TokenMove {
    /// True if the gained and spent tokens explain the present number. For players they may not, because players do not
    /// read every change.
    fn adds_up(&self) -> bool {
        self.to - self.from == self.gained - self.spent
    }

    fn has_changed(&self) -> bool {
        self.to != self.from || !self.adds_up()
    }

    /// `Torben has 6 (3 more)`, or `6 (3 more)` for a pool of the table.
    fn describe(&self) -> String {
        let stand = match &self.owner {
            Some(owner) => format!("{owner} has {}", signed(self.to)),
            None => signed(self.to),
        };
        let change = self.to - self.from;
        if !self.adds_up() || self.from == 0 {
            stand
        } else if change > 0 {
            format!("{stand} ({change} more)")
        } else {
            format!("{stand} ({} fewer)", change.unsigned_abs())
        }
    }
}

/// Describes the loose ends, in one line each. Empty if there are none.
pub(super) fn loose_ends(open: &LooseEnds, gm_title: &str) -> String {
    if open.is_empty() {
        return String::new();
    }

    let mut lines = Vec::new();
    for roll in &open.rolls {
        let roller = match roll.who.as_str() {
            "" => format!("The {gm_title}"),
            name => escape_markdown(name),
        };
        let whose = possessive(&roller);
        let check = escape_markdown(&capitalise(&roll.check));
        lines.push(format!("{whose} roll is waiting for an answer: {check}."));
    }
    for call in &open.calls {
        let check = escape_markdown(&capitalise(&call.check));
        lines.push(format!("{} has yet to roll: {check}.", bold(&call.who)));
    }
    lines.extend(open.clocks.iter().map(OpenClock::describe));
    lines.extend(open.characters.iter().map(OpenState::describe));
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

impl OpenClock {
    /// `**The alarm**: 5 of 6.`
    fn describe(&self) -> String {
        let name = match &self.owner {
            Some(owner) => format!("{} {}", possessive(owner), in_sentence(&self.clock)),
            None => self.clock.clone(),
        };
        format!("{}: {} of {}.", bold(&name), self.filled, self.segments)
    }
}

impl OpenState {
    /// `**Torben** is bleeding and has a wound (14).`
    fn describe(&self) -> String {
        let mut clauses = Vec::new();
        let states = self.states.iter().map(String::as_str);
        let (adjectives, nouns): (Vec<&str>, Vec<&str>) =
            states.partition(|state| is_adjective(without_duration(state)));
        if !adjectives.is_empty() {
            clauses.push(format!("is {}", join_with_and(&adjectives)));
        }
        if !nouns.is_empty() {
            let noun = if nouns.len() == 1 {
                "condition"
            } else {
                "conditions"
            };
            clauses.push(format!("has the {noun} {}", join_with_and(&nouns)));
        }
        for list in &self.lists {
            let is_wounds = list.stat == "wounds";
            let entries: Vec<String> = list
                .entries
                .iter()
                .map(|entry| {
                    if is_wounds {
                        entry.describe_wound()
                    } else {
                        entry.describe()
                    }
                })
                .collect();
            let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
            let entries = join_with_and(&entries);
            clauses.push(if is_wounds {
                format!("has {entries}")
            } else {
                format!("has {}: {entries}", in_sentence(&list.label))
            });
        }
        let text = clauses.join(" and ");
        format!("{} {}.", bold(&self.name), escape_markdown(&text))
    }
}

/// `dazed` of `dazed (2 rounds)`
fn without_duration(state: &str) -> &str {
    match state.split_once(" (") {
        Some((name, _)) => name,
        None => state,
    }
}

impl Recap {
    /// The rolls of the evening in one line. The GM also reads the rolls of each character.
    pub(super) fn dice(&self) -> String {
        let count = self.roll_count();
        if count == 0 {
            return String::new();
        }

        let decided: usize = self.rollers.iter().map(|roller| roller.decided).sum();
        let succeeded: usize = self.rollers.iter().map(|roller| roller.succeeded).sum();
        let mut text = pluralise(count, "roll");
        if decided == count {
            text += &format!(", {succeeded} succeeded");
        } else if decided > 0 {
            text += &format!(", {succeeded} of {decided} checks succeeded");
        }
        if self.reader.is_none() && self.rollers.len() > 1 {
            let rollers: Vec<String> = self
                .rollers
                .iter()
                .map(|roller| roller.describe(self.gm_title))
                .collect();
            text += &format!(": {}", rollers.join(", "));
        }
        format!("\n## Dice\n\n{}.\n", escape_markdown(&text))
    }
}

impl Roller {
    /// `Wren 15 of 33 (unlucky)`
    fn describe(&self, gm_title: &str) -> String {
        let who = if self.who.is_empty() {
            format!("the {gm_title}")
        } else {
            self.who.clone()
        };
        let rolls = if self.decided > 0 {
            format!("{} of {}", self.succeeded, self.decided)
        } else {
            self.count.to_string()
        };
        let luck = match self.remarkable {
            Some(RemarkableLuck::Lucky) => " (lucky)",
            Some(RemarkableLuck::Unlucky) => " (unlucky)",
            None => "",
        };
        format!("{who} {rolls}{luck}")
    }
}
