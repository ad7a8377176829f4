//! The list of all commands, and the choice of a form for a target.

use super::spec::ActResult;
use super::{CommandId, CommandSpec, Target};
use super::{any_target, characters, clocks, creatures, game, notes, rolls, tokens, turns};
use tableside_table::SeatView;

/// A group of commands under one title in the help.
#[derive(Clone, Copy, Debug)]
pub struct CommandSection {
    pub title: &'static str,
    pub commands: &'static [CommandSpec],
}

/// All commands, grouped by subject and in the order of the help.
pub const SECTIONS: [CommandSection; 9] = [
    CommandSection {
        title: "Rolls",
        commands: rolls::COMMANDS,
    },
    CommandSection {
        title: "Clocks",
        commands: clocks::COMMANDS,
    },
    CommandSection {
        title: "Turns",
        commands: turns::COMMANDS,
    },
    CommandSection {
        title: "Characters",
        commands: characters::COMMANDS,
    },
    CommandSection {
        title: "Creatures",
        commands: creatures::COMMANDS,
    },
    CommandSection {
        title: "Characters, clocks and pools",
        commands: any_target::COMMANDS,
    },
    CommandSection {
        title: "Tokens",
        commands: tokens::COMMANDS,
    },
    CommandSection {
        title: "Notes and handouts",
        commands: notes::COMMANDS,
    },
    CommandSection {
        title: "The game",
        commands: game::COMMANDS,
    },
];

/// Lists all forms of all commands in the order of the help.
pub fn commands() -> impl Iterator<Item = &'static CommandSpec> + Clone {
    SECTIONS.into_iter().flat_map(|section| section.commands)
}

impl CommandId {
    /// Builds the act of the command for these targets, without typed words.
    ///
    /// # Panics
    ///
    /// Panics if the command has no form. A test checks that every command has one.
    pub fn act_on(self, targets: Vec<Target>, view: &SeatView<'_>) -> ActResult {
        let spec = self.spec_for(targets.first());
        spec.act_on(targets, view)
    }

    /// True if the command is offered for the target, as in [`CommandSpec::applies`].
    pub fn applies(self, target: &Target, view: &SeatView<'_>) -> bool {
        let spec = self.spec_for(Some(target));
        spec.accepts(target) && spec.applies(target, view)
    }

    /// Returns the first form of the command that accepts the target, or its first form if none does.
    fn spec_for(self, target: Option<&Target>) -> &'static CommandSpec {
        let forms = commands().filter(|spec| spec.id == self);
        let accepts_target = |spec: &&CommandSpec| target.is_none_or(|target| spec.accepts(target));
        let accepting = forms.clone().find(accepts_target);
        accepting
            .or_else(|| forms.clone().next())
            .expect("every command has a form")
    }

    fn accepts(self, target: Option<&Target>) -> bool {
        match target {
            Some(target) => self.spec_for(Some(target)).accepts(target),
            None => true,
        }
    }
}

/// Chooses the command that a key runs: the first candidate that is offered for the target. If none is, returns the
/// last candidate that accepts the target, because its error explains the reason. Returns `None` if no candidate
/// accepts the target.
pub fn choose_command(
    candidates: &[CommandId],
    target: Option<&Target>,
    view: &SeatView<'_>,
) -> Option<CommandId> {
    let mut last_accepting = None;
    for id in candidates {
        if !id.accepts(target) {
            continue;
        }
        if target.is_none_or(|target| id.applies(target, view)) {
            return Some(*id);
        }
        last_accepting = Some(*id);
    }
    last_accepting
}
