//! The creatures of the shipped systems.

use tableside::rules::{CreatureSide, System};

#[test]
fn every_shipped_system_has_at_least_six_opponents() {
    for system in System::shipped() {
        let creatures = system.spec().creatures;
        let opponents = creatures
            .iter()
            .filter(|creature| creature.side == CreatureSide::default());
        assert!(opponents.count() >= 6, "{system}");
    }
    assert!(
        System::of_file(System::FIVE_E.text(), false)
            .unwrap()
            .spec()
            .creatures
            .len()
            >= 40
    );
}

#[test]
fn a_creature_fits_its_system_and_is_written_as_it_was_read() {
    for system in System::shipped() {
        let creatures = system.spec().creatures;
        for creature in creatures {
            let sheet = creature.sheet(system);
            sheet.check_bounds().unwrap();
            for (id, value) in &creature.stats {
                assert_eq!(
                    sheet.value(id),
                    Some(value),
                    "{system}: {}, {id}",
                    creature.name
                );
            }
        }
        let text = Creature::write_file(system, creatures);
        assert_eq!(Creature::read_file(&text, system).unwrap(), creatures);
    }
}
