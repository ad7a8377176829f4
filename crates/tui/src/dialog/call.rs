//! The dialog that calls for a roll: the characters, the check, its values, and the visibility of the call.
//!
//! It also cancels unanswered calls.

mod fields;

use self::fields::{called_value, is_asked, open_choice};
use crate::app::roll_requests;
use crate::dialog::check_form::{FieldTexts, characters_in_scene, initial_texts};
use crate::dialog::field_row;
use crate::dialog::{Dialog, DialogAction, DialogSpec, Form, Row, RowId};
use tableside_game::{
    Allegiance, Call, CallCommand, CallId, CharacterId, Command, EntityRef, GroupKind,
};
use tableside_rules::{CheckSpec, Field, ValueSource, Whose};
use tableside_table::SeatView;

pub struct CallDialog {
    check: &'static CheckSpec,
    /// The characters in the scene when the dialog opened.
    people: Vec<CharacterId>,
    /// The options of the row for the addressee.
    addressees: Vec<Addressee>,
    /// The characters that were selected when the dialog opened.
    marked: Vec<CharacterId>,
    /// The open calls when the dialog opened.
    open_calls: Vec<CallId>,
}

/// The characters that a call addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Addressee {
    /// All members of the party in the scene.
    Party,
    /// One member of the party rolls for all.
    Group(GroupKind),
    /// Several characters, which are chosen in further rows.
    Several,
    One(CharacterId),
}

/// The content of the call, and the texts of the row for the addressee.
struct CallDraft {
    characters: Vec<CharacterId>,
    helpers: Vec<CharacterId>,
    fields: FieldTexts,
    beside: String,
    help: String,
}

fn person_id(character: CharacterId) -> RowId {
    RowId::Nth("person", character.0)
}

impl CallDialog {
    /// Opens the dialog for these characters, or for the party if the list is empty.
    ///
    /// # Panics
    /// If the system has no check. Every system has one.
    pub fn open(marked: &[CharacterId], view: &SeatView<'_>) -> Dialog {
        let people: Vec<CharacterId> = characters_in_scene(view)
            .map(|character| character.id)
            .collect();
        let mut addressees = vec![
            Addressee::Party,
            Addressee::Group(GroupKind::Worst),
            Addressee::Group(GroupKind::Best),
            Addressee::Several,
        ];
        for character in &people {
            addressees.push(Addressee::One(*character));
        }

        let first_check = view.system().spec().checks.first();
        let spec = Self {
            check: first_check.expect("every system has a check"),
            addressees,
            people,
            marked: marked.to_vec(),
            open_calls: view.calls().map(|call| call.id).collect(),
        };
        let form = Form::empty("").wide().with_submit_label("call");
        Dialog::new(form, spec, view).with_focus("who")
    }

    fn initial_addressee(&self) -> Addressee {
        match self.marked.as_slice() {
            [] => Addressee::Party,
            [character] => Addressee::One(*character),
            _ => Addressee::Several,
        }
    }

    fn addressee(&self, form: &Form) -> Addressee {
        match form.row("who") {
            Some(_) => form.picked("who", &self.addressees),
            None => self.initial_addressee(),
        }
    }

    /// Returns the call with the current values of the form, or the error that prevents it.
    fn draft(&self, form: &Form, view: &SeatView<'_>) -> Result<CallDraft, String> {
        let fields = self.check.fields.iter().filter(|field| is_asked(field));
        let texts = field_row::entered_fields(fields, form, open_choice);

        match self.addressee(form) {
            Addressee::Group(kind) => self.group_draft(kind, &texts, view),
            addressee => self.direct_draft(addressee, texts, form, view),
        }
    }

    /// Returns the call for the character that rolls for the party.
    fn group_draft(
        &self,
        kind: GroupKind,
        texts: &FieldTexts,
        view: &SeatView<'_>,
    ) -> Result<CallDraft, String> {
        let pick = view
            .group(self.check, kind, texts, &[])
            .map_err(|refusal| refusal.to_string())?;
        let reason = roll_requests::describe_pick(&pick, kind, view);
        Ok(CallDraft {
            characters: vec![pick.who],
            fields: view.called_with(&pick, texts),
            beside: view.owner_name(Some(pick.who)).to_owned(),
            help: format!("{reason} The others help."),
            helpers: pick.helpers,
        })
    }

