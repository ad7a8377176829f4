//! `TARGET=notation cargo fuzz run any --features libfuzzer`: a target under libFuzzer.

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
