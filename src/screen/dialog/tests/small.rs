use super::*;
use crate::session::Faces;

#[test]
fn an_amount_is_set_gained_or_spent() {
    let mut bench = Bench::heart_rush();
    let pool = bench.read(|seen| seen.pools().next().unwrap().id);
    let held = |bench: &Bench| bench.read(|seen| seen.pools().next().unwrap().tokens);
    for (typed, tokens) in [("7", 7), ("+2", 9), ("-5", 4), ("=1", 1)] {
        bench.open(|seen| amount_form(vec![pool], "", seen));
        bench.write(typed);
        bench.press("enter");
        assert!(bench.dialog.is_none());
        assert_eq!(held(&bench), tokens, "{typed}");
    }
    bench.open(|seen| amount_form(vec![pool], "+", seen));
    bench.write("99");
    bench.sees("+9, now 10");
}

#[test]
fn a_scene_may_be_named_or_not() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| scene_form(seen));
    bench.handle(&DialogEvent::Paste("The\nwarehouse".into()));
    bench.press("enter");
    assert_eq!(
        bench.read(|seen| seen.scene().name.clone()),
        "The warehouse"
    );
}

#[test]
fn a_note_needs_words() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| note_form(Some(1), &seen.tag(1), seen));
    bench.press("enter");
    assert!(bench.acts.is_empty());
    bench.sees("Note is still to be said");
}

#[test]
fn a_name_that_no_folder_can_have_is_told_so() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| game_name_form("unsaved-1", seen));
    bench.press("ctrl-u a/b");
    bench.sees("contains `/`");
    bench.press("enter");
    assert_eq!(bench.renamed, None);
    bench.press("backspace backspace enter");
    assert_eq!(bench.renamed.as_deref(), Some("a"));
}

#[test]
fn a_question_is_answered() {
    let mut bench = Bench::heart_rush();
    let question = "A check of Mira's is unfinished. Leave the table?";
    bench.open(|_| ConfirmDialog::new(question, DialogAction::Quit));
    insta::assert_snapshot!("confirm", bench.shots());
    bench.press("n");
    assert!(bench.dialog.is_none() && !bench.left);
    bench.open(|_| ConfirmDialog::new(question, DialogAction::Quit));
    bench.press("right enter");
    assert!(bench.dialog.is_none() && !bench.left);
    bench.open(|_| ConfirmDialog::new(question, DialogAction::Quit));
    bench.press("left n");
    assert!(bench.dialog.is_none() && !bench.left);
    // What is marked is what Enter presses; y is yes wherever the mark stands.
    bench.open(|_| ConfirmDialog::new(question, DialogAction::Quit));
    bench.press("right y");
    assert!(std::mem::take(&mut bench.left));
    bench.open(|_| ConfirmDialog::new(question, DialogAction::Quit));
    bench.press("y");
    assert!(bench.left);
}

#[test]
fn an_entry_is_explained_step_by_step() {
    let mut bench = Bench::heart_rush();
    bench.give_an_aspect();
    bench.roll("Mira");
    bench.press("as 1");
    bench.by_hand("1 4");
    bench.press("r 6 enter esc");
    assert!(matches!(
        bench.last_command(),
        Command::Answer {
            faces: Faces::Typed(_),
            ..
        }
    ));
    let number = bench.newest();
    bench.open(|seen| ExplainDialog::new(number, seen));
    insta::assert_snapshot!("explain", bench.shots());
    bench.press("down pgdn G");
    assert_ne!(bench.frame(40, 12).lines().nth(1), None);
    bench.open(|seen| ExplainDialog::new(1, seen));
    bench.press("esc");
    assert!(bench.dialog.is_none());
}

#[test]
fn an_invitation_is_for_a_player_or_for_a_characters_player() {
    let mut bench = Bench::heart_rush();
    bench.add("Oske", &[]);
    let mut invited = |name: &str| {
        bench.open(invite_form);
        let asked = bench.frame(80, 24);
        assert!(
            asked.contains("Name   Ana") && asked.contains("Players: Ana, Bo."),
            "{asked}"
        );
        bench.write(name);
        let told = bench.frame(80, 24);
        let dialog = bench.dialog.as_mut().unwrap();
        let enter = DialogEvent::Action(crate::screen::action::Action::Submit);
        match bench
            .table
            .read(&bench.seat, |seen| dialog.handle(&enter, seen))
        {
            DialogAction::Door(DoorAct::Invite { name, .. }) => (name, told),
            reply => panic!("{reply:?}"),
        }
    };
    for (typed, name, beside) in [
        ("ana", "ana", "plays Mira"),
        ("mira", "Ana", "Ana, who plays Mira"),
        ("Oske", "Oske", "nobody's character yet"),
        ("zoe", "zoe", "nobody's character yet"),
    ] {
        let (seat, told) = invited(typed);
        assert_eq!(seat, name);
        assert!(told.contains(beside), "{told}");
    }
}
