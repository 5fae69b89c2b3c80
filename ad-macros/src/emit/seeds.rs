//! Sweeps for several seeds at once: a wide adjoint is an array with one for each seed, and what only adjoints get runs
//! in a loop over the seeds (`ir::seeds` says which statements those are).
//!
//! ```text
//! let mut y_bar: [f64; SEEDS] = [0.0; SEEDS];
//! for seed in 0..SEEDS { y_bar[seed] += z_bar[seed] * x; z_bar[seed] = 0.0; }
//! ```

use std::cell::Cell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::ir::hash::HashSet;
use crate::ir::seeds::{Part, Unseeded, declared_adjoint, parts, wide};
use crate::ir::{
    BarArg, ExprKind, Param, Place, Stmt, StmtKind, Sweeps, VarId, has_local_accumulator,
    starts_from_caller,
};

use super::calls::Sibling;
use super::expr::Use;
use super::sweeps::{GivenSeed, adj};
use super::{Code, Emitter};

/// What the emitter knows of sweeps for several seeds.
pub(super) struct Seeds {
    /// The adjoints of which there is one for each seed.
    wide: HashSet<VarId>,
    /// Whether what is printed stands in a loop over the seeds.
    inside: Cell<bool>,
}

/// The const parameter that says how many seeds there are.
pub(crate) fn count() -> Ident {
    super::own("__RETROGRADE_SEEDS")
}

/// The seed that is in turn.
fn turn() -> Ident {
    super::own("__seed_in_turn")
}

impl<'a> Emitter<'a> {
    /// An emitter of sweeps for several seeds. `Err`: where they cannot be, and why.
    pub(crate) fn for_seeds(
        sweeps: &'a Sweeps,
        krate: &'a syn::Path,
    ) -> Result<Self, (Span, Unseeded)> {
        let params = sweeps.param_bars.iter().map(|(_, bar)| *bar);
        let lists = [&sweeps.forward, &sweeps.reverse];
        let joint = sweeps.joint.iter().map(|joint| &joint.stmts);
        let lists: Vec<&Vec<Stmt>> = lists.into_iter().chain(joint).collect();
        let wide = wide(&sweeps.func, params.chain(sweeps.result_bar), lists)?;
        let mut emitter = Emitter::new(&sweeps.func, &sweeps.owned, krate, true);
        emitter.seeds = Some(Seeds {
            wide,
            inside: Cell::new(false),
        });
        Ok(emitter)
    }

    /// The number of seeds, if there may be several.
    pub(crate) fn seed_count(&self) -> Option<Ident> {
        self.seeds.as_ref().map(|_| count())
    }

    /// Which sweeps call, and are called.
    pub(crate) fn sibling(&self, which: Sibling) -> Sibling {
        if self.seeds.is_some() {
            which.for_seeds()
        } else if self.leaving && which == Sibling::Sweeps {
            Sibling::Leaving
        } else {
            which
        }
    }

