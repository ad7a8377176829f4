//! Whatever keys do to the game can be said in plain words, too.

use tableside::commands::{CommandId, commands};
use tableside::screen::app::action::{Action, Context};
use tableside::screen::app::keymap::Keymap;

/// Actions that change only a screen, or the place where a game is kept, or who may join.
const OF_SCREEN: &[&str] = &[
    "close",
    "quit-now",
    "suspend",
    "redraw",
    "pause",
    "notes",
    "lines-and-veils",
    "tab-table",
    "tab-party",
    "tab-clocks",
    "tab-tokens",
    "tab-log",
    "next-tab",
    "previous-tab",
    "palette",
    "help",
    "filter",
    "cover",
    "recap",
    "theme",
    "name-game",
    "seats",
    "invite",
    "accept",
    "decline",
    "copy",
    "games",
    "quit",
    "up",
    "down",
    "left",
    "right",
    "page-up",
    "page-down",
    "first",
    "last",
    "open",
    "mark",
    "details",
    "next-panel",
    "previous-panel",
    "maximize",
    "previous-value",
    "next-value",
    "explain",
    "statistics",
    "export",
    "forecast",
    "resume",
    "purse",
    "save-template",
];

/// The command in words for each other action.
const SAID: &[(Action, CommandId)] = &[
    (Action::Roll, CommandId::Roll),
    (Action::CallRoll, CommandId::CallForRoll),
    (Action::Undo, CommandId::Undo),
    (Action::Redo, CommandId::Redo),
    (Action::Dice, CommandId::Roll),
    (Action::RandomTables, CommandId::RollOnTable),
    (Action::NextScene, CommandId::NextScene),
    (Action::EndSession, CommandId::EndSession),
    (Action::HouseRules, CommandId::SetHouseRule),
    (Action::New, CommandId::AddCharacter),
    (Action::Delete, CommandId::Delete),
    (Action::Duplicate, CommandId::Duplicate),
    (Action::DuplicateMany, CommandId::Duplicate),
    (Action::Acted, CommandId::MarkActed),
    (Action::NextRound, CommandId::NextRound),
    (Action::TurnOrder, CommandId::SetInitiative),
    (Action::EndTurn, CommandId::EndTurn),
    (Action::EndFight, CommandId::EndFight),
    (Action::StepUp, CommandId::RaiseStat),
    (Action::StepDown, CommandId::LowerStat),
    (Action::Conditions, CommandId::AddCondition),
    (Action::Note, CommandId::Note),
    (Action::Handout, CommandId::Tell),
    (Action::NoteAbout, CommandId::Note),
    (Action::Damage, CommandId::Damage),
    (Action::Rest, CommandId::Rest),
    (Action::FirstAid, CommandId::FirstAid),
    (Action::Unlock, CommandId::Unlock),
    (Action::TakenOut, CommandId::AddCondition),
    (Action::Side, CommandId::SetSide),
    (Action::Absent, CommandId::MarkAbsent),
    (Action::Award, CommandId::Award),
    (Action::Advance, CommandId::Tick),
    (Action::Back, CommandId::Untick),
    (Action::MoreSegments, CommandId::SetSegments),
    (Action::FewerSegments, CommandId::SetSegments),
    (Action::Visibility, CommandId::Hide),
    (Action::Link, CommandId::LinkClock),
    (Action::BringScene, CommandId::BringScene),
    (Action::Gain, CommandId::Gain),
    (Action::Spend, CommandId::Spend),
    (Action::Amount, CommandId::SetTokens),
    (Action::MoveTokens, CommandId::MoveTokens),
    (Action::Repeat, CommandId::RepeatRoll),
    (Action::Amend, CommandId::AmendRoll),
    (Action::UndoEntry, CommandId::UndoEntry),
    (Action::Editor, CommandId::Note),
    (Action::Hidden, CommandId::Roll),
];

#[test]
fn every_key_of_a_list_has_its_words() {
    let keymap = Keymap::default();
    let places = [
        Context::Always,
        Context::Everywhere,
        Context::List,
        Context::Table,
        Context::Party,
        Context::Clocks,
        Context::Tokens,
        Context::Log,
    ];

    let mut tried = 0;
    for place in places {
        for binding in keymap.bindings(place) {
            let action = binding.action;
            if OF_SCREEN.contains(&action.into_str()) {
                continue;
            }
            let said = SAID.iter().find(|(known, _)| *known == action);
            let (_, id) = said.unwrap_or_else(|| panic!("{action} has no command in words"));
            assert!(commands().any(|spec| spec.id == *id), "{action}: {id:?}");
            tried += 1;
        }
    }
    assert!(tried > 35, "{tried}");
}

#[test]
fn a_key_that_runs_commands_has_one_of_them_in_words() {
    for (action, id) in SAID {
        let run = action.commands();
        assert!(run.is_empty() || run.contains(id), "{action}: {id:?}");
    }
}
