//! Conversions, `V::from(x)` and `<V as From<_>>::from(x)`: rustc finds the sweeps by the types.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use super::{Emitter, Sibling};
use crate::ir::{Arg, Callee};

impl Emitter<'_> {
    /// The call as it stands in the function. Of a parameter, the conversion is known to be there in this form alone.
    pub(super) fn conversion_value(
        &self,
        callee: &Callee,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let target = callee.path.qself.as_ref().map(|qself| &qself.ty);
        let args = self.plain_arguments(callee, args);
        quote_spanned!(span=> ::core::convert::Into::<#target>::into(#(#args),*))
    }

    pub(super) fn conversion_forward(
        &self,
        callee: &Callee,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let (rt, tape) = (self.rt(), super::own("__tape"));
        let target = self.of_conversion(Sibling::Forward, &callee.path);
        let args = self.arguments(callee, args);
        quote_spanned!(span=> {
            #[allow(unused_imports)]
            use #rt::Conversion as _;
            #target(#(#args,)* &mut *#tape)
        })
    }

    pub(super) fn conversion_reverse(
        &self,
        callee: &Callee,
        args: &[Arg],
        adjoints: Vec<TokenStream>,
        seed: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let (rt, tape) = (self.rt(), super::own("__tape"));
        let target = self.of_conversion(Sibling::Reverse, &callee.path);
        let values = self.arguments(callee, args);
        let adjoints = self.adjoint_arguments(callee, adjoints);
        quote_spanned!(span=> {
            #[allow(unused_imports)]
            use #rt::Conversion as _;
            #target(#(#values,)* #(#adjoints,)* #seed, &mut *#tape);
        })
    }

    fn of_conversion(&self, sweep: Sibling, path: &syn::ExprPath) -> TokenStream {
        let Some(qself) = &path.qself else {
            return self.sibling(sweep).path(path).to_token_stream();
        };
        let (rt, target) = (self.rt(), &qself.ty);
        let from: syn::ExprPath = syn::parse_quote!(<#target as #rt::Conversion<_>>::from);
        self.sibling(sweep).path(&from).to_token_stream()
    }
}
