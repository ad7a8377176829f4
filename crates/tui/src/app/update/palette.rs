//! Opening the palette, and running its choices.

use crate::app::state::{ScreenState, Tab};
use crate::dialog::{Chosen, ChosenAction, DialogAction, Palette, ask_default_no};
use crate::{Action, Context};
use tableside_commands::{CommandId, Target};
use tableside_table::SeatView;
use tableside_text::join_with_and;

/// The maximum number of choices that the palette remembers.
const MAX_RECENT: usize = 12;

impl ScreenState {
    pub(crate) fn open_palette(&mut self, view: &SeatView<'_>) {
        let contexts = self.contexts();
        let palette = Palette::open(contexts, &self.keymap, &self.recent, view);
        self.open(palette);
    }

    /// Runs a choice of the palette, and remembers it.
    pub(super) fn choose(&mut self, chosen: Chosen, view: &SeatView<'_>) -> DialogAction {
        self.recent.retain(|words| *words != chosen.words);
        self.recent.insert(0, chosen.words);
        self.recent.truncate(MAX_RECENT);

        match chosen.does {
            ChosenAction::Action(action) => self.act_from_palette(action, view),
            ChosenAction::Open(action, target) => {
                let opened = self.open_for_target(action, &target, &[target], view);
                opened.unwrap_or(DialogAction::Stay)
            }
            ChosenAction::Act(act) => act.into(),
            ChosenAction::Dialog(dialog) => self.open(*dialog),
        }
    }

    /// Performs an action that was chosen in the palette.
    ///
    /// An action of another tab needs a target there, so the screen only goes to that tab and shows the action's key.
    fn act_from_palette(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        let is_bound_here = self
            .contexts()
            .iter()
            .any(|context| self.is_bound(action, *context));
        if is_bound_here {
            // The palette does not name the selected entities, so they are named in a question.
            if action == Action::Delete
                && let Some(question) = self.ask_to_delete_chosen(view)
            {
                return question;
            }
            return self.act(action, view);
        }

        let tab = Tab::ALL
            .into_iter()
            .find(|tab| self.is_bound(action, tab.context()));
        let Some(tab) = tab else {
            return self.refuse_elsewhere(action);
        };

        self.tab = tab;
        if matches!(action, Action::Statistics | Action::Export) {
            return self.act(action, view);
        }
        let key = self.key(action);
        let description = action.describe();
        let message = format!("press {key} to {description}");
        self.inform(message);
        DialogAction::Stay
    }

    /// Asks before the selected characters, clocks or pools are deleted. `None` if other entries are selected.
    fn ask_to_delete_chosen(&mut self, view: &SeatView<'_>) -> Option<DialogAction> {
        let targets = self.chosen_targets();
        let names: Vec<&str> = targets
            .iter()
            .filter_map(|target| target_name(target, view))
            .collect();
        if names.is_empty() || self.only_suggests(Action::Delete, view) {
            return None;
        }

        let question = format!("Delete {}? Undo brings it back.", join_with_and(&names));
        let act = CommandId::Delete.act_on(targets, view).ok()?;
        Some(self.open(ask_default_no(question, act.into())))
    }

    /// Shows where the key of an action works, if it works on no tab.
    fn refuse_elsewhere(&mut self, action: Action) -> DialogAction {
        let context = Context::ALL
            .iter()
            .find(|context| self.is_bound(action, **context));
        match context {
            Some(context) => {
                let place = context.label().to_lowercase();
                self.refuse(format!("that key works only in another place: {place}"))
            }
            None => DialogAction::Stay,
        }
    }

    /// True if the context lists the action, with or without keys.
    fn is_bound(&self, action: Action, context: Context) -> bool {
        let mut bindings = self.keymap.bindings(context).iter();
        bindings.any(|binding| binding.action == action)
    }
}

fn target_name<'a>(target: &Target, view: &'a SeatView<'_>) -> Option<&'a str> {
    match target {
        Target::Character(id) => Some(view.game().character(*id)?.name.as_str()),
        Target::Clock(_) => Some(target.clock(view)?.name.as_str()),
        Target::Pool(id) => Some(view.pool(*id)?.name.as_str()),
        Target::PreparedScene(_) | Target::Stat(_) | Target::Table => None,
    }
}
