//! The form that creates or edits a pool of tokens.

use crate::dialog::owner_row::{OwnerRow, owner_choices};
use crate::dialog::{Dialog, DialogAction, Form, Row, RowId, ask};
use tableside_game::{
    CharacterId, Command, Gains, MOST_TOKENS, PoolId, PoolKind, Reset, TokenPool, read_thresholds,
    write_thresholds,
};
use tableside_rules::Recharge;
use tableside_table::SeatView;

/// The maximum length of the thresholds of a pool, in characters.
const MAX_THRESHOLDS_CHARS: usize = 2_000;

/// Opens the form of a pool, or of a new pool if `id` is `None`.
pub fn pool_form(id: Option<PoolId>, view: &SeatView<'_>) -> Dialog {
    let existing = id.and_then(|id| view.game().pool(id));
    let owners = owner_choices(view);
    let is_new = existing.is_none();
    let (title, pool) = match existing {
        Some(pool) => (pool.name.clone(), pool.clone()),
        None => ("New pool of tokens".to_owned(), TokenPool::new("")),
    };

    let rows = pool_rows(&pool, &owners, view);
    ask(title, rows, view, move |form, view| {
        // The form changes only the edited values, so changes by other seats stay.
        let present = view.game().pool(pool.id).unwrap_or(&pool);
        save_pool(form, present, is_new, &owners)
    })
}

fn save_pool(
    form: &Form,
    before: &TokenPool,
    is_new: bool,
    owners: &[Option<CharacterId>],
) -> Result<DialogAction, String> {
    let mut pool = before.clone();
    let mut has_typed_tokens = false;
    for row in form.changed() {
        match row.id {
            RowId::Row("name") => pool.name = row.value(),
            RowId::Row("owner") => pool.owner = form.picked("owner", owners),
            RowId::Row("tokens") => {
                pool.tokens = form.number("tokens")?;
                has_typed_tokens = true;
            }
            RowId::Row("floor") => pool.floor = form.number("floor")?,
            RowId::Row("cap") => pool.cap = row.maybe_number()?,
            RowId::Row("start") => pool.start = form.number("start")?,
            RowId::Row("reset") => pool.reset = form.picked("reset", &Reset::ALL),
            RowId::Row("limit") => pool.gains = edited_limit(row, before)?,
            RowId::Row("thresholds") => pool.thresholds = read_thresholds(&row.value())?,
            _ => {}
        }
    }

    if is_new && !has_typed_tokens {
        pool.tokens = pool.start;
    }
    check_bounds("start", pool.start, &pool)?;
    check_bounds("tokens", pool.tokens, &pool)?;

    let command = if is_new {
        Command::add(pool)
    } else {
        Command::edit(pool)
    };
    Ok(command.into())
}

/// Returns the limit of gains in a scene after an edit. Tokens that were already gained in this scene still count.
fn edited_limit(row: &Row, before: &TokenPool) -> Result<Option<Gains>, String> {
    let this_scene = match before.gains {
        Some(gains) => gains.this_scene,
        None => 0,
    };
    let limit = row.maybe_number()?;
    Ok(limit.map(|most| Gains { most, this_scene }))
}

fn check_bounds(label: &str, number: i32, pool: &TokenPool) -> Result<(), String> {
    let nearest = pool.within(number);
    if number > nearest {
        return Err(format!("{label}: must be at most {nearest}"));
    }
    if number < nearest {
        return Err(format!("{label}: must be at least {nearest}"));
    }
    Ok(())
}

fn token_row(id: &'static str, label: &'static str, value: Option<i32>) -> Row {
    Row::number(id, label, value, (-MOST_TOKENS, MOST_TOKENS))
}

fn pool_rows(pool: &TokenPool, owners: &[Option<CharacterId>], view: &SeatView<'_>) -> Vec<Row> {
    let owner = OwnerRow {
        id: "owner",
        label: "Belongs to",
        owners,
        without_owner: "the table",
    };
    let mut rows = vec![
        Row::name(&pool.name, "Rations").help("The name of the tokens."),
        owner
            .row(pool.owner, view)
            .help("A character, or the whole table."),
        token_row("tokens", "Tokens", Some(pool.tokens))
            .needed()
            .help("The current number of tokens."),
        token_row("floor", "Minimum", Some(pool.floor))
            .needed()
            .help("The smallest number it can hold."),
        token_row("cap", "Maximum", pool.cap)
            .hint("no limit")
            .help("The largest number it can hold. Blank for no limit."),
        token_row("start", "Start", Some(pool.start))
            .needed()
            .help("The number after a reset."),
        Row::one_of("reset", "Reset", &Reset::ALL, pool.reset, describe_reset)
            .help("When it resets automatically."),
    ];
    // The rules limit the gains of their own pools.
    if pool.kind == PoolKind::Own {
        rows.push(limit_row(pool.gains));
    }

    let thresholds = write_thresholds(&pool.thresholds);
    let row = Row::text(
        "thresholds",
        "Thresholds",
        &thresholds,
        MAX_THRESHOLDS_CHARS,
    );
    rows.push(
        row.hint("10: the dragon wakes")
            .help("A message at a number. Separate several with semicolons."),
    );
    rows
}

fn limit_row(gains: Option<Gains>) -> Row {
    let limit = gains.map(|gains| gains.most);
    Row::number("limit", "A scene gives", limit, (1, MOST_TOKENS))
        .hint("any number")
        .help("The most tokens that a scene gives. Awards and typed numbers are not limited.")
}

fn describe_reset(reset: Reset) -> &'static str {
    match reset {
        Reset::Never => "never",
        Reset::Scene => "at the end of a scene",
        Reset::Session => "at the end of the session",
        Reset::AtLeastStart => "at the end of the session, if it is below",
        Reset::Turn => "when the owner's turn begins",
        Reset::Recharge(Recharge { from: 6 }) => "at the turn's start, on a 6 of a d6",
        Reset::Recharge(Recharge { from: 5 }) => "at the turn's start, on 5 or 6 of a d6",
        Reset::Recharge(Recharge { from: 4 }) => "at the turn's start, on 4 to 6 of a d6",
        Reset::Recharge(_) => "at the turn's start, by a d6",
        Reset::ShortRest => "after a short or long rest",
        Reset::LongRest => "after a long rest",
    }
}
