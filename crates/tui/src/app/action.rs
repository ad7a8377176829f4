//! The actions that keys can be bound to, and the contexts in which keys are bound. See `keys.toml`.

use serde::{Deserialize, Serialize};

use tableside_commands::CommandId;

/// Defines an enum of names for `keys.toml`. Each variant has a short label and a description.
macro_rules! names {
    ($(#[$about:meta])* $set:ident { $($variant:ident, $label:literal, $words:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[derive(strum::Display, strum::EnumString, strum::IntoStaticStr)]
        #[serde(rename_all = "kebab-case")]
        #[strum(serialize_all = "kebab-case", const_into_str)]
        pub enum $set {
            $(#[doc = concat!("To ", $words, ".")] $variant,)*
        }

        impl $set {
            /// All variants, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The label: of an action on the line of keys, and of a context above its keys in the help.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// The description in the help, which begins with a verb.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }
        }
    };
}

names! {
    /// An action that keys can be bound to.
    Action {
        Close, "close", "close the top dialog";
        QuitNow, "quit", "save and quit at once";
        Suspend, "to the shell", "suspend to the shell";
        Pause, "pause", "ask all players to pause (the X-card)";
        Redraw, "redraw", "redraw the screen";

        TabTable, "Table", "go to the table";
        TabParty, "Party", "go to the party";
        TabClocks, "Clocks", "go to the clocks";
        TabTokens, "Tokens", "go to the tokens";
        TabLog, "Log", "go to the log";
        NextTab, "next", "go to the next tab";
        PreviousTab, "previous", "go to the previous tab";
        Roll, "roll", "make a roll";
        CallRoll, "call", "call for a roll, or withdraw a call";
        Resume, "resume", "finish a pending roll";
        Palette, "commands", "find any action by its name";
        Help, "help", "show the keys that work here";
        Filter, "filter", "filter the list";
        Undo, "undo", "undo the last change";
        Redo, "redo", "redo the last undone change";
        Dice, "dice", "roll free dice";
        RandomTables, "random table", "roll on a random table, or make one";
        NextScene, "scene", "end the scene and name the next";
        EndSession, "end session", "end the session";
        Recap, "recap", "read the recap of the session";
        Cover, "cover", "show only what players may see";
        HouseRules, "house rules", "set the house rules";
        Theme, "theme", "change the colours";
        NameGame, "name", "name the game";
        Notes, "notes", "read the notes and handouts";
        LinesAndVeils, "lines and veils", "read or change the lines and veils";
        Seats, "seats", "manage players and seats";
        Invite, "invite", "invite a player";
        Accept, "accept", "accept a player's suggestion";
        Decline, "decline", "decline a player's suggestion";
        Copy, "copy", "copy the selected text";
        Games, "games", "open a game or start a new one";
        Quit, "quit", "save and quit";

        Up, "up", "move up";
        Down, "down", "move down";
        Left, "left", "move left";
        Right, "right", "move right";
        PageUp, "page up", "move a page up";
        PageDown, "page down", "move a page down";
        First, "first", "go to the first";
        Last, "last", "go to the last";
        Open, "open", "open or edit";
        New, "new", "create a character, clock or pool";
        Delete, "delete", "delete (undo restores it)";
        Duplicate, "duplicate", "make a copy";
        DuplicateMany, "several", "make numbered copies";
        Mark, "mark", "mark, to act on several at once";
        Details, "details", "show or hide the details";

        NextPanel, "panel", "go to the next panel";
        PreviousPanel, "panel back", "go to the previous panel";
        Maximize, "maximise", "show this panel alone, or all panels";

        Acted, "acted", "mark as having acted this round";
        NextRound, "round", "begin the next round";
        TurnOrder, "turn order", "roll initiative, or set the turn order";
        EndTurn, "next turn", "end this turn and begin the next";
        EndFight, "end fight", "end the fight";
        PreviousValue, "value back", "go to a card's previous value";
        NextValue, "value", "go to a card's next value";
        StepUp, "up", "raise the value under the cursor";
        StepDown, "down", "lower the value under the cursor";
        Conditions, "conditions", "set conditions";
        MoreRounds, "round more", "extend a condition by a round";
        FewerRounds, "round less", "shorten a condition by a round";
        EndsAt, "ends", "choose when a condition ends";
        BringScene, "bring", "bring in a prepared scene";
        Side, "side", "change the side";
        Absent, "absent", "mark as absent or present";
        Visibility, "show/hide", "show to players or hide";
        Damage, "damage", "take damage, or heal";
        Rest, "rest", "rest, short or long";
        FirstAid, "first aid", "give first aid or treat wounds";
        Unlock, "try again", "allow another try";
        TakenOut, "leaves/returns", "take out of the scene, or return";
        Award, "award", "award tokens";
        SaveTemplate, "save as template", "save the character as a template";

        Advance, "advance", "advance the clock";
        Back, "back", "turn the clock back";
        MoreSegments, "segment more", "make the clock a segment longer";
        FewerSegments, "segment less", "make the clock a segment shorter";
        Link, "link", "link the clock to another";
        Forecast, "forecast", "forecast when the clock fills";

        Gain, "gain", "gain a token";
        Spend, "spend", "spend a token";
        Purse, "tokens", "gain or spend tokens";
        Amount, "amount", "set or change a pool by an amount";
        MoveTokens, "move", "move tokens to another owner";

        Explain, "explain", "explain the entry, or open its row";
        UndoEntry, "undo entry", "undo this entry and its effects";
        Note, "note", "add a note";
        Handout, "handout", "give players a handout";
        NoteAbout, "note about", "add a note about the entry";
        Read, "read", "read all of it";
        Edit, "edit", "edit the text";
        Share, "share", "choose its readers";
        DeleteNote, "delete", "delete (undo restores it)";
        NewLine, "new line", "start a new line";
        Editor, "editor", "edit in $EDITOR";
        Amend, "amend", "change a roll, but not its dice";
        Repeat, "repeat", "make the same roll again";
        Statistics, "statistics", "show statistics of dice and luck";
        Export, "export", "write the log or a recap to a file";

        PreviousCheck, "previous kind", "previous kind of roll";
        NextCheck, "kind", "next kind of roll";
        PreviousField, "field back", "go to the previous field";
        NextField, "field", "go to the next field";
        Lower, "less", "lower, or previous value";
        Raise, "more", "raise, or next value";
        RollNow, "roll", "roll the dice";
        ByHand, "by hand", "enter dice rolled by hand";
        Hidden, "hidden", "roll hidden from players";

        PreviousButton, "back", "go to the previous button";
        NextButton, "next", "go to the next button";
        Press, "press", "press the button";

        Toggle, "yes/no", "turn on or off";
        Submit, "save", "save and close";
        Discard, "discard", "close and discard the draft";

        CursorLeft, "left", "move a letter left";
        CursorRight, "right", "move a letter right";
        WordLeft, "word left", "move a word left";
        WordRight, "word right", "move a word right";
        LineStart, "start", "go to the start of the line";
        LineEnd, "end", "go to the end of the line";
        DeleteBack, "delete back", "delete a letter to the left";
        DeleteForward, "delete", "delete the letter at the cursor";
        DeleteWord, "delete word", "delete a word to the left";
        DeleteRest, "delete rest", "delete the rest of the line";
        DeleteLine, "clear", "clear the line";

        Rename, "rename", "rename the game";
        Archive, "archive/restore", "archive the game, or restore it";
        Archived, "archive", "open or leave the archive";
        Code, "code", "enter an invitation code";

        Yes, "yes", "agree";
        No, "no", "cancel";
    }
}

impl Action {
    /// The commands that a key of this action runs on its target. The first one that would change the target is run.
    pub const fn commands(self) -> &'static [CommandId] {
        match self {
            Self::Acted => &[CommandId::MarkActed, CommandId::MarkWaiting],
            Self::Absent => &[CommandId::MarkAbsent, CommandId::MarkPresent],
            Self::Visibility => &[CommandId::MakeKnown, CommandId::Hide, CommandId::Show],
            Self::Advance => &[CommandId::Tick],
            Self::Back => &[CommandId::Untick],
            Self::Gain => &[CommandId::Gain],
            Self::Spend => &[CommandId::Spend],
            Self::Duplicate => &[CommandId::Duplicate],
            Self::Delete => &[CommandId::Delete],
            Self::NextRound => &[CommandId::NextRound],
            Self::EndTurn => &[CommandId::EndTurn],
            Self::EndFight => &[CommandId::EndFight],
            Self::EndSession => &[CommandId::EndSession],
            Self::Undo => &[CommandId::Undo],
            Self::Redo => &[CommandId::Redo],
            _ => &[],
        }
    }

    /// The action whose key runs this command.
    pub fn of_command(id: CommandId) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|action| action.commands().contains(&id))
    }

    /// The number of lines that the action moves a cursor down, or up if it is negative. `page` is the number of lines
    /// of a page. `None` for other actions.
    pub(crate) fn distance(self, page: usize) -> Option<isize> {
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
    /// A part of the screen or a dialog that has its own keys.
    Context {
        Always, "Always", "act anywhere, even while typing";
        Everywhere, "Everywhere", "act outside of dialogs";
        List, "In lists", "move in a list";
        Table, "On the table", "use the panels of the table";
        Party, "With characters", "manage characters";
        Clocks, "With clocks", "run the clocks";
        Tokens, "With tokens", "manage tokens";
        Log, "With entries of the log", "read the log";
        Roll, "In the roll dialog", "set up a roll";
        Result, "After a roll", "act on a result";
        Choice, "Choosing", "press a button";
        Form, "In forms", "fill in a form";
        Field, "Typing", "type text";
        Help, "While reading", "read an entry, statistics or the help, where letters search for a key";
        Games, "In the list of games", "choose a game";
        Picker, "Picking", "choose by typing";
        Scenes, "With prepared scenes", "use prepared scenes";
        Conditions, "With conditions", "set conditions";
        Purse, "Gaining and spending", "gain and spend tokens";
        Note, "Writing a note", "write a note";
        Notes, "With notes", "read notes and handouts";
        RandomTables, "With random tables", "roll on random tables";
        TableRows, "Writing a table", "write the rows of a random table";
        Confirm, "Answering", "answer a question";
    }
}

