use super::*;
use tableside_testing::assert_mistakes;

mod eyes;

/// Parses the roles of each line.
fn groups(text: &str) -> impl Iterator<Item = Vec<Role>> {
    let names = text.lines().map(|line| line.split(' '));
    names.map(|names| names.map(|name| name.parse().unwrap()).collect())
}

/// The sixteen colours of xterm. Other terminals have similar ones.
const XTERM: [(Color, u32); 16] = [
    (Color::Black, 0x00_0000),
    (Color::Red, 0xcd_0000),
    (Color::Green, 0x00_cd00),
    (Color::Yellow, 0xcd_cd00),
    (Color::Blue, 0x00_00ee),
    (Color::Magenta, 0xcd_00cd),
    (Color::Cyan, 0x00_cdcd),
    (Color::Gray, 0xe5_e5e5),
    (Color::DarkGray, 0x7f_7f7f),
    (Color::LightRed, 0xff_0000),
    (Color::LightGreen, 0x00_ff00),
    (Color::LightYellow, 0xff_ff00),
    (Color::LightBlue, 0x5c_5cff),
    (Color::LightMagenta, 0xff_00ff),
    (Color::LightCyan, 0x00_ffff),
    (Color::White, 0xff_ffff),
];

/// Returns the linear red, green and blue of a colour.
fn light(color: Color) -> [f64; 3] {
    let rgb = match color {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index) => {
            let rgb = anstyle_lossy::xterm_to_rgb(index.into(), anstyle_lossy::palette::DEFAULT);
            [rgb.r(), rgb.g(), rgb.b()]
        }
        other => {
            let known = XTERM.iter().find(|(known, _)| *known == other);
            let (_, number) = known.unwrap_or_else(|| panic!("{other:?} is no fixed colour"));
            let [_, rgb @ ..] = number.to_be_bytes();
            rgb
        }
    };
    rgb.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// Returns the contrast ratio of two colours, from 1 to 21, as WCAG 2 defines it.