    /// The path of a callee with the number of seeds among its generic arguments, if it has any.
    pub(super) fn path_for_seeds(&self, callee: &syn::ExprPath) -> syn::ExprPath {
        let mut path = callee.clone();
        if let Some(count) = self.seed_count()
            && let Some(last) = path.path.segments.last_mut()
            && let syn::PathArguments::AngleBracketed(arguments) = &mut last.arguments
        {
            arguments.args.push(syn::parse_quote!({ #count }));
        }
        path
    }

    /// What runs once, and loops over the seeds; `None` where one seed is in turn already.
    pub(super) fn stmts_for_seeds(&self, stmts: &[Stmt]) -> Option<TokenStream> {
        let seeds = self.seeds.as_ref().filter(|seeds| !seeds.inside.get())?;
        let part = |part: Part<'_>| match part {
            Part::Once(stmt) => self.stmt(stmt),
            Part::Declared(stmt) => self.wide_declaration(stmt),
            Part::PerSeed(group) => {
                let declared = group.iter().filter_map(|s| declared_adjoint(self.func, s));
                let declared = declared.filter(|var| seeds.wide.contains(var));
                let zeros: TokenStream = declared.map(|var| self.wide_zero(var)).collect();
                let body: TokenStream = self.in_turn(|| {
                    let stmts = group.iter().map(|stmt| self.begun(stmt));
                    stmts.collect()
                });
                if body.is_empty() {
                    return zeros;
                }
                let (turn, count) = (turn(), count());
                quote!(#zeros for #turn in 0..#count { #body })
            }
        };
        let parts = parts(self.func, &seeds.wide, stmts).into_iter().map(part);
        Some(parts.collect())
    }

    /// Prints what stands in a loop over the seeds.
    fn in_turn<T>(&self, print: impl FnOnce() -> T) -> T {
        let inside = self.seeds.as_ref().map(|seeds| &seeds.inside);
        let before = inside.map(|inside| inside.replace(true));
        let printed = print();
        if let (Some(inside), Some(before)) = (inside, before) {
            inside.set(before);
        }
        printed
    }

    /// A statement of one seed; a wide adjoint that it declares is there, and gets its value.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other statement declares an adjoint"
    )]
    fn begun(&self, stmt: &Stmt) -> TokenStream {
        match &stmt.kind {
            StmtKind::Let { var, init } if self.is_wide(*var) => {
                let (name, turn) = (self.name(*var), turn());
                // It is zero already.
                let value = init.as_ref().filter(|e| !matches!(e.kind, ExprKind::Zero));
                let value = value.map(|value| self.expected(value));
                value
                    .map(|value| quote!(#name[#turn] = #value;))
                    .unwrap_or_default()
            }
            StmtKind::Pop { dest, vec } if self.is_wide(*dest) => {
                let (name, turn, vec) = (self.name(*dest), turn(), self.place(vec, Use::Write));
                quote!(#name[#turn] = #vec.pop().unwrap();)
            }
            _ => self.stmt(stmt),
        }
    }

    pub(super) fn is_wide(&self, var: VarId) -> bool {
        self.seeds.as_ref().is_some_and(|s| s.wide.contains(&var))
    }

    /// The adjoints of all seeds, which are zero.
    fn wide_zero(&self, var: VarId) -> TokenStream {
        let (name, count, ty) = (self.name(var), count(), &self.func.var(var).ty);
        let (zero, ty) = (self.zero(ty), self.annotation(ty));
        let ty = ty.unwrap_or_else(|| quote!(_).into());
        quote!(let mut #name: [#ty; #count] = [#zero; #count];)
    }

    /// The adjoints of all seeds, each of the shape that its value says.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other statement declares an adjoint"
    )]
    fn wide_declaration(&self, stmt: &Stmt) -> TokenStream {
        let (count, turn) = (count(), turn());
        let (var, value) = match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => (*var, self.in_turn(|| self.bare(init)).into()),
            StmtKind::Pop { dest, vec } => {
                let vec = self.in_turn(|| self.place(vec, Use::Write));
                (*dest, quote!(#vec.pop().unwrap()))
            }
            _ => return self.stmt(stmt),
        };
        let (name, ty) = (self.name(var), self.annotation(&self.func.var(var).ty));
        let ty = ty.unwrap_or_else(|| quote!(_).into());
        quote!(let mut #name: [#ty; #count] = ::core::array::from_fn(|#turn| #value);)
    }

    /// Where a place with a wide root begins: at the adjoint of the seed that is in turn.
    pub(super) fn root(&self, var: VarId) -> Code {
        let name = self.name(var);
        if !self.is_wide(var) {
            return Code::token(name.clone());
        }
        let turn = turn();
        quote!(#name[#turn]).into()
    }

    /// The adjoints and the seeds that a reverse sweep is called with: the declarations in front, and each of them.
    pub(super) fn bars_for_seeds(
        &self,
        bars: &[BarArg],
        unused: &dyn Fn(usize) -> TokenStream,
        seed: Option<&Place>,
    ) -> (TokenStream, Vec<TokenStream>, TokenStream) {
        let count = count();
        let mut before = TokenStream::new();
        // Those of one variable are borrowed together.
        let mut roots: Vec<(VarId, Vec<(Ident, TokenStream)>)> = Vec::new();
        let each = super::own("__each");
        let mut lend = |place: &Place, name: Ident, exclusive: bool| {
            let usage = if exclusive { Use::Write } else { Use::Read };
            let lent = self.projected(quote!((*#each)).into(), &place.proj, place.span, usage);
            let lent = if exclusive {
                quote!(&mut #lent)
            } else {
                quote!(&#lent)
            };
            match roots.iter_mut().find(|(root, _)| *root == place.root) {
                Some((_, places)) => places.push((name, lent)),
                None => roots.push((place.root, vec![(name, lent)])),
            }
        };
        let mut adjoints = Vec::new();
        for (k, bar) in bars.iter().enumerate() {
            let name = super::own(&format!("__bars_{k}"));
            match bar {
                BarArg::Place(place) => lend(place, name.clone(), true),
                BarArg::Unused(_) => {
                    let (zeros, zero) = (super::own(&format!("__unused_{k}")), unused(k));
                    before.extend(quote! {
                        let mut #zeros: [_; #count] = ::core::array::from_fn(|_| #zero);
                        let #name = #zeros.each_mut();
                    });
                }
            }
            adjoints.push(name.to_token_stream());
        }
        let seeds = match seed {
            Some(place) => {
                let name = super::own("__seeds_of_call");
                lend(place, name.clone(), false);
                quote!(::core::option::Option::Some(#name))
            }
            None => quote!(::core::option::Option::None),
        };
        for (root, places) in roots {
            let root = self.name(root);
            before.extend(self.lent_together(&quote!(#root.each_mut()), &each, &places));
        }
        (before, adjoints, seeds)
    }

    /// Several parts of each element of an array of references, as arrays.
    pub(super) fn lent_together(
        &self,
        elements: &TokenStream,
        each: &Ident,
        parts: &[(Ident, TokenStream)],
    ) -> TokenStream {
        let rt = self.rt();
        match parts {
            [] => TokenStream::new(),
            [(name, part)] => quote!(let #name = #elements.map(|#each| #part);),
            [(first, part), rest @ ..] => {
                let rest_parts = nested(rest.iter().map(|(_, part)| part.clone()));
                let mut tokens = quote! {
                    let (#first, __rest) = #rt::seeds::apart(#elements.map(|#each| (#part, #rest_parts)));
                };
                for (at, (name, _)) in rest.iter().enumerate() {
                    tokens.extend(if at + 1 == rest.len() {
                        quote!(let #name = __rest;)
                    } else {
                        quote!(let (#name, __rest) = #rt::seeds::apart(__rest);)
                    });
                }
                tokens
            }
        }
    }

    /// The adjoints of fields of a parameter.
    pub(super) fn adjoints_of_fields(
        &self,
        whole: &Ident,
        names: &[Ident],
        lent: &[TokenStream],
    ) -> TokenStream {
        let parts: Vec<_> = names.iter().cloned().zip(lent.iter().cloned()).collect();
        let apart =
            self.lent_together(&quote!(bars), &Ident::new("bar", Span::call_site()), &parts);
        let nones = names.iter().map(|_| quote!(::core::option::Option::None));
        quote! {
            let (#(#names,)*) = match #whole {
                ::core::option::Option::Some(bars) => {
                    #apart
                    (#(::core::option::Option::Some(#names),)*)
                }
                ::core::option::Option::None => (#(#nones,)*),
            };
        }
    }

    /// The adjoints of a parameter at the start of the reverse sweep, and what goes back to the caller.
    pub(super) fn wide_borders(&self, param: &Param, bar: VarId) -> (TokenStream, TokenStream) {
        let (adjoint, bar, count, turn) = (adj(param), self.name(bar), count(), turn());
        if !has_local_accumulator(param) {
            (quote!(let mut #bar = #adjoint;), TokenStream::new())
        } else if starts_from_caller(param) {
            (
                quote!(let mut #bar = ::core::array::from_fn::<_, #count, _>(|#turn| *#adjoint[#turn]);),
                quote!(for #turn in 0..#count { *#adjoint[#turn] = #bar[#turn]; }),
            )
        } else {
            let zero = self.zero(&param.ty);
            (
                quote!(let mut #bar = [#zero; #count];),
                quote!(for #turn in 0..#count { *#adjoint[#turn] += #bar[#turn]; }),
            )
        }
    }

    /// The adjoints of the result at the start of the reverse sweep.
    pub(super) fn wide_seed(&self, bar: VarId, given: &GivenSeed) -> TokenStream {
        let (seed, bar, count) = (super::own("__seed"), self.name(bar), count());
        let GivenSeed { given, zero } = given;
        let (all, one) = (super::own("__seeds"), super::own("__s"));
        quote! {
            let mut #bar = match #seed {
                ::core::option::Option::Some(#all) => #all.map(|#one| #given),
                ::core::option::Option::None => ::core::array::from_fn::<_, #count, _>(|_| #zero),
            };
        }
    }

    /// Code that is run for each seed with what belongs to it under the name that is given.
    pub(crate) fn for_each_seed(&self, name: &Ident, code: &TokenStream) -> TokenStream {
        if self.seeds.is_none() || code.is_empty() {
            return code.clone();
        }
        quote!(for #name in #name.iter() { let #name = &**#name; #code })
    }
}

/// Parts as pairs in pairs.
fn nested(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let mut parts: Vec<TokenStream> = parts.collect();
    let mut value = parts.pop().unwrap_or_default();
    while let Some(part) = parts.pop() {
        value = quote!((#part, #value));
    }
    value
}
