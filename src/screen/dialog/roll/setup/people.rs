//! Who makes a check: one, or one for all; and who helps, by name.

use std::collections::BTreeSet;

use super::Setup;
use crate::rules::{CheckSpec, Field, Kind, Source, Value, Whose};
use crate::screen::dialog::roll::value::Given;
use crate::screen::roll_requests;
use crate::session::{Allegiance, Character, CharacterId, GroupKind, GroupPick};
use crate::table::{Role as SeatRole, SeatView};

/// The fields that help fills in.
const HELPED: [&str; 3] = ["helped", "aided", "group"];

/// Whether naming helpers fills in that field.
pub(super) fn is_raised_by_help(field: &Field) -> bool {
    HELPED.contains(&field.id) || field.whose == Whose::Helper
}

/// Who makes a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    One(CharacterId),
    Nobody,
    All(GroupKind),
}

/// Who may make a check from this seat: the GM's everybody, nobody, and one for all; a player's own.
pub(super) fn makers(check: &CheckSpec, seen: &SeatView<'_>) -> Vec<Maker> {
    let seat = seen.seat();
    let may = |id: &CharacterId| seat.role != SeatRole::Player || seat.characters.contains(id);
    let is_group = check.has_success && members(seen).len() > 1;
    let here = seen.roster().filter(|one| one.is_here());
    let mut known: Vec<Maker> = here.map(|one| one.id).filter(may).map(Maker::One).collect();
    if seat.role != SeatRole::Player || known.is_empty() {
        known.push(Maker::Nobody);
    }
    if seat.role != SeatRole::Player && is_group {
        known.extend([GroupKind::Worst, GroupKind::Best].map(Maker::All));
    }
    known
}

/// Everybody who plays a character, and who sits here.
pub(super) fn players(seen: &SeatView<'_>) -> Vec<String> {
    let playing = seen.roster().map(|one| one.player.as_str());
    let here = seen.seat();
    let here = (here.role == SeatRole::Player).then_some(here.name.as_str());
    let names = playing.chain(here).filter(|name| !name.is_empty());
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(str::to_owned).collect()
}

/// The party, as far as it is here.
fn members(seen: &SeatView<'_>) -> Vec<CharacterId> {
    let party = |one: &&Character| one.side == Allegiance::Party && one.is_here();
    seen.roster().filter(party).map(|one| one.id).collect()
}

/// Who rolls for all.
#[derive(Debug)]
pub(in crate::screen::dialog::roll) struct Group {
    pub(super) kind: GroupKind,
    /// Who of the party takes no part.
    out: BTreeSet<CharacterId>,
    /// Who was found, or why nobody was.
    pub(super) found: Result<GroupPick, String>,
    /// Who was found, and why, in words.
    pub(super) why: String,
}

impl Group {
    /// Whether that one takes part.
    pub(super) fn has(&self, id: CharacterId) -> bool {
        !self.out.contains(&id)
    }
}

impl Setup {
    /// Lets one roll for all; what was picked by name is meant for everybody.
    pub(super) fn gather(&mut self, kind: GroupKind, seen: &SeatView<'_>) {
        let out = self.group.take().map(|group| group.out);
        self.group = Some(Group {
            kind,
            out: out.unwrap_or_default(),
            found: Err(String::new()),
            why: String::new(),
        });
        let members = members(seen);
        let member = self.who.filter(|who| members.contains(who));
        self.who = member.or_else(|| members.first().copied());
        let check = self.check;
        self.given.retain(|(id, given)| {
            let field = check.field(id);
            let of_the_table = field.is_none_or(|field| matches!(field.source, Source::Table));
            of_the_table || matches!(given, Given::Pick(_))
        });
    }

    /// Finds who rolls for all, with what.
    pub(super) fn find_group(&mut self, seen: &SeatView<'_>) {
        let said = self.said();
        let Some(group) = &mut self.group else {
            return;
        };
        let without: Vec<CharacterId> = group.out.iter().copied().collect();
        let found = seen.group(self.check, group.kind, &said, &without);
        group.found = found.map_err(|refusal| refusal.to_string());
        if let Ok(pick) = &group.found {
            self.who = Some(pick.who);
            self.filled = pick.filled.clone();
            group.why = roll_requests::found(pick, group.kind, seen);
        } else {
            self.filled = seen.fill(self.check, self.who);
            group.why.clear();
        }
        for (id, given) in &self.given {
            if matches!(given, Given::Nothing) {
                self.filled.fields.clear(id);
            }
        }
    }

