//! What things on the screen are.

use ratatui::style::Modifier;

/// Makes the roles: the enum, the names in theme files, and the weights without colour.
macro_rules! roles {
    ($($variant:ident, $name:literal, $weight:expr, $about:literal;)*) => {
        /// What a thing on the screen is; a theme says how it looks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role {
            $(#[doc = concat!($about, ".")] $variant,)*
        }

        impl Role {
            /// Every role, in the order of the declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in theme files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How it stands out where there is no colour.
            pub const fn weight(self) -> Modifier {
                match self { $(Self::$variant => $weight,)* }
            }

            /// The role of that name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

const PLAIN: Modifier = Modifier::empty();
const BOLD: Modifier = Modifier::BOLD;
const DIM: Modifier = Modifier::DIM;
const LINED: Modifier = Modifier::UNDERLINED;
const LOUD: Modifier = Modifier::BOLD.union(Modifier::UNDERLINED);
const TURNED: Modifier = Modifier::REVERSED;
const STRUCK: Modifier = Modifier::CROSSED_OUT;

roles! {
    Text, "text", PLAIN, "What is read";
    Muted, "muted", PLAIN, "What stands by: times, units, remarks";
    Title, "title", BOLD, "The name of a panel or a dialog";
    Heading, "heading", BOLD, "The head of a column or a part";
    Tab, "tab", PLAIN, "A tab that is not open";
    TabActive, "tab-active", TURNED, "The open tab";
    Selected, "selected", TURNED, "What a key would act on";
    Row, "row", BOLD, "The bar behind the selected row";
    Marker, "marker", BOLD, "The sign before the selected row";
    Marked, "marked", BOLD, "A row marked to be acted on with others";
    Found, "found", LINED, "The part of a text that a filter found";
    Border, "border", PLAIN, "The line around a panel";
    BorderFocus, "border-focus", BOLD, "The line around the panel in use";
    Dialog, "dialog", PLAIN, "The ground of a dialog";
    Key, "key", BOLD, "A key's name";
    KeyLabel, "key-label", PLAIN, "What a key does";
    Notice, "notice", BOLD, "A word from the program in passing";
    Info, "info", PLAIN, "Something good to know";
    Warning, "warning", BOLD, "Something that wants attention";
    Danger, "danger", LOUD, "Something that is wrong or cannot be had back";
    Triumph, "triumph", LOUD, "The best that can come of a roll";
    Success, "success", BOLD, "A roll that went well";
    Partial, "partial", PLAIN, "A roll that went well, at a cost";
    Failure, "failure", PLAIN, "A roll that went badly";
    Disaster, "disaster", LOUD, "The worst that can come of a roll";
    Die, "die", PLAIN, "A die that counts";
    DieDropped, "die-dropped", STRUCK, "A die that does not count";
    DieMax, "die-max", BOLD, "A die that shows its highest face";
    DieMin, "die-min", LINED, "A die that shows a 1";
    DieChanged, "die-changed", PLAIN, "A die that was rolled again";
    ClockFill, "clock-fill", BOLD, "The filled part of a clock that fills on success";
    CountdownFill, "countdown-fill", BOLD, "The filled part of a clock that fills on trouble";
    ClockEmpty, "clock-empty", PLAIN, "The part of a clock's face that is still empty";
    Token, "token", BOLD, "A token that is there";
    TokenEmpty, "token-empty", PLAIN, "Room for a token, and the sign of what is empty";
    TokenDebt, "token-debt", BOLD, "A penalty, or a token that is owed";
    Field, "field", LINED, "Where text is typed";
    FieldFocus, "field-focus", LOUD, "Where text is being typed";
    Placeholder, "placeholder", DIM, "What an empty field is for";
    Button, "button", PLAIN, "A button";
    ButtonFocus, "button-focus", TURNED, "The button that Enter would press";
    Ally, "ally", PLAIN, "Somebody on the party's side";
    Adversary, "adversary", PLAIN, "Somebody on the other side";
    Hidden, "hidden", Modifier::ITALIC, "What players do not see";
    Struck, "struck", STRUCK, "What was taken back and stays on record";
}
