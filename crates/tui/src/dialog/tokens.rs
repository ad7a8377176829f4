//! The forms of tokens: an amount, an award, a move from pool to pool, and a pool itself.

use crate::app::action::{Action, Context};
use crate::app::offered::is_own;
use crate::dialog::{
    Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, ask, ask_over,
};
use tableside_game::{
    ASPECTS, CharacterId, Command, DESTINY, Gains, LONGEST_NAME, MOST_TOKENS, PoolId, PoolKind,
    Reset, TokenPool, read_thresholds, write_thresholds,
};
use tableside_table::SeatView;

/// The most characters of a pool's thresholds, all in one line.
const LONGEST_TOLD: usize = 2_000;

/// A pool with its owner: `Mira: Destiny Points`.
fn named(id: PoolId, view: &SeatView<'_>) -> String {
    view.game().pool(id).map_or_else(String::new, |pool| {
        format!("{}: {}", view.owner_name(pool.owner), pool.name)
    })
}

/// Asks for a number for these pools, to set or with a sign to add.
pub fn amount_form(pools: Vec<PoolId>, view: &SeatView<'_>) -> Dialog {
    let (title, pool) = match pools.as_slice() {
        [one] => (named(*one, view), view.game().pool(*one)),
        all => (format!("{} pools", all.len()), None),
    };
    let now = pool.map_or_else(String::new, |pool| format!("{} now", pool.tokens));
    let help = "7 makes it seven, +5 gains five, -3 spends three, =-2 makes it two below 0.";
    let bounds = (-MOST_TOKENS, MOST_TOKENS);
    let row = Row::number("amount", "Amount", None, bounds).hint("7, +5 or -3");
    let rows = vec![row.needed().beside(now).help(help)];
    let dialog = ask(title, rows, view, move |form, _| {
        let (typed, number) = (form.text("amount"), form.number("amount")?);
        let each = pools.iter().map(|&pool| match typed.chars().next() {
            Some('+' | '-') => Command::Tokens { pool, by: number },
            _ => Command::SetTokens { pool, to: number },
        });
        Ok(Command::together(each.collect()).into())
    });
    dialog.with_preview_lines()
}

/// The pools of this character and of the table: a letter gains one, the same with Shift spends one. `None`
/// where there is no pool.
pub fn purse_form(who: Option<CharacterId>, view: &SeatView<'_>) -> Option<Dialog> {
    let own = who.into_iter().flat_map(|who| view.pools_of(Some(who)));
    let pools: Vec<PoolId> = own
        .chain(view.pools_of(None))
        .filter(|pool| is_own(pool.owner, view.allowed().table_pools, view))
        .map(|pool| pool.id)
        .collect();
    let mut letters: Vec<(char, PoolId)> = Vec::new();
    for id in &pools {
        let name = view.game().pool(*id)?.name.to_lowercase();
        let is_free = |letter: &char| {
            // With Shift, this letter asks everybody to pause.
            letter.is_alphabetic()
                && *letter != 'x'
                && letters.iter().all(|(known, _)| known != letter)
        };
        letters.extend(name.chars().find(is_free).map(|letter| (letter, *id)));
    }
    let gains = pools.iter().any(|id| may_gain(*id, view));
    let form = if gains {
        Form::new("Gain, or spend with Shift", Vec::new())
            .with_context(Context::Purse, &[Action::StepUp, Action::NextField])
    } else {
        Form::new("Spend", Vec::new()).with_context(Context::Purse, &[Action::NextField])
    };
    (!pools.is_empty()).then(|| Dialog::new(form, Purse { pools, letters }, view))
}

/// Whether this seat may put tokens into that pool. Players only spend from the pools of their characters.
fn may_gain(pool: PoolId, view: &SeatView<'_>) -> bool {
    view.may(&Command::Tokens { pool, by: 1 }.into())
}

struct Purse {
    pools: Vec<PoolId>,
    letters: Vec<(char, PoolId)>,
}

impl DialogSpec for Purse {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        self.pools.retain(|id| view.game().pool(*id).is_some());
        let rows = self.pools.iter().filter_map(|id| {
            let pool = view.game().pool(*id)?;
            let letter = self.letters.iter().find(|(_, of)| of == id);
            let letter = letter.map_or_else(String::new, |(letter, _)| format!("{letter}  "));
            let label = format!("{letter}{}", pool.name);
            let row = Row::managed(RowId::Nth("pool", id.0), label, pool.tokens.to_string());
            let row = row.beside(view.owner_name(pool.owner));
            Some(row.help(if may_gain(*id, view) {
                "A letter gains one, with Shift it spends one. Enter closes."
            } else {
                "The letter spends one. Enter closes."
            }))
        });
        form.lay_out(rows.collect());
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let in_hand = self.pools.get(form.focus).copied();
        let stepped = |by| {
            let pool = in_hand?;
            if by > 0 && !may_gain(pool, view) {
                return Some(DialogAction::Stay);
            }
            Some(DialogAction::Submit(Command::Tokens { pool, by }.into()))
        };
        match event {
            DialogEvent::Action(Action::Submit) => Some(DialogAction::Close),
            DialogEvent::Action(Action::StepUp | Action::Raise) => stepped(1),
            DialogEvent::Action(Action::StepDown | Action::Lower) => stepped(-1),
            DialogEvent::Key(key) => {
                let letter = key.letter()?;
                let small = letter.to_lowercase().next()?;
                let (_, pool) = *self.letters.iter().find(|(known, _)| *known == small)?;
                let gains = letter == small && may_gain(pool, view);
                let by = if gains { 1 } else { -1 };
                Some(DialogAction::Submit(Command::Tokens { pool, by }.into()))
            }
            _ => None,
        }
    }
}

