//! What a person can mean on a screen, and where. Keys lead to these names; see `keys.toml`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Makes a closed set of names: the enum, its names in files, and the words for each.
macro_rules! names {
    ($(#[$about:meta])* $set:ident { $($variant:ident, $name:literal, $label:literal, $words:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $set {
            $(#[doc = concat!("To ", $words, ".")] $variant,)*
        }

        impl $set {
            /// Every one, in the order of the declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name that files use.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The shortest words for it: for the bottom line, or above its keys.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// What it does, as one would say it at the table.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }

            /// The one of that name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

names! {
    /// What a person means on the screen.
    Action {
        Close, "close", "close", "close what is on top";
        QuitNow, "quit-now", "quit", "save and leave at once";
        Suspend, "suspend", "to the shell", "step out to the shell for a moment";
        Redraw, "redraw", "redraw", "draw the screen anew";

        TabTable, "tab-table", "Table", "go to the table";
        TabParty, "tab-party", "Party", "go to the party";
        TabClocks, "tab-clocks", "Clocks", "go to the clocks";
        TabTokens, "tab-tokens", "Tokens", "go to the tokens";
        TabLog, "tab-log", "Log", "go to the log";
        NextTab, "next-tab", "next", "go to the next tab";
        PreviousTab, "previous-tab", "previous", "go to the previous tab";
        Roll, "roll", "roll", "roll a check";
        CallRoll, "call-roll", "call", "call for a roll by the players";
        Resume, "resume", "resume", "go on with an unfinished check";
        Palette, "palette", "commands", "find any action by its name";
        Help, "help", "help", "show the keys of this place";
        Filter, "filter", "filter", "show only what matches";
        Undo, "undo", "undo", "take back the last change";
        Redo, "redo", "redo", "do again what was taken back";
        Dice, "dice", "dice", "roll free dice";
        NextScene, "next-scene", "scene", "end the scene and name the next";
        EndSession, "end-session", "end session", "end the session and reset what the rules reset";
        Cover, "cover", "cover", "cover everything hidden from the players";
        HouseRules, "house-rules", "house rules", "decide the house rules";
        Theme, "theme", "theme", "change the colours";
        NameGame, "name-game", "name", "name the game";
        Seats, "seats", "seats", "see who is at the table";
        Invite, "invite", "invite", "invite a player";
        Accept, "accept", "accept", "accept a player's suggestion";
        Decline, "decline", "decline", "decline a player's suggestion";
        Games, "games", "games", "open or begin another game";
        Quit, "quit", "quit", "leave the table";

        Up, "up", "up", "move up";
        Down, "down", "down", "move down";
        Left, "left", "left", "move left";
        Right, "right", "right", "move right";
        PageUp, "page-up", "page up", "move a page up";
        PageDown, "page-down", "page down", "move a page down";
        First, "first", "first", "go to the first";
        Last, "last", "last", "go to the last";
        Open, "open", "open", "open or edit";
        New, "new", "new", "make a new one";
        Delete, "delete", "delete", "delete (undo brings it back)";
        Duplicate, "duplicate", "duplicate", "make another one like it";
        DuplicateMany, "duplicate-many", "several", "make several more like it";
        Mark, "mark", "mark", "mark it, to act on several at once";
        Details, "details", "details", "show or hide the details beside the list";

        NextPanel, "next-panel", "panel", "go to the next panel";
        PreviousPanel, "previous-panel", "panel back", "go to the previous panel";

        Acted, "acted", "acted", "note that it has acted this round";
        NextRound, "next-round", "round", "begin the next round";
        TurnOrder, "turn-order", "turn order", "give everybody a number for the order of turns";
        EndTurn, "end-turn", "end turn", "end this turn";
        PreviousValue, "previous-value", "value back", "go to the previous value of a card";
        NextValue, "next-value", "value", "go to the next value of a card";
        StepUp, "step-up", "up", "raise the value under the cursor";
        StepDown, "step-down", "down", "lower the value under the cursor";
        Conditions, "conditions", "conditions", "set conditions";
        MoreRounds, "more-rounds", "round more", "let the condition last a round longer";
        FewerRounds, "fewer-rounds", "round less", "let the condition last a round less";
        BringScene, "bring-scene", "bring", "bring a prepared scene";
        Side, "side", "side", "change its side";
        Absent, "absent", "absent", "note that it is absent, or back";
        Visibility, "visibility", "show/hide", "show it to the players or hide it";
        Damage, "damage", "damage", "take damage, or heal";
        Rest, "rest", "rest", "rest, short or long";
        FirstAid, "first-aid", "first aid", "give first aid or treat wounds";
        Unlock, "unlock", "try again", "let it be tried again after inspiration, a clue or rest";
        TakenOut, "taken-out", "taken out", "take it out of the scene, or bring it back";
        Award, "award", "award", "award tokens";

        Advance, "advance", "advance", "advance the clock";
        Back, "back", "back", "turn the clock back";
        MoreSegments, "more-segments", "segment more", "give the clock one segment more";
        FewerSegments, "fewer-segments", "segment less", "give the clock one segment less";
        Link, "link", "link", "link the clock to another";
        Forecast, "forecast", "forecast", "see when the clock will be full";

        Gain, "gain", "gain", "gain a token";
        Spend, "spend", "spend", "spend a token";
        Purse, "purse", "tokens", "gain or spend tokens";
        Amount, "amount", "amount", "set or change by an amount";
        MoveTokens, "move-tokens", "move", "move tokens to another owner";

        Explain, "explain", "explain", "explain the entry step by step";
        Strike, "strike", "strike", "strike the entry and return what followed";
        Note, "note", "note", "add a note";
        NoteAbout, "note-about", "note about", "add a note about the entry";
        NewLine, "new-line", "new line", "begin another line";
        Editor, "editor", "editor", "write it in $EDITOR";
        Amend, "amend", "amend", "read the same dice again with other fields";
        Repeat, "repeat", "repeat", "roll the same again";
        Statistics, "statistics", "statistics", "see the dice and the luck of everyone";
        Export, "export", "export", "write what is shown to a file";

        PreviousCheck, "previous-check", "check back", "take the previous check";
        NextCheck, "next-check", "check", "take the next check";
        PreviousField, "previous-field", "field back", "go to the previous field";
        NextField, "next-field", "field", "go to the next field";
        Lower, "lower", "less", "lower the value or take the one before";
        Raise, "raise", "more", "raise the value or take the one after";
        RollNow, "roll-now", "roll", "roll the dice";
        ByHand, "by-hand", "by hand", "type in dice rolled by hand";
        Closed, "closed", "closed", "roll so that players do not see";

        PreviousButton, "previous-button", "back", "go to the previous button";
        NextButton, "next-button", "next", "go to the next button";
        Press, "press", "press", "press the button";

        Toggle, "toggle", "yes/no", "turn it on or off";
        Submit, "submit", "done", "finish and keep";
        Discard, "discard", "throw away", "leave it and keep no draft of it";

        CursorLeft, "cursor-left", "left", "move a letter left";
        CursorRight, "cursor-right", "right", "move a letter right";
        WordLeft, "word-left", "word left", "move a word left";
        WordRight, "word-right", "word right", "move a word right";
        LineStart, "line-start", "start", "go to the start of the line";
        LineEnd, "line-end", "end", "go to the end of the line";
        DeleteBack, "delete-back", "delete back", "delete the letter before the cursor";
        DeleteForward, "delete-forward", "delete", "delete the letter under the cursor";
        DeleteWord, "delete-word", "delete word", "delete the word before the cursor";
        DeleteRest, "delete-rest", "delete rest", "delete the rest of the line";
        DeleteLine, "delete-line", "clear", "clear the line";

        Rename, "rename", "rename", "give the game another name";
        Archive, "archive", "put away", "put the game into the archive, or take it out";
        Archived, "archived", "archive", "look into the archive, or come back";

        Yes, "yes", "yes", "agree";
        No, "no", "no", "leave it as it is";
    }
}

impl Action {
    /// How far it leads up or down a list of which so many lines are a page; `None` for other actions.
    pub(super) fn distance(self, page: usize) -> Option<isize> {
        let page = isize::try_from(page).unwrap_or(1).max(1);
        match self {
            Self::Up => Some(-1),
            Self::Down => Some(1),
            Self::PageUp => Some(-page),
            Self::PageDown => Some(page),
            Self::First => Some(isize::MIN / 2),
            Self::Last => Some(isize::MAX / 2),
            _ => None,
        }
    }
}

names! {
    /// A place on the screen that has keys of its own.
    Context {
        Always, "always", "Always", "act wherever one is, even while typing";
        Everywhere, "everywhere", "Everywhere", "act outside of dialogs";
        List, "list", "In lists", "walk a list";
        Table, "table", "On the table", "look over the table";
        Party, "party", "With characters", "lead the party";
        Clocks, "clocks", "With clocks", "run the clocks";
        Tokens, "tokens", "With tokens", "count the tokens";
        Log, "log", "With entries of the log", "read the log";
        Roll, "roll", "In the roll dialog", "set up a check";
        Result, "result", "After a roll", "go on after a roll";
        Choice, "choice", "Choosing", "choose by a button";
        Form, "form", "In forms", "fill in a form";
        Field, "field", "Typing", "type text";
        Help, "help", "In the help", "read the help";
        Games, "games", "In the list of games", "pick a game before any is open";
        Picker, "picker", "Picking", "pick one by typing";
        Scenes, "scenes", "With prepared scenes", "bring prepared scenes";
        Conditions, "conditions", "With conditions", "set conditions";
        Purse, "purse", "Gaining and spending", "gain and spend tokens";
        Note, "note", "Writing a note", "write a note";
        Confirm, "confirm", "Answering", "answer a question";
    }
}

impl Context {
    /// The places whose keys count here, the nearest first.
    pub const fn chain(self) -> &'static [Self] {
        match self {
            Self::Always => &[Self::Always],
            Self::Everywhere => &[Self::Everywhere, Self::Always],
            Self::List => &[Self::List, Self::Always],
            Self::Table => &[Self::Table, Self::List, Self::Everywhere, Self::Always],
            Self::Party => &[Self::Party, Self::List, Self::Everywhere, Self::Always],
            Self::Clocks => &[Self::Clocks, Self::List, Self::Everywhere, Self::Always],
            Self::Tokens => &[Self::Tokens, Self::List, Self::Everywhere, Self::Always],
            Self::Log => &[Self::Log, Self::List, Self::Everywhere, Self::Always],
            Self::Roll => &[Self::Roll, Self::Always],
            Self::Result => &[Self::Result, Self::Choice, Self::Help, Self::Always],
            Self::Choice => &[Self::Choice, Self::Roll, Self::Help, Self::Always],
            Self::Form => &[Self::Form, Self::Always],
            Self::Field => &[Self::Field, Self::Always],
            Self::Help => &[Self::Help, Self::Choice, Self::Always],
            Self::Games => &[Self::Games, Self::List, Self::Everywhere, Self::Always],
            Self::Picker => &[Self::Picker, Self::Field, Self::Always],
            Self::Scenes => &[Self::Scenes, Self::List, Self::Always],
            Self::Conditions => &[Self::Conditions, Self::Form, Self::Always],
            Self::Purse => &[Self::Purse, Self::Form, Self::Always],
            Self::Note => &[Self::Note, Self::Form, Self::Always],
            Self::Confirm => &[Self::Confirm, Self::Choice, Self::Always],
        }
    }

    /// The same where letters go into a line of text.
    pub const fn chain_of_text(self) -> &'static [Self] {
        match self {
            Self::Form => &[Self::Field, Self::Form, Self::Always],
            Self::Roll => &[Self::Field, Self::Roll, Self::Always],
            Self::Note => &[Self::Note, Self::Field, Self::Form, Self::Always],
            place => place.chain(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_code_agree_on_every_name() {
        for action in Action::ALL {
            assert_eq!(serde_json::to_value(action).unwrap(), action.name());
            assert_eq!(Action::named(action.name()), Some(*action));
        }
        for context in Context::ALL {
            assert_eq!(serde_json::to_value(context).unwrap(), context.name());
        }
    }

    #[test]
    fn control_c_leaves_wherever_one_is() {
        for context in Context::ALL {
            assert_eq!(context.chain().first(), Some(context));
            assert!(context.chain().contains(&Context::Always));
        }
    }
}
