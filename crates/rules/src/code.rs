//! The parts of a rule system that are Rust code: checks, and values derived from a sheet.

use super::system_file::{Bearing, FileCheck, SheetPart, holds, looks_at};
use super::{
    CheckSpec, DynCheck, Field, Fields, HouseRules, NarrationTheme, Refused, Sheet, Value, machine,
};
use tableside_text::is_same_name;

/// A check that is ready to roll, or the reason why the rules forbid it.
pub type PreparedCheck = Result<Box<dyn DynCheck>, Refused>;

/// A value derived from a sheet, with an explanation such as `Might Challenge Number`. `None` if it cannot be derived
/// from this sheet.
pub type Derived = Option<(Value, String)>;

/// The functions of a system that are Rust code.
pub struct Code {
    /// Prepares a check whose rules are Rust code, with these fields under these house rules.
    pub prepare: fn(&Fields, &HouseRules) -> PreparedCheck,
    /// Derives the field of this id, whose source is [`super::ValueSource::Derived`], from a sheet. The last argument
    /// is the name that was picked for [`super::ValueSource::Follows`], if any.
    pub derive: fn(&Sheet, &HouseRules, &'static str, Option<&str>) -> Derived,
    /// Returns what the value of this stat amounts to in checks, such as `trained` or `CN 12`. `None` if there is
    /// nothing to add to the value.
    pub means: fn(&Sheet, &'static str) -> Option<String>,
    /// Computes the chance of each narration theme of a roll with these fields.
    pub narration_themes: fn(&Fields, &HouseRules) -> Vec<NarrationTheme>,
}

impl Code {
    /// The functions of a system whose rules are all in its file.
    pub(super) const PLAIN: Self = Self {
        prepare: refuse,
        derive: |_, _, _, _| None,
        means: Sheet::means,
        narration_themes: |_, _| Vec::new(),
    };
}

fn refuse(_: &Fields, _: &HouseRules) -> PreparedCheck {
    let reason = "the program has no code for this check";
    Err(Refused(reason.to_owned()))
}

impl Field {
    /// Derives the field's value from a sheet. `name` is the name that was picked for the other field in
    /// [`super::ValueSource::Follows`].
    pub fn derive(&self, sheet: &Sheet, house: &HouseRules, name: Option<&str>) -> Derived {
        let has_parts = !self.parts.is_empty();
        let follows_names = !self.follows.is_empty();

        match name {
            None if has_parts => self.add_up_parts(sheet, house),
            Some(_) if has_parts => None,
            Some(name) if follows_names => self.follow_name(sheet, name),
            _ => {
                let code = sheet.system().code();
                (code.derive)(sheet, house, self.id, name)
            }
        }
    }

    /// Adds up the field's parts. `None` if the sum equals the default value of the field.
    fn add_up_parts(&self, sheet: &Sheet, house: &HouseRules) -> Derived {
        let sum = SheetPart::add_up(self.parts, sheet.lookup(house));
        let (sum, explanation) = sum.ok()?;
        let value = self.value_of(sum)?;

        let is_default = self.start.as_ref() == Some(&value);
        if is_default {
            None
        } else {
            Some((value, explanation))
        }
    }

    /// Returns the value for the stat whose label is `name`, or for the list that has an entry of that name.
    fn follow_name(&self, sheet: &Sheet, name: &str) -> Derived {
        for (id, value) in &self.follows {
            let stat = sheet.stat(id);
            let is_label = stat.is_ok_and(|stat| is_same_name(stat.label, name));
            let mut entries = sheet.ranks(id).iter();
            let is_entry = entries.any(|(entry, _)| is_same_name(entry, name));

            if is_label || is_entry {
                return Some((value.clone(), name.to_owned()));
            }
        }
        None
    }
}

/// An attempt that a roll may lock, so that it cannot be repeated at once.
pub struct MayLock {
    /// The name of the attempt.
    pub about: String,
    /// The event after which the attempt is allowed again, such as `a night's rest`.
    pub until: &'static str,
    /// The field that names the attempt.
    pub field: Option<&'static Field>,
}

impl CheckSpec {
    /// True if an effect of a condition applies to the check with these fields. `condition` is its index in
    /// [`super::SystemSpec::conditions`], and `effect` the index among the effects of the condition.
    pub fn is_affected_by(&self, condition: usize, effect: usize, fields: &Fields) -> bool {
        let bearings = self.bearing.get(condition);
        match bearings.and_then(|bearings| bearings.get(effect)) {
            Some(Bearing::Always) | None => true,
            Some(Bearing::Never) => false,
            Some(Bearing::Where(when)) => holds(when, fields),
        }
    }

    /// True if the value of this field can decide whether a condition affects the check.
    pub fn decides_conditions(&self, field: &Field) -> bool {
        let mut fields = self.fields.iter();
        let Some(index) = fields.position(|other| other.id == field.id) else {
            return false;
        };
        self.bearing.iter().flatten().any(|bearing| match bearing {
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
