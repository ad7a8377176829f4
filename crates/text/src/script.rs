//! The scripts and characters that need invisible characters to be written correctly.

/// True for a letter or mark of a script that is written with joiners (U+200C and U+200D): the cursive scripts and
/// those derived from Brahmi.
pub(super) fn uses_joiners(character: char) -> bool {
    is_cursive(character)
        || matches!(character,
            // Devanagari to Sinhala, Thai, Lao, Tibetan, Burmese
            '\u{900}'..='\u{109F}'
            // The Philippines, Khmer
            | '\u{1700}'..='\u{17FF}'
            // Limbu to Tai Tham, Balinese, Sundanese, Batak, Lepcha
            | '\u{1900}'..='\u{1AAF}'
            | '\u{1B00}'..='\u{1C4F}'
            | '\u{1CD0}'..='\u{1CFF}'
            // Syloti Nagri, Saurashtra, Devanagari, Kayah Li, Rejang, Javanese, Cham, Burmese, Meetei
            | '\u{A800}'..='\u{A83F}'
            | '\u{A880}'..='\u{A95F}'
            | '\u{A980}'..='\u{AAFF}'
            | '\u{ABC0}'..='\u{ABFF}'
            | '\u{10A00}'..='\u{10A5F}'
            | '\u{11000}'..='\u{11FFF}')
}

/// True for a letter or mark of a script whose letters are connected in writing.
pub(super) fn is_cursive(character: char) -> bool {
    matches!(character,
        // Arabic and its digits and signs, without its punctuation
        '\u{610}'..='\u{61A}' | '\u{620}'..='\u{669}' | '\u{66E}'..='\u{6D3}' | '\u{6D5}'..='\u{6FF}'
        // Syriac, Arabic, N'Ko, Mandaic, Arabic
        | '\u{710}'..='\u{77F}'
        | '\u{7C0}'..='\u{7F5}'
        | '\u{840}'..='\u{85B}'
        | '\u{860}'..='\u{8FF}'
        | '\u{A840}'..='\u{A877}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFE}'
        // Manichaean, Psalter Pahlavi, Hanifi Rohingya, Arabic, Sogdian, Adlam
        | '\u{10AC0}'..='\u{10AEF}'
        | '\u{10B80}'..='\u{10BAF}'
        | '\u{10D00}'..='\u{10D3F}'
        | '\u{10EC0}'..='\u{10EFF}'
        | '\u{10F30}'..='\u{10FAF}'
        | '\u{1E900}'..='\u{1E95F}')
        || is_mongolian(character)
}

/// True for a Mongolian letter or mark.
pub(super) fn is_mongolian(character: char) -> bool {
    matches!(character, '\u{1807}' | '\u{180A}'..='\u{180F}' | '\u{1820}'..='\u{18AA}')
}

/// True for a virama, the mark that removes the vowel of the letter before it. A joiner after a virama changes the
/// shape of that letter.
pub(super) fn is_virama(character: char) -> bool {
    matches!(
        character,
        // Devanagari to Malayalam, Sinhala
        '\u{94D}'
            | '\u{9CD}'
            | '\u{A4D}'
            | '\u{ACD}'
            | '\u{B4D}'
            | '\u{BCD}'
            | '\u{C4D}'
            | '\u{CCD}'
            | '\u{D3B}'..='\u{D3C}' | '\u{D4D}' | '\u{DCA}'
    )
}

/// True for a letter or mark of a script without spaces between words, where an invisible separator (U+200B) marks
/// the end of a word.
pub(super) fn uses_zero_width_spaces(character: char) -> bool {
    matches!(character,
        '\u{E01}'..='\u{E4E}' | '\u{E81}'..='\u{ECE}' | '\u{F00}'..='\u{FFF}' | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17D3}' | '\u{1950}'..='\u{19DF}' | '\u{1A20}'..='\u{1AAF}'
        | '\u{A980}'..='\u{A9FF}' | '\u{AA60}'..='\u{AADF}')
}

/// True for a Chinese character, which Japanese and Korean use as well.
pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// True for a character with standardised variants (Unicode's `StandardizedVariants.txt`) other than those of emoji.
pub(super) fn has_variants(character: char) -> bool {
    is_ideograph(character)
        || matches!(character,
            '0' | '\u{1000}'..='\u{109F}' | '\u{2018}'..='\u{201F}' | '\u{2200}'..='\u{22FF}'
            | '\u{2A00}'..='\u{2AFF}' | '\u{3000}'..='\u{30FF}' | '\u{A840}'..='\u{A877}'
            | '\u{AA60}'..='\u{AA7F}' | '\u{FF01}'..='\u{FF60}' | '\u{10AC0}'..='\u{10AFF}'
            | '\u{13000}'..='\u{1345F}')
}
