//! Rule systems of a person's own: found, checked, played, changed in the middle of a game.

use std::fs;

use super::machine::{Machine, Ran};

/// A small system; `{stat}` is its second stat, `{most}` the most of its first.
const LANTERN: &str = r#"format = 1
id = "lantern"
name = "Lantern"
gm = "GM"
credit = "By nobody in particular."

[[stat]]
id = "nerve"
kind = "number"
min = 0
max = {most}
start = 2

[[stat]]
id = "{stat}"
kind = "number"
min = 0
max = 5
start = 1

[[pool]]
id = "oil"
of = "character"
min = 0
max = 6
start = 3

[[check]]
id = "attempt"
label = "Attempt"

[[check.field]]
id = "dice"
kind = "number"
min = 0
max = 6
from = ["nerve", "{stat}"]

[[check.step]]
roll.pool = { count = "dice", die = "d6" }
read.hits = { count = "pool", from = {good} }

[[check.outcome]]
id = "success"
when = "hits >= 1"
success = true
tone = "good"

[[check.outcome]]
id = "failure"
success = false
tone = "bad"
"#;

fn lantern(most: &str, stat: &str, good: &str) -> String {
    let text = LANTERN.replace("{most}", most).replace("{stat}", stat);
    text.replace("{good}", good)
}

