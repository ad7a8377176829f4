use super::*;
use tableside_testing::assert_mistakes;

fn key(name: &str) -> Key {
    name.parse().unwrap()
}

#[test]
fn every_action_has_a_context() {
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
fn letters_are_not_bound_in_text_fields() {
    for context in [
        Context::Field,
        Context::Roll,
        Context::Form,
        Context::Picker,
    ] {
        for letter in ('a'..='z').chain('A'..='Z') {
            // A text field takes X as text before the screen looks for its action.
            let expected = (letter == 'X').then_some(Action::Pause);
            assert_eq!(
                Keymap::default().action(context.chain(), Key::char(letter)),
                expected
            );
        }
    }
}

#[test]
fn a_user_changes_some_keys_and_keeps_the_others() {
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
fn a_mistake_is_reported_with_a_suggestion() {
    assert_mistakes(include_str!("mistakes.txt"), |text| {
        Keymap::with_user(text).unwrap_err().to_string()
    });
}

#[test]
fn a_key_that_an_earlier_context_binds_is_not_offered() {
    let keymap = Keymap::default();
    assert_eq!(
        keymap.keys_for(Action::Open, Context::Party.chain()),
        [key("enter")]
    );
    assert_eq!(keymap.keys_for(Action::Open, Context::Log.chain()), []);
    assert_eq!(
        keymap.keys_for(Action::SaveTemplate, Context::Party.chain()),
        []
    );
}

#[test]
fn an_unbound_key_with_alt_is_escape_and_the_key() {
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
