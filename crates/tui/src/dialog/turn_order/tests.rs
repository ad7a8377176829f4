use std::sync::Arc;

use super::*;
use crate::Action;
use crate::dialog::DialogEvent;
use crate::fixtures::new_table;
use tableside_rules::{Sheet, System};
use tableside_table::{Seat, Table};

fn add(name: &str, side: Allegiance, system: System, table: &Arc<Table>) {
    let mut character = Character::new(name, Sheet::new(system));
    character.side = side;
    let command = Command::add(character);
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

fn names_of_rows(dialog: &Dialog) -> Vec<String> {
    let rows = dialog.form.rows.iter();
    rows.map(|row| format!("{} {}", row.label, row.beside))
        .collect()
}

#[test]
fn a_combatant_who_joins_while_the_form_is_open_keeps_the_order_by_side() {
    let system = System::FORGED_IN_THE_DARK;
    let table = new_table("joins", system);
    add("Mira", Allegiance::Party, system, &table);
    add("Bluecoat", Allegiance::Adversary, system, &table);
    let mut dialog = table.read(&Seat::gm(), turn_order_form);

    add("Whisper", Allegiance::Adversary, system, &table);
    table.read(&Seat::gm(), |view| {
        let spec = &mut dialog.spec;
        spec.refresh(&mut dialog.form, view);
    });

    let [first, second] = SIDE_INITIATIVES;
    let rows = names_of_rows(&dialog);
    assert!(rows.contains(&format!("Mira {first}")), "{rows:?}");
    assert!(rows.contains(&format!("Bluecoat {second}")), "{rows:?}");
    assert!(rows.contains(&format!("Whisper {second}")), "{rows:?}");
}

#[test]
fn the_help_says_what_happens_without_a_roll() {
    let system = System::FIVE_E;
    let table = new_table("help", system);
    add("Mira", Allegiance::Party, system, &table);
    let mut dialog = table.read(&Seat::gm(), turn_order_form);
    let help_of_method = |dialog: &Dialog| dialog.form.row(FIRST).unwrap().help.to_string();
    assert!(help_of_method(&dialog).contains("rolls for them"));

    table.read(&Seat::gm(), |view| {
        dialog.handle(&DialogEvent::Action(Action::Lower), view);
    });
    assert!(help_of_method(&dialog).ends_with("without a roll."));
}
