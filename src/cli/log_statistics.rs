//! `tableside log --statistics`: the dice and the luck of everyone, of the whole log or of one session.

use serde_json::{Map, Value as Json, json};

use super::{App, CliError, Ink, Output, pluralise};
use tableside_table::{CheckFigures, DieFigures, Figures, Statistics};
use tableside_text::join;

/// Prints statistics as text, or as one JSON document. `session` is `None` for the whole log.
pub(super) fn print_statistics(
    app: &mut App<'_>,
    statistics: &Statistics,
    session: Option<usize>,
    as_json: bool,
) -> Result<(), CliError> {
    let out = &mut app.out;
    if as_json {
        let each: Vec<Json> = statistics.each.iter().map(json_of_figures).collect();
        return out.json(&json!({
            "session": session,
            "all": json_of_figures(&statistics.all),
            "each": each,
        }));
    }

    print_figures(out, "Everybody", &statistics.all)?;
    for figures in &statistics.each {
        out.line("")?;
        let name = if figures.who.is_empty() {
            "Rolls without a character"
        } else {
            &figures.who
        };
        print_figures(out, name, figures)?;
    }
    Ok(())
}

fn print_figures(out: &mut Output<'_>, name: &str, figures: &Figures) -> Result<(), CliError> {
    out.inked(&[
        (Ink::Strong, name),
        (Ink::Plain, &format!(": {}.", describe_luck(figures))),
    ])?;
    for check in &figures.checks {
        out.line(&format!("  {}", describe_check(check)))?;
    }
    for die in &figures.dice {
        out.line(&format!("  {}", describe_die(die)))?;
    }
    Ok(())
}

fn describe_luck(figures: &Figures) -> String {
    let rolls = pluralise(figures.rolls, "roll");
    let Some(luck) = figures.luck else {
        return rolls;
    };
    let mean = luck.mean * 100.0;
    let deviation = luck.deviation * 100.0;
    format!("{rolls}, luck {mean:.0} of 100 (chance alone moves it by {deviation:.0})")
}

fn describe_check(figures: &CheckFigures) -> String {
    let outcomes = figures.outcomes.iter().filter(|(_, count)| *count > 0);
    let outcomes =
        outcomes.map(|(id, count)| format!("{} {count}", figures.check.outcome(*id).label));
    format!("{}: {}", figures.check.label, join(outcomes, ", "))
}

/// Describes a die: how many were rolled, and how often each face.
fn describe_die(figures: &DieFigures) -> String {
    let faces = figures.faces.iter();
    let counts = join(faces.map(|(face, count)| format!("{face}: {count}")), ", ");
    let DieFigures {
        die, thrown, due, ..
    } = figures;
    format!("{die}: {thrown} rolled, {due:.1} of each face expected; {counts}")
}

fn json_of_figures(figures: &Figures) -> Json {
    let luck = figures.luck.map(|luck| {
        json!({
            "mean": luck.mean,
            "deviation": luck.deviation,
            "rolls": luck.rolls,
        })
    });
    let dice: Vec<Json> = figures.dice.iter().map(json_of_die).collect();
    let checks: Vec<Json> = figures.checks.iter().map(json_of_check).collect();
    json!({
        "who": figures.who,
        "rolls": figures.rolls,
        "luck": luck,
        "dice": dice,
        "checks": checks,
    })
}

fn json_of_die(figures: &DieFigures) -> Json {
    let mut faces = Map::new();
    for (face, count) in &figures.faces {
        faces.insert(face.to_string(), json!(count));
    }
    json!({
        "die": figures.die.to_string(),
        "rolled": figures.thrown,
        "expected": figures.due,
        "faces": faces,
        "p": figures.test.map(|test| test.p),
    })
}

fn json_of_check(figures: &CheckFigures) -> Json {
    let mut outcomes = Map::new();
    for (id, count) in &figures.outcomes {
        outcomes.insert(figures.check.outcome(*id).id.to_owned(), json!(count));
    }
    json!({"check": figures.check.id, "outcomes": outcomes})
}
