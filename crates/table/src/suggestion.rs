//! Suggestions: a player proposes an act to the GM, and the GM accepts or declines it.

use std::sync::Arc;

use super::{Act, Problem, Seat, SeatId, SeatView, Table};
use tableside_game::{Author, Command, CommandError, FreeRoll, Game};
use tableside_text::join;

/// The maximum number of suggestions of one seat that may wait for the GM.
const MOST_OF_SEAT: usize = 5;

/// The maximum number of suggestions of all seats that may wait for the GM.
const MOST: usize = 30;

/// An act that a player suggests to the GM.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The number of the suggestion. Later suggestions have greater numbers.
    pub id: u64,
    /// The name of the player.
    pub by: String,
    pub(super) seat: SeatId,
    /// A description of the act for the GM.
    pub words: String,
    pub(super) act: SuggestedAct,
}

/// The suggested act.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SuggestedAct {
    Here {
        act: Act,
        /// The game as the player saw it when suggesting the act.
        seen_as: Arc<Game>,
        /// A description of the act for the player.
        own_words: String,
    },
    /// Another process stores the act. The pair contains the number of that process, and the number that the
    /// suggestion has there.
    At((i64, u64)),
}

impl Suggestion {
    /// The number of the process that stores the suggestion, and the number that the suggestion has there. `None` if
    /// this process stores it.
    pub(super) fn elsewhere(&self) -> Option<(i64, u64)> {
        match self.act {
            SuggestedAct::Here { .. } => None,
            SuggestedAct::At(origin) => Some(origin),
        }
    }

    /// The number of the process that stores the suggestion. `None` if this process stores it.
    pub(super) fn node(&self) -> Option<i64> {
        self.elsewhere().map(|(node, _)| node)
    }
}

impl Table {
    /// Describes an act as the seat may read it.
    pub fn wording(&self, seat: &Seat, act: &Act) -> Result<String, CommandError> {
        self.read(seat, |view| {
            let act = intended_act(act, view)?;
            describe_act(&act, view)
        })
    }

    /// Suggests to the GM an act that the seat may not do itself.
    pub fn suggest(&self, seat: &Seat, act: &Act) -> Result<(), Problem> {
        let seen_as = self.game_for_suggestion(seat)?;
        let (act, own_words) = self.read(seat, |view| {
            let act = intended_act(act, view)?;
            let own_words = describe_act(&act, view)?;
            Ok::<_, CommandError>((act, own_words))
        })?;
        let words_for_gm = self.read(&Seat::gm(), |view| {
            let rebased = rebase_act(&act, &seen_as, view.game())?;
            describe_act(&rebased, view)
        });

        let suggestion = self.change_presence(|presence| {
            let suggestion = Suggestion {
                id: presence.next_number(),
                by: seat.name.clone(),
                seat: seat.id,
                words: words_for_gm.unwrap_or_else(|why| format!("{own_words}: {why}")),
                act: SuggestedAct::Here {
                    act,
                    seen_as,
                    own_words,
                },
            };
            presence.suggestions.push(suggestion.clone());
            suggestion
        });
        self.send_suggestion(&suggestion);
        Ok(())
    }

    /// Returns the game as the seat sees it. Refuses a seat that may not suggest anything now.
    fn game_for_suggestion(&self, seat: &Seat) -> Result<Arc<Game>, Problem> {
        let inner = self.inner();
        if !seat.may_suggest(inner.presence.allowed) {
            return Err(seat.refusal(inner.game.system).into());
        }

        let waiting = &inner.presence.suggestions;
        let own = waiting
            .iter()
            .filter(|suggestion| suggestion.seat == seat.id)
            .count();
        if own >= MOST_OF_SEAT || waiting.len() >= MOST {
            let gm = inner.game.system.spec().gm;
            let reason = format!(
                "too many suggestions wait for the {gm}; suggest this again after some of them have been answered"
            );
            return Err(CommandError::NotAllowed(reason).into());
        }
        Ok(inner.views.of_seat(&inner.game, seat))
    }

    /// Does a suggested act in the name of the player, in this process or in that of the player. If a rule refuses the act, the
    /// suggestion stays. Returns the text of the entry.
    pub fn accept(self: &Arc<Self>, seat: &Seat, id: u64) -> Result<String, Problem> {
        // If two GMs accept at the same time, the act is done once.
        let _guard = self.answering.lock();
        let suggestion = self.find_suggestion(seat, id)?;

        let mut description = suggestion.words.clone();
        if let SuggestedAct::Here { act, seen_as, .. } = &suggestion.act {
            let act = self.read(seat, |view| {
                let game = view.game();
                rebase_act(act, seen_as, game)
            })?;
            let author = Author::new(&suggestion.by, suggestion.seat);
            let entry = self.submit_by(seat, &author, &act, None)?;
            description = entry.event.text(self.look().game.system);
        }
        self.remove_suggestion(&suggestion, true);
        Ok(description)
    }

