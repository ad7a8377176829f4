//! The form of a character: who it is, whose, and the sheet as its system describes it.

use crate::app::offered::is_own;
use crate::dialog::{Dialog, Form, Row, RowId, TypedValue, ask_over};
use tableside_dice::Die;
use tableside_game::{Allegiance, Character, CharacterId, Command, LONGEST_NAME, LONGEST_NOTE};
use tableside_rules::{Field, Kind, RuleError, Sheet, Value};
use tableside_table::SeatView;

/// The rows before the sheet, and the place of the side among them.
const OWN: usize = 4;
const SIDE: usize = 2;

/// The value that is as high as it goes while somebody is new.
const HIT_POINTS: RowId = RowId::Field("hit-points");

/// A sheet's longest line of text.
const LONGEST_LINE: usize = 2_000;

/// Makes a character, or changes that one, which is only read at first.
pub fn character_form(id: Option<CharacterId>, view: &SeatView<'_>) -> Dialog {
    let known = id.and_then(|id| view.character(id));
    let blank = Character::new("", Sheet::new(view.system()));
    let character = known.unwrap_or(&blank).clone();
    let notes = known.and_then(|known| view.notes(known));
    let (gm, sides) = (view.system().spec().gm, &Allegiance::ALL);
    let mut rows = vec![
        Row::name(&character.name, "a name").help("What everybody calls the character."),
        Row::text("player", "Player", &character.player, LONGEST_NAME)
            .hint("nobody")
            .help(format!("Who plays it; empty for the {gm}'s own.")),
        Row::one_of("side", "Side", sides, character.side, <&str>::from)
            .help("Party, ally, adversary, or apathetic to both."),
        Row::flag("hidden", "Hidden", character.hidden)
            .help("Whether players may not know of it yet."),
    ];
    let sheet = character.sheet.iter();
    rows.extend(sheet.map(|(stat, value)| stat_row(stat, value)));
    rows.push(
        Row::text("notes", "Notes", notes.unwrap_or_default(), LONGEST_NOTE)
            .hint("none")
            .help(format!("For the {gm} alone.")),
    );
    // No line of text has the cursor before somebody goes there.
    let plain = |row: &Row| !matches!(row.entry, TypedValue::Text(_));
    let stat = rows.iter().skip(OWN).position(plain);
    let is_known = known.is_some();
    let begin = known.map_or(0, |_| stat.map_or(SIDE, |at| at + OWN));
    let title = known.map_or("New character", |known| &known.name);
    let mut form = Form::new(title, rows).wide();
    form.is_reading = is_known;
    form.enter_does = enter_does(id, view);
    let own_numbers: Vec<&'static str> = character
        .sheet
        .iter()
        .map(|(stat, _)| stat.id)
        .filter(|id| character.sheet.derived(id).is_some() && !character.sheet.is_derived(id))
        .collect();
    let look_over = move |form: &mut Form, view: &SeatView<'_>| {
        look_over(form, is_known, &own_numbers, view);
    };
    let form = ask_over(form, view, look_over, move |form, view| {
        // The character as it stands now, with what was changed here.
        let mut character = view.character(character.id).unwrap_or(&character).clone();
        // What a new one is fresh at followed from the rest of the sheet.
        let fresh = form.row(HIT_POINTS).filter(|_| !is_known);
        for row in form.changed().chain(fresh) {
            match row.id {
                RowId::Row("name") => character.name = row.value(),
                RowId::Row("player") => character.player = row.value(),
                RowId::Row("side") => character.side = form.picked("side", &Allegiance::ALL),
                RowId::Row("hidden") => character.hidden = form.is_on("hidden"),
                RowId::Row("notes") => character.notes = row.value(),
                _ => {
                    if let Some(stat) = stat_of(row, &character.sheet) {
                        let set = character.sheet.set(stat.id, parse(stat, row)?);
                        set.map_err(|error| error.to_string())?;
                    }
                }
            }
        }
        if !is_known {
            return Ok(Command::add(character).into());
        }
        match stats_set(form, &character, view) {
            Some(command) => Ok(command.into()),
            None => Ok(Command::edit(character).into()),
        }
    });
    form.with_focus_index(begin)
}

