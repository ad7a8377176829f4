use super::*;
use crate::screen::dialog::Marked;
use crate::session::{Allegiance, Entity, Visibility};

#[test]
fn a_character_is_made_with_the_systems_defaults() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CharacterForm::open(None, seen));
    insta::assert_snapshot!("character_new", bench.shots());
    bench.press("enter");
    bench.sees("a character needs a name");
    bench.write("Mira");
    bench.sees("there is a character named Mira already");
    bench.press("enter");
    assert!(bench.acts.is_empty());
    bench.write(" the Younger");
    bench.press("down down right down space enter");
    assert!(bench.dialog.is_none());
    let Command::Add(Entity::Character(made)) = bench.last_command() else {
        panic!("{:?}", bench.acts);
    };
    assert_eq!(made.name, "Mira the Younger");
    assert_eq!((made.side, made.hidden), (Allegiance::Ally, true));
    assert_eq!(made.sheet, Sheet::new(System::HeartRush));
}

#[test]
fn what_others_change_meanwhile_stays_changed() {
    let mut bench = Bench::heart_rush();
    let id = bench.id("Mira");
    bench.open(|seen| CharacterForm::open(Some(id), seen));
    bench.run(Command::StepStat {
        who: id,
        stat: "heart-now".into(),
        by: -1,
    });
    bench.press("up up up up ! ctrl-s");
    let (name, heart) = bench.read(|seen| {
        let mira = seen.character(id).unwrap();
        (mira.name.clone(), mira.sheet.die("heart-now"))
    });
    assert_eq!((name.as_str(), heart), ("Mira!", Some(Die::D6)));
}

#[test]
fn a_sheet_is_read_before_anything_typed_changes_it() {
    for system in System::ALL {
        let mut bench = Bench::new(system);
        bench.open(|seen| CharacterForm::open(None, seen));
        bench.press("Wren enter");
        assert!(bench.dialog.is_none());
        let id = bench.id("Wren");
        let before = bench.read(|seen| seen.character(id).cloned());
        bench.open(|seen| CharacterForm::open(Some(id), seen));
        bench.sees("Wren, Enter edits");
        bench.write("p12");
        bench.handle(&DialogEvent::Paste("9".into()));
        bench.press("enter");
        bench.sees("╭ Wren ─");
        assert!(!bench.dialog.as_ref().unwrap().takes_letters(), "{system}");
        bench.press("enter");
        assert!(bench.dialog.is_none());
        assert_eq!(bench.read(|seen| seen.character(id).cloned()), before);
    }
}

#[test]
fn a_list_of_ranks_is_checked_as_it_is_typed() {
    let mut bench = Bench::heart_rush();
    let id = bench.id("Mira");
    bench.open(|seen| CharacterForm::open(Some(id), seen));
    bench.go("Professions");
    bench.write(", Cook");
    bench.press("enter");
    assert!(bench.acts.is_empty());
    bench.write(" 1");
    bench.press("enter");
    let ranks = bench.read(|seen| seen.character(id).unwrap().sheet.ranks("professions").len());
    assert_eq!(ranks, 3);
}

#[test]
fn a_clock_is_made_and_edited() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| ClockForm::open(None, seen));
    bench.write("The ritual");
    bench.press("down 200");
    bench.sees("must be a number from 2 to 128");
    bench.press("backspace backspace down right down right enter");
    assert!(bench.dialog.is_none());
    let clock = bench.read(|seen| {
        let clock = seen.clocks().last().unwrap().clock;
        (
            clock.name.clone(),
            clock.segments.count(),
            clock.kind,
            clock.visibility,
        )
    });
    let wanted = (
        "The ritual".to_owned(),
        2,
        ClockKind::Countdown,
        Visibility::Known,
    );
    assert_eq!(clock, wanted);
    let id = bench.read(|seen| seen.clocks().last().unwrap().clock.id);
    bench.open(|seen| ClockForm::open(Some(id), seen));
    bench.press("down 8 enter");
    assert!(matches!(bench.last_command(), Command::Edit(_)));
    bench.open(|seen| ClockForm::open(Some(id), seen));
    bench.press("enter");
    assert!(bench.dialog.is_none(), "nothing to keep is no mistake");
}

