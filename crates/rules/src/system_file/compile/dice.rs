//! Compiles `[dice.NAME]`: dice with faces of their own.

use tableside_dice::{CustomDie, Face};

use crate::permanent::{keep, keep_list};
use crate::system_file::read::{TomlTable, TomlValue};

/// The faces of a die, and how often each face shows each symbol.
#[derive(Default)]
struct CompiledFaces {
    /// The numbers on the faces. If the faces show symbols instead, they are numbered from 1.
    numbers: Vec<Face>,
    symbols: Vec<(&'static str, Vec<i32>)>,
}

pub(super) fn custom_dice(file: &TomlTable<'_>) -> Vec<&'static CustomDie> {
    let mut dice = Vec::new();
    let Some(dice_table) = file.table("dice") else {
        return dice;
    };

    for (name, value) in dice_table.entries() {
        if let Some(table) = value.table(&format!("the die {name}")) {
            dice.extend(custom_die(name, &table));
        }
    }
    dice
}

fn custom_die(name: &'static str, table: &TomlTable<'_>) -> Option<&'static CustomDie> {
    let sides = table.require("faces")?.list();
    if !(2..=100).contains(&sides.len()) {
        table.fault(format!("{} must have 2 to 100 faces", table.title));
    }

    let faces = if sides.iter().any(|side| side.is_table()) {
        symbol_faces(&sides)
    } else {
        number_faces(&sides)
    };

    let marks = table.texts("marks");
    if !marks.is_empty() && marks.len() != sides.len() {
        table.fault(format!(
            "{} needs a mark for each of its faces",
            table.title
        ));
    }

    let symbols = faces
        .symbols
        .into_iter()
        .map(|(symbol, counts)| (symbol, keep_list(counts)));
    Some(keep(CustomDie {
        name,
        faces: keep_list(faces.numbers),
        marks,
        symbols: keep_list(symbols.collect()),
    }))
}

fn number_faces(sides: &[TomlValue<'_>]) -> CompiledFaces {
    let mut faces = CompiledFaces::default();
    for side in sides {
        let face = Face::try_from(side.number().unwrap_or(0)).unwrap_or_else(|_| {
            side.fault("a face must be a number from -32768 to 32767");
            0
        });
        faces.numbers.push(face);
    }
    faces
}

/// Compiles faces such as `{ success = 2, advantage = 1 }`.
fn symbol_faces(sides: &[TomlValue<'_>]) -> CompiledFaces {
    let mut faces = CompiledFaces::default();

    for (index, side) in sides.iter().enumerate() {
        // A die with too many sides is a fault already.
        faces.numbers.push(Face::try_from(index + 1).unwrap_or(0));

        let Some(shown) = side.table("a face") else {
            continue;
        };
        for (symbol, count) in shown.entries() {
            let earlier_place = faces
                .symbols
                .iter()
                .position(|(earlier, _)| *earlier == symbol);
            let place = earlier_place.unwrap_or_else(|| {
                faces.symbols.push((symbol, vec![0; sides.len()]));
                faces.symbols.len() - 1
            });
            faces.symbols[place].1[index] = count.number().unwrap_or(0);
        }
    }
    faces
}
