//! The creatures of the shipped systems.

use chrono::DateTime;
use tableside::commands::{command_for, example_creatures};
use tableside::dice::SystemDice;
use tableside::game::{
    Author, Bestiary, Command, CommandContext, CreatureMatch, Game, plural_of_creature,
};
use tableside::rules::{Creature, CreatureSide, System};

/// Adds two copies of a creature to a game of its system.
fn two_copies(creature: &Creature, system: System) -> Game {
    let found = CreatureMatch {
        creature,
        name: creature.name.clone(),
    };
    let command = Command::AddCreatures(Box::new(command_for(&found, 2, system)));
    let context = CommandContext {
        at: DateTime::UNIX_EPOCH,
        number: 1,
        author: Author::nobody(),
    };

    let mut game = Game::new(system);
    let mut dice = SystemDice::from_key([7; 32]);
    let event = game.decide(&command, &context, &mut dice).unwrap();
    game.apply(&event);
    game
}

#[test]
fn every_shipped_system_has_at_least_six_opponents_and_5e_forty_creatures() {
    for system in System::shipped() {
        let creatures = system.spec().creatures;
        let opponents = creatures
            .iter()
            .filter(|creature| creature.side == CreatureSide::Adversary);
        let least = if system.id() == "5e" { 40 } else { 6 };
        assert!(opponents.count() >= least, "{system}");
    }
}

#[test]
fn a_creature_fits_its_system_and_is_written_as_it_was_read() {
    for system in System::shipped() {
        let creatures = system.spec().creatures;
        for creature in creatures {
            let sheet = creature.sheet(system);
            sheet.check_bounds().unwrap();
            for (id, value) in &creature.stats {
                let name = &creature.name;
                assert_eq!(sheet.value(id), Some(value), "{system}: {name}, {id}");
            }
        }
        let text = Creature::write_file(system, creatures);
        assert_eq!(Creature::read_file(&text, system).unwrap(), creatures);
    }
}

#[test]
fn copies_have_the_pools_of_their_template_and_become_one_again() {
    for system in System::shipped() {
        for creature in system.spec().creatures {
            let game = two_copies(creature, system);
            let names: Vec<&str> = game.roster.iter().map(|one| one.name.as_str()).collect();
            let due = [1, 2].map(|number| format!("{} {number}", creature.name));
            assert_eq!(names, due);

            let first = game.roster.iter().next().unwrap().id;
            let again = game.creature_of(first).unwrap();
            assert_eq!(again.name, creature.name);
            assert_eq!(again.side, creature.side);
            for pool in &creature.pools {
                let owned = |name: &str| name == pool.name;
                let mut pools = game.pools.iter();
                let given = pools.find(|one| one.owner == Some(first) && owned(one.id_word()));
                assert_eq!(given.unwrap().tokens, pool.start, "{system}: {}", pool.name);
            }
        }
    }
}

#[test]
fn the_example_of_a_list_of_creatures_names_creatures_of_the_system() {
    for system in System::shipped() {
        let creatures = Bestiary::new(system, Vec::new(), Vec::new());
        let example = example_creatures(&creatures);
        for (part, creature) in example.split(", ").zip(&creatures.creatures) {
            let (_, name) = part.split_once(' ').unwrap();
            let found = creatures.named(name).unwrap();
            assert_eq!(found.creature.name, creature.name, "{system}: {example}");
        }
        assert!(example.contains(", "), "{system}: {example}");
    }
}

#[test]
fn every_creature_is_found_by_its_plural() {
    for system in System::shipped() {
        let creatures = Bestiary::new(system, Vec::new(), Vec::new());
        for creature in &creatures.creatures {
            let plural = plural_of_creature(&creature.name);
            let found = creatures.named(&plural);
            let found = found.map(|found| found.creature.name.as_str());
            assert_eq!(found, Some(creature.name.as_str()), "{system}: {plural}");
        }
    }
}

#[test]
fn a_typed_name_finds_its_template_in_the_plural_and_by_its_first_words() {
    let system = System::shipped()
        .find(|system| system.id() == "5e")
        .unwrap();
    let creatures = Bestiary::new(system, Vec::new(), Vec::new());
    for (typed, name, called) in [
        ("goblins", "Goblin Warrior", "Goblin"),
        ("Goblin bosses", "Goblin Boss", "Goblin Boss"),
        ("wolves", "Wolf", "Wolf"),
        ("dire wolves", "Dire Wolf", "Dire Wolf"),
        ("mummies", "Mummy", "Mummy"),
        ("OGRE", "Ogre", "Ogre"),
    ] {
        let found = creatures.named(typed).unwrap();
        assert_eq!(
            (found.creature.name.as_str(), found.name.as_str()),
            (name, called)
        );
    }
    for typed in ["gob", "", "owl", "unicorn"] {
        assert!(creatures.named(typed).is_none(), "{typed}");
    }
    let found = creatures.find("owl").into_iter();
    let names: Vec<&str> = found.map(|one| one.creature.name.as_str()).collect();
    assert_eq!(names, ["Owlbear"]);
}