    /// What was said of the check, as a person writes it.
    fn said(&self) -> Vec<(String, String)> {
        let mut said: Vec<(String, String)> = Vec::new();
        let mut say = |id: &str, words: String| {
            said.retain(|(known, _)| known != id);
            said.push((id.to_owned(), words));
        };
        for (id, value) in &self.starts {
            // What sheets have is each one's own.
            let field = self.check.field(id);
            let of_the_table = field.is_some_and(|field| field.source == Source::Table);
            if of_the_table && !self.excluded(id) {
                say(id, value.to_string());
            }
        }
        for (field, name) in &self.usual {
            say(field.id, name.clone());
        }
        for (id, given) in &self.given {
            if self.check.field(id).is_none() {
                continue;
            }
            match given {
                Given::Pick(name) => say(id, name.clone()),
                Given::Value(Value::Flag(on)) => say(id, if *on { "yes" } else { "no" }.into()),
                Given::Value(value) => say(id, value.to_string()),
                Given::Nothing => {}
            }
        }
        said
    }

    /// Whether the rules let others help with the check.
    pub(super) fn takes_help(&self) -> bool {
        self.check.helping.is_some()
    }

    /// Who could help, or take part.
    pub(super) fn others(&self, seen: &SeatView<'_>) -> Vec<CharacterId> {
        if self.group.is_some() {
            return members(seen);
        }
        let here = seen.roster().filter(|one| one.is_here());
        let here = here.map(|one| one.id);
        here.filter(|id| Some(*id) != self.who).collect()
    }

    /// Lets the helpers help, as far as the check takes help.
    pub(super) fn let_help(&mut self, seen: &SeatView<'_>) {
        let others = self.others(seen);
        self.helpers.retain(|id| others.contains(id));
        if self.takes_help() {
            let helpers: Vec<CharacterId> = self.helpers.iter().copied().collect();
            // They were all found just now.
            seen.help(&mut self.filled, self.who, &helpers).ok();
        }
    }

    /// Turning off what the helpers brought sends them away; returns whether it did.
    pub(super) fn helpers_are_sent_away(&mut self, field: &Field) -> bool {
        let raised = self.group.is_none()
            && !self.helpers.is_empty()
            && matches!(field.kind, Kind::Flag)
            && is_raised_by_help(field);
        if raised {
            self.helpers.clear();
        }
        raised
    }

    /// Who helps with the check as it stands.
    pub(super) fn helping(&self) -> Vec<CharacterId> {
        match &self.group {
            Some(group) => group
                .found
                .as_ref()
                .map_or(Vec::new(), |pick| pick.helpers.clone()),
            None if self.takes_help() => self.helpers.iter().copied().collect(),
            None => Vec::new(),
        }
    }

    /// Those who lend a value of their own sheets.
    pub(super) fn lent(&self, seen: &SeatView<'_>) -> Vec<CharacterId> {
        let fields = self.check.fields.iter();
        let helping = fields.filter(|field| field.whose == Whose::Helper);
        helping
            .filter_map(|field| {
                let owner = self.filled.source(field.id)?.owner()?;
                Some(seen.character(owner)?.id)
            })
            .collect()
    }

    /// Lets that one help, or not any more; in a group lets it take part, or stay out.
    pub(super) fn turn_helper(&mut self, id: CharacterId) {
        let people = match &mut self.group {
            Some(group) => &mut group.out,
            None => &mut self.helpers,
        };
        if !people.remove(&id) {
            people.insert(id);
        }
        if self.group.is_none() {
            // What help brings is not what was said by hand before.
            let check = self.check;
            self.given.retain(|(known, _)| {
                let field = check.field(known);
                field.is_none_or(|field| !is_raised_by_help(field))
            });
        }
    }
}
