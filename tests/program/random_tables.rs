//! Random tables of a person's own, as a shell sees them.

use crate::machine::Machine;
use serde_json::Value as Json;

const ROAD: &str = r#"
title = "On the road"
dice = "1d2"
hidden = false

[[rows]]
on = "1-2"
text = "A merchant"
roll = "goods"
"#;

const GOODS: &str = r#"
dice = "1d4"

[[rows]]
on = "1-3"
text = "salt"

[[rows]]
on = 4
text = "silk"
"#;

fn machine(tables: &[(&str, &str)]) -> Machine {
    let machine = Machine::with_demo();
    let folder = machine.home.path().join(".config/tableside/tables");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in tables {
        std::fs::write(folder.join(name), text).unwrap();
    }
    machine
}

#[test]
fn a_table_is_rolled_on_logged_and_taken_back() {
    let machine = machine(&[("road.toml", ROAD), ("goods.toml", GOODS)]);
    let ran = machine.run("do demo table road");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.starts_with("On the road, 1d2: ") && ran.out.contains(", A merchant; goods, 1d4: "),
        "{ran:?}"
    );
    let log: Json = serde_json::from_str(&machine.run("log demo --json").out).unwrap();
    let last = log.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["table"], &last["says"], &last["hidden-from"]),
        (
            &"On the road".into(),
            &"A merchant".into(),
            &Json::Array(Vec::new())
        )
    );
    assert_eq!(last["then"][0]["table"], "goods");
    assert_eq!(machine.run("verify demo").code, 0);
    // Only the GM reads what falls on a table that does not say otherwise.
    machine.run("do demo table goods");
    machine.run("do demo table goods shown");
    let log: Json = serde_json::from_str(&machine.run("log demo --json").out).unwrap();
    let seen: Vec<_> = log.as_array().unwrap().iter().rev().take(2).collect();
    assert_eq!(seen[1]["hidden-from"][0], "*");
    assert_eq!(seen[0]["hidden-from"], Json::Array(Vec::new()));
    assert_eq!(machine.run("do demo undo").code, 0);
}

#[test]
fn tables_are_listed_with_the_chance_of_each_row() {
    let machine = machine(&[
        ("goods.toml", GOODS),
        ("road.toml", ROAD),
        ("bad.toml", "dice = \"1d2\"\nrows = []"),
    ]);
    let ran = machine.run("tables");
    let due = "goods  goods, 1d4, 2 rows\nroad   On the road, 1d2, 1 row\n\
        tables/bad.toml: no row is on 1; 1d2 rolls up to 2\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, due));
    let ran = machine.run("tables goods");
    assert_eq!(
        ran.out,
        "goods, 1d4\n1-3  75.0 %  salt\n4    25.0 %  silk\n"
    );
    let ran = machine.run("tables gods");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            1,
            "there is no random table \"gods\"; did you mean goods?\nhint: `tableside tables` lists the tables there are\n"
        )
    );
    let ran = machine.run("do demo table bad");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "tables/bad.toml: no row is on 1; 1d2 rolls up to 2\n")
    );
}
