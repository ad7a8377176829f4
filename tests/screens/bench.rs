//! A screen on a terminal in memory.

use std::num::NonZeroU16;
use std::sync::Arc;

use tableside::screen::terminal::color_depth::Depth;
use tableside::screen::{Flow, Input, Job, Screen, Setup, Zone};
use tableside::table::Table;

use crate::keys::sent;

/// The sizes at which every tab is looked at.
pub(crate) const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (160, 45)];

/// A person at a table.
pub(crate) struct Bench {
    pub(crate) table: Arc<Table>,
    pub(crate) screen: Screen,
    pub(crate) far: vt100::Parser,
    /// The bytes of the last frame.
    pub(crate) sent: usize,
}

fn side(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).unwrap()
}

impl Bench {
    pub(crate) fn sit_down(table: &Arc<Table>, size: (u16, u16)) -> Self {
        Self::with(table, size, |_| {})
    }

    pub(crate) fn with(
        table: &Arc<Table>,
        size: (u16, u16),
        change: impl FnOnce(&mut Setup),
    ) -> Self {
        let mut setup = Setup {
            zone: Zone::Utc,
            depth: Depth::True,
            ..Setup::gm()
        };
        change(&mut setup);
        let screen = Screen::new(Arc::clone(table), setup, size);
        let far = vt100::Parser::new(side(size.1), side(size.0), 0);
        let mut bench = Self {
            table: Arc::clone(table),
            screen,
            far,
            sent: 0,
        };
        bench.look();
        bench
    }

    /// Lets the far end see what there is to see.
    pub(crate) fn look(&mut self) {
        self.learn_log();
        let frame = self.screen.frame();
        self.sent = frame.len();
        // This terminal swallows the sign for what was replaced, which real ones show.
        let shown = String::from_utf8(frame).unwrap().replace('\u{FFFD}', "¿");
        self.far.process(shown.as_bytes());
    }

    /// Lets the screen learn at once what it asked of the log; what it asked of the odds stays open.
    fn learn_log(&mut self) {
        while let Some(job) = self.screen.take_job() {
            if matches!(job, Job::Log { .. }) {
                self.screen.handle(Input::JobDone(job.answer()));
            }
        }
    }

    /// Presses keys: words are names of keys, everything else is letters.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            self.screen.handle(Input::Bytes(sent(key).into_bytes()));
            if key == "Esc" {
                self.screen.handle(Input::Silence);
            }
        }
        self.look();
        self
    }

    pub(crate) fn type_text(&mut self, text: &str) -> &mut Self {
        self.screen.handle(Input::Bytes(text.as_bytes().to_vec()));
        self.look();
        self
    }

    pub(crate) fn click(&mut self, column: u16, row: u16) -> &mut Self {
        let report = format!("\x1b[<0;{};{}M", column + 1, row + 1);
        self.type_text(&report)
    }

    pub(crate) fn resize(&mut self, size: (u16, u16)) -> &mut Self {
        self.screen.handle(Input::Resize(size.0, size.1));
        self.far
            .screen_mut()
            .set_size(side(size.1.max(1)), side(size.0.max(1)));
        self.look();
        self
    }

    /// What one reads, line by line.
    pub(crate) fn text(&self) -> String {
        let screen = self.far.screen();
        let width = screen.size().1.get();
        let rows = screen.rows(0, width).map(|row| row.trim_end().to_owned());
        rows.collect::<Vec<_>>().join("\n")
    }

    /// The line of keys.
    pub(crate) fn foot(&self) -> String {
        self.text().lines().last().unwrap_or_default().to_owned()
    }

    /// Fails where the text is not on the screen.
    #[track_caller]
    pub(crate) fn see(&self, text: &str) {
        let shown = self.text();
        assert!(
            shown.contains(text),
            "{text:?} is not on the screen:\n{shown}"
        );
    }

    /// The cell where a text begins, for the colours of its first letter.
    pub(crate) fn cell(&self, text: &str) -> vt100::Cell {
        let screen = self.far.screen();
        let (height, width) = screen.size();
        for row in 0..height.get() {
            for column in 0..width.get() {
                let line = screen.contents_between(row, column, row, width.get());
                if line.starts_with(text) {
                    return screen.cell(row, column).unwrap().clone();
                }
            }
        }
        panic!("{text:?} is not on the screen:\n{}", self.text());
    }

    /// Each cell that shows this sign, with its row and its column.
    pub(crate) fn cells_of(&self, sign: &str) -> Vec<(u16, u16, vt100::Cell)> {
        let screen = self.far.screen();
        let (height, width) = screen.size();
        let mut found = Vec::new();
        for row in 0..height.get() {
            for column in 0..width.get() {
                let cell = screen.cell(row, column).unwrap();
                if cell.contents() == sign {
                    found.push((row, column, cell.clone()));
                }
            }
        }
        found
    }

    /// The line of a list that begins with this text, behind its markers; else any line that has it.
    pub(crate) fn line(&self, text: &str) -> String {
        let all = self.text();
        let signs = ['›', '✱', '◌', '●', '◔', '◑', '◕', '○', ' '];
        let begins = |line: &&str| line.trim_start_matches(signs).starts_with(text);
        let found = all.lines().find(begins);
        let found = found.or_else(|| all.lines().find(|line| line.contains(text)));
        found
            .unwrap_or_else(|| panic!("{text:?} is not on the screen:\n{all}"))
            .to_owned()
    }

    pub(crate) fn wish(&mut self) -> Flow {
        self.screen.take_flow()
    }
}
