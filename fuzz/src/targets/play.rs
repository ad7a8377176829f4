//! Input of players at a table.

use std::sync::Arc;

use tableside::commands::Request;
use tableside::rules::System;
use tableside::screen::{Input, Screen, Setup};
use tableside::table::{Seat, Table};

use super::text::assert_is_safe;
use crate::samples::{open_table, select_system};

/// The most phrases of one input.
const MAX_PHRASES: usize = 8;

/// The bytes that a screen receives at once.
const BYTES_PER_READ: usize = 16;

/// The most reads of one input. Each renders a frame, so a long input would take seconds without a fault.
const MAX_READS: usize = 32;

/// Fills in the fields of every check, as on the command line and in the roll dialog.
///
/// The first byte selects the system. The other bytes are the values, one a line.
pub(super) fn fill_fields(input: &[u8]) {
    let Some((&system, values)) = input.split_first() else {
        return;
    };
    let system = select_system(system);
    let values = String::from_utf8_lossy(values);
    let table = open_table(system);

    table.read(&Seat::gm(), |view| {
        let roller = view.roster().next().map(|character| character.id);

        for check in system.spec().checks {
            let mut filled = view.fill(check, roller);
            for (field, value) in check.fields.iter().zip(values.split('\n').cycle()) {
                // A wrong value is an ordinary error.
                view.fill_in(&mut filled, roller, field, value).ok();
            }
        }
    });
}

/// Runs commands in plain words, one a line, on the same table.
///
/// The first byte selects the system, and whether rolls wait at a choice.
pub(super) fn run_phrases(input: &[u8]) {
    let Some((&selector, phrases)) = input.split_first() else {
        return;
    };
    let wait = selector >= 128;
    let table = open_table(select_system(selector));

    for phrase in String::from_utf8_lossy(phrases).lines().take(MAX_PHRASES) {
        run_phrase(&table, phrase, wait);
    }

    table.read(&Seat::gm(), |view| {
        for clock_view in view.clocks() {
            let clock = clock_view.clock;
            assert!(clock.filled <= clock.segments.into());
        }
    });
}

fn run_phrase(table: &Arc<Table>, phrase: &str, wait: bool) {
    let request = Request::Say {
        words: phrase.to_owned(),
        wait,
        text: None,
    };

    match request.run(table, &Seat::gm()) {
        Ok(response) => assert_is_safe(&response.entry.event.text(response.system)),
        Err(error) => assert_is_safe(&error.what),
    }
}

/// Sends bytes of a terminal to a screen, which handles them and renders a frame after each part.
pub(super) fn use_screen(input: &[u8]) {
    let table = open_table(System::HEART_RUSH);
    let mut screen = Screen::new(table, Setup::gm(), (80, 24));

    for bytes in input.chunks(BYTES_PER_READ).take(MAX_READS) {
        screen.handle(Input::Bytes(bytes.to_vec()));
        screen.handle(Input::Silence);

        while let Some(job) = screen.take_job() {
            screen.handle(Input::JobDone(job.answer()));
        }

        screen.frame();
    }
}
