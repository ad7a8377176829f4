//! The roles of text and shapes on the screen.

use ratatui::style::Modifier;

/// Defines the roles: the enum, the names in theme files, and the weights without colour.
///
/// Each built-in theme has all roles, which a test checks. A user's theme gets the missing ones from its base, by
/// default from `dark`.
macro_rules! roles {
    ($($variant:ident, $weight:expr, $about:literal;)*) => {
        /// The meaning of a text or a shape. A theme maps it to a style.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(strum::EnumString, strum::IntoStaticStr)]
        #[strum(serialize_all = "kebab-case", const_into_str)]
        pub enum Role {
            $(#[doc = concat!($about, ".")] $variant,)*
        }

        impl Role {
            /// Every role, in the order of the declaration.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the weight of the role on terminals without colour.
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
    Text, PLAIN, "Normal text";
    Muted, PLAIN, "Secondary text: times, units, remarks";
    Title, BOLD, "The name of a panel or a dialog";
    Heading, BOLD, "The heading of a column or a section";
    Tab, PLAIN, "A tab that is not open";
    TabActive, TURNED, "The open tab";
    Selected, TURNED, "The selected item";
    Row, BOLD, "The bar behind the selected row";
    Marker, BOLD, "The sign before the selected row";
    Marked, BOLD, "A row marked to be acted on with others";
    Found, LINED, "The part of a text that a filter found";
    Border, PLAIN, "The line around a panel";
    BorderFocus, BOLD, "The line around the panel in use";
    Dialog, PLAIN, "The ground of a dialog";
    Key, BOLD, "A key's name";
    KeyLabel, PLAIN, "The effect of a key";
    Notice, BOLD, "A status message";
    Info, PLAIN, "Useful information";
    Warning, BOLD, "A warning";
    Danger, LOUD, "An error, or an action that cannot be undone";
    Triumph, LOUD, "The best outcome of a roll";
    Success, BOLD, "A success";
    Partial, PLAIN, "A success at a cost";
    Failure, PLAIN, "A failure";
    Disaster, LOUD, "The worst outcome of a roll";
    Die, PLAIN, "A die that counts";
    DieDropped, STRUCK, "A die that does not count";
    DieMax, BOLD, "A die that shows its highest face";
    DieMin, LINED, "A die that shows a 1";
    DieChanged, PLAIN, "A die that was rolled again";
    ClockFill, BOLD, "The filled part of a clock that fills on success";
    CountdownFill, BOLD, "The filled part of a clock that fills on trouble";
    ClockEmpty, PLAIN, "The part of a clock's face that is still empty";
    Token, BOLD, "A token that is there";
    TokenEmpty, PLAIN, "A missing token, or the sign of an empty value";
    TokenDebt, BOLD, "A penalty, or a token that is owed";
    Field, LINED, "A text field";
    FieldFocus, LOUD, "The text field with the focus";
    Placeholder, DIM, "The placeholder of an empty field";
    Button, PLAIN, "A button";
    ButtonFocus, TURNED, "The selected button";
    Ally, PLAIN, "An ally of the party";
    Adversary, PLAIN, "An adversary";
    Hidden, Modifier::ITALIC, "Text hidden from players";
    Struck, STRUCK, "An entry that was undone";
}
