//! Themes: chosen while one sees them, kept, and readable with however few colours.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use tableside::screen::Memory;
use tableside::screen::terminal::color_depth::Depth;
use tableside::screen::theme::Theme;

use crate::bench::{Bench, SIZES};
use crate::games;

/// Somebody with two themes of their own, one of them mistaken.
#[derive(Debug, Default)]
struct Kept(Mutex<Vec<String>>);

impl Memory for Kept {
    fn themes(&self) -> Vec<(String, Result<Theme, String>)> {
        let own = [
            ("smoke", "[roles]\ntitel = {}"),
            ("tavern", "ground = \"#203010\""),
        ];
        let read = own.map(|(name, text)| {
            let theme = Theme::parse(text, &format!("themes/{name}.toml"));
            let theme = theme.map(|theme| theme.called(name));
            (name.to_owned(), theme.map_err(|error| error.to_string()))
        });
        read.into()
    }

    fn keep_theme(&self, name: &str) -> Result<(), String> {
        self.0.lock().unwrap().push(name.to_owned());
        if name == "sea" {
            return Err("the disk is full".to_owned());
        }
        Ok(())
    }
}

fn sit_down(size: (u16, u16)) -> (Bench, Arc<Kept>) {
    let kept = Arc::new(Kept::default());
    let memory: Arc<dyn Memory> = kept.clone();
    let bench = Bench::with(&games::full(), size, |setup| setup.memory = Some(memory));
    (bench, kept)
}

fn ground(bench: &Bench) -> vt100::Color {
    bench.cell("Party").bgcolor()
}

#[test]
fn a_theme_is_worn_while_one_looks_and_esc_takes_it_off() {
    let (mut bench, kept) = sit_down((120, 40));
    let dark = ground(&bench);
    bench.press("T");
    assert_eq!(ground(&bench), dark);
    bench.press("Down");
    assert_ne!(ground(&bench), dark);
    bench.press("Esc");
    assert_eq!(ground(&bench), dark);
    assert!(bench.screen.state().is_browsing());
    assert!(kept.0.lock().unwrap().is_empty());
}

#[test]
fn a_chosen_theme_is_kept() {
    let (mut bench, kept) = sit_down((120, 40));
    let dark = ground(&bench);
    bench.press("T l Enter").see("theme: light");
    assert_ne!(ground(&bench), dark);
    assert_eq!(*kept.0.lock().unwrap(), ["light"]);
    // The list begins with what is worn.
    bench.press("T Enter");
    assert_eq!(*kept.0.lock().unwrap(), ["light", "light"]);
}

#[test]
fn what_cannot_be_kept_is_worn_and_told() {
    let (mut bench, _) = sit_down((120, 40));
    bench.press("T s Enter").see("not saved: the disk is full");
}

#[test]
fn a_theme_of_ones_own_is_worn_and_a_mistaken_one_names_file_and_line() {
    let (mut bench, kept) = sit_down((120, 40));
    let dark = ground(&bench);
    bench.press("T").type_text("tav");
    assert_eq!(ground(&bench), vt100::Color::Rgb(0x20, 0x30, 0x10));
    bench.press("Up").see("themes/smoke.toml, line 2");
    bench.press("Enter");
    assert!(kept.0.lock().unwrap().is_empty());
    bench.press("Esc");
    assert_eq!(ground(&bench), dark);
}

#[test]
fn the_mouse_tries_a_theme_on_and_keeps_it() {
    let (mut bench, kept) = sit_down((120, 40));
    bench.press("T");
    let text = bench.text();
    let row = text.lines().position(|line| line.contains("parchment"));
    let row = u16::try_from(row.unwrap()).unwrap();
    bench.click(90, row);
    assert!(kept.0.lock().unwrap().is_empty());
    bench.click(90, row);
    assert_eq!(*kept.0.lock().unwrap(), ["parchment"]);
}

#[test]
fn the_list_of_themes_at_every_size() {
    let mut text = String::new();
    for size in SIZES {
        let (mut bench, _) = sit_down(size);
        bench.press("T");
        writeln!(text, "{}x{}\n{}\n", size.0, size.1, bench.text()).unwrap();
    }
    let (mut bench, _) = sit_down((40, 12));
    bench.press("T").type_text("smoke");
    writeln!(text, "mistaken\n{}\n", bench.text()).unwrap();
    insta::assert_snapshot!("themes", text);
}

/// Where the focus is can be told from the letters alone, whatever the colours.
#[test]
fn the_focus_is_seen_in_every_theme_and_depth() {
    for depth in [Depth::Mono, Depth::Ansi16, Depth::Ansi256, Depth::True] {
        for theme in Theme::names() {
            let mut bench = Bench::with(&games::full(), (80, 24), |setup| {
                setup.depth = depth;
                setup.theme = Theme::named(theme).unwrap();
            });
            for tab in ["1", "2", "3", "4", "5"] {
                bench.press(tab);
                let marked = bench.text().matches('›').count();
                // In the party a value is marked beside the row.
                let wanted = if tab == "2" { 2 } else { 1 };
                if tab != "1" {
                    assert_eq!(marked, wanted, "{theme} {depth:?}\n{}", bench.text());
                    continue;
                }

                // The panels of the table have a cursor each; one of them looks otherwise than all others.
                let cursors = bench.cells_of("›");
                let looks: Vec<_> = cursors
                    .iter()
                    .map(|(_, _, cell)| (cell.fgcolor(), cell.bold(), cell.bgcolor()))
                    .collect();
                let singles = looks
                    .iter()
                    .filter(|look| looks.iter().filter(|other| other == look).count() == 1)
                    .count();
                assert_eq!(singles, 1, "{theme} {depth:?}\n{}", bench.text());
            }
            // The value under the cursor, the open tab, and the button in focus look otherwise.
            bench.press("2 Right");
            let look = |text: &str| {
                let cell = bench.cell(text);
                let weight = (cell.bold(), cell.underline(), cell.inverse());
                (cell.fgcolor(), cell.bgcolor(), weight)
            };
            assert_ne!(look("Party"), look("Clocks"), "{theme} {depth:?}");
        }
    }
}

#[test]
fn without_colour_weights_say_it() {
    let table = games::full();
    let mut bench = Bench::with(&table, (120, 40), |setup| setup.depth = Depth::Mono);
    bench.press("2");
    assert!(bench.cell("Party").inverse());
    assert!(bench.line("Mira ").contains("›40/40   3/10"));
    for row in 0..40 {
        for column in 0..120 {
            let cell = bench.far.screen().cell(row, column).unwrap();
            assert_eq!(cell.fgcolor(), vt100::Color::Default);
            assert_eq!(cell.bgcolor(), vt100::Color::Default);
        }
    }
}
