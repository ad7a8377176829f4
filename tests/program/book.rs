//! What the README and the book say is so: their commands are run, their keys are pressed, their links lead somewhere,
//! and the pages of reference are those of the program.

mod played;
mod reference;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::machine::Machine;

const BOOK: &str = "docs/book/src";

/// What the pieces of the cookbook stand beneath.
const HEAD: &str = "format = 1\nid = \"recipe\"\nname = \"Recipe\"\n";

/// Whether the pages are to be written anew: `BOOK_UPDATE=1 cargo test --test program book`.
fn mends() -> bool {
    std::env::var_os("BOOK_UPDATE").is_some()
}

/// Takes the page as it should be: writes it, or fails where it is another.
fn is_due(page: &Path, found: &str, due: &str) {
    if mends() {
        if found != due {
            fs::write(page, due).unwrap();
        }
        return;
    }
    for (found, due) in found.lines().zip(due.lines()) {
        assert_eq!(
            found,
            due,
            "{}: BOOK_UPDATE=1 cargo test --test program book mends it",
            page.display()
        );
    }
    assert_eq!(found, due, "{}", page.display());
}

/// The pages of the book, and its table of contents.
fn pages() -> Vec<PathBuf> {
    let files = fs::read_dir(BOOK).unwrap().map(|file| file.unwrap().path());
    let mut pages: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .collect();
    pages.sort();
    assert!(pages.len() > 9, "{pages:?}");
    pages
}

/// The text of a page without its blocks of code and its pieces of code.
fn prose(text: &str) -> String {
    let outside = text.split("```").step_by(2);
    let outside: String = outside.collect();
    outside.split('`').step_by(2).collect()
}

/// Where the links and pictures of a page lead.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let behind = prose.split("](").skip(1);
    behind
        .map(|rest| rest.split(')').next().unwrap().to_owned())
        .collect()
}

/// What a link says to lead to that heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let letters = letters.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter => letter.is_alphanumeric().then_some(letter),
    });
    letters.collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let outside: String = text.split("```").step_by(2).collect();
    let headings = outside.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let readme = PathBuf::from("README.md");
    let (mut wrong, mut pictures) = (Vec::new(), BTreeSet::new());
    for page in pages().iter().chain([&readme]) {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let to = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            // The book is read without the source around it.
            let leaves = *page != readme && file.contains("..");
            let is_there = match fs::read_to_string(&to) {
                Ok(text) => heading.is_empty() || anchors(&text).contains(heading),
                Err(_) => heading.is_empty() && to.exists(),
            };
            if leaves || !is_there {
                wrong.push(format!("{}: {link}", page.display()));
            }
            pictures.insert(to);
        }
    }
    for picture in fs::read_dir(format!("{BOOK}/pictures")).unwrap() {
        let picture = picture.unwrap().path();
        if !pictures.contains(&picture) {
            wrong.push(format!("no page shows {}", picture.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_contents_names_every_page_once() {
    let contents = Path::new(BOOK).join("SUMMARY.md");
    let mut named = links(&fs::read_to_string(&contents).unwrap());
    named.sort();
    let pages = pages().into_iter().filter(|page| *page != contents);
    let pages: Vec<String> = pages
        .map(|page| page.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, pages);
}

#[test]
fn the_readme_is_short() {
    let lines = fs::read_to_string("README.md").unwrap().lines().count();
    assert!(lines <= 150, "{lines} lines; the book has room");
}

#[test]
fn every_piece_of_the_cookbook_is_a_good_system() {
    let page = fs::read_to_string(format!("{BOOK}/write-a-system.md")).unwrap();
    let (_, cookbook) = page.split_once("## Cookbook").unwrap();
    let machine = Machine::new();
    let pieces: Vec<&str> = cookbook.split("```toml\n").skip(1).collect();
    for piece in &pieces {
        let (piece, _) = piece.split_once("```").unwrap();
        assert!(piece.contains("example = ["), "{piece}");
        let file = machine.home.path().join("recipe.toml");
        fs::write(file, format!("{HEAD}\n{piece}")).unwrap();
        let ran = machine.run("systems check recipe.toml");
        assert_eq!(ran.code, 0, "{piece}\n{}", ran.err);
    }
    assert!(pieces.len() >= 8, "{} pieces", pieces.len());
}