#[test]
fn a_clock_gets_its_check_and_its_forecast() {
    let mut bench = Bench::heart_rush();
    let id = bench.read(|seen| seen.clocks().next().unwrap().clock.id);
    bench.open(|seen| ClockForm::attach(id, "no check fills The cliff yet", seen));
    // Skill, rolled by Mira, with her agility against 99, which is no challenge number.
    bench.press("right down right");
    bench.go("Ability");
    bench.press("right right");
    bench.go("Challenge Number");
    bench.press("99 enter");
    bench.sees("cn");
    bench.press("backspace backspace 9 enter");
    assert!(bench.dialog.is_none());
    let check = bench.read(|seen| seen.clock(id).unwrap().clock.check.clone().unwrap());
    assert_eq!(check.check, "skill");
    assert_eq!(check.who, Some(bench.id("Mira")));
    let fields = [("ability", "Agility"), ("cn", "9")];
    assert_eq!(
        check.fields,
        fields.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    bench.open(|seen| ForecastDialog::open(id, seen).unwrap());
    insta::assert_snapshot!("forecast", bench.shots());
}

#[test]
fn the_rows_of_a_clock_follow_its_kind() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| ClockForm::open(None, seen));
    bench.write("The crowd");
    bench.press("down down left down riot enter");
    let crowd = bench.read(|seen| seen.clocks().last().unwrap().clock.clone());
    assert_eq!((crowd.kind, crowd.filled), (ClockKind::TugOfWar, 3));
    assert_eq!(crowd.end_names(), ["riot", "right"]);
}

#[test]
fn a_clock_is_linked_to_another() {
    let mut bench = Bench::heart_rush();
    let id = bench.read(|seen| seen.clocks().next().unwrap().clock.id);
    bench.open(|seen| LinkForm::open(id, seen).unwrap());
    bench.press("right right enter");
    let link = bench.read(|seen| seen.clock(id).unwrap().clock.link.unwrap());
    assert_eq!(link.then, crate::session::Then::Reveals);
    bench.open(|seen| LinkForm::open(link.to, seen).unwrap());
    bench.press("right enter");
    bench.sees("leads back to it already");
}

#[test]
fn scenes_are_prepared_brought_and_revealed() {
    let mut bench = Bench::heart_rush();
    let clock = bench.read(|seen| seen.clocks().last().unwrap().clock.id);
    let marked = Marked {
        characters: vec![bench.id("Tamsin")],
        clocks: vec![clock],
    };
    bench.open(|seen| ScenesDialog::open(Marked::default(), seen));
    bench.press("n enter v d e");
    assert!(bench.acts.is_empty());
    bench.sees("mark its characters and clocks with m first");
    bench.open(|seen| ScenesDialog::open(marked, seen));
    bench.press("n");
    bench.write("The ambush");
    bench.press("down");
    bench.write("At dusk.");
    bench.press("enter");
    assert!(bench.dialog.is_none());
    bench.open(|seen| ScenesDialog::open(Marked::default(), seen));
    bench.press("b");
    assert!(bench.dialog.is_none());
    bench.open(|seen| ScenesDialog::open(Marked::default(), seen));
    let hidden = |bench: &Bench| {
        let id = bench.id("Tamsin 2");
        bench.read(|seen| seen.character(id).unwrap().hidden)
    };
    assert!(hidden(&bench));
    bench.press("v");
    assert!(!hidden(&bench) && bench.frame(80, 24).contains("on the table"));
    bench.press("v");
    bench.sees("nothing that The ambush brought is hidden");
    bench.press("e");
    bench.write(" again");
    bench.press("enter");
    let names = |bench: &Bench| {
        bench.read(|seen| {
            seen.prepared()
                .map(|one| one.name.clone())
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(names(&bench), ["The ambush again"]);
    bench.open(|seen| ScenesDialog::open(Marked::default(), seen));
    bench.press("d");
    assert!(names(&bench).is_empty());
}

#[test]
fn a_pool_keeps_within_its_ends() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| PoolForm::open(None, seen));
    bench.press("Rations down right down down down 5 down 7");
    bench.sees("must be at most 5");
    bench.press("enter");
    assert!(bench.acts.is_empty());
    bench.write("\u{8}");
    bench.press("backspace 4 enter");
    let Command::Add(Entity::Pool(pool)) = bench.last_command() else {
        panic!("{:?}", bench.acts);
    };
    assert_eq!((pool.tokens, pool.start, pool.cap), (4, 4, Some(5)));
    assert_eq!(pool.owner, Some(bench.id("Mira")));
}

#[test]
fn a_pool_is_given_a_limit_and_thresholds() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| PoolForm::open(None, seen));
    bench.press("Hope up");
    bench.write("the bell");
    bench.sees("begins with a number");
    bench.press("enter");
    assert!(bench.acts.is_empty());
    // What was typed is taken back word by word, and typed anew.
    bench.press("ctrl-z ctrl-z");
    bench.sees_no("begins with a number");
    bench.write("6: the gates; 3: pairs");
    bench.press("up 2 enter");
    let Command::Add(Entity::Pool(pool)) = bench.last_command() else {
        panic!("{:?}", bench.acts);
    };
    assert_eq!(pool.gains.map(|gains| gains.most), Some(2));
    assert_eq!(
        pool.thresholds,
        [(3, "pairs".into()), (6, "the gates".into())]
    );
    // Those of the rules have the rules' limit, and no field for another.
    let destiny = bench.read(|seen| seen.pools().next().unwrap().id);
    bench.open(|seen| PoolForm::open(Some(destiny), seen));
    bench.sees_no("A scene gives");
}

