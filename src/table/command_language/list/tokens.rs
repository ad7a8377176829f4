//! Pools of tokens.

use super::{Made, gone, phrase};
use crate::session::{Command, Gains, PoolId, TokenPool};
use crate::table::SeatView;
use crate::table::command_language::reader::{one, pools};
use crate::table::command_language::said::{Owner, Parsed};
use crate::table::command_language::{ParseError, Phrase, Place};

const HERE: Place = Place::Tokens;

pub(super) const PHRASES: &[Phrase] = &[
    phrase(
        HERE,
        "give|award OWNER AMOUNT [POOL] [for WHY]",
        "gives tokens to a character or to the table",
        "give Mira 1 destiny",
        give,
    ),
    phrase(
        HERE,
        "gain AMOUNT POOL",
        "gains tokens in a pool",
        "gain 2 logos",
        gain,
    ),
    phrase(
        HERE,
        "spend OWNER AMOUNT [POOL]",
        "spends tokens of a character or of the table",
        "spend Mira 1 destiny",
        spend,
    ),
    phrase(
        HERE,
        "spend AMOUNT POOL",
        "spends tokens of a pool",
        "spend 1 logos",
        spend,
    ),
    phrase(
        HERE,
        "set OWNER POOL ~to AMOUNT",
        "sets a pool to an amount",
        "set Mira destiny 3",
        set,
    ),
    phrase(
        HERE,
        "set POOL ~to AMOUNT",
        "sets a pool to an amount",
        "set logos 3",
        set,
    ),
    phrase(
        HERE,
        "move AMOUNT ~of NAME from FROM to TO",
        "moves tokens to another owner's pool of the same kind",
        "move 1 destiny from Mira to Bo",
        transfer,
    ),
    phrase(
        HERE,
        "complicate WHO ~by ~with NAME",
        "an aspect complicates life without a roll and gains its tokens, within the scene's limit",
        "complicate Mira Afraid of heights",
        complicate,
    ),
    phrase(
        HERE,
        "add|new pool NAME [~with AMOUNT] [~for OWNER]",
        "adds a pool of your own",
        "add pool Torches 6",
        add,
    ),
    phrase(
        HERE,
        "limit POOL ~to none",
        "lets a scene give any number to a pool of your own",
        "limit Torches none",
        limit,
    ),
    phrase(
        HERE,
        "limit POOL ~to AMOUNT ~a ~per ~scene",
        "limits what one scene gives to a pool of your own",
        "limit Torches 2",
        limit,
    ),
    phrase(
        HERE,
        "threshold POOL ~at AMOUNT none",
        "tells nothing any more when a pool comes to that number",
        "threshold Torches 0 none",
        threshold,
    ),
    phrase(
        HERE,
        "threshold POOL ~at AMOUNT TEXT",
        "tells that when a pool comes to that number",
        "threshold Torches 0 it is dark",
        threshold,
    ),
];

/// The pool that was named, or the first one of the owner who was.
fn pool(said: &Parsed, seen: &SeatView<'_>) -> Result<PoolId, ParseError> {
    let first = || {
        let owner = said.owner("OWNER")?;
        seen.pools_of(owner.0).next().map(|pool| pool.id)
    };
    said.pool().or_else(first).ok_or(gone("pool"))
}

fn give(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let command = Command::Award {
        pool: pool(said, seen)?,
        amount: said.number("AMOUNT").unwrap_or(1),
        why: said.text("WHY").to_owned(),
    };
    Ok(command.into())
}

fn gain(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let by = said.number("AMOUNT").unwrap_or(1);
    let pool = pool(said, seen)?;
    Ok(Command::Tokens { pool, by }.into())
}

fn spend(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let by = said.number("AMOUNT").unwrap_or(1).saturating_neg();
    let pool = pool(said, seen)?;
    Ok(Command::Tokens { pool, by }.into())
}

fn set(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let to = said.number("AMOUNT").unwrap_or(0);
    let pool = pool(said, seen)?;
    Ok(Command::SetTokens { pool, to }.into())
}

fn transfer(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let owners = (said.owner("FROM"), said.owner("TO"));
    let (Some(from), Some(to)) = owners else {
        return Err(gone("owner"));
    };
    let (named, _) = one("pool", said.text("NAME"), &pools(seen, Some(from)))?;
    let named = seen.pools().find(|pool| pool.id == named);
    let named = named.ok_or(gone("pool"))?;
    let like = |owner: Owner| {
        let mut own = seen.pools_of(owner.0);
        let found = own.find(|pool| pool.kind == named.kind && pool.name == named.name);
        found
            .map(|pool| pool.id)
            .ok_or_else(|| ParseError::Unknown {
                kind: "pool",
                given: format!("{} of {}", named.name, seen.owner_name(owner.0)),
                near: "; tokens move between pools of the same name".to_owned(),
            })
    };
    let command = Command::MoveTokens {
        from: named.id,
        to: like(to)?,
        amount: said.number("AMOUNT").unwrap_or(1),
    };
    Ok(command.into())
}

fn complicate(said: &Parsed, _: &SeatView<'_>) -> Made {
    let command = Command::Complicate {
        who: said.who().ok_or(gone("character"))?,
        aspect: said.text("NAME").to_owned(),
    };
    Ok(command.into())
}

fn add(said: &Parsed, _: &SeatView<'_>) -> Made {
    let tokens = said.number("AMOUNT").unwrap_or(0);
    let pool = TokenPool {
        tokens,
        start: tokens,
        owner: said.owner("OWNER").and_then(|owner| owner.0),
        ..TokenPool::new(said.text("NAME"))
    };
    Ok(Command::AddPool(Box::new(pool)).into())
}

/// The pool that was named, to be changed.
fn changed(said: &Parsed, seen: &SeatView<'_>, change: impl FnOnce(&mut TokenPool)) -> Made {
    let id = pool(said, seen)?;
    let known = seen.pools().find(|pool| pool.id == id);
    let mut pool = known.ok_or(gone("pool"))?.clone();
    change(&mut pool);
    Ok(Command::EditPool(Box::new(pool)).into())
}

fn limit(said: &Parsed, seen: &SeatView<'_>) -> Made {
    changed(said, seen, |pool| {
        let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
        let most = said.number("AMOUNT");
        pool.gains = most.map(|most| Gains { most, this_scene });
    })
}

fn threshold(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let at = said.number("AMOUNT").unwrap_or(0);
    changed(said, seen, |pool| {
        pool.thresholds.retain(|(known, _)| *known != at);
        let note = said.text("TEXT");
        if !note.is_empty() {
            pool.thresholds.push((at, note.to_owned()));
        }
    })
}
