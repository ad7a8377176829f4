//! Random changes to the inputs of a corpus.

use std::ops::Range;

/// The largest input in bytes.
const MAX_INPUT: usize = 64 << 10;

/// The most changes to one input.
const MAX_CHANGES: usize = 7;

/// The most bytes that one change deletes.
const MAX_DELETED: usize = 40;

/// The most bytes that one change repeats, and how often.
const MAX_REPEATED: usize = 60;
const MAX_REPETITIONS: usize = 21;

/// Tokens of the parsers under test. Random bytes rarely form one of them.
const TOKENS: [&str; 46] = [
    "9999999d9999999",
    "4d6k3",
    "d%",
    "((((",
    "!",
    "-",
    "\"rolled\":{",
    "\"noted\":{",
    "\"session-ended\":{",
    "\"changes\":[",
    "{\"of\":{\"pool\":1},\"part\":\"/tokens\",\"from\":2,\"to\":3}",
    "{\"of\":{\"character\":1},\"part\":\"/acted\",\"from\":true,\"to\":false}",
    "\u{1b}[200~",
    "\u{1b}[<0;9999;9999M",
    "\u{1b}[",
    "\u{1b}O",
    "\r",
    "\n",
    "\t",
    "r",
    "/",
    ":",
    "u",
    "\u{12}",
    "5",
    "4+",
    "3-",
    "N",
    "S",
    "E",
    "99999999999999999999",
    "-9223372036854775808",
    "[[character]]",
    "[[note]]",
    "system = \"gnosis\"",
    "for Mira ",
    "last",
    ",\"crc\":\"00000000\"}",
    "{\"n\":1,",
    "\u{202e}",
    "\u{301}\u{301}\u{301}",
    "\u{0}",
    "die",
    "d20",
    "]]]]",
    "\u{feff}",
];

/// Makes new inputs from a corpus with a xorshift generator.
pub(crate) struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    /// Never 0, because xorshift would return only zeros.
    state: u64,
}

impl<'a> Mutator<'a> {
    /// Panics later if the corpus is empty.
    pub(crate) fn new(corpus: &'a [Vec<u8>], seed: u32) -> Self {
        Self {
            corpus,
            state: 0x9e37_79b9_7f4a_7c15 ^ u64::from(seed),
        }
    }

    /// Returns an input of the corpus with one or more random changes.
    pub(crate) fn mutate(&mut self) -> Vec<u8> {
        let mut input = self.random_seed().to_vec();

        let changes = 1 + self.below(MAX_CHANGES);
        for _ in 0..changes {
            self.change(&mut input);
            input.truncate(MAX_INPUT);
        }

        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let position = self.below(input.len() + 1);

        match self.below(8) {
            0 | 1 => self.replace_byte(input, position),
            2 => self.delete_bytes(input, position),
            3 | 4 => self.insert_token(input, position),
            5 => self.repeat_bytes(input, position),
            6 => self.splice_seed(input, position),
            _ => self.flip_bit(input, position),
        }
    }

    fn replace_byte(&mut self, input: &mut [u8], position: usize) {
        let [new_byte, ..] = self.next().to_le_bytes();
        if let Some(byte) = input.get_mut(position) {
            *byte = new_byte;
        }
    }

    fn flip_bit(&mut self, input: &mut [u8], position: usize) {
        let bit = self.below(8);
        if let Some(byte) = input.get_mut(position) {
            *byte ^= 1 << bit;
        }
    }

    fn delete_bytes(&mut self, input: &mut Vec<u8>, position: usize) {
        let range = self.range_from(position, input.len(), MAX_DELETED);
        input.drain(range);
    }

    fn insert_token(&mut self, input: &mut Vec<u8>, position: usize) {
        let token = TOKENS[self.below(TOKENS.len())];
        input.splice(position..position, token.bytes());
    }

    /// Copies some bytes to another place, once or several times.
    fn repeat_bytes(&mut self, input: &mut Vec<u8>, position: usize) {
        let range = self.range_from(position, input.len(), MAX_REPEATED);
        let repetitions = 1 + self.below(MAX_REPETITIONS);
        let copies = input[range].repeat(repetitions);

        let destination = self.below(input.len() + 1);
        input.splice(destination..destination, copies);
    }

    /// Replaces the end of the input by the end of a seed.
    fn splice_seed(&mut self, input: &mut Vec<u8>, position: usize) {
        let seed = self.random_seed();
        let start = self.below(seed.len() + 1);

        input.truncate(position);
        input.extend_from_slice(&seed[start..]);
    }

    fn random_seed(&mut self) -> &'a [u8] {
        let index = self.below(self.corpus.len());
        &self.corpus[index]
    }

    /// A range that begins at `start` and is shorter than `limit`.
    fn range_from(&mut self, start: usize, input_length: usize, limit: usize) -> Range<usize> {
        let length = self.below(limit);
        let end = (start + length).min(input_length);
        start..end
    }

    /// A number below `limit`, or 0 if `limit` is 0.
    fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        let number = self.next() % limit;
        usize::try_from(number).expect("it is below a usize")
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }
}
