//! The form of a pool of tokens.

use super::DialogAction;
use super::clock::{picked, place};
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use super::owner::Owners;
use crate::session::{
    Command, Gains, LONGEST_NAME, PoolId, PoolKind, Reset, TokenPool, read_thresholds,
    write_thresholds,
};
use crate::table::SeatView;

/// The form of a pool of tokens.
#[derive(Clone, Debug)]
pub struct PoolForm {
    /// Which, where it is there already.
    id: Option<PoolId>,
    owners: Owners,
    form: Form,
}

/// The most that any pool holds, either way.
const MOST: i32 = 9_999;
/// All that a pool tells, in one line.
const LONGEST_TOLD: usize = 2_000;

impl PoolForm {
    /// Opens it for a new pool, or for that one.
    pub fn open(id: Option<PoolId>, seen: &SeatView<'_>) -> Self {
        let known = id.and_then(|id| seen.pools().find(|pool| pool.id == id));
        let blank = TokenPool::new("");
        let pool = known.unwrap_or(&blank);
        let owners = Owners::of(seen, "the table");
        let number = |id, label: &str, value, help: &str| {
            Item::new(id, label, Entry::number(value), help).within(-MOST, MOST)
        };
        let mut items = vec![
            Item::new(
                "name",
                "Name",
                Entry::text(&pool.name, LONGEST_NAME),
                "What the tokens are called.",
            )
            .hint("Rations"),
            Item::new(
                "owner",
                "Belongs to",
                owners.entry(pool.owner),
                "A character, or the whole table.",
            ),
            number(
                "tokens",
                "Tokens",
                Some(pool.tokens),
                "How many there are now.",
            ),
            number(
                "floor",
                "Least",
                Some(pool.floor),
                "The fewest that it may hold.",
            ),
            number(
                "cap",
                "Most",
                pool.cap,
                "The most that it may hold; empty for no limit.",
            )
            .hint("no limit"),
            number(
                "start",
                "Start",
                Some(pool.start),
                "What it goes back to at a reset.",
            ),
            Item::new(
                "reset",
                "Reset",
                Entry::word(Reset::ALL.map(describe), place(&Reset::ALL, pool.reset)),
                "When it goes back to its start by itself.",
            ),
        ];
        // What a scene gives of the rules' own tokens, the rules say.
        if pool.kind == PoolKind::Own {
            let most = pool.gains.map(|gains| gains.most);
            let help = "The most that one scene gives; setting and awarding go beyond it.";
            let limit = Item::new("limit", "A scene gives", Entry::number(most), help);
            items.push(limit.within(1, MOST).hint("any number"));
        }
        items.push(
            Item::new(
                "told",
                "Thresholds",
                Entry::text(&write_thresholds(&pool.thresholds), LONGEST_TOLD),
                "What is told at which number; several with semicolons between them.",
            )
            .hint("10: the dragon wakes"),
        );
        let title = known.map_or("New pool of tokens", |pool| pool.name.as_str());
        Self {
            id: known.map(|pool| pool.id),
            owners,
            form: Form::new(items).titled(title),
        }
    }

    fn check(&mut self) {
        self.form.check(|form, item| {
            let number = |id| form.item(id).and_then(|item| item.number().ok());
            let cap = form
                .item("cap")
                .and_then(|cap| cap.maybe_number().ok().flatten());
            match item.id {
                "name" if form.text("name").is_empty() => Some("a pool needs a name".to_owned()),
                "tokens" | "start" => item.number().err().or_else(|| {
                    let (floor, own) = (number("floor")?, item.number().ok()?);
                    if own < floor {
                        return Some(format!("must be at least {floor}, the least it may hold"));
                    }
                    cap.filter(|cap| own > *cap)
                        .map(|cap| format!("must be at most {cap}, the most it may hold"))
                }),
                "floor" => item.number().err(),
                "cap" => item.maybe_number().err().or_else(|| {
                    let floor = number("floor")?;
                    cap.filter(|cap| *cap < floor)
                        .map(|_| format!("must be at least {floor}, the least it may hold"))
                }),
                "limit" => item.maybe_number().err(),
                "told" => read_thresholds(&item.entry.words()).err(),
                _ => None,
            }
        });
    }

    /// The pool as it stands now, with what was changed here.
    fn build(&self, seen: &SeatView<'_>) -> Result<Command, String> {
        let form = &self.form;
        let mut pool = match self.id {
            None => TokenPool::new(""),
            Some(id) => {
                let now = seen.pools().find(|pool| pool.id == id);
                now.ok_or("that pool is not there any more")?.clone()
            }
        };
        let new = self.id.is_none();
        let number = |id, slot: &mut i32| -> Result<(), String> {
            if let Some(item) = form.item(id).filter(|item| item.is_changed()) {
                *slot = item.number()?;
            }
            Ok(())
        };
        number("tokens", &mut pool.tokens)?;
        number("floor", &mut pool.floor)?;
        number("start", &mut pool.start)?;
        if let Some(cap) = form.item("cap").filter(|item| item.is_changed()) {
            pool.cap = cap.maybe_number()?;
        }
        if form.is_changed("name") {
            pool.name = form.text("name");
        }
        if form.is_changed("owner") {
            pool.owner = self.owners.at(form.choice("owner"));
        }
        if form.is_changed("reset") {
            pool.reset = picked(&Reset::ALL, form.choice("reset"));
        }
        if let Some(limit) = form.item("limit").filter(|item| item.is_changed()) {
            let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
            let most = limit.maybe_number()?;
            pool.gains = most.map(|most| Gains { most, this_scene });
        }
        if form.is_changed("told") {
            pool.thresholds = read_thresholds(&form.text("told"))?;
        }
        // A new pool holds its start, unless somebody said otherwise.
        if new && !form.is_changed("tokens") {
            pool.tokens = pool.start;
        }
        let pool = Box::new(pool);
        Ok(if new {
            Command::AddPool(pool)
        } else {
            Command::EditPool(pool)
        })
    }
}

fn describe(reset: Reset) -> &'static str {
    match reset {
        Reset::Never => "never",
        Reset::Scene => "at the end of a scene",
        Reset::Session => "at the end of the session",
        Reset::AtLeastStart => "at the end of the session, if it is below",
    }
}

impl Filled for PoolForm {
    its_form!();

    fn is_an_edit(&self) -> bool {
        self.id.is_some()
    }

    fn entered(&mut self, _seen: &SeatView<'_>) {
        self.check();
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.check();
        let built = self.build(seen);
        self.form.finish(built)
    }
}