    /// Returns the call for characters that roll one by one.
    fn direct_draft(
        &self,
        addressee: Addressee,
        texts: FieldTexts,
        form: &Form,
        view: &SeatView<'_>,
    ) -> Result<CallDraft, String> {
        let characters: Vec<CharacterId> = characters_in_scene(view)
            .filter(|character| match addressee {
                Addressee::Party | Addressee::Group(_) => character.side == Allegiance::Party,
                Addressee::Several => form.is_on(person_id(character.id)),
                Addressee::One(id) => character.id == id,
            })
            .map(|character| character.id)
            .collect();
        if characters.is_empty() {
            return Err("choose at least one character".to_owned());
        }

        let mut names = Vec::new();
        let mut lacks_values = false;
        for character in &characters {
            let name = view.owner_name(Some(*character));
            let lacking = view.lacking(self.check, *character, &texts);
            if lacking.is_empty() {
                names.push(name.to_owned());
            } else {
                lacks_values = true;
                names.push(format!("{name} (without {})", lacking.join(", ")));
            }
        }
        let beside = if characters.len() > 1 || lacks_values {
            names.join(", ")
        } else {
            // The row names the character already.
            String::new()
        };

        let help = "The characters that roll. The exact odds of this check decide who is the worst and the \
                    best.";
        Ok(CallDraft {
            characters,
            helpers: Vec::new(),
            fields: texts,
            beside,
            help: help.to_owned(),
        })
    }

    /// Returns the calls that the first row selects for cancellation.
    fn calls_to_cancel(&self, form: &Form) -> &[CallId] {
        // The first choice is a new call.
        match form.choice("do").checked_sub(1) {
            None => &[],
            Some(index) if index < self.open_calls.len() => &self.open_calls[index..=index],
            Some(_) => &self.open_calls,
        }
    }

    fn rows(&self, form: &Form, view: &SeatView<'_>) -> Vec<Row> {
        let mut rows = Vec::new();
        let open_calls: Vec<&Call> = self
            .open_calls
            .iter()
            .filter_map(|id| view.call(*id))
            .collect();
        if !open_calls.is_empty() {
            rows.push(task_row(&open_calls, view));
        }
        if !self.calls_to_cancel(form).is_empty() {
            return rows;
        }

        let addressee = self.addressee(form);
        rows.push(self.addressee_row(view));
        if addressee == Addressee::Several {
            rows.extend(self.person_rows(view));
        }

        let checks = view.system().spec().checks;
        let labels = checks.iter().map(|check| check.label);
        rows.push(
            Row::choice("check", "Check", labels, 0)
                .by_typing()
                .help(self.check.help),
        );
        rows.extend(self.field_rows(addressee, view));

        let options = ["called players", "all players"];
        let help = "Show the call and its target to the other players.";
        rows.push(Row::choice("shown", "Shown to", options, 0).help(help));
        rows
    }

    fn addressee_row(&self, view: &SeatView<'_>) -> Row {
        let initial = self.initial_addressee();
        Row::one_of(
            "who",
            "Who",
            &self.addressees,
            initial,
            |addressee| match addressee {
                Addressee::Party => "the party".to_owned(),
                Addressee::Group(kind) => roll_requests::group_name(view.system(), kind).to_owned(),
                Addressee::Several => "several, chosen below".to_owned(),
                Addressee::One(character) => view.owner_name(Some(character)).to_owned(),
            },
        )
        .by_typing()
    }

    /// Returns a row for each character in the scene.
    fn person_rows(&self, view: &SeatView<'_>) -> Vec<Row> {
        let mut rows = Vec::new();
        for character in self.people.iter().filter_map(|id| view.character(*id)) {
            let label = format!("  {}", character.name);
            let is_marked = self.marked.contains(&character.id);
            let row = Row::flag(person_id(character.id), label, is_marked)
                .beside(&character.player)
                .help("Call on this character.");
            rows.push(row);
        }
        rows
    }

