//! Diagnostics: a collector that must be read, and the catalogue of messages.

pub(crate) mod catalog;

use std::cell::Cell;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use crate::analysis::Finding;
use crate::ir::{CONVERSION, OpaqueKind, Without, is_iterator_method};
pub(crate) use catalog::Message;

/// One mistake at one place.
#[derive(Debug)]
struct Diagnostic {
    name: &'static str,
    /// Where it is, in rustc's words.
    place: String,
    error: syn::Error,
}

/// Collects mistakes. Dropping it unread is a bug of the compiler: a mistake would go unnoticed.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    found: Vec<Diagnostic>,
    read: Cell<bool>,
    /// Whether what is reported stands in a method of a block under the attribute.
    in_block: bool,
}

impl Diagnostics {
    pub(crate) fn new() -> Self {
        Diagnostics::default()
    }

    /// Reports `message` at one span.
    pub(crate) fn at(&mut self, span: Span, message: Message) {
        let error = syn::Error::new(span, self.text(&message));
        self.push(message, error);
    }

    /// Reports `message` over all of `tokens`.
    pub(crate) fn over(&mut self, tokens: &impl ToTokens, message: Message) {
        let error = syn::Error::new_spanned(tokens, self.text(&message));
        self.push(message, error);
    }

    /// From now on methods of a block are read, which can be left out one by one.
    pub(crate) fn in_block(&mut self, yes: bool) {
        self.in_block = yes;
    }

    fn text(&self, message: &Message) -> String {
        let text = message.full_text();
        if self.in_block {
            format!("{text}; or leave the method as it is with `#[no_gradient]`")
        } else {
            text
        }
    }

    /// Code that is lowered twice reports its mistakes once.
    fn push(&mut self, message: Message, error: syn::Error) {
        self.read.set(false);
        let Message { name, .. } = message;
        let place = format!("{:?}", error.span());
        // Outside rustc all spans look the same.
        let known = place.contains("bytes");
        if known
            && self
                .found
                .iter()
                .any(|d| d.name == name && d.place == place)
        {
            return;
        }
        self.found.push(Diagnostic { name, place, error });
    }

    /// Reports that a derivative would be lost in opaque code.
    pub(crate) fn lost_derivative(&mut self, kind: &OpaqueKind, span: Span) {
        let (span, message) = match kind {
            OpaqueKind::Method(name) if is_iterator_method(&name.to_string()) => {
                (name.span(), catalog::active_iterator(&name.to_string()))
            }
            OpaqueKind::Method(name) => (name.span(), catalog::active_method(&name.to_string())),
            OpaqueKind::Call(callee) => (span, catalog::active_call(callee)),
            OpaqueKind::Macro(name) => (span, catalog::active_macro(name)),
            OpaqueKind::Const => (span, catalog::active_code("a constant expression")),
            OpaqueKind::Other(CONVERSION) => (span, catalog::float_conversion()),
            OpaqueKind::Other(what) => (span, catalog::active_code(what)),
        };
        self.at(span, message);
    }

    /// Reports what an analysis found.
    pub(crate) fn report(&mut self, found: Vec<Finding>) {
        for finding in found {
            match finding {
                Finding::LostDerivative(kind, span) => self.lost_derivative(&kind, span),
                Finding::WithoutSweeps(name, Without::Plain, span) => {
                    self.at(span, catalog::plain_function(&name));
                }
                Finding::WithoutSweeps(name, Without::OfTrait, span) => {
                    self.at(span, catalog::function_of_trait_alone(&name));
                }
                Finding::WithoutSweeps(name, Without::Parameters, span) => {
                    self.at(span, catalog::method_turbofish(&name));
                }
                Finding::WithoutSweeps(name, why, span) => {
                    let why = match why {
                        Without::Reference => "it returns a reference",
                        Without::Opaque => "it returns an `impl Trait`",
                        Without::Parameter => "what it leaves in a parameter is not known",
                        Without::Effect => "it returns nothing, and what else it does is not known",
                        Without::Left => "it is left as it is, by `#[no_gradient]`",
                        Without::Plain | Without::Parameters | Without::OfTrait => {
                            "it has no `#[gradient]`"
                        }
                    };
                    self.at(span, catalog::no_sweeps(&name, why));
                }
                Finding::ErrorValue(span) => self.at(span, catalog::error_value()),
                Finding::ConstantWritten(name, span) => {
                    self.at(span, catalog::constant_written(&name));
                }
                Finding::CheckpointEffect(what, span) => {
                    let message = match what.as_str() {
                        "len" => catalog::checkpoint_len(),
                        what => catalog::checkpoint_effect(what),
                    };
                    self.at(span, message);
                }
                Finding::GeneratorRead(name, span) => self.at(span, catalog::generator_read(&name)),
                Finding::ParallelLoop(reason, span) => {
                    self.at(span, catalog::parallel_loop(reason));
                }
                Finding::ParallelData(reason, span) => {
                    self.at(span, catalog::parallel_refused(&reason));
                }
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Forgets what was reported after the first `len` mistakes: an attempt that need not succeed.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.found.truncate(len);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.read.set(true);
        self.found.is_empty()
    }

    /// The names of the messages in the order found.
    #[cfg(test)]
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.read.set(true);
        self.found.iter().map(|d| d.name).collect()
    }

    /// One `compile_error!` per mistake, each at the user's token.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.into_errors().into_iter().collect()
    }

    /// The mistakes, each as an item.
    pub(crate) fn into_errors(self) -> Vec<TokenStream> {
        self.read.set(true);
        let errors = self.found.iter();
        errors
            .map(|diagnostic| diagnostic.error.to_compile_error())
            .collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        let unread = !self.read.get() && !self.found.is_empty();
        debug_assert!(
            !unread || std::thread::panicking(),
            "diagnostics were dropped unread"
        );
    }
}

#[cfg(test)]
mod tests;
