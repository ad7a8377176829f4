//! Runs one target with libFuzzer, which is guided by code coverage.
//!
//! The environment variable `TARGET` selects the target. This command needs no nightly toolchain:
//! `TARGET=notation cargo fuzz run any --features libfuzzer --sanitizer none fuzz/corpus/notation`
//!
//! libFuzzer adds new inputs to the corpus. Commit one only if it is short and covers something new.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tableside_fuzz::Target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").expect("TARGET names a fuzz target");
    Target::find(&name).expect("there is a fuzz target of this name")
});

fuzz_target!(|input: &[u8]| TARGET.run(input));