    /// Returns a row for each field of the check.
    fn field_rows(&self, addressee: Addressee, view: &SeatView<'_>) -> Vec<Row> {
        let people = match addressee {
            Addressee::One(character) => vec![character],
            Addressee::Party | Addressee::Group(_) | Addressee::Several => self.people.clone(),
        };
        let initial_texts = initial_texts(self.check, None, view);
        let mut fields: Vec<&'static Field> = self.check.fields.iter().collect();
        fields.retain(|field| is_asked(field));
        fields.sort_by_key(|field| called_value(field).is_none());

        let mut rows = Vec::new();
        for field in fields {
            // If the sheets have a value, each character uses its own.
            let is_on_sheet = field.whose == Whose::Own && field.source != ValueSource::Table;
            let called = called_value(field);
            let initial_text = if is_on_sheet {
                None
            } else {
                initial_texts
                    .iter()
                    .find(|(id, _)| id == field.id)
                    .map(|(_, text)| text.as_str())
                    .or(called.as_deref())
            };
            let names = field_row::sheet_names(field, &people, view);
            let row = field_row::field_row(field, names, initial_text, open_choice(field));
            rows.push(row.by_typing());
        }
        rows
    }

    /// Names the numbers in the rows of fields, and reports their errors.
    fn annotate_fields(&self, form: &mut Form) {
        for row in &mut form.rows {
            let RowId::Field(id) = row.id else {
                continue;
            };
            if let Some(field) = self.check.field(id) {
                let number = row.value().parse().ok();
                let name = number.and_then(|number| field.name_of(number));
                row.beside = name.unwrap_or_default().to_owned();
                row.problem = row.maybe_number().err();
            }
        }
    }
}

/// Returns the row that selects a new call, or open calls to cancel.
fn task_row(open_calls: &[&Call], view: &SeatView<'_>) -> Row {
    let mut tasks = vec!["call for a roll".to_owned()];
    let mut names = Vec::new();
    for call in open_calls {
        let name = view.owner_name(Some(call.who));
        let description = roll_requests::describe_call(call, view);
        tasks.push(format!("withdraw: {name}, {description}"));
        names.push(name);
    }
    if open_calls.len() > 1 {
        tasks.push(format!("withdraw all {}", open_calls.len()));
    }
    Row::choice("do", "Do", tasks, 0).help(format!("Still to roll: {}.", names.join(", ")))
}

impl DialogSpec for CallDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let checks = view.system().spec().checks;
        if let Some(check) = checks.get(form.choice("check")) {
            self.check = check;
        }
        form.lay_out(self.rows(form, view));

        let is_new_call = self.calls_to_cancel(form).is_empty();
        let title = if is_new_call {
            "Call for a roll"
        } else {
            "Withdraw a call"
        };
        title.clone_into(&mut form.title);
        self.annotate_fields(form);

        let draft = self.draft(form, view);
        if let Some(row) = form.shown_row_mut("who") {
            match draft {
                Ok(draft) => {
                    row.beside = draft.beside;
                    row.help = draft.help.into();
                }
                Err(problem) => row.problem = Some(problem),
            }
        }
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let calls_to_cancel = self.calls_to_cancel(form);
        if !calls_to_cancel.is_empty() {
            let commands: Vec<Command> = calls_to_cancel
                .iter()
                .filter(|id| view.call(**id).is_some())
                .map(|id| Command::Remove(EntityRef::Call(*id)))
                .collect();
            if commands.is_empty() {
                return Ok(DialogAction::Close);
            }
            return Ok(Command::together(commands).into());
        }

        let draft = self.draft(form, view)?;
        let is_group_roll = self.addressee(form) == Addressee::Group(GroupKind::Worst);
        let command = Command::Call(CallCommand {
            who: draft.characters,
            check: self.check.id.to_owned(),
            fields: draft.fields,
            helpers: draft.helpers,
            group: is_group_roll,
            shown: form.choice("shown") == 1,
        });
        Ok(command.into())
    }

    fn advice(&self) -> &'static [&'static str] {
        self.check.system.spec().when
    }
}
