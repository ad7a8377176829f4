//! Much at once: nothing that is typed or pasted is lost.

use super::*;

fn log(status: &Json) -> u64 {
    status["log"].as_u64().unwrap()
}

#[test]
fn two_thousand_keys_at_once_are_all_heard() {
    let data = new_game("hfrpg");
    let before = log(&status(data.path()));
    let mut terminal = Terminal::play(data.path());
    terminal.press("4");
    terminal.press(&"+-".repeat(1000));
    terminal.quit("q");
    assert_eq!(log(&status(data.path())), before + 2000);
}

#[test]
fn a_paste_of_two_thousand_letters_arrives_whole() {
    let data = new_game("hfrpg");
    let before = log(&status(data.path()));
    let mut terminal = Terminal::play(data.path());
    terminal.press("5a");
    terminal.wait(|shown| shown.contains("Note"));
    let text: String = "wind and rain ".chars().cycle().take(1999).collect();
    terminal.press(&format!("\x1b[200~{text}.\x1b[201~"));
    terminal.wait(|shown| shown.contains("rain"));
    terminal.press("\r");
    terminal.wait_saved(data.path(), |status| log(status) > before);
    terminal.quit("q");
    let told = run(data.path(), &["log", "demo", "--json"]);
    assert!(told.contains(&format!("{text}.")), "cut");
}
