use super::*;
use crate::session::{Clock, ClockKind, Visibility};

fn all() -> impl Iterator<Item = (System, Sample)> {
    System::ALL.into_iter().map(|system| {
        (
            system,
            sample(system).unwrap_or_else(|error| panic!("{system}: {error}")),
        )
    })
}

#[test]
fn every_system_has_a_game_that_can_be_played() {
    for (system, sample) in all() {
        assert_eq!(sample.session.system, system);
        let session = &sample.session;
        let party = session.roster.iter().filter(|one| !one.player.is_empty());
        assert!(party.count() >= 4, "{system}: four players at least");
        let has = |test: &dyn Fn(&Clock) -> bool| session.clocks.iter().any(test);
        assert!(
            session
                .clocks
                .iter()
                .filter(|clock| clock.rule.is_none())
                .count()
                >= 3
        );
        assert!(has(
            &|clock| clock.kind == ClockKind::Effort && clock.rule.is_none()
        ));
        assert!(has(
            &|clock| clock.kind == ClockKind::Countdown && clock.rule.is_none()
        ));
        assert!(has(&|clock| clock.visibility == Visibility::Hidden));
        let of_rules = system.spec().pools.len();
        let own = session
            .pools
            .iter()
            .filter(|pool| pool.kind == crate::session::PoolKind::Own);
        assert!(own.count() >= 1, "{system}: a pool of the table's own");
        assert!(session.pools.len() > of_rules);
        let rolls = sample.entries.iter().filter(|entry| entry.roll().is_some());
        assert!(rolls.count() >= 8, "{system}: rolls");
        assert!(
            (18..=30).contains(&sample.entries.len()),
            "{system}: some twenty entries"
        );
        let count = |kind| {
            let kinds = sample.entries.iter();
            kinds
                .filter(|entry| entry.event.what.kind() == kind)
                .count()
        };
        assert!(count("scene") >= 2, "{system}: two scenes");
        assert!(count("note") >= 1, "{system}: a note");
        assert_eq!(count("undo"), 1, "{system}: one thing taken back");
        assert!(session.unfinished.is_empty());
        assert_eq!(session.entries, sample.entries.len() as u64);
    }
}

#[test]
fn the_outcomes_of_an_evening_differ() {
    for (system, sample) in all() {
        let rolls = sample.entries.iter().filter_map(Entry::roll);
        let mut outcomes: Vec<&str> = rolls.map(|roll| roll.outcome.as_str()).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        assert!(outcomes.len() >= 3, "{system}: {outcomes:?}");
    }
}

#[test]
fn times_go_on_and_numbers_have_no_gap() {
    for (system, sample) in all() {
        for (index, pair) in sample.entries.windows(2).enumerate() {
            if let [before, after] = pair {
                assert!(before.at < after.at, "{system}: entry {}", index + 2);
                assert_eq!(before.number + 1, after.number);
            }
        }
    }
}

#[test]
fn a_game_survives_its_own_file() {
    for (system, sample) in all() {
        let text = sample.session.to_toml();
        assert_eq!(
            Session::from_toml(&text).unwrap(),
            sample.session,
            "{system}"
        );
    }
}

#[test]
fn a_wrong_line_is_named() {
    let before = Session::new(System::HeartRush).to_toml();
    let error = |line: &str| {
        let played = format!("x, 2026-11-13\n\n{line}\n");
        play(&before, &played).unwrap_err().to_string()
    };
    assert_eq!(
        error("19:00:00 tick Doom"),
        "the sample game, line 3: there is no clock \"Doom\""
    );
    assert!(error("noon undo").starts_with("the sample game, line 3: noon: "));
    assert!(play("name = 1", "").is_err());
}
