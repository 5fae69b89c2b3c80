//! Receivers of methods of the user's types: how sweeps take them, and the checks that the name means the method that
//! has the sweeps.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Emitter;
use super::calls::Sibling;
use super::expr::Use;
use crate::ir::{Arg, ArgMode, Behind, Callee, CalleeKind};

impl Emitter<'_> {
    /// The witness of a method, in a variable of this name. A method without sweeps has none: rustc says so alone.
    pub(super) fn witness(
        &self,
        name: &Ident,
        callee: &Callee,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let of = Sibling::Witness.path(&callee.path);
        let place = args.first().map(|receiver| match &receiver.mode {
            ArgMode::Value(e) => self.expr(e),
            ArgMode::Shared(p) => self.place(p, Use::Read),
            ArgMode::InOut(p) => self.place(p, Use::Write),
        });
        let rt = self.rt();
        quote_spanned!(span=> let #name = #rt::witness(|| (*#rt::never_mut(&#place)).#of());)
    }

    /// The receiver of a method, as its sweeps take it.
    pub(super) fn receiver(&self, args: &[Arg], span: Span) -> TokenStream {
        let (rt, witness) = (self.rt(), super::own("__witness"));
        match args.first().map(|a| &a.mode) {
            Some(ArgMode::InOut(p)) => {
                let p = self.place(p, Use::Write);
                quote_spanned!(span=> #rt::receiver_mut(#witness, &mut #p))
            }
            Some(ArgMode::Shared(p)) => {
                let p = self.place(p, Use::Read);
                quote_spanned!(span=> #rt::receiver(#witness, &#p))
            }
            Some(ArgMode::Value(e)) => {
                let e = self.expr(e);
                quote_spanned!(span=> #rt::receiver(#witness, &#e))
            }
            None => TokenStream::new(),
        }
    }

    /// In front of the forward sweep of a method: its witness, and a compile error where a method of the same name
    /// comes in front of the one that has sweeps: a trait's, which takes the receiver in another way.
    pub(super) fn before_forward(&self, callee: &Callee, args: &[Arg], span: Span) -> TokenStream {
        let (CalleeKind::Method, Some(receiver)) = (callee.kind, args.first()) else {
            return TokenStream::new();
        };
        let (rt, name) = (self.rt(), &callee.path);
        let [scope, own] = ["__scope", "__witness"].map(super::own);
        let witness = self.witness(&scope, callee, args, span);
        let place = match &receiver.mode {
            ArgMode::Value(e) => self.expr(e),
            ArgMode::Shared(p) | ArgMode::InOut(p) => self.place(p, Use::Read),
        };
        let rest: Vec<_> = self.plain_arguments(callee, args).drain(1..).collect();
        let behind = match callee.behind {
            Behind::Nothing => TokenStream::new(),
            Behind::Shared => quote!(&),
            Behind::Mutable => quote!(&mut),
        };
        let types = (0..rest.len()).map(|k| super::own(&format!("__A{k}")));
        let last = name.path.segments.last();
        let is_in_scope = last.map(|last| Sibling::InScope.name(&last.ident));
        quote_spanned!(span=>
            #witness
            let #own = #rt::anywhere(#scope);
            #rt::only_method! {
                #name [#(#types)*] (#(#rest),*) #scope #own #is_in_scope [&#place, &*#rt::like_of(#own)] [#behind]
            }
        )
    }
}
