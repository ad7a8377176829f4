//! The form of a pool of tokens.

use super::DialogAction;
use super::field_row::{Owners, pool_of};
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use crate::session::{
    Command, Gains, LONGEST_NAME, PoolId, PoolKind, Reset, TokenPool, read_thresholds,
    write_thresholds,
};
use crate::table::SeatView;

#[derive(Debug)]
pub struct PoolForm {
    /// Which, if it is there already.
    id: Option<PoolId>,
    owners: Owners,
}

/// The most that any pool holds, either way.
const MOST: i32 = 9_999;
/// All that a pool tells, in one line.
const LONGEST_TOLD: usize = 2_000;

impl PoolForm {
    /// Opens it for a new pool, or for that one.
    pub fn open(id: Option<PoolId>, seen: &SeatView<'_>) -> FormDialog<Self> {
        let known = id.and_then(|id| pool_of(id, seen));
        let blank = TokenPool::new("");
        let pool = known.unwrap_or(&blank);
        let owners = Owners::of(seen, "the table");
        let number = |id, label, value| Row::number(id, label, value, (-MOST, MOST));
        let mut rows = vec![
            Row::text("name", "Name", &pool.name, LONGEST_NAME)
                .hint("Rations")
                .help("What the tokens are called."),
            owners
                .row("owner", "Belongs to", pool.owner)
                .help("A character, or the whole table."),
            number("tokens", "Tokens", Some(pool.tokens)).help("How many there are now."),
            number("floor", "Least", Some(pool.floor)).help("The fewest that it may hold."),
            number("cap", "Most", pool.cap)
                .hint("no limit")
                .help("The most that it may hold; empty for no limit."),
            number("start", "Start", Some(pool.start)).help("What it goes back to at a reset."),
            Row::one_of("reset", "Reset", &Reset::ALL, pool.reset, describe)
                .help("When it goes back to its start by itself."),
        ];
        // What a scene gives of the rules' own tokens, the rules say.
        if pool.kind == PoolKind::Own {
            let most = pool.gains.map(|gains| gains.most);
            let help = "The most that one scene gives; setting and awarding go beyond it.";
            let limit = Row::number("limit", "A scene gives", most, (1, MOST));
            rows.push(limit.hint("any number").help(help));
        }
        let told = write_thresholds(&pool.thresholds);
        rows.push(
            Row::text("told", "Thresholds", &told, LONGEST_TOLD)
                .hint("10: the dragon wakes")
                .help("What is told at which number; several with semicolons between them."),
        );
        let title = known.map_or("New pool of tokens", |pool| pool.name.as_str());
        let id = known.map(|pool| pool.id);
        FormDialog::new(Form::new(title, rows), Self { id, owners }, seen)
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

impl FormSpec for PoolForm {
    fn is_an_edit(&self) -> bool {
        self.id.is_some()
    }

    fn refresh(&mut self, form: &mut Form, _seen: &SeatView<'_>) {
        form.check(|form, row| {
            let floor = form.row("floor").and_then(|row| row.needed_number().ok());
            let cap = form.row("cap").and_then(|cap| cap.maybe_number().ok());
            let cap = cap.flatten();
            let too_low = |own| {
                let floor = floor.filter(|floor| own < *floor)?;
                Some(format!("must be at least {floor}, the least it may hold"))
            };
            match row.id {
                Id::Row("name") if form.text("name").is_empty() => {
                    Some("a pool needs a name".to_owned())
                }
                Id::Row("tokens" | "start") => match row.needed_number() {
                    Err(problem) => Some(problem),
                    Ok(own) => too_low(own).or_else(|| {
                        let cap = cap.filter(|cap| own > *cap)?;
                        Some(format!("must be at most {cap}, the most it may hold"))
                    }),
                },
                Id::Row("floor") => row.needed_number().err(),
                Id::Row("cap") => row.maybe_number().err().or_else(|| too_low(cap?)),
                Id::Row("limit") => row.maybe_number().err(),
                Id::Row("told") => read_thresholds(&row.words()).err(),
                _ => None,
            }
        });
    }

    /// The pool as it stands now, with what was changed here.
    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let mut pool = match self.id {
            None => TokenPool::new(""),
            Some(id) => pool_of(id, seen)
                .ok_or("that pool is not there any more")?
                .clone(),
        };
        for row in form.rows.iter().filter(|row| row.is_changed()) {
            match row.id {
                Id::Row("name") => pool.name = row.words(),
                Id::Row("owner") => pool.owner = self.owners.chosen(form, "owner"),
                Id::Row("tokens") => pool.tokens = row.needed_number()?,
                Id::Row("floor") => pool.floor = row.needed_number()?,
                Id::Row("cap") => pool.cap = row.maybe_number()?,
                Id::Row("start") => pool.start = row.needed_number()?,
                Id::Row("reset") => pool.reset = form.picked("reset", &Reset::ALL),
                Id::Row("limit") => {
                    let this_scene = pool.gains.map_or(0, |gains| gains.this_scene);
                    let most = row.maybe_number()?;
                    pool.gains = most.map(|most| Gains { most, this_scene });
                }
                Id::Row("told") => pool.thresholds = read_thresholds(&row.words())?,
                _ => {}
            }
        }
        // A new pool holds its start, unless somebody said otherwise.
        if self.id.is_none() && !form.is_changed("tokens") {
            pool.tokens = pool.start;
        }
        Ok(match self.id {
            Some(_) => Command::edit(pool).into(),
            None => Command::add(pool).into(),
        })
    }
}
