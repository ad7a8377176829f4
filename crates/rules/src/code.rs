//! The parts of a rule system that are Rust code: checks, and values derived from a sheet.

use super::system_file::{Bearing, FileCheck, SheetPart, holds, looks_at};
use super::{
    CheckSpec, DynCheck, Field, Fields, HouseRules, NarrationTheme, Refused, Sheet, Value, machine,
};
use tableside_text::is_same_name;

/// A check that is ready to roll, or the reason why the rules forbid it.
pub type PreparedCheck = Result<Box<dyn DynCheck>, Refused>;

/// A value derived from a sheet, with an explanation.
pub type Derived = Option<(Value, String)>;

/// The functions of a system that are Rust code.
pub struct Code {
    /// Prepares a check with these fields under these house rules.
    pub prepare: fn(&Fields, &HouseRules) -> PreparedCheck,
    /// Derives the field of this id, whose source is [`super::ValueSource::Derived`], from a sheet. The last argument is the
    /// name that was picked for the field that it follows, if any.
    pub derive: fn(&Sheet, &HouseRules, &'static str, Option<&str>) -> Derived,
    /// Returns the words that checks use for the number of this stat. `None` if they use the number itself.
    pub means: fn(&Sheet, &'static str) -> Option<String>,
    /// Computes the chances of the themes that a roll with these fields may have.
    pub narration_themes: fn(&Fields, &HouseRules) -> Vec<NarrationTheme>,
}

impl Code {
    /// The code of a system that has none.
    pub(super) const PLAIN: Self = Self {
        prepare: |_, _| Err(Refused("the program has no code for this check".to_owned())),
        derive: |_, _, _, _| None,
        means: Sheet::means,
        narration_themes: |_, _| Vec::new(),
    };
}

impl Field {
    /// Derives the field's value from a sheet, or from the `name` that was picked for the field that it follows.
    pub fn derive(&self, sheet: &Sheet, house: &HouseRules, name: Option<&str>) -> Derived {
        if !self.parts.is_empty() {
            return self.add_up_parts(sheet, house, name);
        }

        match name {
            Some(name) if !self.follows.is_empty() => self.follow_name(sheet, name),
            _ => (sheet.system().code().derive)(sheet, house, self.id, name),
        }
    }

    /// Adds up the parts. `None` if the sum is the default, or if a name was picked.
    fn add_up_parts(&self, sheet: &Sheet, house: &HouseRules, name: Option<&str>) -> Derived {
        let (sum, explanation) = SheetPart::add_up(self.parts, sheet.lookup(house)).ok()?;
        let value = self.value_of(sum)?;

        if name.is_some() || self.start.as_ref() == Some(&value) {
            None
        } else {
            Some((value, explanation))
        }
    }

    /// Returns the value for the stat with this label, or with an entry of this name.
    fn follow_name(&self, sheet: &Sheet, name: &str) -> Derived {
        for (id, value) in &self.follows {
            let is_label = sheet
                .stat(id)
                .is_ok_and(|stat| is_same_name(stat.label, name));
            let is_entry = sheet
                .ranks(id)
                .iter()
                .any(|(entry, _)| is_same_name(entry, name));
            if is_label || is_entry {
                return Some((value.clone(), name.to_owned()));
            }
        }
        None
    }
}

/// An attempt that may not be repeated after a roll locked it.
pub struct MayLock {
    /// The name of the attempt.
    pub about: String,
    /// The event that lifts the lock.
    pub until: &'static str,
    /// The field that holds the name.
    pub field: Option<&'static Field>,
}

impl CheckSpec {
    /// True if the condition at this index of the system affects the check with these fields.
    pub fn is_affected_by(&self, condition: usize, fields: &Fields) -> bool {
        match self.bearing.get(condition) {
            Some(Bearing::Always) | None => true,
            Some(Bearing::Never) => false,
            Some(Bearing::Where(when)) => holds(when, fields),
        }
    }

    /// True if this field decides whether some condition affects the check.
    pub fn decides_conditions(&self, field: &Field) -> bool {
        let Some(index) = self.fields.iter().position(|other| other.id == field.id) else {
            return false;
        };
        self.bearing.iter().any(|bearing| match bearing {
            Bearing::Where(when) => looks_at(when, index),
            Bearing::Always | Bearing::Never => false,
        })
    }

    /// Returns the locks that a roll with these fields may set. If one of them is already set, the roll is not allowed.
    pub fn may_lock(&self, fields: &Fields, house: &HouseRules) -> Vec<MayLock> {
        let Some(program) = self.program else {
            return Vec::new();
        };
        if !program.may_lock() {
            return Vec::new();
        }

        match FileCheck::new(program, fields, house) {
            Ok((check, stage)) => check.locks(&stage),
            Err(_) => Vec::new(),
        }
    }

    /// Prepares the check with these fields under these house rules.
    ///
    /// # Errors
    /// If the rules forbid it.
    pub fn prepare(&self, fields: &Fields, house: &HouseRules) -> PreparedCheck {
        match self.program {
            Some(program) => {
                let (check, _) = FileCheck::new(program, fields, house)?;
                Ok(machine(fields, check))
            }
            None => (self.system.code().prepare)(fields, house),
        }
    }
}
