//! The forms of tokens: an amount, an award, a transfer, the purse of a character, and a pool itself.

mod pool_form;
mod purse;

pub use self::pool_form::pool_form;
pub use self::purse::purse_form;

use crate::dialog::{Dialog, DialogAction, Form, Row, RowId, ask, ask_over};
use tableside_game::{
    ASPECTS, CharacterId, Command, DESTINY, LONGEST_NAME, MOST_TOKENS, PoolId, PoolKind, TokenPool,
};
use tableside_table::SeatView;

/// Describes a pool with its owner: `Mira: Destiny Points`.
fn describe_pool(id: PoolId, view: &SeatView<'_>) -> String {
    match view.game().pool(id) {
        Some(pool) => format!("{}: {}", view.owner_name(pool.owner), pool.name),
        None => String::new(),
    }
}

/// Opens the form for the new number of tokens in these pools. A number with a sign is added to the current number.
pub fn amount_form(pools: Vec<PoolId>, view: &SeatView<'_>) -> Dialog {
    let bounds = (-MOST_TOKENS, MOST_TOKENS);
    let mut amount = Row::number("amount", "Amount", None, bounds)
        .needed()
        .hint("7, +5 or -3")
        .help("7 sets it to 7, +5 gains 5, -3 spends 3, =-2 sets it to −2.");

    let title = match pools.as_slice() {
        [id] => {
            if let Some(pool) = view.game().pool(*id) {
                amount.beside = format!("{} now", pool.tokens);
            }
            describe_pool(*id, view)
        }
        _ => format!("{} pools", pools.len()),
    };

    let submit = move |form: &Form, _: &SeatView<'_>| change_amounts(form, &pools);
    ask(title, vec![amount], view, submit)
        .with_preview_lines()
        .with_submit_label("apply")
}

fn change_amounts(form: &Form, pools: &[PoolId]) -> Result<DialogAction, String> {
    let number = form.number("amount")?;
    let is_signed = form.text("amount").starts_with(['+', '-']);

    let mut commands = Vec::new();
    for &pool in pools {
        let command = if is_signed {
            Command::Tokens { pool, by: number }
        } else {
            Command::SetTokens { pool, to: number }
        };
        commands.push(command);
    }
    Ok(Command::together(commands).into())
}

/// An aspect or a wound that can complicate the life of its character.
struct Aspect {
    character: CharacterId,
    name: String,
    rank: i32,
}

/// Lists the aspects that add tokens to a pool when they complicate life. Only destiny grows in this way.
fn aspects(pool: PoolId, view: &SeatView<'_>) -> Vec<Aspect> {
    let mut aspects = Vec::new();
    let Some(pool) = view.game().pool(pool) else {
        return aspects;
    };
    let Some(owner) = pool.owner.and_then(|owner| view.character(owner)) else {
        return aspects;
    };
    if pool.kind != PoolKind::Rule(DESTINY) {
        return aspects;
    }

    for list in ASPECTS {
        for (name, rank) in owner.sheet.ranks(list) {
            aspects.push(Aspect {
                character: owner.id,
                name: name.clone(),
                rank: *rank,
            });
        }
    }
    aspects
}

/// Opens the form that adds tokens to a pool without a roll: an award, or the gain from an aspect that complicates
/// life.
///
/// Without a pool the form asks for one, and offers those of `owner` first.
pub fn award_form(pool: Option<PoolId>, owner: Option<CharacterId>, view: &SeatView<'_>) -> Dialog {
    let mut pools: Vec<Option<PoolId>> = Vec::new();
    if pool.is_none() {
        pools.push(None);
        pools.extend(view.pools_of(owner).map(|pool| Some(pool.id)));
    }
    for other in view.pools() {
        if !pools.contains(&Some(other.id)) {
            pools.push(Some(other.id));
        }
    }

    let describe = |id: Option<PoolId>| match id {
        Some(id) => describe_pool(id, view),
        None => "choose a pool".to_owned(),
    };
    let receiver = Row::one_of("pool", "To", &pools, pool, describe)
        .by_typing()
        .help("The pool that gets the tokens.");
    let form = Form::new("Award", vec![receiver]).with_submit_label("award");
    // A preset receiver is usually right, so the focus starts on the next row.
    let focus = usize::from(pool.is_some());

    let offered_pools = pools.clone();
    let dialog = ask_over(
        form,
        view,
        move |form, view| lay_out_award(form, &offered_pools, view),
        move |form, view| award_tokens(form, &pools, view),
    );
    dialog.with_preview_lines().with_focus_index(focus)
}

