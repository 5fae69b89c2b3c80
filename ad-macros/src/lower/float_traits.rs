//! Functions of floats by the path of a trait of the crate `num-traits`: `Float::sqrt(x)`, `<f64 as Float>::sqrt(x)`.
//!
//! They are those of `f32` and `f64` under the same names, whose rules are known. Which crate the trait comes from is
//! told by the text of the file. Generated code has a check: the function that is called is assigned to a variable that
//! holds the one of that crate, which is an error of rustc (E0308) for any other.

use proc_macro2::{Ident, Span};
use quote::quote;

use super::Lowerer;
use super::known::imported_from_crate;
use super::signature::cast_type;
use super::value::Value;
use crate::ir::{Expr, KnownMacro, MathFn, Ty};
use crate::surroundings::with_text;

/// The traits, and the modules that they are in.
const TRAITS: &[(&str, &str)] = &[("Float", "float"), ("FloatCore", "float"), ("Real", "real")];

/// The crates that have them.
const CRATES: &[&str] = &["num_traits", "num"];

/// A function of a trait.
struct OfTrait {
    /// The trait as it is written.
    written: syn::Path,
    /// Where the crate has it.
    meant: syn::Path,
    /// `f64` in `<f64 as Float>::sqrt`.
    float: Option<Ty>,
    name: Ident,
}

impl Lowerer<'_> {
    /// The value of the call, if it is one of a function of floats by the path of a trait.
    pub(super) fn call_of_float_trait(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        span: Span,
    ) -> Option<Value> {
        let count = call.args.len();
        if let Some((function, float)) = self.function_of_trait(path, count) {
            let args = self.operands(call.args.iter());
            return Some(self.math_of_trait(function, float.as_ref(), args, span));
        }
        let of = of_trait(path).filter(|of| of.name == "sin_cos" && count == 1)?;
        self.check_float_trait(&of);
        let operand = self.expr(&call.args[0]);
        if let Some(float) = &of.float {
            self.types.unify(float, &operand.ty);
        }
        Some(self.sin_cos(operand, span))
    }

    /// The function that a path means, if it is one of so many arguments, and the float that the path says.
    pub(super) fn function_of_trait(
        &mut self,
        path: &syn::ExprPath,
        count: usize,
    ) -> Option<(MathFn, Option<Ty>)> {
        let of = of_trait(path)?;
        let function = MathFn::from_name(&of.name.to_string()).filter(|f| f.arity() == count)?;
        self.check_float_trait(&of);
        Some((function, of.float))
    }

    pub(super) fn math_of_trait(
        &mut self,
        function: MathFn,
        float: Option<&Ty>,
        args: Vec<Expr>,
        span: Span,
    ) -> Value {
        if let (Some(float), Some(first)) = (float, args.first()) {
            self.types.unify(float, &first.ty);
        }
        Value::Expr(self.math(function, args, span))
    }

    fn check_float_trait(&mut self, of: &OfTrait) {
        let (written, meant, name) = (&of.written, &of.meant, &of.name);
        let known = &mut self.func.known_macros;
        if known.iter().any(|known| known.path == *written) {
            return;
        }
        known.push(KnownMacro {
            path: written.clone(),
            krate: None,
            prefix: None,
            harmless: quote! {
                let mut function = <f64 as #meant>::#name;
                function = <f64 as #written>::#name;
                let _ = function;
            },
        });
    }
}

/// Which function of which trait a path means, as far as the text tells.
fn of_trait(path: &syn::ExprPath) -> Option<OfTrait> {
    let float = match &path.qself {
        Some(q) => Some(cast_type(&q.ty).filter(Ty::is_float)?),
        None => None,
    };
    let mut written = path.path.clone();
    let last = written.segments.pop()?.into_value();
    written.segments.pop_punct();
    if written.segments.iter().any(|s| !s.arguments.is_none()) || !last.arguments.is_none() {
        return None;
    }
    let named = written.segments.last()?.ident.clone();
    let (name, module) = TRAITS.iter().find(|(name, _)| named == name)?;
    let krate = crate_of(&written, name)?;
    let module = Ident::new(module, Span::call_site());
    let meant = if krate == "num" {
        syn::parse_quote!(::num::traits::#module::#named)
    } else {
        syn::parse_quote!(::num_traits::#module::#named)
    };
    Some(OfTrait {
        written,
        meant,
        float,
        name: last.ident,
    })
}

/// The crate that the path of a trait leads to: it begins with the crate, or the file imports the name from it.
fn crate_of(written: &syn::Path, name: &str) -> Option<&'static str> {
    let at = written.segments.last()?.ident.span();
    let first = &written.segments.first()?.ident;
    if written.segments.len() > 1 {
        return CRATES.iter().copied().find(|krate| first == krate);
    }
    if written.leading_colon.is_some() {
        return None;
    }
    let own = format!("trait {name}");
    if with_text(at, |text| text.contains(&own)).unwrap_or(false) {
        return None;
    }
    let imports = |krate: &&&str| imported_from_crate(name, krate, at);
    CRATES.iter().find(imports).copied()
}

#[cfg(test)]
mod tests {
    use super::of_trait;

    #[test]
    fn traits_are_told_by_their_path() {
        let meant = |path: &str| {
            let of = of_trait(&syn::parse_str(path).expect("a path"))?;
            let meant = of.meant;
            Some(quote::quote!(#meant).to_string().replace(' ', ""))
        };
        let of = |path: &str| meant(path).unwrap_or_default();
        assert_eq!(of("num_traits::Float::sqrt"), "::num_traits::float::Float");
        assert_eq!(
            of("<f64 as num_traits::real::Real>::sqrt"),
            "::num_traits::real::Real"
        );
        assert_eq!(of("num::Float::sqrt"), "::num::traits::float::Float");
        assert_eq!(of("Float::sqrt"), "", "nothing shows where it is from");
        assert_eq!(of("shapes::Float::sqrt"), "");
        assert_eq!(of("<Wide as num_traits::Float>::sqrt"), "");
        assert_eq!(of("num_traits::Float::<f64>::sqrt"), "");
    }
}
