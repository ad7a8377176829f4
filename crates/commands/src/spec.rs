//! The specification of a command: its form, its help text, and the function that builds its act.

use super::form::{FormPiece, SlotKind, parse_form, render_pieces};
use super::{Args, CommandId, ParseError, Slots, Target};
use tableside_table::{Act, SeatView};

/// The act of a command, or the reason why the words or the game do not allow it.
pub(super) type ActResult = Result<Act, ParseError>;

/// One form of a command, with its help text and the function that builds its act.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// The identity of the command, which several forms can share.
    pub id: CommandId,
    form: &'static str,
    help: &'static str,
    applies: fn(&Target, &SeatView<'_>) -> bool,
    act: fn(&Args<'_>) -> ActResult,
}

impl CommandSpec {
    pub(super) const fn new(
        id: CommandId,
        form: &'static str,
        help: &'static str,
        act: fn(&Args<'_>) -> ActResult,
    ) -> Self {
        Self {
            id,
            form,
            help,
            applies: |_, _| true,
            act,
        }
    }

    /// Sets the test that decides whether the command is offered for a target.
    pub(super) const fn applies_if(self, applies: fn(&Target, &SeatView<'_>) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// The help text of the form, a single line.
    pub const fn help(&self) -> &'static str {
        self.help
    }

    /// The form as help shows it: `tick CLOCK [AMOUNT]`.
    pub fn form(&self) -> String {
        render_pieces(&self.pieces())
    }

    pub(super) fn pieces(&self) -> Vec<FormPiece> {
        parse_form(self.form)
    }

    /// The words that this form can begin with. Empty if the form begins with a name.
    pub fn verbs(&self) -> impl Iterator<Item = &'static str> {
        let first = self.form.split(' ').next().unwrap_or_default();
        first
            .split(['/', '|'])
            .filter(|word| !word.starts_with(char::is_uppercase))
    }

    /// True if the command acts on several kinds of targets, as `rename` and `delete` do.
    pub fn is_general(&self) -> bool {
        self.form.contains("THING")
    }

    /// Returns the command in words for one target. `None` if the form needs more values than a target.
    pub fn words_for(&self, target: &Target, name: &str) -> Option<String> {
        let mut command_words = vec![self.verbs().next()?];
        let mut is_named = false;

        for piece in self.pieces().into_iter().skip(1) {
            match piece {
                FormPiece::Filler(_) | FormPiece::Optional(_) => {}
                FormPiece::Word(word) if !word.contains('|') => {
                    command_words.extend(word.split('/').next());
                }
                FormPiece::Slot { kind, .. } if !is_named && kind.accepts(target) => {
                    command_words.push(name);
                    is_named = true;
                }
                // A key that gains or spends changes a pool by one token.
                FormPiece::Slot {
                    kind: SlotKind::Number,
                    ..
                } if matches!(self.id, CommandId::Gain | CommandId::Spend) => {
                    command_words.push("1");
                }
                FormPiece::Word(_) | FormPiece::Slot { .. } => return None,
            }
        }

        if is_named {
            Some(command_words.join(" "))
        } else {
            None
        }
    }

    pub(super) fn accepts(&self, target: &Target) -> bool {
        for piece in self.pieces() {
            if let FormPiece::Slot { kind, .. } = piece
                && kind.accepts(target)
            {
                return true;
            }
        }
        false
    }

    /// True if the command is offered for the target. Most commands are offered if they would change the target. `known`
    /// is offered only for visible clocks.
    pub fn applies(&self, target: &Target, view: &SeatView<'_>) -> bool {
        (self.applies)(target, view)
    }

    /// Builds the act of the command for these targets.
    pub fn act_on(&self, targets: Vec<Target>, view: &SeatView<'_>) -> ActResult {
        let slots = Slots {
            targets,
            ..Slots::default()
        };
        self.act(&slots, view)
    }

    pub(super) fn act(&self, slots: &Slots, view: &SeatView<'_>) -> ActResult {
        (self.act)(&Args { slots, view })
    }

    /// The error for words that do not fit the form.
    pub(super) fn wrong_form(&self, mistake: impl Into<String>) -> ParseError {
        ParseError::WrongForm {
            mistake: mistake.into(),
            form: self.form(),
        }
    }
}
