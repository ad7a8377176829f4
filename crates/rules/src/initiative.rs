//! The roll for the order of turns.

/// The roll by which a system decides the order of turns.
#[derive(Clone, Copy, Debug)]
pub struct InitiativeRules {
    /// The id of the check whose total is the initiative of the roller. The check asks no questions and needs no field
    /// without a value, so that the GM can roll for all characters at once.
    pub check: &'static str,
    /// The id of the stat that decides between equal totals of one roll; the higher stat acts first. `None` leaves ties
    /// to the GM.
    pub tie: Option<&'static str>,
}
