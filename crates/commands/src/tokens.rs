//! Pools of tokens.

use super::{
    ActResult, Args, CommandSpec, ParseError, SlotKind, Thing, all, command, find, gone, known,
};
use tableside_game::{Command, Gains, PoolId, TokenPool};

pub(super) const COMMANDS: &[CommandSpec] = &[
    command("give|award OWNER AMOUNT [POOL] [for WHY]", |it| {
        let (pool, amount, why) = (it.pool()?, it.amount(), it.text.clone());
        Ok(Command::Award { pool, amount, why }.into())
    }),
    command("gain AMOUNT POOL", |it| tokens(it, it.amount())).key("gain"),
    command("spend OWNER AMOUNT [POOL]", |it| {
        tokens(it, it.amount().saturating_neg())
    }),
    command("spend AMOUNT POOL", |it| {
        tokens(it, it.amount().saturating_neg())
    })
    .key("spend"),
    command("gain AMOUNT NAME ~for OWNER", |it| {
        tokens_of_owner(it, it.amount())
    }),
    command("spend AMOUNT NAME ~of ~from OWNER", |it| {
        tokens_of_owner(it, it.amount().saturating_neg())
    }),
    command("set [OWNER] POOL ~to AMOUNT", |it| {
        let (pool, to) = (it.pool()?, it.amount());
        Ok(Command::SetTokens { pool, to }.into())
    }),
    command("move AMOUNT ~of NAME from FROM to TO", transfer),
    command("complicate WHO ~by ~with NAME", |it| {
        it.each(|who| Command::Complicate {
            who,
            aspect: it.name.clone(),
        })
    }),
    command("add|new pool NAME [~with AMOUNT] [~for OWNER]", |it| {
        let tokens = it.amount.unwrap_or(0);
        let pool = TokenPool {
            tokens,
            start: tokens,
            owner: it.who(),
            ..TokenPool::new(&it.name)
        };
        Ok(Command::add(pool).into())
    }),
    command("limit POOL ~to none", limit),
    command("limit POOL ~to AMOUNT ~a ~per ~scene", limit),
    command("threshold POOL ~at AMOUNT TEXT", |it| {
        let at = it.amount.unwrap_or(0);
        it.edit_pool(|pool| {
            pool.thresholds.retain(|(known, _)| *known != at);
            if it.text.to_lowercase() != "none" {
                pool.thresholds.push((at, it.text.clone()));
            }
        })
    }),
];

/// Each pool named, else the first of the owner named, gains or spends tokens.
fn tokens(it: &Args<'_>, by: i32) -> ActResult {
    let mut pools: Vec<_> = it.pools().collect();
    if pools.is_empty() {
        pools.push(it.pool()?);
    }
    all(pools.into_iter().map(|pool| Command::Tokens { pool, by }))
}

/// The pool of that owner that the name is of.
fn pool_of(owner: Thing, it: &Args<'_>) -> Result<PoolId, ParseError> {
    let owned = known(SlotKind::Pool, Some(owner), it.seen);
    let (found, _) = find("pool", &it.name, &owned)?;
    found.try_as_pool().ok_or(gone("pool"))
}

fn tokens_of_owner(it: &Args<'_>, by: i32) -> ActResult {
    let owner = it.owners().next().ok_or(gone("owner"))?;
    let pool = pool_of(owner, it)?;
    Ok(Command::Tokens { pool, by }.into())
}

fn transfer(it: &Args<'_>) -> ActResult {
    let owners: Vec<Thing> = it.owners().collect();
    let [from, to] = owners.as_slice() else {
        return Err(gone("owner"));
    };
    let (from, to, amount) = (pool_of(*from, it)?, pool_of(*to, it)?, it.amount());
    Ok(Command::MoveTokens { from, to, amount }.into())
}

fn limit(it: &Args<'_>) -> ActResult {
    it.edit_pool(|pool| {
        let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
        pool.gains = it.amount.map(|most| Gains { most, this_scene });
    })
}
