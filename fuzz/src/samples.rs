//! Tables with the sample games of the shipped systems.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use chrono::DateTime;
use tableside::cli::{Sample, sample};
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::store::Storage;
use tableside::table::Table;

thread_local! {
    /// Playing a sample game takes longer than most inputs, so each is played once.
    static SAMPLES: RefCell<HashMap<&'static str, Rc<Sample>>> = RefCell::default();
}

/// Returns the shipped system that a byte of the input selects.
pub(crate) fn select_system(byte: u8) -> System {
    let index = usize::from(byte) % System::shipped().len();
    System::shipped()
        .nth(index)
        .expect("the index is below the number of systems")
}

/// Opens a new table with the sample game of a system. The dice are the same each time.
pub(crate) fn open_table(system: System) -> Arc<Table> {
    open_stored_table(system, None)
}

/// Opens a table that can save its game in a storage.
pub(crate) fn open_stored_table(system: System, storage: Option<Storage>) -> Arc<Table> {
    let sample = played_sample(system);
    let dice = SystemDice::from_key([1; 32]);

    Table::unsaved(
        &sample.name,
        sample.game.clone(),
        sample.entries.clone(),
        storage,
        || DateTime::UNIX_EPOCH,
        Box::new(dice),
    )
}

fn played_sample(system: System) -> Rc<Sample> {
    SAMPLES.with_borrow_mut(|samples| {
        let sample = samples.entry(system.id()).or_insert_with(|| {
            let sample = sample(system).expect("every shipped system has a sample game");
            Rc::new(sample)
        });
        Rc::clone(sample)
    })
}
