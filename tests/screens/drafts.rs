//! Nothing typed is lost, and the cursor is where one looks for it.

use tableside::session::Condition;
use tableside::table::Seat;

use crate::bench::Bench;
use crate::games;

fn sit_down() -> Bench {
    Bench::sit_down(&games::full(), (120, 40))
}

fn names(bench: &Bench) -> Vec<String> {
    bench.table.read(&Seat::gm(), |seen| {
        seen.roster().map(|one| one.name.clone()).collect()
    })
}

fn newest(bench: &Bench) -> String {
    bench.table.read(&Seat::gm(), |seen| {
        let entry = seen.log().next().unwrap();
        entry.event.text(seen.system())
    })
}

fn conditions_of(bench: &Bench, name: &str) -> Vec<Condition> {
    bench.table.read(&Seat::gm(), |seen| {
        seen.character_named(name).unwrap().conditions.clone()
    })
}

#[test]
fn a_form_that_was_left_has_what_was_typed_when_it_is_opened_again() {
    let mut bench = sit_down();
    bench.press("n").type_text("Greta").press("Tab");
    bench.type_text("Ana").press("Esc");
    assert!(
        bench.text().contains("draft kept: New character"),
        "{}",
        bench.text()
    );
    bench.press("2 n");
    let text = bench.text();
    assert!(text.contains("Greta") && text.contains("draft"), "{text}");
    bench.press("Enter");
    assert!(
        names(&bench).contains(&"Greta".to_owned()),
        "{:?}",
        names(&bench)
    );
    // What was kept with it is no draft any more.
    bench.press("n");
    assert!(!bench.text().contains("draft"), "{}", bench.text());
    // A sheet has its own draft, and one that was thrown away is none.
    bench.press("Esc 1").press("Enter Enter Up Up Up Up");
    bench.press("Esc");
    assert!(!bench.text().contains("draft kept"), "{}", bench.text());
    bench.press("S").type_text("The yard").press("C-x");
    bench.press("S");
    assert!(!bench.text().contains("The yard"), "{}", bench.text());
}

#[test]
fn the_palette_stays_open_on_words_that_it_does_not_understand() {
    for words in ["frobnicate", "damage mira", "Mira takes some damage"] {
        let mut bench = sit_down();
        let before = bench.table.revision();
        bench.press(":").type_text(words).press("Enter");
        let text = bench.text();
        assert!(
            text.contains("Commands") && text.contains(words),
            "{words}: {text}"
        );
        let why = ["no action begins with", "should stand", "is missing"];
        let says = why.iter().any(|why| text.contains(why));
        assert!(says && bench.table.revision() == before, "{words}: {text}");
    }
    let mut bench = sit_down();
    bench
        .press(":")
        .type_text("Mira takes 5 damage")
        .press("Enter");
    assert!(newest(&bench).contains("5 damage"), "{}", newest(&bench));
}

#[test]
fn what_is_new_or_comes_back_is_under_the_cursor() {
    let mut bench = sit_down();
    bench.press("n").type_text("Anna").press("Enter");
    assert!(bench.line("Anna").contains('›'), "{}", bench.text());
    bench.press("d");
    assert!(!names(&bench).contains(&"Anna".to_owned()));
    bench.press("Home u");
    assert!(bench.line("Anna").contains('›'), "{}", bench.text());
    bench.press("3 n").type_text("The tide").press("Enter v");
    let of_tide = bench.table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        let tide = clocks.find(|one| one.clock.name == "The tide").unwrap();
        format!("{:?}", tide.clock.visibility)
    });
    assert_eq!(of_tide, "Known");
}

#[test]
fn a_filter_that_is_left_leads_back() {
    let mut bench = sit_down();
    bench.press("/ Esc");
    assert!(bench.text().contains("╭ Party"), "{}", bench.text());
    bench.press("/").type_text("torben").press("Enter");
    assert!(!bench.text().contains("╭ Party"), "{}", bench.text());
    bench.press("Esc");
    assert!(bench.text().contains("╭ Party"), "{}", bench.text());
}

#[test]
fn a_note_is_taken_anywhere_and_has_lines() {
    for tab in ["1", "2", "3", "4", "5"] {
        let mut bench = sit_down();
        bench.press(tab).press("a").type_text("one").press("C-j");
        bench.type_text("two?").press("Enter");
        assert_eq!(newest(&bench), "one / two?");
    }
    let mut bench = sit_down();
    bench.press("5 n").type_text("odd").press("Enter");
    assert!(
        newest(&bench).starts_with("odd (about #"),
        "{}",
        newest(&bench)
    );
}

#[test]
fn a_beginning_is_the_condition_that_it_begins_and_other_words_are_new_ones() {
    let mut bench = sit_down();
    bench.press("c d a Enter");
    let dazed = Condition {
        name: "dazed".into(),
        ..Condition::default()
    };
    assert_eq!(conditions_of(&bench, "Mira"), std::slice::from_ref(&dazed));
    bench.press("c").type_text("on fire").press("+ + > Enter");
    let fire = Condition {
        name: "on fire".into(),
        value: Some(2),
        rounds: Some(1),
        fades: false,
    };
    assert_eq!(conditions_of(&bench, "Mira"), [dazed.clone(), fire]);
    // What lasts a round says that it is over.
    bench.press("N");
    assert!(
        bench.text().contains("Mira is no longer on fire"),
        "{}",
        bench.text()
    );
    assert_eq!(conditions_of(&bench, "Mira"), [dazed]);
    // Somebody else had it: it is in the list from then on.
    bench.press("Right c o n Space - < Enter");
    let fading = Condition {
        name: "on fire".into(),
        fades: true,
        ..Condition::default()
    };
    assert_eq!(conditions_of(&bench, "Torben").last(), Some(&fading));
}

#[test]
fn a_scene_without_a_name_has_its_number() {
    let mut bench = sit_down();
    bench.press("S Enter");
    assert_eq!(newest(&bench), "Scene 2");
    assert!(bench.text().contains(" Scene 2 "), "{}", bench.text());
}