#[test]
fn a_long_form_is_walked_by_pages_and_ends_at_its_ends() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| CharacterForm::open(None, seen));
    bench.press("pgdn");
    bench.sees("› Cunning");
    bench.press("pgdn pgdn pgdn");
    bench.sees("› Notes");
    bench.press("pgup pgup pgup");
    bench.sees("› Name");
}

#[test]
fn a_number_of_a_form_is_taken_back_too() {
    let mut bench = Bench::heart_rush();
    bench.open(|seen| PoolForm::open(None, seen));
    bench.press("down down 12 right ctrl-z");
    bench.sees("‹12›");
    bench.press("ctrl-z ctrl-z");
    bench.sees("‹0›");
    bench.press("ctrl-y ctrl-y ctrl-y");
    bench.sees("‹13›");
}

#[test]
fn conditions_are_added_changed_and_taken_away() {
    let mut bench = Bench::heart_rush();
    let id = bench.id("Mira");
    bench.open(|seen| ConditionsForm::open([id], seen));
    bench.write("dazed 2 /3");
    bench.press("down prone enter");
    let written = |bench: &Bench| bench.read(|seen| seen.character(id).unwrap().conditions.len());
    assert_eq!(written(&bench), 2);
    bench.open(|seen| ConditionsForm::open([id], seen));
    bench.press("up up ctrl-u enter");
    assert_eq!(written(&bench), 1);
}

#[test]
fn tokens_move_to_the_same_pool_of_another() {
    let mut bench = Bench::heart_rush();
    let from = bench.read(|seen| seen.pools().next().unwrap().id);
    bench.open(|seen| TransferForm::open(from, seen));
    bench.write("9");
    bench.sees("Mira: Destiny Points has 3 to give");
    bench.write("\u{8}");
    bench.press("backspace 2 enter");
    let held: Vec<i32> = bench.read(|seen| seen.pools().map(|pool| pool.tokens).collect());
    assert_eq!(held, [1, 5]);
}

#[test]
fn the_sheet_says_what_its_numbers_come_to_in_a_check() {
    let mut bench = Bench::new(System::FridayNightDungeon);
    bench.open(|seen| CharacterForm::open(None, seen));
    bench.press("down down st right");
    assert!(bench.focused().starts_with("Strength") && bench.focused().contains("expert"));
    bench.write("sk");
    bench.write("Climbing 3, Lore 1");
    bench.sees("Lore novice");
    let mut bench = Bench::new(System::Gnosis);
    bench.open(|seen| CharacterForm::open(None, seen));
    bench.press(&"down ".repeat(9));
    bench.write("Broken Window 1");
    bench.sees("2d12");
}