impl Context {
    /// The contexts whose keys are bound here, in the order of precedence.
    pub const fn chain(self) -> &'static [Self] {
        use Context::{
            Always, Choice, Clocks, Conditions, Confirm, Everywhere, Field, Form, Games, Help,
            List, Log, Note, Notes, Party, Picker, Purse, RandomTables, Result, Roll, Scenes,
            Table, TableRows, Tokens,
        };
        match self {
            Always => &[Always],
            Everywhere => &[Everywhere, Always],
            List => &[List, Always],
            Table => &[Table, List, Everywhere, Always],
            Party => &[Party, List, Everywhere, Always],
            Clocks => &[Clocks, List, Everywhere, Always],
            Tokens => &[Tokens, List, Everywhere, Always],
            Log => &[Log, List, Everywhere, Always],
            Roll => &[Roll, Always],
            Result => &[Result, Choice, Help, Always],
            Choice => &[Choice, Roll, Help, Always],
            Form => &[Form, Always],
            Field => &[Field, Always],
            Help => &[Help, Choice, Always],
            Games => &[Games, List, Everywhere, Always],
            Picker => &[Picker, Field, Always],
            Scenes => &[Scenes, List, Always],
            Conditions => &[Conditions, Form, Always],
            Purse => &[Purse, Form, Always],
            Note => &[Note, Form, Always],
            Notes => &[Notes, List, Always],
            RandomTables => &[RandomTables, List, Always],
            TableRows => &[TableRows, Form, Always],
            Confirm => &[Confirm, Choice, Always],
        }
    }

    /// The contexts whose keys are bound while letters are typed into a field, in the order of precedence.
    pub const fn chain_of_text(self) -> &'static [Self] {
        use Context::{Always, Field, Form, Note, Roll, TableRows};
        match self {
            Form => &[Field, Form, Always],
            Roll => &[Field, Roll, Always],
            Note => &[Note, Field, Form, Always],
            TableRows => &[TableRows, Field, Form, Always],
            context => context.chain(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_the_same_in_files_and_in_code() {
        for action in Action::ALL {
            assert_eq!(serde_json::to_value(action).unwrap(), action.into_str());
            assert_eq!(action.into_str().parse(), Ok(*action));
        }
        for context in Context::ALL {
            assert_eq!(serde_json::to_value(context).unwrap(), context.into_str());
        }
    }

    #[test]
    fn control_c_quits_in_every_context() {
        for context in Context::ALL {
            assert_eq!(context.chain().first(), Some(context));
            assert!(context.chain().contains(&Context::Always));
        }
    }
}