/// Writes a file in the home folder.
fn write(machine: &Machine, name: &str, text: &str) {
    let path = machine.home.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn well(ran: Ran) -> String {
    assert_eq!((ran.code, &*ran.err), (0, ""), "{ran:?}");
    ran.out
}

/// A machine with the game `friday` of the file `lantern.toml`, and Mira in it, whose nerve is 5 and craft 4.
fn playing() -> Machine {
    let machine = Machine::new();
    write(&machine, "lantern.toml", &lantern("5", "craft", "5"));
    well(machine.run("new friday --system lantern.toml"));
    well(machine.run("do friday add character Mira"));
    well(machine.run("do friday set Mira nerve 5"));
    well(machine.run("do friday set Mira craft 4"));
    well(machine.run("do friday spend Mira 2 oil"));
    machine
}

#[test]
fn a_file_is_a_system_wherever_one_is_named() {
    let machine = Machine::new();
    write(&machine, "lantern.toml", &lantern("5", "craft", "5"));
    let odds = "success  5/9   55.6 %\nfailure  4/9   44.4 %\n";
    assert_eq!(
        well(machine.run("odds lantern.toml attempt --dice 2")),
        odds
    );
    let rolled = well(machine.run("roll ./lantern.toml attempt --dice 2 --faces 2,5"));
    assert!(rolled.starts_with("success\n"), "{rolled}");
    let json = well(machine.run("odds lantern.toml attempt --dice 2 --json"));
    assert!(json.contains(r#""system": "lantern""#), "{json}");
    let checked = well(machine.run("systems check lantern.toml"));
    let sum =
        "lantern: Lantern, 2 stats, 1 pool, 1 check, no faults\nattempt  dice must be given\n";
    assert_eq!(checked, sum);
    let shown = well(machine.run("systems lantern.toml"));
    assert!(shown.contains("By nobody in particular."), "{shown}");
    assert_eq!(machine.run("systems check missing.toml").code, 1);
    assert_eq!(machine.run("odds lantern attempt --dice 2").code, 2);

    write(
        &machine,
        "party.toml",
        "[[character]]\nname = \"Mira\"\nnerve = 3\n",
    );
    well(machine.run("import party.toml --name monday --system lantern.toml"));
    let status = well(machine.run("status monday"));
    assert!(status.contains("Nerve 3"), "{status}");
}

#[test]
fn dice_of_an_explosion_count_with_the_die_that_brought_them() {
    let machine = Machine::new();
    let wild = "format = 1\nid = \"wild\"\nname = \"Wild\"\n[[check]]\nid = \"trait\"\ntotal = \"score\"\n\
                [[check.outcome]]\nid = \"done\"\nsuccess = true\n[[check.step]]\n\
                roll.skill = { die = \"d8\", explode = {} }\nroll.wild = { die = \"d6\", explode = {} }\n\
                read.score = { highest = [\"skill\", \"wild\"] }\n";
    write(&machine, "wild.toml", wild);
    for (faces, dice) in [
        ("5,3", "skill d8 5, (wild d6 3); score 5"),
        ("8,2,3", "skill d8 8, (wild d6 2), skill d8 3; score 11"),
        ("3,6,2", "(skill d8 3), wild d6 6, wild d6 2; score 8"),
        (
            "8,6,2,1",
            "skill d8 8, (wild d6 6), skill d8 2, (wild d6 1); score 10",
        ),
    ] {
        let rolled = well(machine.run(&format!("roll wild.toml trait --faces {faces}")));
        assert!(rolled.contains(dice), "{faces}: {rolled}");
    }
}

#[test]
fn ones_own_folder_gives_a_file_its_name() {
    let machine = Machine::new();
    let own = ".config/tableside/systems";
    write(
        &machine,
        &format!("{own}/mine.toml"),
        &lantern("5", "craft", "4"),
    );
    let odds = well(machine.run("odds lantern attempt --dice 1"));
    assert!(odds.starts_with("success  1/2"), "{odds}");
    well(machine.run("new friday --system lantern"));
    let names = well(machine.run("systems --names"));
    assert!(names.lines().any(|name| name == "lantern"), "{names}");
    let help = well(machine.run("odds --help"));
    assert!(help.contains("lantern"), "{help}");

    // A file of a shipped name goes first.
    let text = lantern("5", "craft", "6").replace(r#""lantern""#, r#""24xx""#);
    write(&machine, &format!("{own}/24xx.toml"), &text);
    let odds = well(machine.run("odds 24xx attempt --dice 1"));
    assert!(odds.starts_with("success  1/6"), "{odds}");

    // A broken one is named with its place, and the others stay.
    let broken = lantern("5", "craft", "5")
        .replace("max = 6", "max = \"six\"")
        .replace("gm =", "gem =");
    write(
        &machine,
        &format!("{own}/broken.toml"),
        &broken.replace("lantern", "broken"),
    );
    let listed = machine.plain(&well(machine.run("systems")));
    let line = |id: &str| {
        listed
            .lines()
            .find(|line| line.starts_with(id))
            .unwrap_or_default()
    };
    assert!(line("broken").contains("broken, 3 faults"), "{listed}");
    assert!(
        line("lantern").ends_with("(HOME/.config/tableside/systems/mine.toml)"),
        "{listed}"
    );
    assert!(line("hearts").ends_with("(shipped)"), "{listed}");
    let ran = machine.run("odds broken attempt --dice 1");
    let err = machine.plain(&ran.err);
    let places: Vec<&str> = err.lines().collect();
    assert_eq!((ran.code, places.len()), (1, 3), "{err}");
    assert!(
        places[0].starts_with("HOME/.config/tableside/systems/broken.toml:4:1: "),
        "{err}"
    );
    assert!(places[0].contains("did you mean gm?"), "{err}");
    assert_eq!(machine.run("odds lantern attempt --dice 1").code, 0);
}

#[test]
fn a_system_is_begun_as_a_copy_and_never_overwritten() {
    let machine = Machine::new();
    let made = machine.plain(&well(
        machine.run("systems new my-game --like forged-in-the-dark"),
    ));
    assert!(made.contains("HOME/.config/tableside/systems"), "{made}");
    let checked = well(machine.run("systems check my-game.toml"));
    assert!(
        checked.starts_with("my-game: Forged in the Dark (ours), "),
        "{checked}"
    );
    let again = machine.run("systems new my-game --like 24xx");
    assert_eq!(again.code, 1);
    assert!(again.err.contains("is not replaced"), "{again:?}");
    let coded = machine.run("systems new other --like heart-rush");
    assert!(coded.err.contains("code of the program"), "{coded:?}");
    assert_eq!(machine.run("systems new Other! --like 24xx").code, 2);
    let shipped = well(machine.run("systems forged-in-the-dark --toml"));
    assert!(shipped.contains("id = \"forged-in-the-dark\""), "{shipped}");
}

#[test]
fn rules_that_change_in_the_middle_of_a_game_lose_nothing_and_are_taken_back() {
    let machine = playing();
    well(machine.run("do friday roll Mira attempt dice=craft faces=2,2,2,5"));
    let entry = 5;
    let before = well(machine.run("status friday"));
    let explained = well(machine.run(&format!("log friday --explain {entry}")));
    assert!(explained.contains("Success"), "{explained}");

    // Not before it is said so.
    let changed = lantern("3", "wits", "6").replace("start = 3", "start = 4");
    write(&machine, "lantern.toml", &changed);
    assert_eq!(well(machine.run("status friday")), before);
    let told = well(machine.run("do friday take the new rules"));
    for what in [
        "stat craft goes",
        "stat wits appears",
        "max 5 to 3",
        "start 3 to 4",
    ] {
        assert!(told.contains(what), "{what}: {told}");
    }
    let status = well(machine.run("status friday"));
    assert!(status.contains("Nerve 3, Wits 1."), "{status}");
    assert!(status.contains("Oil 1"), "{status}");
    // What was rolled before says what it said.
    assert_eq!(
        well(machine.run(&format!("log friday --explain {entry}"))),
        explained
    );
    assert!(well(machine.run("verify friday")).contains("everything holds"));
    let rolled = well(machine.run("do friday roll Mira attempt dice=nerve faces=5,5,5"));
    assert!(rolled.contains("Failure"), "{rolled}");

    // Taken once more, everything that went is back, and undone in order it is as it was.
    write(&machine, "old.toml", &lantern("5", "craft", "5"));
    well(machine.run("do friday take the new rules from old.toml"));
    let status = well(machine.run("status friday"));
    assert!(status.contains("Nerve 5, Craft 4."), "{status}");
    well(machine.run("do friday undo 3"));
    let after = well(machine.run("status friday"));
    let party = |status: &str| {
        status
            .split("Last rolls")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(party(&after), party(&before));
    assert!(
        well(machine.run("verify friday")).contains("3 rolls")
            || well(machine.run("verify friday")).contains("everything holds")
    );
    let same = machine.run("do friday take the new rules from old.toml");
    assert!(same.err.contains("nothing changed"), "{same:?}");
}

#[test]
fn a_session_opens_where_nobody_has_the_file() {
    let machine = playing();
    well(machine.run("do friday roll Mira attempt dice=craft faces=2,2,2,5"));
    write(&machine, "lantern.toml", &lantern("3", "wits", "6"));
    well(machine.run("do friday take the new rules"));
    well(machine.run("export friday friday.tableside"));
    let status = well(machine.run("status friday"));
    let explained = well(machine.run("log friday --explain 5"));

    let other = Machine::new();
    let bundle = fs::read(machine.home.path().join("friday.tableside")).unwrap();
    fs::write(other.home.path().join("friday.tableside"), bundle).unwrap();
    well(other.run("import friday.tableside"));
    assert_eq!(well(other.run("status friday")), status);
    assert_eq!(well(other.run("log friday --explain 5")), explained);
    assert!(well(other.run("verify friday")).contains("everything holds"));
    // The own check is known by the game, too.
    let rolled = well(
        other.run("roll lantern attempt --session friday --as Mira --dice nerve --faces 6,1,1"),
    );
    assert!(rolled.starts_with("success"), "{rolled}");
    well(other.run("do friday undo 2"));
    assert!(well(other.run("status friday")).contains("Craft 4"));
}

#[test]
fn an_edited_copy_is_noticed_and_the_game_goes_on_with_its_rules() {
    let machine = playing();
    let copy = machine.data().join("friday/system.toml");
    fs::write(&copy, lantern("5", "wits", "5")).unwrap();
    let ran = machine.run("do friday note here");
    assert_eq!(ran.code, 0);
    let said = ran.out + ran.err.as_str();
    assert!(
        said.contains("system.toml was changed, and the game goes on"),
        "{said}"
    );
    let ran = machine.run("do friday take the new rules");
    assert!(ran.out.contains("stat wits appears"), "{ran:?}");
    // A lost one is written again.
    fs::remove_file(&copy).unwrap();
    well(machine.run("do friday note there"));
    assert_eq!(
        fs::read_to_string(&copy).unwrap(),
        lantern("5", "wits", "5")
    );
}
