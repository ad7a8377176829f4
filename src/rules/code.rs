//! What of a rule system is code: the machines of its checks, and what it reads off a sheet.

use super::system_file::{Bearing, FileCheck, holds};
use super::{
    CheckSpec, DynCheck, Fields, House, Refused, Sheet, Standing, ThemeSpec, Value, machine,
};

/// A check's machine, or why the rules forbid it.
pub type PreparedCheck = Result<Box<dyn DynCheck>, Refused>;

/// A value off a sheet and where it comes from, in words.
pub type Derived = Option<(Value, String)>;

/// What of a rule system is no description: its rules, as code.
pub struct Code {
    /// Makes a check's machine from its fields and the house rules.
    pub prepare: fn(&Fields, &House) -> PreparedCheck,
    /// Works out a field whose source is [`super::Source::Derived`] from a sheet; the text is the name that a
    /// person gave, if any.
    pub derive: fn(&Sheet, &House, &'static str, Option<&str>) -> Derived,
    /// Reads off a sheet how somebody stands under the house rules.
    pub standing: fn(&Sheet, &House) -> Option<Standing>,
    /// Reads off a sheet how much harm somebody has, and how much takes one out; none where the rules count none.
    pub harm: fn(&Sheet) -> Option<(i32, i32)>,
    /// What a stat of a sheet comes to in a check, in a few words; none where the number says it.
    pub means: fn(&Sheet, &'static str) -> Option<String>,
    /// The chances of each theme that the roll of these fields may bring.
    pub themes: fn(&Fields, &House) -> Vec<ThemeSpec>,
}

impl Code {
    /// A system that has no more than its description; its checks are still to be said.
    pub(super) const PLAIN: Self = Self {
        prepare: |_, _| Err(Refused(String::new())),
        derive: |_, _, _, _| None,
        standing: |_, _| None,
        harm: |_| None,
        means: |_, _| None,
        themes: |_, _| Vec::new(),
    };
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

    /// The check's machine, from its fields and the house rules; refuses what the rules forbid.
    pub fn prepare(&self, fields: &Fields, house: &House) -> PreparedCheck {
        match self.program {
            Some(program) => Ok(machine(fields, FileCheck::new(program, fields, house)?)),
            None => (self.system.code().prepare)(fields, house),
        }
    }
}
