//! The page in the colours of a theme: fills in `page.html`.

use std::fmt::Write as _;

use ratatui::style::Color;

use tableside_table::StatusLine;
use tableside_text::join;
use tableside_tui::Theme;
use tableside_tui::terminal::color_depth::Depth;
use tableside_tui::theme::Role;

/// The page; what stands between two braces on either side is filled in.
const PAGE: &str = include_str!("page.html");

/// The theme that stands in for the default one by day.
const BY_DAY: &str = "light";

/// What the page may look like.
pub(super) struct Looks {
    /// The style where no theme is asked for.
    usual: String,
    /// The style of each theme by its name.
    named: Vec<(String, String)>,
}

impl Looks {
    /// For the theme in use and any that is asked for by name; of two of one name, the user's own.
    pub(super) fn new(theme: &Theme, own: &[Theme]) -> Self {
        let built_in = Theme::names().filter_map(Theme::named);
        let all = own.iter().cloned().chain(built_in);
        let named = all.map(|theme| (theme.name().to_owned(), style(&theme)));
        let mut usual = style(theme);
        // The default theme gives way where the browser's system prefers light.
        if *theme == Theme::default()
            && let Some(light) = Theme::named(BY_DAY)
        {
            let by_day = style(&light);
            usual.extend(["@media (prefers-color-scheme: light) {", &by_day, "}"]);
        }
        Self {
            usual,
            named: named.collect(),
        }
    }

    /// The page in the theme that `query` asks for (`theme=NAME`), else in the usual one. Its style and script run
    /// by `nonce`; `told` is the table in plain lines, for those who run no script.
    pub(super) fn page(&self, view: &str, query: &str, nonce: &str, told: &[StatusLine]) -> String {
        let mut given = query.split('&');
        let asked = given.find_map(|given| given.strip_prefix("theme="));
        let named = asked.and_then(|asked| self.named.iter().find(|(name, _)| name == asked));
        let theme = named.map_or(&self.usual, |(_, style)| style);
        let mut page = String::with_capacity(PAGE.len() + theme.len());
        let title = told.first().map_or("", |line| &line.strong);
        let mut rest = PAGE;
        while let Some((before, (name, after))) = rest
            .split_once("{{")
            .and_then(|(before, behind)| Some((before, behind.split_once("}}")?)))
        {
            page.push_str(before);
            match name {
                "nonce" => page.push_str(nonce),
                "theme" => page.push_str(theme),
                "view" => page.push_str(view),
                "title" => page.push_str(&escape(title)),
                "told" => told.iter().for_each(|line| tell(line, &mut page)),
                _ => {}
            }
            rest = after;
        }
        page.push_str(rest);
        page
    }
}

/// A line as a paragraph; as a heading where all of it is strong.
fn tell(told: &StatusLine, page: &mut String) {
    let (strong, plain) = (escape(&told.strong), escape(&told.plain));
    let written = match (strong.as_str(), plain.as_str()) {
        ("", "") => return,
        (strong, "") => write!(page, "<h2>{strong}</h2>"),
        ("", plain) => write!(page, "<p>{plain}</p>"),
        (strong, plain) => write!(page, "<p><strong>{strong}</strong>{plain}</p>"),
    };
    written.unwrap_or_default();
}

/// The text with all that HTML would read as markup escaped.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// The colours of a theme as properties named after the roles; the terminal's default and numbered ones are left out.
fn style(theme: &Theme) -> String {
    let ground = theme.base(Depth::True).bg;
    let mut all = vec![("ground".to_owned(), ground)];
    for role in Role::ALL {
        let style = theme.style(*role, Depth::True);
        all.push((role.into_str().to_owned(), style.fg));
        all.push((format!("{}-ground", role.into_str()), style.bg));
    }
    let known = all.into_iter();
    let set = known.filter_map(|(name, colour)| Some(format!("--{name}:{};", css(colour?)?)));
    format!(":root {{{}}}", join(set, ""))
}

/// As CSS writes it; the sixteen named colours have no fixed value, and get a usual one.
fn css(colour: Color) -> Option<String> {
    let named = match colour {
        Color::Rgb(red, green, blue) => return Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Reset | Color::Indexed(_) => return None,
        Color::Black => "#000000",
        Color::Red => "#cd3131",
        Color::Green => "#0dbc79",
        Color::Yellow => "#c5b510",
        Color::Blue => "#4f8fe0",
        Color::Magenta => "#bc5fbc",
        Color::Cyan => "#11a8cd",
        Color::Gray => "#c5c5c5",
        Color::DarkGray => "#8a8a8a",
        Color::LightRed => "#f56b6b",
        Color::LightGreen => "#23d18b",
        Color::LightYellow => "#f5f543",
        Color::LightBlue => "#6bb1f5",
        Color::LightMagenta => "#d670d6",
        Color::LightCyan => "#29b8db",
        Color::White => "#ffffff",
    };
    Some(named.to_owned())
}
