//! Loops in two versions: checks, windows, records in strips, buffers, kernels.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::ir::versions::{Below, Buffer, BufferKind, Check, Function, NoOverflow, Versioned};
use crate::ir::{Expr, ExprKind, StmtKind, Ty, literal};
use syn::Lifetime;

use super::expr::Use;
use super::{Emitter, Fast, own};

impl Emitter<'_> {
    pub(super) fn versioned(&self, both: &Versioned) -> TokenStream {
        let around = self.fast.get();
        self.fast.set(Fast {
            depth: around.depth + 1,
            resumes: both.resume.is_some(),
        });
        let (fast, label) = (self.block(&both.fast), self.label());
        self.fast.set(around);
        let (done, plain) = (own("__sliced"), self.block(&both.plain));
        if let Some(resume) = &both.resume {
            let (done, n) = (self.name(resume.done), self.name(resume.n));
            return quote!(#label: { #fast } if #done < #n { #plain });
        }
        quote! {
            let #done = #label: { #fast true };
            if !#done { #plain }
        }
    }

    /// The block that is left where a check does not hold.
    fn label(&self) -> Lifetime {
        let Fast { depth, resumes } = self.fast.get();
        let name = if resumes { "__together" } else { "__sliced" };
        let name = match depth {
            0 | 1 => format!("'{name}"),
            _ => format!("'{name}_{}", depth - 1),
        };
        Lifetime::new(&name, Span::mixed_site())
    }

    /// Leaves it.
    pub(super) fn leave(&self) -> TokenStream {
        let (label, whole) = (
            self.label(),
            (!self.fast.get().resumes).then(|| quote!(false)),
        );
        quote!(break #label #whole)
    }

    pub(super) fn check(&self, check: &Check) -> TokenStream {
        let (rt, leave) = (self.rt(), self.leave());
        let broken = match check {
            Check::Not(condition) => self.bare(condition).into(),
            Check::Less { sides, equal } => {
                let sides = sides.each_ref().map(|e| self.expr(e));
                let [a, b] = sides;
                quote!(!#rt::less(#a, #b, #equal))
            }
            Check::Outside { at, ends } => {
                let (at, ends) = (self.expr(at), ends.each_ref().map(|e| self.expr(e)));
                let [first, last] = ends;
                quote!(!#rt::outside(#at, #first, #last))
            }
            Check::Part { of, lo, hi } => {
                let of = self.place(of, Use::Read);
                let lo = lo.as_ref().map(|e| self.expr(e));
                let lo = lo.unwrap_or_else(|| quote!(#rt::Ix::of(0)).into());
                let hi = hi.as_ref().map(|e| self.expr(e));
                let hi = hi.unwrap_or_else(|| quote!(#rt::Ix::of(#of.len())).into());
                quote!(!#rt::exists(#of.len(), #lo, #hi))
            }
            Check::Element { of, at } => {
                let (of, at) = (self.place(of, Use::Read), self.expr(at));
                quote!(!#rt::element(&#of, #at).is_some())
            }
            Check::Fits(index) => {
                let index = self.expr(index);
                quote!(!#index.get().is_some())
            }
            Check::Number { var, index } => {
                let (name, index) = (self.name(*var), self.expr(index));
                return quote!(let ::core::option::Option::Some(#name) = #index.get() else { #leave };);
            }
            Check::NoOverflow(indices) => self.overflow(indices),
        };
        quote!(if #broken { #leave; })
    }

    fn overflow(&self, indices: &NoOverflow) -> TokenStream {
        let rt = self.rt();
        let below = indices.below.iter().map(|below| {
            let Below {
                numbers,
                degree,
                bits,
            } = below;
            let numbers = numbers.iter().map(|e| self.number_of(e));
            let [degree, bits] = [*degree, *bits].map(literal::count32);
            quote!((#(#numbers)|*) < const { #rt::room(#degree, #bits) })
        });
        let differences = indices.differences.iter().map(|(a, b)| {
            let (a, b) = (self.expr(a), self.expr(b));
            quote!(#a.number() >= #b.number())
        });
        let (mut exact, mut fits) = (TokenStream::new(), Vec::new());
        for stmt in &indices.exact.stmts {
            if let StmtKind::Check(check) = &stmt.kind
                && let Check::Fits(index) = &**check
            {
                let index = self.expr(index);
                fits.push(quote!(#index.get().is_some()));
            } else {
                exact.extend(self.stmts(std::slice::from_ref(stmt)))
            }
        }
        quote! {
            !(true #(&& #below)* #(&& #differences)*) && !#rt::seldom(|| { #exact true #(&& #fits)* })
        }
    }

    /// A number that indices are made of, beside others.
    fn number_of(&self, e: &Expr) -> TokenStream {
        let number = self.bare(e);
        if let ExprKind::Function(Function::Number, _) = e.kind {
            number.into()
        } else {
            quote!((#number))
        }
    }

    pub(super) fn buffer(&self, buffer: &Buffer) -> TokenStream {
        let (rt, name) = (self.rt(), self.name(buffer.var));
        match buffer.kind {
            BufferKind::Totals(sums) => {
                let sums = literal::count(sums);
                let element = self.func.var(buffer.var).ty.element();
                let ty = self.known(&element).unwrap_or_else(|| quote!(_));
                quote!(let mut #name: [#ty; #sums] = [0.0; #sums];)
            }
            BufferKind::Contributions(None) => quote!(let mut #name = #rt::Contributions::new();),
            BufferKind::Contributions(Some(length)) => {
                let length = literal::count(length);
                quote! {
                    let mut #name = #rt::ContributionRows::<_, _, { #rt::MAX_SHIFT + #length }>::new();
                }
            }
            BufferKind::Numbers { lanes, .. } => self.numbers(buffer.var, lanes),
            BufferKind::Products { fused } => {
                quote!(let mut #name = #rt::Products::<_, #fused>::new();)
            }
            BufferKind::PartialSums(rows) => {
                let rows = literal::count(rows);
                let element = self.func.var(buffer.var).ty.element().element();
                let ty = self.known(&element).unwrap_or_else(|| quote!(_));
                quote! {
                    let mut #name: [[#ty; #rt::PARTIAL]; #rows] =
                        [[::core::default::Default::default(); #rt::PARTIAL]; #rows];
                }
            }
        }
    }

    /// What a kernel is given: a window as it is.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other values are handed over as they are"
    )]
    pub(super) fn shared(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Read(place) if matches!(e.ty, Ty::Slice(_)) => {
                self.place(place, Use::Read).into()
            }
            ExprKind::Read(place) if e.ty == Ty::Passive => self.place(place, Use::Read).into(),
            _ => self.bare(e).into(),
        }
    }

    /// A variable that is not used again, as it is; of an array with one for each seed, nothing can be moved.
    fn moved(&self, e: &Expr) -> TokenStream {
        match e.place().filter(|place| !self.is_wide(place.root)) {
            Some(place) => self.place(place, Use::Read).into(),
            None => self.bare(e).into(),
        }
    }

    pub(super) fn function(&self, function: Function, exprs: &[Expr], ty: &Ty) -> TokenStream {
        let rt = self.rt();
        let args: Vec<TokenStream> = exprs.iter().map(|e| self.shared(e)).collect();
        let first = args.first();
        match function {
            Function::Partial => quote!(#rt::PARTIAL),
            Function::MaxBlock => quote!(#rt::MAX_BLOCK),
            Function::Min => quote!(::core::cmp::Ord::min(#(#args),*)),
            Function::Max => quote!(::core::cmp::Ord::max(#(#args),*)),
            Function::Ahead => quote!(#rt::AHEAD),
            Function::Select => {
                let (yes, no) = (args.get(1), args.get(2));
                quote!((if #first { #yes } else { #no }))
            }
            Function::SumRow => {
                let row = args.get(1);
                quote!(#rt::sum_row(#first.row(#row)))
            }
            Function::Checked => quote!(#rt::Ix::of(#first)),
            Function::Known => quote!(#rt::At::of(#first)),
            Function::Number => quote!(#first.number()),
            Function::Count => {
                let end = args.get(1);
                quote!(::core::iter::Iterator::count(#first..#end))
            }
            Function::CountInclusive => {
                let end = args.get(1);
                quote!(::core::iter::Iterator::count(#first..=#end))
            }
            Function::Trips => quote!(#rt::trips(#(#args),*)),
            Function::Difference => quote!(<usize>::saturating_sub(#(#args),*)),
            Function::Total => quote!(#rt::total(#first)),
            Function::OneIf => quote!(<usize>::from(#first)),
            Function::Panel => quote!(#rt::PANEL),
            Function::PanelHeight(rows) => {
                let rows = literal::count(rows);
                quote!(#rt::panel_height::<#rows>(#first))
            }
            Function::LoadPanel => quote!(#rt::load_panel::<_, { #rt::PANEL }>(#(#args),*)),
            Function::Row => {
                let row = args.get(1);
                quote!(#first.row(#row))
            }
            Function::Four => quote!(#rt::FOUR),
            Function::Load4 => self.load4(ty, exprs),
            Function::Moved => self.moved(&exprs[0]),
            Function::Zeros => quote!(#rt::zeros(#first)),
            Function::Splat4 => self.splat4(ty, &first.cloned().unwrap_or_default()),
        }
    }
}
