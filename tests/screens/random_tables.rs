//! Random tables on the screen: listed, searched, rolled on, written and deleted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tableside::game::{EventKind, RandomTables};
use tableside::rules::System;
use tableside::screen::Memory;
use tableside::screen::theme::Theme;
use tableside::table::Seat;

use crate::bench::Bench;
use crate::games;

/// The files of random tables, in memory.
#[derive(Clone, Debug, Default)]
struct TableFolder(Arc<Mutex<BTreeMap<String, String>>>);

impl TableFolder {
    fn read(&self, system: &str) -> RandomTables {
        let files = self.0.lock().unwrap().clone().into_iter();
        RandomTables::with_included(files.map(|(name, text)| (name, Ok(text))), Some(system))
    }
}

impl Memory for TableFolder {
    fn themes(&self) -> Vec<(String, Result<Theme, String>)> {
        Vec::new()
    }

    fn keep_theme(&self, _name: &str) -> Result<(), String> {
        Ok(())
    }

    fn save_table(&self, name: &str, text: &str, _replace: bool) -> Result<(), String> {
        let mut files = self.0.lock().unwrap();
        files.insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn delete_table(&self, name: &str) -> Result<(), String> {
        let removed = self.0.lock().unwrap().remove(name);
        removed.map(drop).ok_or_else(|| "no such file".to_owned())
    }
}

fn sit_down(size: (u16, u16)) -> (Bench, TableFolder) {
    let folder = TableFolder::default();
    let table = games::empty(System::HEART_RUSH);
    let files = folder.clone();
    table.use_random_tables(Box::new(move |system| Arc::new(files.read(system))));
    let memory: Arc<dyn Memory> = Arc::new(folder.clone());
    let bench = Bench::with(&table, size, |setup| setup.memory = Some(memory));
    (bench, folder)
}

#[test]
fn the_list_shows_the_tables_of_the_system_and_the_rows_of_one() {
    let (mut bench, _) = sit_down((120, 40));
    bench.press("C-t").see("Random tables");
    bench.see("Heroic complications");
    assert!(!bench.text().contains("Dungeon complications"));

    bench.press("/").type_text("weather");
    bench.press("Enter").see("Fog so thick");
    assert!(!bench.text().contains("Heroic complications"));
}

#[test]
fn enter_rolls_in_secret_and_v_rolls_for_all() {
    let (mut bench, _) = sit_down((120, 40));
    let hidden_from = |bench: &Bench| {
        bench.table.read(&Seat::gm(), |seen| {
            let entry = seen.log().next().expect("a roll was logged");
            match &entry.event.what {
                EventKind::Thrown(thrown) => thrown.hidden_from.clone(),
                _ => panic!("the last entry is no roll on a table"),
            }
        })
    };

    bench.press("C-t /").type_text("rumours");
    bench.press("Enter Enter").see("hidden from players");
    assert_eq!(hidden_from(&bench), ["*"]);
    bench.press("Esc v").see("1d12: ");
    assert!(!bench.text().contains("hidden from players"));
    assert!(hidden_from(&bench).is_empty());
}

/// A row longer than a line of every screen.
const OMENS: &str = "title = \"Omens\"\nrows = [{ text = \"A crow with a silver ring in its beak settles on the \
                     gatepost, looks at each of you in turn, and flies north into the coming storm\" }]";

#[test]
fn the_whole_result_is_shown_over_the_list_at_every_size() {
    for size in [(40, 12), (80, 24), (120, 40)] {
        let (mut bench, folder) = sit_down(size);
        let mut files = folder.0.lock().unwrap();
        files.insert("omens".to_owned(), OMENS.to_owned());
        drop(files);

        bench.press("C-t /").type_text("omens");
        bench.press("Enter Enter").see("1d1: 1");
        let words: String = bench.text().replace(['│', '┃', '║'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        let text = words.join(" ");
        assert!(text.contains("flies north into the coming storm"), "{text}");

        // The same key as for a roll of a character rolls again, in the same dialog.
        bench.press("r").see("1d1: 1");
        let count = bench.table.read(&Seat::gm(), |seen| seen.log().count());
        bench.press("Esc").see("Random tables");
        bench.press("Enter u").see("Random tables");
        assert_eq!(
            bench.table.read(&Seat::gm(), |seen| seen.log().count()),
            count + 2
        );
    }
}

#[test]
fn a_result_is_handed_out_or_noted_and_stays_open() {
    let (mut bench, folder) = sit_down((80, 24));
    let mut files = folder.0.lock().unwrap();
    files.insert("omens".to_owned(), OMENS.to_owned());
    drop(files);

    bench.press(":").type_text("table omens");
    bench.press("Enter p").see("Handout");
    bench.see("flies north into the coming storm");
    bench.press("C-s").see("✓");
    bench.see("1d1: 1");
    bench.press("n").type_text("north");
    bench.press("C-s").see("north");
    bench.see("1d1: 1");
}

#[test]
fn the_cursor_stays_on_an_edited_table_and_beside_a_deleted_one() {
    let (mut bench, folder) = sit_down((120, 40));
    bench.press("C-t /").type_text("weather");
    bench.press("Enter Esc e").see("Edit ");
    bench.press("Esc /").type_text("weather");
    bench.press("Enter e").see("Edit Weather");
    bench.press("C-s").see("› Weather");
    assert!(folder.0.lock().unwrap().contains_key("weather"));

    bench.press("d y").see("› Weather");
    assert!(folder.0.lock().unwrap().is_empty());
}

#[test]
fn the_palette_finds_the_list_before_the_tab() {
    let (mut bench, _) = sit_down((80, 24));
    bench.press(":").type_text("table");
    let text = bench.text();
    let position = |words: &str| text.find(words).unwrap_or(usize::MAX);
    assert!(
        position("random table") < position("go to the table"),
        "{text}"
    );
}

#[test]
fn a_new_table_is_saved_edited_and_deleted() {
    let (mut bench, folder) = sit_down((120, 40));
    bench.press("C-t n").type_text("The road");
    bench.press("Enter Enter").type_text("1-3 dust");
    bench.press("Enter").type_text("3-6 rain");
    bench.press("C-s").see("line 2: two rows have the total 3");
    assert!(folder.0.lock().unwrap().is_empty());

    bench.press("C-u").type_text("4-6 rain [[weather]]");
    bench.press("C-s").see("Random tables");
    bench.see("The road");
    let saved = folder.0.lock().unwrap()["the-road"].clone();
    assert!(saved.contains("dice = \"1d6\""), "{saved}");
    assert!(saved.contains("roll = [\"weather\"]"), "{saved}");

    bench.press("/").type_text("the road");
    bench.press("Enter d").see("Delete the table The road?");
    bench.press("y").see("Random tables");
    assert!(folder.0.lock().unwrap().is_empty());
}

#[test]
fn an_included_table_is_copied_and_never_deleted() {
    let (mut bench, folder) = sit_down((120, 40));
    bench.press("C-t /").type_text("weather");
    bench.press("Enter d").see("comes with Tableside");
    bench.press("e").see("Edit Weather");
    bench.press("C-s").see("yours");
    assert!(folder.0.lock().unwrap().contains_key("weather"));
}

#[test]
fn a_file_that_was_added_meanwhile_is_listed() {
    let (mut bench, folder) = sit_down((120, 40));
    let text = "title = \"Omens\"\nrows = [{ text = \"a crow\" }]".to_owned();
    folder.0.lock().unwrap().insert("omens".to_owned(), text);
    bench.press(":").type_text("table omens");
    bench.press("Enter").see("1d1: 1  a crow");
}
