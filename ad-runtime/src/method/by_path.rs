//! Which function a path means where it is called.
//!
//! What stands beside the functions of an `impl` of a trait is found by the path of the type alone, whatever traits are
//! in scope, and the function itself is not: `S::size(&s, x)` may mean that of another trait, or a private one of the
//! type. Of a function without receiver, no call behind a dot says which. So the caller tells the forward sweep the
//! name of the function that the path means there. Both names are constants: optimised code compares nothing.

use std::ops::{Deref, DerefMut};

use super::of_traits::name_of;
use crate::tape::Tape;

/// The tape, as callers give it to the forward sweep of a function of a type or a trait.
#[derive(Debug)]
pub struct Called<'t> {
    tape: &'t mut Tape,
    /// The function that is called, where a path names it.
    name: Option<&'static str>,
}

impl<'t> Called<'t> {
    /// Of a call behind a dot, or one of which the name is compared elsewhere.
    #[inline(always)]
    pub fn new(tape: &'t mut Tape) -> Self {
        Called { tape, name: None }
    }

    /// Of a call of this function by a path.
    #[inline(always)]
    pub fn by_path<F>(tape: &'t mut Tape, function: &F) -> Self {
        let name = Some(name_of(function));
        Called { tape, name }
    }

    /// The tape.
    ///
    /// # Panics
    ///
    /// If the path means another function than this one, whose sweep it is.
    #[inline(always)]
    pub fn tape_of<F>(&mut self, own: &F) -> &mut Tape {
        match self.name {
            Some(name) if name != name_of(own) => means_another(name, name_of(own)),
            _ => self.tape,
        }
    }
}

#[cold]
#[inline(never)]
fn means_another(called: &str, own: &str) -> ! {
    panic!(
        "the path means `{called}` where it is called, and the derivative there is that of `{own}`: bring the trait of \
         that one into scope, name it in the path, or give one of the two another name"
    );
}

impl Deref for Called<'_> {
    type Target = Tape;

    #[inline(always)]
    fn deref(&self) -> &Tape {
        self.tape
    }
}

impl DerefMut for Called<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Tape {
        self.tape
    }
}
