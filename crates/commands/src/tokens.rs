//! Commands for pools of tokens.

use super::error::{gone, refused};
use super::form::SlotKind;
use super::known_names::list_known_names;
use super::name_lookup::find_name;
use super::slots::combine;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, ParseError, Target};
use tableside_game::{Command, Gains, PoolId, PoolKind, TokenPool};
use tableside_rules::GainRule;
use tableside_text::is_same_name;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::Award,
        "give/award OWNER AMOUNT [POOL] [for WHY]",
        "Give tokens to a character or to the table",
        award,
    ),
    CommandSpec::new(
        CommandId::Gain,
        "gain AMOUNT POOL",
        "Add tokens to a pool",
        gain,
    ),
    CommandSpec::new(
        CommandId::Spend,
        "spend OWNER AMOUNT [POOL]",
        "Spend tokens of a character or of the table",
        spend,
    ),
    CommandSpec::new(
        CommandId::Spend,
        "spend AMOUNT POOL",
        "Spend tokens from a pool",
        spend,
    ),
    CommandSpec::new(
        CommandId::Gain,
        "gain AMOUNT NAME ~for OWNER",
        "Add tokens to the owner's pool named NAME",
        gain_for_owner,
    ),
    CommandSpec::new(
        CommandId::Spend,
        "spend AMOUNT NAME ~of ~from OWNER",
        "Spend tokens from the owner's pool named NAME",
        spend_of_owner,
    ),
    CommandSpec::new(
        CommandId::SetTokens,
        "set [OWNER] POOL ~to AMOUNT",
        "Set the number of tokens in a pool",
        set_tokens,
    ),
    CommandSpec::new(
        CommandId::MoveTokens,
        "move AMOUNT ~of NAME from FROM to TO",
        "Move tokens between the pools named NAME of two owners",
        move_tokens,
    ),
    CommandSpec::new(
        CommandId::Complicate,
        "complicate WHO ~by ~with NAME",
        "Give tokens because the aspect NAME complicates a character's life without a roll; the limit of the scene applies",
        complicate,
    ),
    CommandSpec::new(
        CommandId::AddPool,
        "add/new pool NAME [~with AMOUNT] [~for OWNER]",
        "Add a pool with a name of your choice; it starts with AMOUNT tokens, or with none if you give no AMOUNT",
        add_pool,
    ),
    CommandSpec::new(
        CommandId::LimitPool,
        "limit POOL ~to none",
        "Let a pool gain any number of tokens per scene, if the rules do not define the pool",
        limit_pool,
    ),
    CommandSpec::new(
        CommandId::LimitPool,
        "limit POOL ~to AMOUNT ~a ~per ~scene",
        "Limit how many tokens a pool gains per scene, if the rules do not define the pool",
        limit_pool,
    ),
    CommandSpec::new(
        CommandId::SetThreshold,
        "threshold POOL ~at AMOUNT TEXT",
        "Show the message TEXT when a pool reaches AMOUNT; the text none removes the message",
        set_threshold,
    ),
];

fn award(args: &Args<'_>) -> ActResult {
    let command = Command::Award {
        pool: args.pool()?,
        amount: args.amount(),
        why: args.text().to_owned(),
    };
    Ok(command.into())
}

fn gain(args: &Args<'_>) -> ActResult {
    let pools: Vec<PoolId> = args.pool_ids().collect();
    match pools.as_slice() {
        [pool] => gain_in_pool(*pool, args),
        _ => change_tokens(args, args.amount()),
    }
}

fn spend(args: &Args<'_>) -> ActResult {
    change_tokens(args, args.negative_amount())
}

/// Changes the tokens of each named pool. If only an owner is named, the owner's first pool changes.
fn change_tokens(args: &Args<'_>, by: i32) -> ActResult {
    let mut pools: Vec<PoolId> = args.pool_ids().collect();
    if pools.is_empty() {
        pools.push(args.pool()?);
    }
    combine(pools.into_iter().map(|pool| Command::Tokens { pool, by }))
}

