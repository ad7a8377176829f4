//! Looks up the characters, clocks, pools and other targets that a typed name means.

use super::error::refused;
use super::form::SlotKind;
use super::known_names::list_known_names;
use super::name_lookup::{KnownName, NameMatch, find_name};
use super::{ParseError, Target};
use tableside_game::Allegiance;
use tableside_table::SeatView;
use tableside_text::{fold, is_same_name};

/// The targets that a name means, and the uncertainty of the name.
pub(super) struct FoundTargets {
    pub(super) targets: Vec<Target>,
    /// The sum of the uncertainties of the names; 0 if all are exact.
    pub(super) uncertainty: u32,
}

impl FoundTargets {
    fn certain(targets: Vec<Target>) -> Self {
        Self {
            targets,
            uncertainty: 0,
        }
    }

    fn single(name_match: NameMatch<Target>) -> Self {
        let mut targets = Self::certain(Vec::new());
        targets.add(name_match);
        targets
    }

    fn add(&mut self, name_match: NameMatch<Target>) {
        self.uncertainty += name_match.resemblance.uncertainty();
        if !self.targets.contains(&name_match.value) {
            self.targets.push(name_match.value);
        }
    }
}

/// Looks up a name for a slot. If the slot accepts several targets, the name can be a list such as `Mira, Bo and Wren`,
/// or mean the whole party. If the words already named an owner, `owner` is that owner, and only its pools are
/// searched.
pub(super) fn look_up_targets(
    kind: SlotKind,
    name: &str,
    owner: Option<Target>,
    view: &SeatView<'_>,
) -> Result<FoundTargets, ParseError> {
    let folded = fold(name);
    if kind == SlotKind::Stat
        && let Some(id) = find_stat_by_id(&folded, view)
    {
        return Ok(FoundTargets::certain(vec![Target::Stat(id)]));
    }

    let pool_owner = match kind {
        SlotKind::Pool => owner,
        _ => None,
    };
    let known_names = list_known_names(kind, pool_owner, view);
    if kind == SlotKind::Owner && !is_known_exactly(name, &known_names) {
        if is_table(&folded) {
            return Ok(FoundTargets::certain(vec![Target::Table]));
        }
        if is_whole_party(&folded) {
            let reason = format!("\"{name}\" is not a single owner; name a character or the table");
            return Err(refused(reason));
        }
    }

    let error = match find_name(kind.noun(), name, &known_names) {
        Ok(name_match) => return Ok(FoundTargets::single(name_match)),
        Err(error) => error,
    };

    // A character with the name `all` takes precedence over the whole party.
    if kind == SlotKind::Characters && is_whole_party(&folded) {
        return Ok(FoundTargets::certain(list_present_party(view)));
    }

    let accepts_list = matches!(kind, SlotKind::Characters | SlotKind::CharactersAndClocks);
    let names = split_list(name);
    if !accepts_list || names.len() < 2 {
        return Err(error);
    }

    let mut listed_targets = FoundTargets::certain(Vec::new());
    for name in names {
        listed_targets.add(find_name(kind.noun(), name, &known_names)?);
    }
    Ok(listed_targets)
}

/// Finds a stat by its id, which is unique. Several stats can have the same label.
fn find_stat_by_id(folded: &str, view: &SeatView<'_>) -> Option<&'static str> {
    let stats = view.system().spec().stats;
    let stat = stats.iter().find(|stat| stat.id == folded)?;
    Some(stat.id)
}

/// True if one of the known names equals `name`, ignoring case.
fn is_known_exactly(name: &str, known_names: &[KnownName<Target>]) -> bool {
    known_names
        .iter()
        .any(|known| is_same_name(&known.name, name))
}

fn is_table(folded: &str) -> bool {
    matches!(folded, "table" | "the table")
}

fn is_whole_party(folded: &str) -> bool {
    matches!(
        folded,
        "all" | "everybody" | "everyone" | "party" | "the party"
    )
}

/// The characters of the party that are not absent.
pub(super) fn list_present_party(view: &SeatView<'_>) -> Vec<Target> {
    let mut party = Vec::new();
    for character in view.roster() {
        if character.is_here() && character.side == Allegiance::Party {
            party.push(Target::Character(character.id));
        }
    }
    party
}

/// Splits `Mira, Bo and Wren` into its names. The case of `and` does not matter.
pub(super) fn split_list(names: &str) -> Vec<&str> {
    const AND: &str = " and ";

    let mut list = Vec::new();
    for part in names.split(',') {
        let mut remaining = part;
        // Converting ASCII letters to lower case keeps every position in the text.
        while let Some(position) = remaining.to_ascii_lowercase().find(AND)
            && let Some((name, and_later)) = remaining.split_at_checked(position)
        {
            list.push(name.trim());
            remaining = and_later.get(AND.len()..).unwrap_or_default();
        }
        list.push(remaining.trim());
    }
    list.retain(|name| !name.is_empty());
    list
}