fn lay_out_award(form: &mut Form, pools: &[Option<PoolId>], view: &SeatView<'_>) {
    let mut rows = Vec::new();
    if let Some(receiver) = form.rows.first() {
        rows.push(receiver.clone());
    }

    let mut is_award = true;
    if let Some(pool) = form.picked("pool", pools) {
        is_award = form.choice(reason_id(pool)) == 0;
        let aspects = aspects(pool, view);
        if !aspects.is_empty() {
            rows.push(reason_row(pool, &aspects));
        }
    }

    if is_award {
        let amount = Row::number("amount", "How many", Some(1), (1, MOST_TOKENS))
            .needed()
            .help("The number of tokens.");
        let reason = Row::text("why", "Why", "", LONGEST_NAME)
            .hint("good play")
            .help("The reason, for the log.");
        rows.extend([amount, reason]);
    }
    form.lay_out(rows);
}

/// Returns the row that selects an award or an aspect of the pool's owner.
fn reason_row(pool: PoolId, aspects: &[Aspect]) -> Row {
    let mut reasons = vec!["an award".to_owned()];
    for aspect in aspects {
        reasons.push(format!("{} {} complicates life", aspect.name, aspect.rank));
    }

    Row::choice(reason_id(pool), "For", reasons, 0).help(
        "An award does not count towards the limit. An aspect or wound that complicates life \
         gains its rank, up to the limit of the scene.",
    )
}

/// Returns the id of the row of reasons. It differs between pools, because their owners have different aspects.
fn reason_id(pool: PoolId) -> RowId {
    RowId::Nth("for", pool.0)
}

fn award_tokens(
    form: &Form,
    pools: &[Option<PoolId>],
    view: &SeatView<'_>,
) -> Result<DialogAction, String> {
    let pool = form.picked("pool", pools).ok_or("choose a pool")?;
    let aspects = aspects(pool, view);
    // The first option is the award.
    let aspect_index = form.choice(reason_id(pool)).checked_sub(1);

    let command = match aspect_index.and_then(|index| aspects.get(index)) {
        Some(aspect) => Command::Complicate {
            who: aspect.character,
            aspect: aspect.name.clone(),
        },
        None => Command::Award {
            pool,
            amount: form.number("amount")?,
            why: form.text("why"),
        },
    };
    Ok(command.into())
}

/// Opens the form that moves tokens from one pool to another.
pub fn transfer_form(from: PoolId, view: &SeatView<'_>) -> Dialog {
    let pools: Vec<PoolId> = view.pools().map(|pool| pool.id).collect();
    let describe = |id| describe_pool(id, view);
    let to = likely_target(from, view);

    let rows = vec![
        Row::number("amount", "How many", Some(1), (1, MOST_TOKENS))
            .needed()
            .help("The number of tokens to move."),
        Row::one_of("to", "To", &pools, to, describe)
            .by_typing()
            .help("The pool that gets them."),
        Row::one_of("from", "From", &pools, from, describe)
            .by_typing()
            .help("The pool that gives them."),
    ];
    let submit = move |form: &Form, _: &SeatView<'_>| move_tokens(form, &pools);
    ask("Move tokens", rows, view, submit)
        .with_preview_lines()
        .with_submit_label("move")
}

fn move_tokens(form: &Form, pools: &[PoolId]) -> Result<DialogAction, String> {
    let from = form.picked("from", pools);
    let to = form.picked("to", pools);
    if from == to {
        return Err("choose two different pools".to_owned());
    }

    let amount = form.number("amount")?;
    Ok(Command::MoveTokens { from, to, amount }.into())
}

/// Returns the pool that probably receives the tokens: the next pool of the same name, or else the next pool.
fn likely_target(from: PoolId, view: &SeatView<'_>) -> PoolId {
    // The later pools come first, then the earlier ones.
    let later_pools = view.pools().filter(|pool| pool.id > from);
    let earlier_pools = view.pools().filter(|pool| pool.id < from);
    let candidates: Vec<&TokenPool> = later_pools.chain(earlier_pools).collect();

    let name = view.game().pool(from).map(|pool| &pool.name);
    let same_name = candidates.iter().find(|pool| Some(&pool.name) == name);
    match same_name.or_else(|| candidates.first()) {
        Some(pool) => pool.id,
        None => from,
    }
}