/// Gives tokens without a roll: what people award, and what an aspect that complicates life gains.
pub fn award_form(pool: PoolId, view: &SeatView<'_>) -> Dialog {
    let pools: Vec<PoolId> = view.pools().map(|pool| pool.id).collect();
    let to = Row::one_of("pool", "To", &pools, pool, |id| named(id, view));
    let to = to.help("Who gets them, and of which pool.");
    let known = pools.clone();
    let dialog = ask_over(
        Form::new("Without a roll", vec![to]),
        view,
        move |form, view| {
            let pool = form.picked("pool", &known);
            let aspects = aspects(pool, view);
            let mut rows: Vec<Row> = form.rows.first().cloned().into_iter().collect();
            if !aspects.is_empty() {
                let each = aspects.iter();
                let each = each.map(|(_, name, rank)| format!("{name} {rank} complicates life"));
                let words = std::iter::once("an award".to_owned()).chain(each);
                rows.push(Row::choice(why_row(pool), "For", words, 0).help(
                    "An award, which no limit counts; or an aspect or wound that complicates life \
                     and gains its rank, as far as the scene's limit leaves.",
                ));
            }
            if form.choice(why_row(pool)) == 0 {
                let amount = Row::number("amount", "How many", Some(1), (1, MOST_TOKENS)).needed();
                rows.push(amount.help("So many tokens are given."));
                let why = Row::text("why", "Why", "", LONGEST_NAME).hint("good play");
                rows.push(why.help("What for, as the log remembers it."));
            }
            form.lay_out(rows);
        },
        move |form, view| {
            let pool = form.picked("pool", &pools);
            let at = form.choice(why_row(pool)).checked_sub(1);
            let aspect = at.and_then(|at| aspects(pool, view).into_iter().nth(at));
            Ok(match aspect {
                Some((who, aspect, _)) => Command::Complicate { who, aspect },
                None => Command::Award {
                    pool,
                    amount: form.number("amount")?,
                    why: form.text("why"),
                },
            }
            .into())
        },
    );
    // Who gets them was chosen before the dialog opened, so the focus begins behind that row.
    dialog.with_preview_lines().with_focus_index(1)
}

/// The row that says what tokens are given for. Each pool has one of its own, for each owner has other aspects.
fn why_row(pool: PoolId) -> RowId {
    RowId::Nth("for", pool.0)
}

/// The aspects that could complicate its owner's life, each with its rank; none of a pool that gains nothing by that.
fn aspects(pool: PoolId, view: &SeatView<'_>) -> Vec<(CharacterId, String, i32)> {
    let pool = view.game().pool(pool);
    let pool = pool.filter(|pool| pool.kind == PoolKind::Rule(DESTINY));
    let owner = pool.and_then(|pool| view.character(pool.owner?));
    let ranks = |list| owner.map_or(&[][..], |owner| owner.sheet.ranks(list));
    let all = ASPECTS.into_iter().flat_map(ranks).cloned();
    all.filter_map(|(name, rank)| Some((owner?.id, name, rank)))
        .collect()
}

/// Moves tokens from one pool to another.
pub fn transfer_form(from: PoolId, view: &SeatView<'_>) -> Dialog {
    let pools: Vec<PoolId> = view.pools().map(|pool| pool.id).collect();
    let to = likely_target(from, view);
    let rows = vec![
        Row::number("amount", "How many", Some(1), (1, MOST_TOKENS))
            .needed()
            .help("So many leave the one pool for the other."),
        Row::one_of("to", "To", &pools, to, |id| named(id, view)).help("Who gets them."),
        Row::one_of("from", "From", &pools, from, |id| named(id, view)).help("Who gives them."),
    ];
    let dialog = ask("Move tokens", rows, view, move |form, _| {
        let (from, to) = (form.picked("from", &pools), form.picked("to", &pools));
        if from == to {
            return Err("choose another pool than the one that gives".to_owned());
        }
        let amount = form.number("amount")?;
        Ok(Command::MoveTokens { from, to, amount }.into())
    });
    dialog.with_preview_lines()
}

/// The next pool of the same name, else the next one at all.
fn likely_target(from: PoolId, view: &SeatView<'_>) -> PoolId {
    let (before, rest): (Vec<_>, Vec<_>) = view.pools().partition(|pool| pool.id < from);
    let mut others = rest.iter().skip(1).chain(&before);
    let name = view.game().pool(from).map(|pool| &pool.name);
    let first = others.clone().next();
    let same = others.find(|pool| Some(&pool.name) == name);
    same.or(first).map_or(from, |pool| pool.id)
}

