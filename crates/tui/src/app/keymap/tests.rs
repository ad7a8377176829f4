use super::*;
use tableside_testing::assert_mistakes;

fn key(name: &str) -> Key {
    name.parse().unwrap()
}

#[test]
fn every_action_has_a_place() {
    let keymap = Keymap::default();
    let placed = |context: &Context| !keymap.bindings(*context).is_empty();
    assert!(Context::ALL.iter().all(placed));
    let bindings = Context::ALL
        .iter()
        .flat_map(|place| keymap.bindings(*place));
    let placed: Vec<Action> = bindings.map(|binding| binding.action).collect();
    for action in Action::ALL {
        assert!(placed.contains(action), "{action}");
    }
}

#[test]
fn letters_are_free_where_text_is_typed() {
    for context in [
        Context::Field,
        Context::Roll,
        Context::Form,
        Context::Picker,
    ] {
        for letter in ('a'..='z').chain('A'..='Z') {
            // A field takes X as text before its action is looked up.
            let expected = (letter == 'X').then_some(Action::Pause);
            assert_eq!(
                Keymap::default().action(context.chain(), Key::char(letter)),
                expected
            );
        }
    }
}

#[test]
fn a_user_takes_a_key_and_leaves_the_rest() {
    let keymap =
        Keymap::with_user("[party]\nacted = [\"x\", \"ctrl-a\"]\nconditions = []\n").unwrap();
    let action = |name| keymap.action(Context::Party.chain(), key(name));
    assert_eq!(action("x"), Some(Action::Acted));
    assert_eq!(action("ctrl-a"), Some(Action::Acted));
    assert_eq!(action("space"), None);
    assert_eq!(action("c"), None);
    assert_eq!(action("N"), Some(Action::NextRound));
}

#[test]
fn mistakes_are_named_with_what_would_be_right() {
    assert_mistakes(include_str!("mistakes.txt"), |text| {
        Keymap::with_user(text).unwrap_err().to_string()
    });
}

#[test]
fn a_key_that_a_nearer_place_took_is_not_offered() {
    let keymap = Keymap::default();
    assert_eq!(
        keymap.keys_for(Action::Open, Context::Party.chain()),
        [key("enter")]
    );
    assert_eq!(keymap.keys_for(Action::Open, Context::Log.chain()), []);
    assert_eq!(
        keymap.keys_for(Action::EndSession, Context::Log.chain()),
        []
    );
}

#[test]
fn escape_and_a_letter_that_arrive_together_are_two_keys() {
    let keymap = Keymap::default();
    let esc = Some(Key::plain(KeyCode::Esc));
    assert_eq!(
        keymap.unfold(Context::Party.chain(), key("alt-j")),
        (esc, key("j"))
    );
    assert_eq!(
        keymap.unfold(Context::Field.chain(), key("alt-b")),
        (None, key("alt-b"))
    );
}
