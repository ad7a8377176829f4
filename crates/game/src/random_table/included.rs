//! The random tables that come with the program, from `tables/` in the repository.

use std::sync::LazyLock;

use super::{RandomTable, TableSource};

/// An included table before it is read.
struct IncludedFile {
    /// The id of the system that the table is for. `None` for a table of all systems.
    system: Option<&'static str>,
    name: &'static str,
    text: &'static str,
}

/// Lists included files by the folder of their system and their names.
macro_rules! included {
    ($($folder:literal, $system:expr => $($name:literal),+;)*) => {
        &[$($(IncludedFile {
            system: $system,
            name: $name,
            text: include_str!(concat!("../../../../tables/", $folder, "/", $name, ".md")),
        },)+)*]
    };
}

const FILES: &[IncludedFile] = included! {
    "any", None => "weather", "first-names", "rumours", "complications", "people-on-the-way";
    "5e", Some("5e") => "dungeon-complications", "tavern-patrons";
    "forged-in-the-dark", Some("forged-in-the-dark") => "score-complications", "city-streets";
    "heart-rush", Some("heart-rush") => "heroic-complications", "sights-of-the-realm";
    "hearts", Some("hearts") => "verses-of-trouble", "things-worth-a-song";
    "hfrpg", Some("hfrpg") => "exploding-trouble", "odd-finds";
    "gnosis", Some("gnosis") => "cosmic-consequences", "visions";
    "friday-night-dungeon", Some("friday-night-dungeon") => "dungeon-rooms", "wandering-trouble";
    "24xx", Some("24xx") => "job-complications", "station-sights";
    "four-dice-aspects", Some("four-dice-aspects") => "pulp-complications", "scene-aspects";
    "iron-vows", Some("iron-vows") => "vow-troubles", "cold-lands";
    "percentile", Some("percentile") => "unsettling-discoveries", "witnesses";
    "pushed-pools", Some("pushed-pools") => "things-that-fail", "wasteland-finds";
    "two-dice-moves", Some("two-dice-moves") => "hard-moves", "wants-and-secrets";
};

static TABLES: LazyLock<Vec<RandomTable>> = LazyLock::new(|| {
    FILES
        .iter()
        .map(|file| {
            let table = RandomTable::from_lines(file.name, file.text)
                .expect("a test reads each included table");
            RandomTable {
                source: TableSource::Included(file.system),
                ..table
            }
        })
        .collect()
});

/// Returns the included tables for all systems and those of `system`. Without a system, returns those of every system.
pub(super) fn tables(system: Option<&str>) -> impl Iterator<Item = &'static RandomTable> {
    TABLES.iter().filter(move |table| match table.source {
        TableSource::Included(Some(of_system)) => system.is_none_or(|id| id == of_system),
        TableSource::Included(None) | TableSource::Own => true,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use tableside_rules::System;

    #[test]
    fn each_shipped_system_has_tables_with_names_of_their_own() {
        let names: BTreeSet<&str> = FILES.iter().map(|file| file.name).collect();
        assert_eq!(names.len(), FILES.len());

        for system in System::shipped() {
            let id = system.spec().id;
            let own = FILES.iter().filter(|file| file.system == Some(id)).count();
            assert!(own >= 2, "{id} has {own} tables");
        }
    }

    #[test]
    fn each_included_table_has_enough_rows_and_survives_the_way_through_its_file() {
        for table in tables(None) {
            let count = table.rows.len();
            assert!(
                (11..=20).contains(&count),
                "{} has {count} rows",
                table.name
            );

            let lines = table.to_lines();
            let reread = RandomTable::from_lines(&table.name, &lines).unwrap();
            assert_eq!(reread.rows, table.rows);
            assert_eq!(reread.dice, table.dice);
        }
    }
}
