//! Compares the dice of Tableside with other libraries in one run: rolls per second (tyche, caith, xdy) and exact odds
//! (xdy).
//!
//! With `--json` it prints our own odds and times instead, for `benches/peers.py`, which adds icepool, dyce and another
//! binary of Tableside.

mod exact_odds;
mod rolls;
mod timing;
mod xdy_odds;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--json") {
        println!("{}", exact_odds::as_json());
        return ExitCode::SUCCESS;
    }

    rolls::compare();
    if xdy_odds::compare() {
        ExitCode::SUCCESS
    } else {
        println!("slower than xdy, or not equal");
        ExitCode::FAILURE
    }
}