/// Makes a pool, or changes that one.
pub fn pool_form(id: Option<PoolId>, view: &SeatView<'_>) -> Dialog {
    let known = id.and_then(|id| view.game().pool(id));
    let pool = known.cloned().unwrap_or_else(|| TokenPool::new(""));
    let owners = owners(view);
    let title = known.map_or("New pool of tokens", |pool| &pool.name);
    let is_new = known.is_none();
    let rows = pool_rows(&pool, &owners, view);
    ask(title, rows, view, move |form, view| {
        // What others changed while the dialog was open stays.
        let mut pool = view.game().pool(pool.id).unwrap_or(&pool).clone();
        for row in form.changed() {
            match row.id {
                RowId::Row("name") => pool.name = row.value(),
                RowId::Row("owner") => pool.owner = form.picked("owner", &owners),
                RowId::Row("tokens") => pool.tokens = form.number("tokens")?,
                RowId::Row("floor") => pool.floor = form.number("floor")?,
                RowId::Row("cap") => pool.cap = row.maybe_number()?,
                RowId::Row("start") => pool.start = form.number("start")?,
                RowId::Row("reset") => pool.reset = form.picked("reset", &Reset::ALL),
                RowId::Row("limit") => {
                    let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
                    let most = row.maybe_number()?;
                    pool.gains = most.map(|most| Gains { most, this_scene });
                }
                _ => pool.thresholds = read_thresholds(&row.value())?,
            }
        }
        // A new pool holds its start, unless somebody said otherwise.
        let is_counted = form.changed().any(|row| row.id == RowId::Row("tokens"));
        if is_new && !is_counted {
            pool.tokens = pool.start;
        }
        for (what, number) in [("start", pool.start), ("tokens", pool.tokens)] {
            let nearest = pool.within(number);
            if nearest != number {
                let bound = if nearest < number { "most" } else { "least" };
                return Err(format!("{what}: must be at {bound} {nearest}"));
            }
        }
        let command = if is_new { Command::add } else { Command::edit };
        Ok(command(pool).into())
    })
}

/// The rows in which a pool is described.
fn pool_rows(pool: &TokenPool, owners: &[Option<CharacterId>], view: &SeatView<'_>) -> Vec<Row> {
    let number = |id, label, value| Row::number(id, label, value, (-MOST_TOKENS, MOST_TOKENS));
    let owner = ("owner", "Belongs to");
    let mut rows = vec![
        Row::name(&pool.name, "Rations").help("What the tokens are called."),
        owner_row(owner, owners, pool.owner, "the table", view)
            .help("A character, or the whole table."),
        number("tokens", "Tokens", Some(pool.tokens))
            .needed()
            .help("How many there are now."),
        number("floor", "Minimum", Some(pool.floor))
            .needed()
            .help("The fewest that it may hold."),
        number("cap", "Maximum", pool.cap)
            .hint("no limit")
            .help("The most that it may hold; empty for no limit."),
        number("start", "Start", Some(pool.start))
            .needed()
            .help("What it goes back to at a reset."),
        Row::one_of("reset", "Reset", &Reset::ALL, pool.reset, describe)
            .help("When it goes back to its start by itself."),
    ];
    // The rules themselves limit what a scene gives of their tokens.
    if pool.kind == PoolKind::Own {
        let most = pool.gains.map(|gains| gains.most);
        let help = "The most that one scene gives; setting and awarding go beyond it.";
        let limit = Row::number("limit", "A scene gives", most, (1, MOST_TOKENS));
        rows.push(limit.hint("any number").help(help));
    }
    let told = write_thresholds(&pool.thresholds);
    rows.push(
        Row::text("told", "Thresholds", &told, LONGEST_TOLD)
            .hint("10: the dragon wakes")
            .help("What is told at which number; several with semicolons between them."),
    );
    rows
}

fn describe(reset: Reset) -> &'static str {
    match reset {
        Reset::Never => "never",
        Reset::Scene => "at the end of a scene",
        Reset::Session => "at the end of the session",
        Reset::AtLeastStart => "at the end of the session, if it is below",
    }
}

/// The owners that a form offers, nobody first.
pub(super) fn owners(view: &SeatView<'_>) -> Vec<Option<CharacterId>> {
    let everybody = view.roster().map(|one| Some(one.id));
    std::iter::once(None).chain(everybody).collect()
}

/// The row in which somebody picks whose a thing is; `nobody` is said of what belongs to no character.
pub(super) fn owner_row(
    (id, label): (&'static str, &'static str),
    owners: &[Option<CharacterId>],
    owner: Option<CharacterId>,
    nobody: &'static str,
    view: &SeatView<'_>,
) -> Row {
    Row::one_of(id, label, owners, owner, |one| {
        one.map_or(nobody, |_| view.owner_name(one))
    })
}
