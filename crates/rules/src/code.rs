//! What of a rule system is code: the machines of its checks, and what it reads off a sheet.

use super::system_file::{Bearing, FileCheck, SheetPart, holds, looks_at};
use super::{
    CheckSpec, DynCheck, Field, Fields, HouseRules, NarrationTheme, Refused, Sheet, Value, machine,
};
use tableside_text::is_same_name;

/// A check's machine, or why the rules forbid it.
pub type PreparedCheck = Result<Box<dyn DynCheck>, Refused>;

/// A value off a sheet and where it comes from, in words.
pub type Derived = Option<(Value, String)>;

/// What of a rule system is no description: its rules, as code.
pub struct Code {
    /// Makes a check's machine from its fields and the house rules.
    pub prepare: fn(&Fields, &HouseRules) -> PreparedCheck,
    /// Works out the field of that id, whose source is [`super::ValueSource::Derived`], from a sheet; last the name that a
    /// person gave, if any.
    pub derive: fn(&Sheet, &HouseRules, &'static str, Option<&str>) -> Derived,
    /// What a stat of a sheet comes to in a check, in a few words; none where the number says it.
    pub means: fn(&Sheet, &'static str) -> Option<String>,
    /// The chances of each theme that the roll of these fields may bring.
    pub narration_themes: fn(&Fields, &HouseRules) -> Vec<NarrationTheme>,
}

impl Code {
    /// A system that has no more than its description.
    pub(super) const PLAIN: Self = Self {
        prepare: |_, _| Err(Refused("the program has no code for this check".to_owned())),
        derive: |_, _, _, _| None,
        means: Sheet::means,
        narration_themes: |_, _| Vec::new(),
    };
}

impl Field {
    /// What the rules work out for it from a sheet, or from the `name` that was picked for the field it follows.
    pub fn derive(&self, sheet: &Sheet, house: &HouseRules, name: Option<&str>) -> Derived {
        if !self.parts.is_empty() {
            let (sum, told) = SheetPart::add_up(self.parts, sheet.lookup(house)).ok()?;
            let value = self.value_of(sum)?;
            let is_offered = name.is_none() && self.start.as_ref() != Some(&value);
            return is_offered.then_some((value, told));
        }
        let Some(name) = name.filter(|_| !self.follows.is_empty()) else {
            return (sheet.system().code().derive)(sheet, house, self.id, name);
        };
        let is_meant = |id: &str| {
            let is_label = sheet
                .stat(id)
                .is_ok_and(|stat| is_same_name(stat.label, name));
            let mut entries = sheet.ranks(id).iter();
            is_label || entries.any(|(entry, _)| is_same_name(entry, name))
        };
        let mut follows = self.follows.iter();
        let (_, value) = follows.find(|(stat, _)| is_meant(stat))?;
        Some((value.clone(), name.to_owned()))
    }
}

/// Something that may not be tried again once a roll locked it.
pub struct MayLock {
    /// What it is called.
    pub about: String,
    /// What has to come first.
    pub until: &'static str,
    /// The field that says what it is called.
    pub field: Option<&'static Field>,
}

impl CheckSpec {
    /// Whether that condition of the system, by its place, bears on the check with these fields.
    pub fn is_borne_on(&self, condition: usize, fields: &Fields) -> bool {
        match self.bearing.get(condition) {
            Some(Bearing::Always) | None => true,
            Some(Bearing::Never) => false,
            Some(Bearing::Where(when)) => holds(when, fields),
        }
    }

    /// Whether that field says whether some condition bears on the check.
    pub fn says_what_bears(&self, field: &Field) -> bool {
        let place = self.fields.iter().position(|other| other.id == field.id);
        let mut bearing = self.bearing.iter();
        bearing.any(|bearing| match bearing {
            Bearing::Where(when) => place.is_some_and(|place| looks_at(when, place)),
            Bearing::Always | Bearing::Never => false,
        })
    }

    /// What a roll of these fields may lock; it may not be made where that is locked.
    pub fn may_lock(&self, fields: &Fields, house: &HouseRules) -> Vec<MayLock> {
        let program = self.program.filter(|program| program.may_lock());
        let begun = program.and_then(|program| FileCheck::new(program, fields, house).ok());
        begun.map_or_else(Vec::new, |(check, place)| check.locks(&place))
    }

    /// The check's machine, from its fields and the house rules; refuses what the rules forbid.
    pub fn prepare(&self, fields: &Fields, house: &HouseRules) -> PreparedCheck {
        match self.program {
            Some(program) => Ok(machine(fields, FileCheck::new(program, fields, house)?.0)),
            None => (self.system.code().prepare)(fields, house),
        }
    }
}
