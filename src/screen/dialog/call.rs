//! A call for a roll: who, which check, against what, and before whose eyes. Calls that nobody has
//! answered yet are taken back here, too.

mod rows;

use std::borrow::Cow;

use self::rows::{DO, SHOWN, WHO};
use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use crate::rules::{CheckSpec, Whose};
use crate::screen::roll_requests;
use crate::session::{Call, CallId, CharacterId, Command, GroupKind, GroupPick};
use crate::table::SeatView;

/// A call for a roll.
#[derive(Clone, Debug)]
pub struct CallDialog {
    check: &'static CheckSpec,
    /// Who could be called on, kept while the dialog is open.
    people: Vec<CharacterId>,
    /// Who is still to roll, as the first row offers it.
    waiting: Vec<CallId>,
    form: Form,
    /// Who of the group it would be.
    pick: Option<Result<GroupPick, String>>,
}

/// Whom a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// Everybody of the party who is here.
    Party,
    /// The one of the party who would roll for all.
    Group(GroupKind),
    /// Those who are picked.
    Some,
    /// This one.
    One(CharacterId),
}

/// The words for whom a call is for stand in this order, single characters after them.
const FOR: [For; 4] = [
    For::Party,
    For::Group(GroupKind::Worst),
    For::Group(GroupKind::Best),
    For::Some,
];

impl CallDialog {
    /// Opens it on those, or where there are none on everybody of the party.
    ///
    /// # Panics
    /// When the system has no check; every system has.
    pub fn open(who: &[CharacterId], seen: &SeatView<'_>) -> Self {
        let checks = seen.system().spec().checks;
        let check = checks.first().expect("every system has a check");
        let here = seen.roster().filter(|one| one.is_here());
        let mut opened = Self {
            check,
            people: here.map(|one| one.id).collect(),
            waiting: seen.calls().map(|call| call.id).collect(),
            form: Form::new(Vec::new()).wide(),
            pick: None,
        };
        let meant = match who {
            [] => 0,
            [one] => {
                let place = opened.people.iter().position(|id| id == one);
                place.map_or(0, |place| FOR.len() + place)
            }
            _ => 3,
        };
        opened.lay_out(meant, who, seen);
        // Who is where one begins; what else could be done stands above.
        let who_row = opened.form.items.iter().position(|item| item.id == WHO);
        opened.form.focus_on(who_row.unwrap_or(0));
        opened.check_all(seen);
        opened
    }

    fn meant(&self) -> For {
        let at = self.form.choice(WHO);
        let one = at.checked_sub(FOR.len());
        match one.and_then(|place| self.people.get(place)) {
            Some(id) => For::One(*id),
            None => FOR.get(at).copied().unwrap_or(For::Party),
        }
    }

    /// Those picked one by one.
    fn picked(&self) -> Vec<CharacterId> {
        let flags = self
            .form
            .items
            .iter()
            .filter(|item| item.id == rows::PERSON);
        let both = self.people.iter().zip(flags);
        both.filter(|(_, item)| matches!(item.entry, Entry::Flag(true)))
            .map(|(id, _)| *id)
            .collect()
    }

    /// Who is called on as things stand, and who helps.
    fn called(&self, seen: &SeatView<'_>) -> (Vec<CharacterId>, Vec<CharacterId>) {
        use crate::session::Allegiance;
        let who = match self.meant() {
            For::Party => {
                let here = seen.roster().filter(|one| one.is_here());
                let party = here.filter(|one| one.side == Allegiance::Party);
                party.map(|one| one.id).collect()
            }
            For::Group(_) => {
                return match &self.pick {
                    Some(Ok(pick)) => (vec![pick.who], pick.helpers.clone()),
                    _ => (Vec::new(), Vec::new()),
                };
            }
            For::Some => self.picked(),
            For::One(id) => vec![id],
        };
        (who, Vec::new())
    }

    /// The fields that were given, as a person writes them.
    fn given(&self) -> Vec<(String, String)> {
        let fields = self.check.fields.iter();
        fields
            .filter_map(|field| {
                let item = self.form.item(field.id)?;
                let named = self.form.item(rows::NAMED).filter(|_| {
                    let first = self.check.fields.iter();
                    let mut first = first.filter(|field| field.whose == Whose::Opponent);
                    first.next().map(|first| first.id) == Some(field.id)
                });
                let named = named.map(|item| item.entry.words().into_owned());
                let named = named.filter(|name| name != rows::NOBODY);
                let words = named.or_else(|| rows::given(field, item))?;
                Some((field.id.to_owned(), words))
            })
            .collect()
    }

    /// The calls that are to be taken back, where that is what the first row says.
    fn to_cancel(&self) -> &[CallId] {
        let at = self.form.choice(DO);
        match at.checked_sub(1) {
            None => &[],
            Some(place) if place < self.waiting.len() => &self.waiting[place..=place],
            Some(_) => &self.waiting,
        }
    }

