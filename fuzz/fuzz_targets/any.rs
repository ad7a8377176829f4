//! A target under libFuzzer, which looks for inputs that reach new code. On stable Rust:
//! `TARGET=notation cargo fuzz run any --features libfuzzer --sanitizer none corpus/notation`; what it finds to
//! be new is written there, and stays out of the repository unless it is short and says something.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let name = std::env::var("TARGET").unwrap_or_default();
    let target = tableside_fuzz::TARGETS
        .iter()
        .find(|(known, _)| *known == name);
    if let Some((_, run)) = target {
        run(data);
    }
});