/// Adds tokens to the owner's pool. A pool that the rules give only to some characters is created.
fn gain_for_owner(args: &Args<'_>) -> ActResult {
    let owner = args.slots.owner().ok_or(gone("owner"))?;
    let error = match find_pool_of(owner, args) {
        Ok(pool) => return gain_in_pool(pool, args),
        Err(error) => error,
    };

    let pools = args.view.system().spec().pools;
    let optional = pools
        .iter()
        .find(|pool| pool.is_optional && is_same_name(pool.name, args.name()));
    let (Some(optional), Some(owner)) = (optional, owner.try_as_character()) else {
        return Err(error);
    };
    let pool = TokenPool {
        tokens: args.amount(),
        start: args.amount(),
        owner: Some(owner),
        ..TokenPool::new(optional.name)
    };
    Ok(Command::add(pool).into())
}

/// Adds tokens to a pool. In some pools of the rules the higher of the old and the new amount counts instead.
fn gain_in_pool(id: PoolId, args: &Args<'_>) -> ActResult {
    let amount = args.amount();
    let pool = args.view.pools().find(|pool| pool.id == id);
    let keeps_higher = pool.is_some_and(|pool| match pool.kind {
        PoolKind::Rule(rule) => {
            let spec = args.view.system().spec().pool(rule);
            spec.is_some_and(|spec| spec.gain == GainRule::Higher)
        }
        PoolKind::Own => false,
    });
    if let Some(pool) = pool
        && keeps_higher
    {
        if amount <= pool.tokens {
            let reason = format!(
                "{} is {} already; the higher amount counts",
                pool.name, pool.tokens
            );
            return Err(refused(reason));
        }
        let command = Command::SetTokens {
            pool: id,
            to: amount,
        };
        return Ok(command.into());
    }
    Ok(Command::Tokens {
        pool: id,
        by: amount,
    }
    .into())
}

fn spend_of_owner(args: &Args<'_>) -> ActResult {
    change_tokens_of_owner(args, args.negative_amount())
}

fn change_tokens_of_owner(args: &Args<'_>, by: i32) -> ActResult {
    let owner = args.slots.owner().ok_or(gone("owner"))?;
    let pool = find_pool_of(owner, args)?;
    Ok(Command::Tokens { pool, by }.into())
}

/// Finds the owner's pool with the typed name.
fn find_pool_of(owner: Target, args: &Args<'_>) -> Result<PoolId, ParseError> {
    let pools = list_known_names(SlotKind::Pool, Some(owner), args.view);
    let name_match = find_name("pool", args.name(), &pools)?;
    name_match.value.try_as_pool().ok_or(gone("pool"))
}

fn set_tokens(args: &Args<'_>) -> ActResult {
    let command = Command::SetTokens {
        pool: args.pool()?,
        to: args.amount(),
    };
    Ok(command.into())
}

fn move_tokens(args: &Args<'_>) -> ActResult {
    let owners = args.owners();
    let [from, to] = owners.as_slice() else {
        return Err(gone("owner"));
    };

    let command = Command::MoveTokens {
        from: find_pool_of(*from, args)?,
        to: find_pool_of(*to, args)?,
        amount: args.amount(),
    };
    Ok(command.into())
}

fn complicate(args: &Args<'_>) -> ActResult {
    args.for_each_character(|who| Command::Complicate {
        who,
        aspect: args.name().to_owned(),
    })
}

fn add_pool(args: &Args<'_>) -> ActResult {
    let tokens = args.slots.amount.unwrap_or(0);
    let pool = TokenPool {
        tokens,
        start: tokens,
        owner: args.first_character(),
        ..TokenPool::new(args.name())
    };
    pool.validate_tokens(tokens)?;
    Ok(Command::add(pool).into())
}

fn limit_pool(args: &Args<'_>) -> ActResult {
    args.edit_pool(|pool| {
        let this_scene = match &pool.gains {
            Some(gains) => gains.this_scene,
            None => 0,
        };
        pool.gains = args.slots.amount.map(|most| Gains { most, this_scene });
    })
}

fn set_threshold(args: &Args<'_>) -> ActResult {
    let amount = args.slots.amount.unwrap_or(0);
    args.edit_pool(|pool| {
        pool.thresholds.retain(|(known, _)| *known != amount);
        if !args.text().eq_ignore_ascii_case("none") {
            pool.thresholds.push((amount, args.text().to_owned()));
        }
    })
}
