//! Vectors and queues alike, where the text does not show which of them there is.

use std::collections::VecDeque;

/// What elements are pushed to and popped from at the end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no `Vec` and no `VecDeque`",
    label = "elements are pushed to it and popped from it here",
    note = "a method of your own type is called by its path: `S::push(&mut s, x)`"
)]
pub trait List {
    /// An element.
    type Item;

    /// Adds an element at the end.
    fn push_last(&mut self, item: Self::Item);

    /// Takes the last element.
    fn pop_last(&mut self) -> Option<Self::Item>;

    /// How many there are.
    fn length(&self) -> usize;

    /// The element at a position.
    fn item(&self, at: usize) -> &Self::Item;
}

macro_rules! lists {
    ($($list:ident: $push:ident $pop:ident;)*) => {$(
        impl<T> List for $list<T> {
            type Item = T;

            #[inline(always)]
            fn push_last(&mut self, item: T) {
                self.$push(item);
            }

            #[inline(always)]
            fn pop_last(&mut self) -> Option<T> {
                self.$pop()
            }

            #[inline(always)]
            fn length(&self) -> usize {
                self.len()
            }

            #[inline(always)]
            fn item(&self, at: usize) -> &T {
                &self[at]
            }
        }
    )*};
}

lists! {
    Vec: push pop;
    VecDeque: push_back pop_back;
}

impl<L: List> List for Box<L> {
    type Item = L::Item;

    #[inline(always)]
    fn push_last(&mut self, item: L::Item) {
        (**self).push_last(item);
    }

    #[inline(always)]
    fn pop_last(&mut self) -> Option<L::Item> {
        (**self).pop_last()
    }

    #[inline(always)]
    fn length(&self) -> usize {
        (**self).length()
    }

    #[inline(always)]
    fn item(&self, at: usize) -> &L::Item {
        (**self).item(at)
    }
}
