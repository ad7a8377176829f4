use super::*;
use tableside_game::{Clock, ClockKind, PoolKind, Visibility};

#[test]
fn every_system_has_a_game_that_shows_what_there_is() {
    for system in System::shipped() {
        let Sample { game, entries, .. } =
            sample(system).unwrap_or_else(|error| panic!("{system}: {error:?}"));
        assert_eq!(game.system, system);
        let players = game.roster.iter().filter(|one| !one.player.is_empty());
        assert!(players.count() >= 4, "{system}: four players at least");
        let own = || game.clocks.iter().filter(|clock| clock.rule.is_none());
        let is: [fn(&Clock) -> bool; 3] = [
            |clock| clock.kind == ClockKind::Effort,
            |clock| clock.kind == ClockKind::Countdown,
            |clock| clock.visibility == Visibility::Hidden,
        ];
        assert!(own().count() >= 3 && is.into_iter().all(|is| own().any(is)));
        assert!(game.pools.iter().any(|pool| pool.kind == PoolKind::Own));
        assert!((18..=30).contains(&entries.len()), "{system}: some twenty");
        let count = |kind| {
            let kinds = entries.iter().map(|entry| entry.event.what.kind());
            kinds.filter(|known| *known == kind).count()
        };
        assert!(count("scene") >= 2 && count("note") >= 1 && count("undo") == 1);
        let mut outcomes: Vec<&str> = entries
            .iter()
            .filter_map(|entry| Some(entry.roll()?.outcome.as_str()))
            .collect();
        assert!(outcomes.len() >= 8, "{system}: rolls");
        outcomes.sort_unstable();
        outcomes.dedup();
        assert!(outcomes.len() >= 3, "{system}: {outcomes:?}");
        assert!(entries.is_sorted_by(|before, after| before.at < after.at));
        assert!(game.unfinished.is_empty());
        assert_eq!(game.entries, entries.len() as u64);
    }
}

#[test]
fn a_wrong_line_is_named() {
    let before = Game::new(System::HEART_RUSH).to_toml();
    let error = |line: &str| {
        let played = format!("x, 2026-11-13\n\n{line}\n");
        play(&before, &played).unwrap_err().what
    };
    assert_eq!(
        error("19:00:00 tick Doom"),
        "the sample game, line 3: there is no clock \"Doom\""
    );
    assert!(error("noon undo").starts_with("the sample game, line 3: noon: "));
    assert!(play("name = 1", "").is_err());
}