    /// Removes a suggestion without doing it.
    pub fn decline(&self, seat: &Seat, id: u64) -> Result<Suggestion, Problem> {
        let suggestion = self.find_suggestion(seat, id)?;
        self.remove_suggestion(&suggestion, false);
        Ok(suggestion)
    }

    fn find_suggestion(&self, seat: &Seat, id: u64) -> Result<Suggestion, Problem> {
        let inner = self.inner();
        if !seat.sees_all() {
            return Err(seat.refusal(inner.game.system).into());
        }
        let mut waiting = inner.presence.suggestions.iter();
        let suggestion = waiting.find(|suggestion| suggestion.id == id);
        Ok(suggestion
            .cloned()
            .ok_or(CommandError::Gone("suggestion"))?)
    }

    /// Removes a suggestion from the list and sends the answer to the player.
    fn remove_suggestion(&self, suggestion: &Suggestion, is_accepted: bool) {
        let gm = self.inner().game.system.spec().gm;
        let answer = if is_accepted { "accepted" } else { "declined" };
        self.change_presence(|presence| {
            presence
                .suggestions
                .retain(|waiting| waiting.id != suggestion.id);
            if let SuggestedAct::Here { own_words, .. } = &suggestion.act {
                let text = format!("the {gm} {answer}: {own_words}");
                presence.add_message(Some(suggestion.seat), text);
            }
        });
        self.send_answer(suggestion, is_accepted);
    }
}

/// Returns the act that a player means. An undo means the newest act that the player can read, even if others act
/// before the GM answers.
fn intended_act(act: &Act, view: &SeatView<'_>) -> Result<Act, CommandError> {
    match act {
        Act::Undo | Act::UndoSeveral(_) => {
            let newest = view
                .log()
                .filter(|entry| entry.is_an_act())
                .find(|entry| !view.is_struck(entry.number))
                .ok_or(CommandError::NothingTo("undo"))?;
            Ok(Act::Strike {
                entry: newest.number,
                reason: String::new(),
            })
        }
        Act::Redo => Err(CommandError::NothingTo("redo")),
        act => Ok(act.clone()),
    }
}

/// Adapts an act to the present game. The player chose the act while looking at `seen_as`, which lacks hidden values and
/// later changes.
fn rebase_act(act: &Act, seen_as: &Game, now: &Game) -> Result<Act, CommandError> {
    match act {
        Act::Do(command) => Ok(now.rebase(seen_as, command)?.into()),
        act => Ok(act.clone()),
    }
}

/// Describes an act as the log would: `The cliff +2: 4 of 6`.
fn describe_act(act: &Act, view: &SeatView<'_>) -> Result<String, CommandError> {
    let description = match act {
        Act::Do(command) => describe_command(command, view)?,
        Act::Undo | Act::UndoSeveral(_) => "undo the last change".to_owned(),
        Act::Redo => "redo the change that was undone last".to_owned(),
        Act::Strike { entry, .. } => {
            let text = text_of(*entry, view);
            format!("undo: {text}")
        }
        Act::Amend { entry, fields, .. } => {
            let text = text_of(*entry, view);
            let settings = fields.iter().map(|(name, value)| format!("{name} {value}"));
            let new_fields = join(settings, ", ");
            format!("amend with {new_fields}: {text}")
        }
        Act::Reroll { entry, .. } => {
            let text = text_of(*entry, view);
            format!("roll again: {text}")
        }
        Act::ForGame(_) | Act::FollowHost(_) => "follow the host".to_owned(),
    };
    Ok(description)
}

fn text_of(number: u64, view: &SeatView<'_>) -> String {
    match view.entry(number) {
        // The player may no longer read the note when the GM answers.
        Some(entry) if entry.event.what.kind() == "note" && !view.seat().sees_all() => {
            "a note".to_owned()
        }
        Some(entry) => entry.event.text(view.system()),
        None => format!("#{number}"),
    }
}

fn describe_command(command: &Command, view: &SeatView<'_>) -> Result<String, CommandError> {
    match command {
        Command::FreeRoll(throw) => Ok(match &throw.what {
            FreeRoll::Dice { notation, .. } => format!("roll {notation}"),
            FreeRoll::Table { name, .. } => format!("roll on the table {name}"),
        }),
        Command::Roll(roll) => {
            let check = roll.filled.fields.spec().label;
            let roller = roll.who.and_then(|id| view.character(id));
            Ok(match roller {
                Some(character) => format!("roll {check} for {}", character.name),
                None => format!("roll {check}"),
            })
        }
        Command::All(commands) => {
            let mut descriptions = Vec::new();
            for command in commands {
                descriptions.push(describe_command(command, view)?);
            }
            Ok(descriptions.join("; "))
        }
        command => {
            let preview = view.preview_unchecked(command);
            // The command may be refused here only because the seat does not see all sheets.
            let mut roster = view.roster();
            let has_hidden_sheet = roster.any(|character| character.health.is_some());
            if preview.is_err() && has_hidden_sheet {
                return Ok("a change that you cannot see".to_owned());
            }
            preview
        }
    }
}
