//! Links, races, attached checks, prepared scenes and calls, said in words.

use super::*;

#[test]
fn clocks_are_linked_raced_and_filled_by_a_check() {
    let table = table();
    told(&table, "add clock The gate closes 4").unwrap();
    says(
        &table,
        "link the alarm to gate closes starts",
        "The alarm: starts The gate closes when full",
    );
    refuses(
        &table,
        "tick gate closes",
        "The gate closes cannot advance: it starts when The alarm is full",
    );
    told(&table, "unlink the alarm").unwrap();
    says(&table, "tick gate closes", "The gate closes +1: 1 of 4");
    refuses(&table, "unlink the alarm", "nothing changed");
    told(&table, "attach the alarm by Mira skill might cn=12 helped").unwrap();
    let check = table.read(&Seat::gm(), |seen| {
        let alarm = seen.clocks().next().unwrap().clock.clone();
        let check = alarm.check.unwrap();
        (
            check.check,
            check.who.map(|id| seen.owner_name(Some(id)).to_owned()),
            check.fields,
        )
    });
    let fields = [("ability", "Might"), ("cn", "12"), ("helped", "yes")];
    let fields = fields.map(|(id, given)| (id.to_owned(), given.to_owned()));
    assert_eq!(
        check,
        ("skill".to_owned(), Some("Mira".to_owned()), fields.to_vec())
    );
    told(&table, "detach alarm").unwrap();
    told(&table, "race the alarm against gate closes").unwrap();
    told(&table, "add clock The fire 4").unwrap();
    told(&table, "race fire against the alarm").unwrap();
    let races: Vec<String> = table.read(&Seat::gm(), |seen| {
        seen.clocks().map(|one| one.clock.race.clone()).collect()
    });
    assert_eq!(races, ["The alarm against The gate closes"; 3]);
    refuses(&table, "race fire against the alarm", "nothing changed");
    told(&table, "fill fire").unwrap();
    refuses(
        &table,
        "tick gate closes",
        "The gate closes cannot advance: the race is over, and The fire came first",
    );
}

#[test]
fn a_scene_is_prepared_brought_and_revealed_in_words() {
    let table = table();
    let here = |table: &Arc<Table>| {
        table.read(&Seat::gm(), |seen| {
            let people = seen.roster().map(|one| (one.name.clone(), one.hidden));
            people.collect::<Vec<_>>()
        })
    };
    let before = here(&table).len();
    told(
        &table,
        "prepare Goblin, Goblin 2 and the alarm as The ambush away",
    )
    .unwrap();
    assert_eq!(here(&table).len(), before - 2);
    assert_eq!(table.read(&Seat::gm(), |seen| seen.clocks().count()), 0);
    told(&table, "bring ambush").unwrap();
    assert_eq!(
        here(&table)[before - 2..],
        [("Goblin".to_owned(), true), ("Goblin 2".to_owned(), true)]
    );
    told(&table, "reveal scene ambush").unwrap();
    assert!(here(&table).iter().all(|(_, hidden)| !hidden));
    refuses(
        &table,
        "bring the ambuhs",
        "there is no prepared scene \"the ambuhs\"; did you mean The ambush?",
    );
    told(&table, "drop scene ambush").unwrap();
    assert_eq!(table.read(&Seat::gm(), |seen| seen.prepared().count()), 0);
}

#[test]
fn the_worst_of_the_party_is_called_in_words() {
    let table = table();
    told(&table, "lower Bo heart-now").unwrap();
    told(&table, "side Goblin adversary").unwrap();
    told(&table, "call worst might cn=12").unwrap();
    let call = table.read(&Seat::gm(), |seen| {
        let call = seen.calls().next().unwrap();
        (
            seen.owner_name(Some(call.who)).to_owned(),
            call.fields.clone(),
            call.helpers.len(),
        )
    });
    let fields = [("ability", "Might"), ("cn", "12")];
    let fields = fields.map(|(id, given)| (id.to_owned(), given.to_owned()));
    assert_eq!(call, ("Bo".to_owned(), fields.to_vec(), 3));
}
