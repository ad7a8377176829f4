//! The form that links a clock to another clock, for the moment when it is full.

use crate::dialog::{Dialog, DialogAction, Form, Row, ask_over};
use tableside_game::{ClockId, Command, Link, LinkEffect};
use tableside_table::SeatView;

/// The options of the row: no link, then the effects in the order of [`LinkEffect::ALL`].
const EFFECTS: [&str; 5] = [
    "nothing",
    "it advances",
    "it reveals",
    "it starts",
    "rolls count for both",
];

/// Opens the form for the link of a clock. Returns `None` if there is no other clock.
pub fn link_form(id: ClockId, view: &SeatView<'_>) -> Option<Dialog> {
    let clock = view.clock(id)?.clock;
    let other_clocks = other_clocks(id, view);
    let first = *other_clocks.first()?;
    let target = clock.link.map_or(first, |link| link.to);
    let name = |id| view.clock(id).map_or("", |view| &view.clock.name);

    let rows = vec![
        Row::choice("then", "When it is full", EFFECTS, effect_index(clock.link)),
        Row::one_of("to", "Other clock", &other_clocks, target, name)
            .by_typing()
            .help("Links can form a chain, but not a circle."),
        Row::choice(
            "order",
            "First",
            [clock.name.as_str(), "the other clock"],
            0,
        )
        .help("The clock that fills first. It gets the link."),
    ];
    let form = Form::new(format!("Link {}", clock.name), rows).with_submit_label("link");
    Some(ask_over(
        form,
        view,
        |form, _| explain_effect(form),
        move |form, view| save_link(form, id, &other_clocks, view),
    ))
}

/// Returns the clocks that a clock can be linked to. Clocks from the rules cannot be linked.
fn other_clocks(id: ClockId, view: &SeatView<'_>) -> Vec<ClockId> {
    let mut others = Vec::new();
    for view in view.clocks() {
        if view.clock.id != id && view.clock.rule.is_none() {
            others.push(view.clock.id);
        }
    }
    others
}

fn effect_index(link: Option<Link>) -> usize {
    let Some(link) = link else {
        return 0;
    };
    let index = LinkEffect::ALL
        .iter()
        .position(|effect| *effect == link.effect);
    index.map_or(0, |index| index + 1)
}

fn picked_effect(form: &Form) -> Option<LinkEffect> {
    let index = form.choice("then").checked_sub(1)?;
    LinkEffect::ALL.get(index).copied()
}

fn explain_effect(form: &mut Form) {
    let help = match picked_effect(form) {
        Some(effect) => effect.explain(),
        None => "No link: neither clock affects the other.",
    };
    if let Some(row) = form.shown_row_mut("then") {
        row.help = help.into();
    }
}

fn save_link(
    form: &Form,
    id: ClockId,
    other_clocks: &[ClockId],
    view: &SeatView<'_>,
) -> Result<DialogAction, String> {
    let other = form.picked("to", other_clocks);
    let (first, second) = if form.is_on("order") {
        (other, id)
    } else {
        (id, other)
    };
    let present = view.clock(first).ok_or("that clock was deleted")?;
    let mut clock = present.clock.clone();
    clock.link = picked_effect(form).map(|effect| Link { to: second, effect });
    Ok(Command::edit(clock).into())
}
