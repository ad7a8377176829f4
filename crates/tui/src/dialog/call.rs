//! A call for a roll: who, which check, against what, and before whose eyes. Calls that nobody has
//! answered yet are taken back here, too.

use crate::app::roll_requests;
use crate::dialog::check_form::{FieldTexts, initial_texts};
use crate::dialog::field_row;
use crate::dialog::{Dialog, DialogAction, DialogSpec, Form, Row, RowId};
use tableside_game::{
    Allegiance, Call, CallCommand, CallId, Character, CharacterId, Command, EntityRef, GroupKind,
};
use tableside_rules::{CheckSpec, Field, ValueSource, Whose};
use tableside_table::SeatView;

pub struct CallDialog {
    check: &'static CheckSpec,
    /// Who could be called on, and for whom the call is then; kept while the dialog is open.
    people: Vec<CharacterId>,
    offered: Vec<For>,
    /// Who is called on at first.
    marked: Vec<CharacterId>,
    /// Who is still to roll, as the first row offers it.
    waiting: Vec<CallId>,
}

/// Whom a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// Everybody of the party who is here.
    Party,
    /// The one of the party who would roll for all.
    Group(GroupKind),
    Some,
    One(CharacterId),
}

/// Who is called on as things stand, and what is said of it.
struct Called {
    who: Vec<CharacterId>,
    helpers: Vec<CharacterId>,
    fields: FieldTexts,
    beside: String,
    help: String,
}

/// A field that everybody fills in: from the own sheet, or as each one likes.
fn own(field: &Field) -> &'static str {
    if field.is_tested() {
        "their choice"
    } else {
        "as each has it"
    }
}

fn person(id: CharacterId) -> RowId {
    RowId::Nth("person", id.0)
}

impl CallDialog {
    /// Opens it on those, or if there are none on everybody of the party.
    ///
    /// # Panics
    /// When the system has no check; every system has.
    pub fn open(who: &[CharacterId], view: &SeatView<'_>) -> Dialog {
        let here = view.roster().filter(|one| one.is_here());
        let people: Vec<CharacterId> = here.map(|one| one.id).collect();
        let groups = [GroupKind::Worst, GroupKind::Best].map(For::Group);
        let several = [For::Party].into_iter().chain(groups).chain([For::Some]);
        let single = people.iter().copied().map(For::One);
        let check = view.system().spec().checks.first();
        let spec = Self {
            check: check.expect("every system has a check"),
            offered: several.chain(single).collect(),
            people,
            marked: who.to_vec(),
            waiting: view.calls().map(|call| call.id).collect(),
        };
        // Who is where one begins; what else could be done stands above.
        Dialog::new(Form::new("", Vec::new()).wide(), spec, view).with_focus("who")
    }

    /// Whom it is for at first.
    fn begins(&self) -> For {
        match self.marked.as_slice() {
            [] => For::Party,
            [one] => For::One(*one),
            _ => For::Some,
        }
    }

    fn meant(&self, form: &Form) -> For {
        let meant = form.row("who").map(|_| form.picked("who", &self.offered));
        meant.unwrap_or_else(|| self.begins())
    }

    /// Finds out who is called on; else the error says what is wrong with that.
    fn called(&self, form: &Form, view: &SeatView<'_>) -> Result<Called, String> {
        let fields = self.check.fields.iter().filter(|field| is_asked(field));
        let given = field_row::entered_fields(fields, form, own);
        let meant = self.meant(form);
        if let For::Group(kind) = meant {
            let pick = view.group(self.check, kind, &given, &[]);
            let pick = pick.map_err(|refusal| refusal.to_string())?;
            let why = roll_requests::describe_pick(&pick, kind, view);
            return Ok(Called {
                who: vec![pick.who],
                fields: view.called_with(&pick, &given),
                beside: view.owner_name(Some(pick.who)).to_owned(),
                help: format!("{why} The others help."),
                helpers: pick.helpers,
            });
        }
        let is_meant = |one: &&Character| match meant {
            For::Party | For::Group(_) => one.side == Allegiance::Party,
            For::Some => form.is_on(person(one.id)),
            For::One(id) => one.id == id,
        };
        let here = view.roster().filter(|one| one.is_here());
        let who: Vec<CharacterId> = here.filter(is_meant).map(|one| one.id).collect();
        let mut is_told = who.len() > 1;
        let names = who.iter().map(|id| {
            let name = view.owner_name(Some(*id));
            match view.lacking(self.check, *id, &given).as_slice() {
                [] => name.to_owned(),
                lacking => {
                    is_told = true;
                    format!("{name} (without {})", lacking.join(", "))
                }
            }
        });
        let names = names.collect::<Vec<String>>().join(", ");
        if who.is_empty() {
            return Err("nobody is picked yet".to_owned());
        }
        Ok(Called {
            who,
            helpers: Vec::new(),
            fields: given,
            beside: if is_told { names } else { String::new() },
            help:
                "Who is to roll. The worst and the best are found by their exact odds at this very \
                   check."
                    .to_owned(),
        })
    }

