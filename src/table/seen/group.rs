//! Help, groups, and calls, among those whom the seat knows.

use super::Seen;
use crate::rules::CheckSpec;
use crate::session::{Character, CharacterId, Filled, GroupKind, GroupPick, Refusal};

impl Seen<'_> {
    /// Lets these help with a check, as [`Session::help`](crate::session::Session::help) does.
    pub fn help(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        helpers: &[CharacterId],
    ) -> Result<(), Refusal> {
        if helpers.iter().any(|id| self.character(*id).is_none()) {
            return Err(Refusal::Gone("character"));
        }
        self.session.help(filled, who, helpers)
    }

    /// Why that one's help brings nothing as the check stands, as [`Session::helps_in_vain`](crate::session::Session::helps_in_vain) says.
    pub fn helps_in_vain(&self, filled: &Filled, helper: &Character) -> Option<String> {
        self.session.helps_in_vain(filled, helper)
    }

    /// Who of the party that the seat knows rolls for all, as [`Session::group`](crate::session::Session::group) finds.
    pub fn group(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        given: &[(String, String)],
    ) -> Result<GroupPick, Refusal> {
        self.group_without(check, kind, given, &[])
    }

    /// The fields of a call on the one who was found, as [`Session::called_with`](crate::session::Session::called_with) says.
    pub fn called_with(
        &self,
        pick: &GroupPick,
        given: &[(String, String)],
    ) -> Vec<(String, String)> {
        self.session.called_with(pick, given)
    }

    /// What of a call's fields that one lacks, by name.
    pub fn lacking(
        &self,
        check: &'static CheckSpec,
        who: CharacterId,
        given: &[(String, String)],
    ) -> Vec<String> {
        let known = |one: &Character| self.knows(one);
        let trained = self.session.as_far_as_trained(check, who, given, &known);
        trained.map_or_else(|_| Vec::new(), |trained| trained.lacking)
    }

    /// The same where these take no part.
    pub fn group_without(
        &self,
        check: &'static CheckSpec,
        kind: GroupKind,
        given: &[(String, String)],
        without: &[CharacterId],
    ) -> Result<GroupPick, Refusal> {
        let known = |one: &Character| self.knows(one) && !without.contains(&one.id);
        self.session.group_knowing(check, kind, given, &known)
    }
}
