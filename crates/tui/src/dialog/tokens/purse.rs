//! The purse: the pools that single letters change.

use crate::app::action::{Action, Context};
use crate::app::offered::is_own;
use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId};
use tableside_game::{CharacterId, Command, PoolId};
use tableside_table::SeatView;

/// The letter that changes a pool.
struct PoolLetter {
    letter: char,
    pool: PoolId,
}

struct Purse {
    pools: Vec<PoolId>,
    letters: Vec<PoolLetter>,
}

/// Opens the pools of a character and of the table. A letter gains a token, or spends one if the seat may only spend,
/// and with Shift it does the opposite.
///
/// Returns `None` if the seat has no such pool.
pub fn purse_form(owner: Option<CharacterId>, view: &SeatView<'_>) -> Option<Dialog> {
    let pools = own_pools(owner, view);
    if pools.is_empty() {
        return None;
    }

    let may_gain_any = pools.iter().any(|pool| may_change(*pool, 1, view));
    let form = if may_gain_any {
        Form::empty("Tokens").with_context(Context::Purse, &[Action::StepUp, Action::NextField])
    } else {
        Form::empty("Spend").with_context(Context::Purse, &[Action::NextField])
    };
    let letters = assign_letters(&pools, view);
    Some(Dialog::new(form, Purse { pools, letters }, view))
}

fn own_pools(owner: Option<CharacterId>, view: &SeatView<'_>) -> Vec<PoolId> {
    let mut pools = Vec::new();
    if owner.is_some() {
        pools.extend(view.pools_of(owner));
    }
    pools.extend(view.pools_of(None));

    let may_use_table_pools = view.allowed().table_pools;
    pools.retain(|pool| is_own(pool.owner, may_use_table_pools, view));
    pools.iter().map(|pool| pool.id).collect()
}

/// Assigns to each pool the first letter of its name that no earlier pool has.
fn assign_letters(pools: &[PoolId], view: &SeatView<'_>) -> Vec<PoolLetter> {
    let mut letters: Vec<PoolLetter> = Vec::new();
    for &id in pools {
        let Some(pool) = view.game().pool(id) else {
            continue;
        };

        let name = pool.name.to_lowercase();
        let letter = name.chars().find(|letter| is_free(*letter, &letters));
        if let Some(letter) = letter {
            letters.push(PoolLetter { letter, pool: id });
        }
    }
    letters
}

/// Returns true if a letter can be assigned to a pool. The letter `x` cannot, because Shift-X asks for a pause in every
/// dialog.
fn is_free(letter: char, letters: &[PoolLetter]) -> bool {
    let is_taken = letters.iter().any(|assigned| assigned.letter == letter);
    letter.is_alphabetic() && letter != 'x' && !is_taken
}

/// Returns true if the seat may change a pool by this number. Players ask the GM for other changes.
fn may_change(pool: PoolId, by: i32, view: &SeatView<'_>) -> bool {
    view.may(&Command::Tokens { pool, by }.into())
}

/// Returns the change that the letter of a pool makes.
fn change_of_letter(pool: PoolId, view: &SeatView<'_>) -> i32 {
    let only_spends = may_change(pool, -1, view) && !may_change(pool, 1, view);
    if only_spends { -1 } else { 1 }
}

/// Describes the keys of a pool. A change that the seat may not make becomes a suggestion to the GM.
fn describe_keys(pool: PoolId, view: &SeatView<'_>) -> String {
    let gm = view.system().spec().gm;
    let keys = match (may_change(pool, 1, view), may_change(pool, -1, view)) {
        (true, true) => "A letter gains a token, Shift and the letter spend one.".to_owned(),
        (true, false) => {
            format!("A letter marks one, Shift and the letter ask the {gm} to remove one.")
        }
        (false, true) => {
            format!("A letter spends a token, Shift and the letter ask the {gm} for one.")
        }
        (false, false) => format!("Rolls change it. A letter asks the {gm} for one more."),
    };
    format!("{keys} ⟨submit⟩ closes.")
}

fn change_by(pool: PoolId, by: i32) -> DialogAction {
    DialogAction::Submit(Command::Tokens { pool, by }.into())
}

impl Purse {
    fn row(&self, id: PoolId, view: &SeatView<'_>) -> Option<Row> {
        let pool = view.game().pool(id)?;
        let assigned = self.letters.iter().find(|assigned| assigned.pool == id);
        let label = match assigned {
            Some(assigned) => format!("{}  {}", assigned.letter, pool.name),
            None => pool.name.clone(),
        };
        let row = Row::managed(RowId::Nth("pool", id.0), label, pool.tokens.to_string());
        let row = row.beside(view.owner_name(pool.owner));
        Some(row.help(describe_keys(id, view)))
    }

    fn pool_of_letter(&self, letter: char) -> Option<PoolId> {
        let assigned = self
            .letters
            .iter()
            .find(|assigned| assigned.letter == letter)?;
        Some(assigned.pool)
    }
}

impl DialogSpec for Purse {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        self.pools.retain(|id| view.game().pool(*id).is_some());

        let mut rows = Vec::new();
        for id in &self.pools {
            rows.extend(self.row(*id, view));
        }
        form.lay_out(rows);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let focused_pool = self.pools.get(form.focus).copied();
        match event {
            DialogEvent::Action(Action::Submit) => Some(DialogAction::Close),
            DialogEvent::Action(Action::StepUp | Action::Raise) => {
                Some(change_by(focused_pool?, 1))
            }
            DialogEvent::Action(Action::StepDown | Action::Lower) => {
                Some(change_by(focused_pool?, -1))
            }
            DialogEvent::Key(key) => {
                let typed = key.letter()?;
                let letter = typed.to_lowercase().next()?;
                let pool = self.pool_of_letter(letter)?;
                let change = change_of_letter(pool, view);
                let has_shift = typed != letter;
                Some(change_by(pool, if has_shift { -change } else { change }))
            }
            _ => None,
        }
    }
}