fn contrast(one: Color, other: Color) -> f64 {
    let bright = |color| {
        let [r, g, b] = light(color);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (one, other) = (bright(one), bright(other));
    one.max(other) / one.min(other)
}

/// Asserts a contrast between a colour and its background.
#[track_caller]
fn stands_out(color: Color, ground: Color, least: f64, what: &str) {
    let found = contrast(color, ground);
    assert!(found >= least, "{what} on its ground: {found:.2}");
}

/// Returns true for borders and empty places, whose shape is enough to recognise them.
fn is_decoration(role: Role) -> bool {
    matches!(role, Role::Border | Role::TokenEmpty)
}

#[test]
fn what_is_empty_of_a_clocks_face_is_quiet_and_what_is_filled_stands_out() {
    for theme in Theme::names().filter_map(Theme::named) {
        // None of the sixteen colours is dim, so shades show the empty segments there.
        if theme.name() == "ansi" {
            continue;
        }
        for depth in [Depth::True, Depth::Ansi256] {
            let color = |role| theme.style(role, depth).fg.unwrap();
            let empty = color(Role::ClockEmpty);
            let found = contrast(empty, theme.base(depth).bg.unwrap());
            let name = theme.name();
            // The palette of 256 has larger steps.
            let (quiet, least) = match depth {
                Depth::Ansi256 => (1.4..=2.5, 2.5),
                _ => (1.6..=2.2, 3.0),
            };
            assert!(quiet.contains(&found), "{name} at {depth:?}: {found:.2}");
            for filled in [Role::ClockFill, Role::CountdownFill, Role::Notice] {
                let what = format!("{} of {name} at {depth:?}", filled.into_str());
                stands_out(color(filled), empty, least, &what);
            }
        }
    }
}

#[test]
fn every_word_can_be_read_on_its_ground_with_however_few_colours() {
    for theme in Theme::names().filter_map(Theme::named) {
        for depth in [Depth::True, Depth::Ansi256, Depth::Ansi16] {
            let dialog = theme.style(Role::Dialog, depth).bg.unwrap();
            for role in Role::ALL.iter().filter(|role| **role != Role::ClockEmpty) {
                let style = theme.style(*role, depth);
                let row = theme.style(Role::Row, depth).bg;
                let ground = [theme.base(depth).bg, Some(dialog), row];
                let grounds = match style.bg {
                    Some(own) => vec![own],
                    None => ground.into_iter().flatten().collect(),
                };
                let least = match depth {
                    _ if is_decoration(*role) => 3.0,
                    // The palette of 256 has larger steps.
                    Depth::Ansi256 => 4.3,
                    // WCAG 2, level AA.
                    _ => 4.5,
                };
                let what = format!("{} in {} at {depth:?}", role.into_str(), theme.name);
                for ground in grounds {
                    stands_out(style.fg.unwrap(), ground, least, &what);
                }
            }
        }
    }
}

#[test]
fn what_is_typed_and_hinted_can_be_read_in_a_field() {
    for theme in Theme::names().filter_map(Theme::named) {
        let field = theme.style(Role::Field, Depth::True).bg.unwrap();
        let hint = theme.style(Role::Placeholder, Depth::True).fg.unwrap();
        stands_out(hint, field, 4.5, theme.name());
    }
}

#[test]
fn every_built_in_theme_is_whole() {
    for (name, text) in BUILT_IN {
        let named = |role: &&Role| text.contains(&format!("\n{} ", (**role).into_str()));
        let named = Role::ALL.iter().filter(named).count();
        assert_eq!(named, Role::ALL.len(), "roles that {name} names");
    }
    for name in Theme::names() {
        let theme = Theme::named(name).unwrap();
        assert_eq!(theme.name(), name);
        assert!(!theme.description().is_empty());
        for role in Role::ALL {
            let color = theme.style(*role, Depth::True).fg;
            assert!(color.is_some(), "{} in {name}", role.into_str());
        }
    }
}

#[test]
fn what_means_something_else_looks_otherwise_with_however_few_colours() {
    for theme in Theme::names().filter_map(Theme::named) {
        for depth in [Depth::True, Depth::Ansi256, Depth::Ansi16] {
            // Each line of the file has roles that are shown together and differ in meaning.
            for group in groups(include_str!("tests/apart.txt")) {
                let looks = group.iter().map(|role| {
                    let style = theme.style(*role, depth);
                    let ground = style.bg.or_else(|| theme.base(depth).bg);
                    ([style.fg, ground], style.add_modifier)
                });
                let looks: Vec<_> = looks.collect();
                for (role, (index, look)) in group.iter().zip(looks.iter().enumerate()) {
                    let is_same = looks[..index].contains(look);
                    assert!(!is_same, "{role:?} in {} at {depth:?}", theme.name);
                }
            }
        }
    }
}

#[test]
fn outcomes_adversaries_and_the_cursor_differ_in_their_colours_and_not_only_in_weight() {
    let roles = [
        Role::Success,
        Role::Failure,
        Role::Adversary,
        Role::Marker,
        Role::Selected,
    ];
    for theme in Theme::names().filter_map(Theme::named) {
        for depth in [Depth::True, Depth::Ansi256, Depth::Ansi16] {
            let mut seen = Vec::new();
            for role in roles {
                let style = theme.style(role, depth);
                let colors = (style.fg, style.bg);
                let name = role.into_str();
                assert!(
                    !seen.contains(&colors),
                    "{name} in {} at {depth:?}",
                    theme.name
                );
                seen.push(colors);
            }
        }
    }
}

#[test]
fn one_theme_names_the_sixteen_colours_alone() {
    let theme = Theme::named("ansi").unwrap();
    let is_one = |color: &Color| XTERM.iter().any(|(known, _)| known == color);
    assert!(is_one(&theme.base(Depth::True).bg.unwrap()));
    for role in Role::ALL {
        let style = theme.style(*role, Depth::True);
        let mut colors = [style.fg, style.bg].into_iter().flatten();
        assert!(colors.all(|color| is_one(&color)), "{}", role.into_str());
    }
}

#[test]
fn without_colour_weights_set_things_apart() {
    let theme = Theme::default();
    for (one, other) in [
        (Role::Selected, Role::Text),
        (Role::Row, Role::Text),
        (Role::TabActive, Role::Tab),
        (Role::ButtonFocus, Role::Button),
        (Role::Die, Role::DieDropped),
        (Role::FieldFocus, Role::Field),
        (Role::BorderFocus, Role::Border),
    ] {
        let (one, other) = (
            theme.style(one, Depth::Mono),
            theme.style(other, Depth::Mono),
        );
        assert_ne!(one, other);
        assert_eq!((one.fg, one.bg), (None, None));
    }
    assert_eq!(theme.base(Depth::Mono), Style::new());
}

#[test]
fn a_users_theme_begins_with_another() {
    let text = "name = \"mine\"\nbase = \"light\"\n[palette]\nblood = \"#801010\"\n[roles]\n\
                title = { fg = \"blood\", underline = true }\n";
    let (mine, light) = (
        Theme::parse(text, "mine.toml").unwrap(),
        Theme::named("light").unwrap(),
    );
    assert_eq!(mine.name(), "mine");
    let title = mine.style(Role::Title, Depth::True);
    assert_eq!(
        title,
        Style::new().fg(Color::Rgb(0x80, 0x10, 0x10)).underlined()
    );
    assert_eq!(
        mine.style(Role::Text, Depth::True),
        light.style(Role::Text, Depth::True)
    );
    assert_eq!(mine.base(Depth::True), light.base(Depth::True));
}

#[test]
fn mistakes_are_named_with_what_would_be_right() {
    assert_mistakes(include_str!("tests/mistakes.txt"), |text| {
        Theme::parse(text, "mine.toml").unwrap_err().to_string()
    });
}
