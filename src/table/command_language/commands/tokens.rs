//! Pools of tokens.

use super::super::names::{one, pools};
use super::super::slots::{Slots, all, gone};
use super::super::{CommandSpec, Made, ParseError, Thing, command};
use crate::session::{Command, Gains, PoolId, TokenPool};
use crate::table::SeatView;

pub(in super::super) const COMMANDS: &[CommandSpec] = &[
    command(
        "give|award OWNER AMOUNT [POOL] [for WHY]",
        "gives tokens to a character or to the table",
        "give Mira 1 destiny",
        |slots, seen| {
            let command = Command::Award {
                pool: pool(slots, seen)?,
                amount: slots.amount(),
                why: slots.text.clone(),
            };
            Ok(command.into())
        },
    ),
    command(
        "gain AMOUNT POOL",
        "gains tokens in a pool",
        "gain 2 logos",
        |slots, seen| tokens(slots, slots.amount(), seen),
    )
    .key("gain"),
    command(
        "spend OWNER AMOUNT [POOL]",
        "spends tokens of a character or of the table",
        "spend Mira 1 destiny",
        |slots, seen| tokens(slots, slots.amount().saturating_neg(), seen),
    ),
    command(
        "spend AMOUNT POOL",
        "spends tokens of a pool",
        "spend 1 logos",
        |slots, seen| tokens(slots, slots.amount().saturating_neg(), seen),
    )
    .key("spend"),
    command(
        "set [OWNER] POOL ~to AMOUNT",
        "sets a pool to an amount",
        "set Mira destiny 3",
        set,
    ),
    command(
        "move AMOUNT ~of NAME from FROM to TO",
        "moves tokens to another owner's pool of the same kind",
        "move 1 destiny from Mira to Bo",
        transfer,
    ),
    command(
        "complicate WHO ~by ~with NAME",
        "an aspect complicates life without a roll and gains its tokens, within the scene's limit",
        "complicate Mira Afraid of heights",
        |slots, _| {
            slots.each(|who| Command::Complicate {
                who,
                aspect: slots.name.clone(),
            })
        },
    ),
    command(
        "add|new pool NAME [~with AMOUNT] [~for OWNER]",
        "adds a pool of your own",
        "add pool Torches 6",
        |slots, _| {
            let tokens = slots.amount.unwrap_or(0);
            let pool = TokenPool {
                tokens,
                start: tokens,
                owner: slots.owners().next().and_then(Thing::owner),
                ..TokenPool::new(&slots.name)
            };
            Ok(Command::add(pool).into())
        },
    ),
    command(
        "limit POOL ~to none",
        "lets a scene give any number to a pool of your own",
        "limit Torches none",
        limit,
    ),
    command(
        "limit POOL ~to AMOUNT ~a ~per ~scene",
        "limits what one scene gives to a pool of your own",
        "limit Torches 2",
        limit,
    ),
    command(
        "threshold POOL ~at AMOUNT TEXT",
        "tells that when a pool comes to that number; none tells nothing any more",
        "threshold Torches 0 it is dark",
        threshold,
    ),
];

/// The pool that was named, or the first one of the owner who was.
fn pool(slots: &Slots, seen: &SeatView<'_>) -> Result<PoolId, ParseError> {
    let first = || {
        let owner = slots.owners().next()?;
        seen.pools_of(owner.owner()).next().map(|pool| pool.id)
    };
    slots.pools().next().or_else(first).ok_or(gone("pool"))
}

fn tokens(slots: &Slots, by: i32, seen: &SeatView<'_>) -> Made {
    let pools: Vec<PoolId> = match slots.pools().next() {
        Some(_) => slots.pools().collect(),
        None => vec![pool(slots, seen)?],
    };
    all(pools.into_iter().map(|pool| Command::Tokens { pool, by }))
}

fn set(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let (pool, to) = (pool(slots, seen)?, slots.amount());
    Ok(Command::SetTokens { pool, to }.into())
}

fn transfer(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let owners: Vec<Thing> = slots.owners().collect();
    let [from, to] = owners.as_slice() else {
        return Err(gone("owner"));
    };
    let (named, _) = one("pool", &slots.name, &pools(seen, Some(*from)))?;
    let named = seen.pools().find(|pool| pool.id == named);
    let named = named.ok_or(gone("pool"))?;
    let mut others = seen.pools_of(to.owner());
    let like = others.find(|pool| pool.kind == named.kind && pool.name == named.name);
    let like = like.ok_or_else(|| ParseError::Unknown {
        kind: "pool",
        given: format!("{} of {}", named.name, seen.owner_name(to.owner())),
        near: "; tokens move between pools of the same name".to_owned(),
    })?;
    let command = Command::MoveTokens {
        from: named.id,
        to: like.id,
        amount: slots.amount(),
    };
    Ok(command.into())
}

/// The pool that was named, with this changed.
fn edit(slots: &Slots, seen: &SeatView<'_>, change: impl FnOnce(&mut TokenPool)) -> Made {
    let id = pool(slots, seen)?;
    let known = seen.pools().find(|pool| pool.id == id);
    let mut pool = known.ok_or(gone("pool"))?.clone();
    change(&mut pool);
    Ok(Command::edit(pool).into())
}

fn limit(slots: &Slots, seen: &SeatView<'_>) -> Made {
    edit(slots, seen, |pool| {
        let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
        pool.gains = slots.amount.map(|most| Gains { most, this_scene });
    })
}

fn threshold(slots: &Slots, seen: &SeatView<'_>) -> Made {
    let at = slots.amount.unwrap_or(0);
    edit(slots, seen, |pool| {
        pool.thresholds.retain(|(known, _)| *known != at);
        if slots.text.to_lowercase() != "none" {
            pool.thresholds.push((at, slots.text.clone()));
        }
    })
}
