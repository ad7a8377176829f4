//! A check that one makes for all: the worst of the group, or the best.

use std::collections::BTreeSet;

use super::Setup;
use crate::rules::{Source, Value};
use crate::screen::dialog::roll::value::Given;
use crate::screen::roll_requests;
use crate::session::{Allegiance, CharacterId, GroupKind, GroupPick};
use crate::table::SeatView;

/// Who rolls for all.
#[derive(Clone, Debug)]
pub(in crate::screen::dialog::roll) struct Group {
    pub(in crate::screen::dialog::roll) kind: GroupKind,
    /// Who of the party takes no part.
    out: BTreeSet<CharacterId>,
    /// Who was found, or why nobody was.
    found: Result<GroupPick, String>,
    /// Who was found, and why, in words.
    pub(in crate::screen::dialog::roll) why: String,
}

impl Group {
    /// The group of that kind, before anybody was found.
    pub(super) fn new(kind: GroupKind) -> Self {
        Self {
            kind,
            out: BTreeSet::new(),
            found: Err(String::new()),
            why: String::new(),
        }
    }

    /// Why nobody was found.
    pub(super) fn problem(&self) -> Option<&str> {
        self.found.as_ref().err().map(String::as_str)
    }

    /// Those who help the one who was found.
    pub(super) fn helpers(&self) -> &[CharacterId] {
        self.found.as_ref().map_or(&[], |pick| &pick.helpers)
    }

    /// Whether that one takes part.
    pub(in crate::screen::dialog::roll) fn has(&self, id: CharacterId) -> bool {
        !self.out.contains(&id)
    }

    /// Lets that one take part, or stay out.
    pub(super) fn turn(&mut self, id: CharacterId) {
        if !self.out.remove(&id) {
            self.out.insert(id);
        }
    }
}

/// The party, as far as it is here.
pub(super) fn members(seen: &SeatView<'_>) -> Vec<CharacterId> {
    let here = seen.roster().filter(|one| one.is_here());
    let party = here.filter(|one| one.side == Allegiance::Party);
    party.map(|one| one.id).collect()
}

impl Setup {
    /// Lets one roll for all; what was picked by name is meant for everybody.
    pub(super) fn gather(&mut self, kind: GroupKind, seen: &SeatView<'_>) {
        let out = self.group.take().map(|group| group.out);
        let mut group = Group::new(kind);
        group.out = out.unwrap_or_default();
        let members = members(seen);
        let is_member = |who: &CharacterId| members.contains(who);
        self.who = self
            .who
            .filter(is_member)
            .or_else(|| members.first().copied());
        let check = self.check;
        self.given.retain(|(id, given)| {
            let field = check.field(id);
            let of_the_table = field.is_none_or(|field| matches!(field.source, Source::Table));
            of_the_table || matches!(given, Given::Pick(_))
        });
        self.group = Some(group);
    }

    /// Finds who rolls for all, with what.
    pub(super) fn find_group(&mut self, seen: &SeatView<'_>) {
        let Some(mut group) = self.group.take() else {
            return;
        };
        let without: Vec<CharacterId> = group.out.iter().copied().collect();
        let given = self.said();
        let found = seen.group(self.check, group.kind, &given, &without);
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
        self.group = Some(group);
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
            let of_the_table = self
                .check
                .field(id)
                .is_some_and(|field| field.source == Source::Table);
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
}