    /// Makes the rows anew: another check has other fields, and whom it is for asks for more or less.
    fn lay_out(&mut self, meant: usize, picked: &[CharacterId], seen: &SeatView<'_>) {
        let open: Vec<&Call> = self
            .waiting
            .iter()
            .filter_map(|id| seen.call(*id))
            .collect();
        let cancels = !self.to_cancel().is_empty();
        let focus = self.form.items.get(self.form.focus);
        let focus = focus.map(|item| (item.id, item.label.clone()));
        let mut items = Vec::new();
        if !open.is_empty() {
            items.push(rows::what_to_do(&open, self.form.choice(DO), seen));
        }
        if !cancels {
            let names = FOR.map(|one| match one {
                For::Party => "everybody of the party".to_owned(),
                For::Group(kind) => roll_requests::group_name(seen.system(), kind).to_owned(),
                For::Some | For::One(_) => "several, picked below".to_owned(),
            });
            items.push(rows::who(names, &self.people, meant, seen));
            if FOR.get(meant) == Some(&For::Some) {
                let people = self.people.iter().filter_map(|id| seen.character(*id));
                items.extend(people.map(|one| rows::person(one, picked.contains(&one.id))));
            }
            items.push(rows::check(self.check, seen));
            let asked: Vec<CharacterId> = match FOR.get(meant) {
                Some(For::Some) => picked.to_vec(),
                Some(_) => self.people.clone(),
                None => self
                    .people
                    .get(meant - FOR.len())
                    .copied()
                    .into_iter()
                    .collect(),
            };
            let fields = self.check.fields.iter();
            for field in fields {
                let known = |id| self.form.item(id);
                items.extend(rows::field(
                    field,
                    self.check,
                    known(field.id),
                    &asked,
                    seen,
                ));
                if items.iter().all(|item: &Item| item.id != rows::NAMED) {
                    items.extend(rows::named(field, known(rows::NAMED), seen));
                }
            }
            items.push(rows::shown(self.form.choice(SHOWN)));
        }
        self.form.items = items;
        let same = |item: &Item| Some((item.id, item.label.clone())) == focus;
        let place = self.form.items.iter().position(same);
        // A number that is being typed goes on being typed.
        self.form.focus = place.unwrap_or(0);
    }

    /// Finds out who is meant, and says what stands against it.
    fn check_all(&mut self, seen: &SeatView<'_>) {
        let given = self.given();
        self.pick = match self.meant() {
            For::Group(kind) if self.to_cancel().is_empty() => {
                let pick = seen.group(self.check, kind, &given, &[]);
                Some(pick.map_err(|refusal| refusal.to_string()))
            }
            _ => None,
        };
        let (who, _) = self.called(seen);
        let mut lacks = false;
        let mut with_lacking = |id: &CharacterId| {
            let name = seen.owner_name(Some(*id));
            match seen.lacking(self.check, *id, &given).as_slice() {
                [] => name.to_owned(),
                lacking => {
                    lacks = true;
                    format!("{name} (without {})", lacking.join(", "))
                }
            }
        };
        let names: Vec<String> = who.iter().map(&mut with_lacking).collect();
        let kind = match self.meant() {
            For::Group(kind) => kind,
            For::Party | For::Some | For::One(_) => GroupKind::Worst,
        };
        let found = self.pick.as_ref().map(|pick| match pick {
            Ok(pick) => Ok((
                seen.owner_name(Some(pick.who)).to_owned(),
                roll_requests::found(pick, kind, seen),
            )),
            Err(problem) => Err(problem.clone()),
        });
        let nobody = who.is_empty().then(|| "nobody is picked yet".to_owned());
        for item in &mut self.form.items {
            if item.id == WHO {
                rows::WHO_HELP.clone_into(&mut item.help);
                (item.beside, item.problem) = match &found {
                    Some(Ok((who, why))) => {
                        item.help = format!("{why} The others help.");
                        (who.clone(), None)
                    }
                    Some(Err(problem)) => (String::new(), Some(problem.clone())),
                    None if names.len() > 1 || lacks => (names.join(", "), None),
                    None => (String::new(), nobody.clone()),
                };
            } else if let Some(field) = self.check.field(item.id) {
                item.beside = match item.entry.words().trim().parse() {
                    Ok(number) => field.name_of(number).unwrap_or_default().to_owned(),
                    Err(_) => String::new(),
                };
                item.problem = item.maybe_number().err();
            }
        }
    }
}

impl Filled for CallDialog {
    its_form!();

    fn title(&self, _seen: &SeatView<'_>) -> Cow<'_, str> {
        Cow::Borrowed(match self.to_cancel() {
            [] => "Call for a roll",
            _ => "Take a call back",
        })
    }

    fn rules_say(&self) -> &'static [&'static str] {
        self.check.system.spec().when
    }

    fn entered(&mut self, seen: &SeatView<'_>) {
        let checks = seen.system().spec().checks;
        if let Some(check) = checks.get(self.form.choice(rows::CHECK))
            && self.to_cancel().is_empty()
            && self.form.item(rows::CHECK).is_some()
        {
            self.check = check;
        }
        let picked = self.picked();
        self.lay_out(self.form.choice(WHO), &picked, seen);
        self.check_all(seen);
    }

    fn followed(&mut self, seen: &SeatView<'_>) {
        self.check_all(seen);
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        let cancel = self.to_cancel();
        if !cancel.is_empty() {
            let open = cancel.iter().filter(|id| seen.call(**id).is_some());
            let commands: Vec<Command> = open.map(|id| Command::CancelCall(*id)).collect();
            if commands.is_empty() {
                return DialogAction::Close;
            }
            return DialogAction::SubmitAndClose(Command::together(commands).into());
        }
        self.check_all(seen);
        let (who, helpers) = self.called(seen);
        let given = self.given();
        let fields = match &self.pick {
            Some(Ok(pick)) => seen.called_with(pick, &given),
            Some(Err(_)) | None => given,
        };
        self.form.finish(Ok(Command::Call {
            who,
            check: self.check.id.to_owned(),
            fields,
            helpers,
            group: matches!(self.meant(), For::Group(GroupKind::Worst)),
            shown: self.form.choice(SHOWN) == 1,
        }))
    }
}
