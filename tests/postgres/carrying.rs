//! Every command at a database, and games carried there and back.

use std::path::PathBuf;

use rstest::rstest;

use crate::server::Server;
use crate::transcripts::play;

#[rstest]
fn a_shell_sees_what_is_written(#[files("tests/postgres/shell/*.txt")] file: PathBuf) {
    let Some(server) = Server::start() else {
        return;
    };
    let text = std::fs::read_to_string(file).unwrap();
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules/good_system.toml");
    play(&text.replace("URL", &server.url()).replace("RULES", rules));
}
