//! The shadow tape: a tag beside every record, compared when the record is popped.
//!
//! It turns a push and a pop that do not belong together into a panic that names both, where
//! the plain tape would decode the bytes of another record. A tape with a shadow presents an empty
//! window (see [`Cursor`](super::cursor::Cursor)), so that each push and pop takes the cold path,
//! where the tags are kept; tapes without one pay nothing.

use std::fmt;

/// What one item on the tape is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
}

/// How the values of an item lie on the tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    One,
    /// Elements followed by their number.
    Slice(usize),
    /// A tile of so many entries.
    Tile(usize),
    /// So many child tapes.
    Fork(usize),
}

impl Tag {
    #[inline(always)]
    pub(super) fn of<T>(shape: Shape) -> Self {
        Self {
            name: std::any::type_name::<T>(),
            shape,
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::One => write!(f, "a record of type `{}`", self.name),
            Shape::Slice(n) => write!(f, "a slice of {n} records of type `{}`", self.name),
            Shape::Fork(n) => write!(f, "a fork into {n} tapes"),
            Shape::Tile(n) => write!(f, "a tile of {n} records of type `{}`", self.name),
        }
    }
}

/// The tags of everything on one tape, oldest first.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pub(super) tags: Vec<Tag>,
    /// Everything pushed since the tape was made.
    pub(super) pushed: u64,
    /// The largest number of bytes in use at once.
    pub(super) high_water: usize,
}

impl Shadow {
    pub(super) fn push(&mut self, tag: Tag, bytes_in_use: usize) {
        self.tags.push(tag);
        self.pushed += 1;
        self.high_water = self.high_water.max(bytes_in_use);
    }

    /// Compares the newest tag with what is to be popped, without removing it.
    pub(super) fn expect(&self, wanted: Tag) {
        match self.tags.last() {
            Some(&found) if found == wanted => {}
            Some(found) => panic!(
                "retrograde: the reverse sweep pops {wanted}, but the newest item on the tape is \
                 {found} (item {}): pushes and pops are not in opposite order",
                self.tags.len() - 1
            ),
            None => panic!(
                "retrograde: the reverse sweep pops {wanted} from an empty tape: more pops than \
                 pushes"
            ),
        }
    }
}