/// What Enter does in the form of a character that is only read. `None` if this seat may only read it.
fn enter_does(id: Option<CharacterId>, view: &SeatView<'_>) -> Option<&'static str> {
    if is_own(id, false, view) {
        return Some("edits");
    }
    let may_suggest = view.seat().may_suggest(view.allowed()) && !view.is_view();
    may_suggest.then_some("suggests a change")
}

/// The changes to a sheet as a player may make them: stat by stat. `None` for the GM, who edits the whole, and if
/// something else than the sheet changed.
fn stats_set(form: &Form, character: &Character, view: &SeatView<'_>) -> Option<Command> {
    if view.seat().sees_all() {
        return None;
    }
    let mut commands = Vec::new();
    for row in form.changed() {
        let stat = stat_of(row, &character.sheet)?;
        commands.push(Command::SetStat {
            who: character.id,
            stat: stat.id.to_owned(),
            value: parse(stat, row).ok()?,
        });
    }
    (!commands.is_empty()).then(|| Command::together(commands))
}

fn stat_row(stat: &'static Field, value: &Value) -> Row {
    let (id, label, word) = (RowId::Field(stat.id), stat.label, value.to_string());
    let choice = |words: &[&'static str]| {
        let at = words.iter().position(|known| *known == word);
        Row::choice(id, label, words.iter().copied(), at.unwrap_or(0))
    };
    let row = match stat.kind {
        Kind::Die => choice(&Die::LADDER.map(Die::name)),
        Kind::Number { min, max } => Row::number(id, label, word.parse().ok(), (min, max)),
        Kind::Word(words) => choice(words),
        Kind::Flag | Kind::Text | Kind::Ranks { .. } => Row::text(id, label, &word, LONGEST_LINE),
    };
    row.hint("none").help(help_of(stat)).under(stat.group)
}

fn help_of(stat: &Field) -> String {
    match stat.help {
        "" => format!("Takes {}.", stat.describe()),
        help => help.to_owned(),
    }
}

fn parse(stat: &'static Field, row: &Row) -> Result<Value, String> {
    stat.parse(&row.entry.text()).map_err(|error| match error {
        RuleError::Wrong { takes, .. } => format!("must be {takes}"),
        error => error.to_string(),
    })
}

/// The stat of a row.
fn stat_of(row: &Row, sheet: &Sheet) -> Option<&'static Field> {
    match row.id {
        RowId::Field(id) => sheet.stat(id).ok(),
        _ => None,
    }
}

/// Fills in derived values as the other rows are now, and says beside a number of its own what would be derived.
fn show_derived(form: &mut Form, own_numbers: &[&str], sheet: &Sheet) {
    for row in &mut form.rows {
        let Some(stat) = stat_of(row, sheet) else {
            continue;
        };
        let Some(derived) = sheet.derived(stat.id) else {
            continue;
        };

        if row.is_changed() || own_numbers.contains(&stat.id) {
            row.beside = format!("derived: {derived}");
        } else {
            *row = row.clone().or_number(derived.number(), row.bounds);
            "derived".clone_into(&mut row.beside);
        }
    }
}

/// Says what is wrong with each value, and what it comes to in a check, as it is entered. Somebody new is fresh until
/// hit points are typed.
fn look_over(form: &mut Form, is_known: bool, own_numbers: &[&str], view: &SeatView<'_>) {
    let mut sheet = Sheet::new(view.system());
    for row in &mut form.rows {
        let Some(stat) = stat_of(row, &sheet) else {
            continue;
        };
        // A derived value follows from the other rows until a number is typed.
        let is_derived = sheet.derived(stat.id).is_some() && !own_numbers.contains(&stat.id);
        if is_derived && !row.is_changed() {
            continue;
        }
        match parse(stat, row) {
            // It was just read as a value of this stat.
            Ok(value) => sheet.record(stat.id, value).unwrap_or_default(),
            // What is still missing is no mistake before anybody is done.
            Err(_) if !row.is_changed() => {}
            Err(problem) => row.problem = Some(problem),
        }
    }
    let fresh = sheet.most_hit_points().filter(|_| !is_known);
    let row = form.row_mut(HIT_POINTS).filter(|row| !row.is_changed());
    if let Some((fresh, row)) = fresh.zip(row) {
        *row = row.clone().or_number(Some(fresh), row.bounds);
    }
    let means = view.system().code().means;
    for row in &mut form.rows {
        let Some(stat) = stat_of(row, &sheet) else {
            continue;
        };
        let told = means(&sheet, stat.id).filter(|_| row.problem.is_none());
        // A list needs its line for itself: what it comes to stands beneath.
        match (&row.entry, told) {
            (TypedValue::Text(_), Some(told)) => {
                row.help = format!("{} As it stands: {told}.", help_of(stat)).into();
            }
            (TypedValue::Text(_), None) => row.help = help_of(stat).into(),
            (_, told) => row.beside = told.unwrap_or_default(),
        }
    }
    show_derived(form, own_numbers, &sheet);
}
