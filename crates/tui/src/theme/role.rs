//! What things on the screen are.

use ratatui::style::Modifier;

/// Each is named in every file in `themes` (a test asks); in somebody's own theme `dark` stands in for what it leaves out.
///
/// Makes the roles: the enum, the names in theme files, and the weights without colour.
macro_rules! roles {
    ($($variant:ident, $weight:expr, $about:literal;)*) => {
        /// What a thing on the screen is; a theme says how it looks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(strum::EnumString, strum::IntoStaticStr)]
        #[strum(serialize_all = "kebab-case", const_into_str)]
        pub enum Role {
            $(#[doc = concat!($about, ".")] $variant,)*
        }

        impl Role {
            /// Every role, in the order of the declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// How it stands out where there is no colour.
            pub const fn weight(self) -> Modifier {
                match self { $(Self::$variant => $weight,)* }
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
    Text, PLAIN, "What is read";
    Muted, PLAIN, "What stands by: times, units, remarks";
    Title, BOLD, "The name of a panel or a dialog";
    Heading, BOLD, "The head of a column or a part";
    Tab, PLAIN, "A tab that is not open";
    TabActive, TURNED, "The open tab";
    Selected, TURNED, "What a key would act on";
    Row, BOLD, "The bar behind the selected row";
    Marker, BOLD, "The sign before the selected row";
    Marked, BOLD, "A row marked to be acted on with others";
    Found, LINED, "The part of a text that a filter found";
    Border, PLAIN, "The line around a panel";
    BorderFocus, BOLD, "The line around the panel in use";
    Dialog, PLAIN, "The ground of a dialog";
    Key, BOLD, "A key's name";
    KeyLabel, PLAIN, "What a key does";
    Notice, BOLD, "A word from the program in passing";
    Info, PLAIN, "Something good to know";
    Warning, BOLD, "Something that wants attention";
    Danger, LOUD, "Something that is wrong or cannot be had back";
    Triumph, LOUD, "The best that can come of a roll";
    Success, BOLD, "A roll that went well";
    Partial, PLAIN, "A roll that went well, at a cost";
    Failure, PLAIN, "A roll that went badly";
    Disaster, LOUD, "The worst that can come of a roll";
    Die, PLAIN, "A die that counts";
    DieDropped, STRUCK, "A die that does not count";
    DieMax, BOLD, "A die that shows its highest face";
    DieMin, LINED, "A die that shows a 1";
    DieChanged, PLAIN, "A die that was rolled again";
    ClockFill, BOLD, "The filled part of a clock that fills on success";
    CountdownFill, BOLD, "The filled part of a clock that fills on trouble";
    ClockEmpty, PLAIN, "The part of a clock's face that is still empty";
    Token, BOLD, "A token that is there";
    TokenEmpty, PLAIN, "Room for a token, and the sign of what is empty";
    TokenDebt, BOLD, "A penalty, or a token that is owed";
    Field, LINED, "Where text is typed";
    FieldFocus, LOUD, "Where text is being typed";
    Placeholder, DIM, "What an empty field is for";
    Button, PLAIN, "A button";
    ButtonFocus, TURNED, "The button that Enter would press";
    Ally, PLAIN, "Somebody on the party's side";
    Adversary, PLAIN, "Somebody on the other side";
    Hidden, Modifier::ITALIC, "What players do not see";
    Struck, STRUCK, "An entry that was undone and stays in the log";
}
