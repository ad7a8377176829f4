//! The page itself: one file with its style and its script, in the colours of a theme.

use std::fmt::Write as _;

use ratatui::style::Color;

use crate::screen::Theme;
use crate::screen::color_depth::Depth;
use crate::screen::theme::Role;
use crate::table::Told;

/// The page; what stands between two braces on either side is filled in.
const PAGE: &str = include_str!("page.html");

/// The page by day, where nobody chose a theme.
const BY_DAY: &str = "light";

/// What the page may look like.
pub(super) struct Looks {
    /// Where it asks for no theme.
    usual: String,
    /// Each theme by its name.
    named: Vec<(String, String)>,
}

impl Looks {
    /// The theme in use, and those of the user's own, which go before those that come along.
    pub(super) fn new(theme: &Theme, own: &[Theme]) -> Self {
        let built_in = Theme::names().filter_map(Theme::named);
        let all = own.iter().cloned().chain(built_in);
        let named = all.map(|theme| (theme.name().to_owned(), colours(&theme)));
        let mut usual = format!(":root {{{}}}", colours(theme));
        // Who never chose one gets what the own system prefers.
        if *theme == Theme::default()
            && let Some(light) = Theme::named(BY_DAY)
        {
            let light = colours(&light);
            let by_day = format!("@media (prefers-color-scheme: light) {{:root {{{light}}}}}");
            usual.push_str(&by_day);
        }
        Self {
            usual,
            named: named.collect(),
        }
    }

    /// The page in the colours of that theme, with the table in plain lines for those who run no script.
    pub(super) fn page(&self, view: &str, query: &str, nonce: &str, told: &[Told]) -> String {
        let asked = query
            .split('&')
            .find_map(|given| given.strip_prefix("theme="));
        let named = asked.and_then(|asked| self.named.iter().find(|(name, _)| name == asked));
        let theme = named.map_or_else(
            || self.usual.clone(),
            |(_, colours)| format!(":root {{{colours}}}"),
        );
        let mut page = String::with_capacity(PAGE.len() + 4096);
        let title = told.first().map_or("", |line| &line.strong);
        let mut rest = PAGE;
        while let Some((before, (name, after))) = rest
            .split_once("{{")
            .and_then(|(before, behind)| Some((before, behind.split_once("}}")?)))
        {
            page.push_str(before);
            match name {
                "nonce" => page.push_str(nonce),
                "theme" => page.push_str(&theme),
                "view" => page.push_str(view),
                "title" => page.push_str(&escape(title)),
                _ => told.iter().for_each(|line| tell(line, &mut page)),
            }
            rest = after;
        }
        page.push_str(rest);
        page
    }
}

/// A line as a paragraph, its beginning as a heading where it is all of it.
fn tell(told: &Told, page: &mut String) {
    let (strong, plain) = (escape(&told.strong), escape(&told.plain));
    let told = match (strong.as_str(), plain.as_str()) {
        ("", "") => return,
        (strong, "") => write!(page, "<h2>{strong}</h2>"),
        ("", plain) => write!(page, "<p>{plain}</p>"),
        (strong, plain) => write!(page, "<p><strong>{strong}</strong>{plain}</p>"),
    };
    told.unwrap_or_default();
}

/// A text in which nothing is the page's own.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// The colours of a theme as properties named after the roles; those that are a terminal's own are left out.
fn colours(theme: &Theme) -> String {
    let ground = theme.base(Depth::True).bg;
    let mut all = vec![("ground".to_owned(), ground)];
    for role in Role::ALL {
        let style = theme.style(*role, Depth::True);
        all.push((role.into_str().to_owned(), style.fg));
        all.push((format!("{}-ground", role.into_str()), style.bg));
    }
    let known = all
        .into_iter()
        .filter_map(|(name, colour)| Some((name, css(colour?)?)));
    known.fold(String::new(), |all, (name, colour)| {
        format!("{all}--{name}:{colour};")
    })
}

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
