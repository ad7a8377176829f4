//! A form made from descriptions.
