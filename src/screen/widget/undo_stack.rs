//! What a value was before, to be taken back and brought back.

/// The most steps that are remembered.
const MOST: usize = 100;

/// How a step was made: steps of one kind in a row are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A letter was typed.
    Letter,
    /// A blank was typed: with it a word begins.
    Blank,
    /// A letter was taken away.
    Erased,
    /// Several letters at once: each such step stands for itself.
    Whole,
}

/// What a value was before each step, and after those that were taken back.
#[derive(Clone, Debug)]
pub(super) struct Past<T> {
    before: Vec<T>,
    after: Vec<T>,
    last: Option<Step>,
}

impl<T> Default for Past<T> {
    fn default() -> Self {
        Self {
            before: Vec::new(),
            after: Vec::new(),
            last: None,
        }
    }
}

impl<T> Past<T> {
    /// Notes a step, and what was before it.
    pub(super) fn note(&mut self, step: Step, before: T) {
        let goes_on = match (self.last, step) {
            (Some(Step::Letter | Step::Blank), Step::Letter) => true,
            (last, Step::Erased) => last == Some(step),
            _ => false,
        };
        if !goes_on {
            if self.before.len() == MOST {
                self.before.remove(0);
            }
            self.before.push(before);
        }
        self.after.clear();
        self.last = Some(step);
    }

    /// The next step is one of its own, whatever it is.
    pub(super) fn rest(&mut self) {
        self.last = None;
    }

    /// Takes the last step back.
    pub(super) fn back(&mut self, now: &mut T) {
        if let Some(before) = self.before.pop() {
            self.after.push(std::mem::replace(now, before));
        }
        self.last = None;
    }

    /// Brings back what was taken back last.
    pub(super) fn forth(&mut self, now: &mut T) {
        if let Some(after) = self.after.pop() {
            self.before.push(std::mem::replace(now, after));
        }
        self.last = None;
    }
}
