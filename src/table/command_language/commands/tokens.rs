//! Pools of tokens.

use super::super::error::{Made, ParseError, gone};
use super::super::form::SlotKind;
use super::super::names::{find, known};
use super::super::slots::{Said, all};
use super::super::spec::{CommandSpec, command};
use super::super::thing::Thing;
use crate::session::{Command, Gains, TokenPool};

pub(super) const COMMANDS: &[CommandSpec] = &[
    command(
        "give|award OWNER AMOUNT [POOL] [for WHY]",
        "gives tokens to a character or to the table",
        |it| {
            let command = Command::Award {
                pool: it.pool().ok_or(gone("pool"))?,
                amount: it.amount(),
                why: it.text.clone(),
            };
            Ok(command.into())
        },
    ),
    command("gain AMOUNT POOL", "gains tokens in a pool", |it| {
        tokens(it, it.amount())
    })
    .key("gain"),
    command(
        "spend OWNER AMOUNT [POOL]",
        "spends tokens of a character or of the table",
        |it| tokens(it, it.amount().saturating_neg()),
    ),
    command("spend AMOUNT POOL", "spends tokens of a pool", |it| {
        tokens(it, it.amount().saturating_neg())
    })
    .key("spend"),
    command(
        "set [OWNER] POOL ~to AMOUNT",
        "sets a pool to an amount",
        |it| {
            let (pool, to) = (it.pool().ok_or(gone("pool"))?, it.amount());
            Ok(Command::SetTokens { pool, to }.into())
        },
    ),
    command(
        "move AMOUNT ~of NAME from FROM to TO",
        "moves tokens to another owner's pool of the same kind",
        transfer,
    ),
    command(
        "complicate WHO ~by ~with NAME",
        "an aspect complicates life without a roll and gains its tokens, within the scene's limit",
        |it| {
            it.each(|who| Command::Complicate {
                who,
                aspect: it.name.clone(),
            })
        },
    ),
    command(
        "add|new pool NAME [~with AMOUNT] [~for OWNER]",
        "adds a pool of your own",
        |it| {
            let tokens = it.amount.unwrap_or(0);
            let pool = TokenPool {
                tokens,
                start: tokens,
                owner: it.who(),
                ..TokenPool::new(&it.name)
            };
            Ok(Command::add(pool).into())
        },
    ),
    command(
        "limit POOL ~to none",
        "lets a scene give any number to a pool of your own",
        limit,
    ),
    command(
        "limit POOL ~to AMOUNT ~a ~per ~scene",
        "limits what one scene gives to a pool of your own",
        limit,
    ),
    command(
        "threshold POOL ~at AMOUNT TEXT",
        "tells that when a pool comes to that number; none tells nothing any more",
        |it| {
            let at = it.amount.unwrap_or(0);
            it.edit_pool(|pool| {
                pool.thresholds.retain(|(known, _)| *known != at);
                if it.text.to_lowercase() != "none" {
                    pool.thresholds.push((at, it.text.clone()));
                }
            })
        },
    ),
];

/// Each pool named, else the first of the owner named, gains or spends tokens.
fn tokens(it: &Said<'_>, by: i32) -> Made {
    let named = it.things.iter().filter_map(|thing| match thing {
        Thing::Pool(id) => Some(*id),
        _ => None,
    });
    let mut pools: Vec<_> = named.collect();
    if pools.is_empty() {
        pools.push(it.pool().ok_or(gone("pool"))?);
    }
    all(pools.into_iter().map(|pool| Command::Tokens { pool, by }))
}

fn transfer(it: &Said<'_>) -> Made {
    let owners: Vec<Thing> = it.owners().collect();
    let [from, to] = owners.as_slice() else {
        return Err(gone("owner"));
    };
    let (named, _) = find(
        "pool",
        &it.name,
        &known(SlotKind::Pool, Some(*from), it.seen),
    )?;
    let named = it.seen.pools().find(|pool| named == Thing::Pool(pool.id));
    let named = named.ok_or(gone("pool"))?;
    let mut others = it.seen.pools_of(to.owner());
    let like = others.find(|pool| pool.kind == named.kind && pool.name == named.name);
    let like = like.ok_or_else(|| ParseError::Unknown {
        kind: "pool",
        given: format!("{} of {}", named.name, it.seen.owner_name(to.owner())),
        near: "; tokens move between pools of the same name".to_owned(),
    })?;
    let command = Command::MoveTokens {
        from: named.id,
        to: like.id,
        amount: it.amount(),
    };
    Ok(command.into())
}

fn limit(it: &Said<'_>) -> Made {
    it.edit_pool(|pool| {
        let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
        pool.gains = it.amount.map(|most| Gains { most, this_scene });
    })
}