    /// The calls that are to be taken back, if that is what the first row says.
    fn to_cancel(&self, form: &Form) -> &[CallId] {
        match form.choice("do").checked_sub(1) {
            None => &[],
            Some(place) if place < self.waiting.len() => &self.waiting[place..=place],
            Some(_) => &self.waiting,
        }
    }

    /// The rows: another check has other fields, and whom it is for asks for more or less.
    fn rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let open = self.waiting.iter().filter_map(|id| view.call(*id));
        let open: Vec<&Call> = open.collect();
        let mut rows = Vec::new();
        rows.extend((!open.is_empty()).then(|| what_to_do(&open, view)));
        if !self.to_cancel(form).is_empty() {
            return rows;
        }
        let word = |one| match one {
            For::Party => "everybody of the party".to_owned(),
            For::Group(kind) => roll_requests::group_name(view.system(), kind).to_owned(),
            For::Some => "several, picked below".to_owned(),
            For::One(id) => view.owner_name(Some(id)).to_owned(),
        };
        let who = Row::one_of("who", "Who", &self.offered, self.begins(), word);
        rows.push(who);
        let meant = self.meant(form);
        if meant == For::Some {
            let people = self.people.iter().filter_map(|id| view.character(*id));
            rows.extend(people.map(|one| {
                let label = format!("  {}", one.name);
                Row::flag(person(one.id), label, self.marked.contains(&one.id))
                    .beside(&one.player)
                    .help("Whether this one is to roll.")
            }));
        }
        let labels = view.system().spec().checks.iter().map(|check| check.label);
        rows.push(Row::choice("check", "Check", labels, 0).help(self.check.help));
        let asked = match meant {
            For::One(id) => vec![id],
            For::Party | For::Group(_) | For::Some => self.people.clone(),
        };
        let begins = initial_texts(self.check, None, view);
        let fields = self.check.fields.iter().filter(|field| is_asked(field));
        rows.extend(fields.map(|field| {
            // What is on a sheet is as each has it.
            let is_own = field.whose == Whose::Own && field.source != ValueSource::Table;
            let begin = begins.iter().find(|(id, _)| id == field.id && !is_own);
            let begin = begin.map(|(_, text)| text.as_str());
            let names = field_row::sheet_names(field, &asked, view);
            field_row::field_row(field, names, begin, own(field))
        }));
        let words = ["those who are to roll", "all players"];
        let help = "Whether the others see that it is called for, and against what.";
        rows.push(Row::choice("shown", "Shown to", words, 0).help(help));
        rows
    }
}

/// What each one spends, and who helps, is each one's own affair.
fn is_asked(field: &Field) -> bool {
    field.spends.is_none() && !field.is_lent()
}

/// To call, or to take back what nobody has answered yet.
fn what_to_do(open: &[&Call], view: &SeatView<'_>) -> Row {
    let who = |call: &&Call| view.owner_name(Some(call.who)).to_owned();
    let each = open.iter().map(|call| {
        let told = roll_requests::describe_call(call, view);
        format!("withdraw: {}, {told}", who(call))
    });
    let all = (open.len() > 1).then(|| format!("withdraw all {}", open.len()));
    let words = std::iter::once("call for a roll".to_owned());
    let words = words.chain(each).chain(all);
    let names: Vec<String> = open.iter().map(who).collect();
    Row::choice("do", "Do", words, 0).help(format!("Still to roll: {}.", names.join(", ")))
}

impl DialogSpec for CallDialog {
    fn advice(&self) -> &'static [&'static str] {
        self.check.system.spec().when
    }

    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let checks = view.system().spec().checks;
        self.check = checks.get(form.choice("check")).unwrap_or(&self.check);
        form.lay_out(self.rows(form, view));
        let is_call = self.to_cancel(form).is_empty();
        let title = ["Withdraw a call", "Call for a roll"][usize::from(is_call)];
        title.clone_into(&mut form.title);
        for row in &mut form.rows {
            if let RowId::Field(id) = row.id
                && let Some(field) = self.check.field(id)
            {
                let number = row.value().parse().ok();
                let name = number.and_then(|number| field.name_of(number));
                row.beside = name.unwrap_or_default().to_owned();
                row.problem = row.maybe_number().err();
            }
        }
        let called = self.called(form, view);
        if let Some(row) = form.row_mut("who") {
            match called {
                Ok(called) => (row.beside, row.help) = (called.beside, called.help.into()),
                Err(problem) => row.problem = Some(problem),
            }
        }
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let cancel = self.to_cancel(form);
        if !cancel.is_empty() {
            let open = cancel.iter().filter(|id| view.call(**id).is_some());
            let commands: Vec<Command> = open
                .map(|id| Command::Remove(EntityRef::Call(*id)))
                .collect();
            if commands.is_empty() {
                return Ok(DialogAction::Close);
            }
            return Ok(Command::together(commands).into());
        }
        let called = self.called(form, view)?;
        let call = Command::Call(CallCommand {
            who: called.who,
            check: self.check.id.to_owned(),
            fields: called.fields,
            helpers: called.helpers,
            group: self.meant(form) == For::Group(GroupKind::Worst),
            shown: form.choice("shown") == 1,
        });
        Ok(call.into())
    }
}
