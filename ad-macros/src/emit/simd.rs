//! Loops whose bodies run on the numbers of several iterations at once, in registers.
//!
//! The body is a function of the kind of register, called for each run: it gets the slices, the arrays that are added
//! to, and what is the same for all iterations.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::registers::{Registers, Rounds};
use crate::ir::simd::{Cells, Near, Simd};
use crate::ir::{BinOp, Expr, ExprKind, Place, StmtKind, UnOp, VarId, literal};

use super::code::Code;
use super::expr::Use;
use super::{Emitter, own};

/// What sums in neighbouring cells add to a loop.
#[derive(Default)]
struct NearParts<'a> {
    cells: Vec<&'a Ident>,
    /// Which part of an array the cells are.
    ends: Vec<TokenStream>,
    waiting: Vec<&'a Ident>,
    /// What waits when the loop is done.
    rests: TokenStream,
}

/// Whether what the cells get is added up with what others get.
fn is_near(simd: &Simd, cells: VarId) -> bool {
    let others = |near: &Near| near.others.iter().any(|one| one.cells == cells);
    simd.near
        .iter()
        .any(|near| near.first == cells || others(near))
}

impl Emitter<'_> {
    pub(super) fn simd(&self, simd: &Simd) -> TokenStream {
        let (rt, n, done) = (self.rt(), self.name(simd.n), self.name(simd.done));
        let names = |vars: &[VarId]| vars.iter().map(|v| self.name(*v)).collect::<Vec<&Ident>>();
        let number = self.known(&simd.ty).unwrap_or_else(|| self.zero(&simd.ty));
        let (views, edits, sums) = (names(&simd.reads), names(&simd.edits), names(&simd.sums));
        let fixed_names = names(&simd.fixed.iter().map(|(var, _)| *var).collect::<Vec<_>>());
        let fixed = simd.fixed.iter().map(|(_, value)| self.bare(value));
        let alone: Vec<&Cells> = simd
            .cells
            .iter()
            .filter(|one| !is_near(simd, one.var))
            .collect();
        let cells = names(&alone.iter().map(|one| one.var).collect::<Vec<_>>());
        let extents = names(&alone.iter().map(|one| one.extent).collect::<Vec<_>>());
        let arrays = names(&alone.iter().map(|one| one.array).collect::<Vec<_>>());
        let targets = names(&simd.arrays.iter().map(|(var, _)| *var).collect::<Vec<_>>());
        let (lent, places) = self.cells_lent(simd);
        let (run, wide, totals) = (own("__side_by_side"), own("__Wide"), self.name(simd.totals));
        let near = self.near(simd);
        let (near_cells, near_ends) = (&near.cells, &near.ends);
        let (near_waiting, near_rests) = (&near.waiting, &near.rests);
        let (count, once) = (literal::count(sums.len()), own("__ONCE"));
        let at = (0..sums.len()).map(literal::count);
        let iterations = simd
            .body
            .stmts
            .iter()
            .map(|stmt| self.in_lanes(&stmt.kind, simd));
        let longest = quote!(<#number as #rt::simd::Element>::Longest);
        let half = quote!(<#number as #rt::simd::Element>::Half);
        let lanes = quote!(<#half as #rt::simd::Simd>::LANES);
        let runs = simd.runs.iter().map(|one| {
            let register = match one.registers {
                Registers::Longest => &longest,
                Registers::Half => &half,
                Registers::Single => &number,
            };
            let once_only = match one.rounds {
                Rounds::All => quote!(false),
                Rounds::One => quote!(true),
                Rounds::OneBehindPairs => quote!(#lanes <= 2),
            };
            let call = quote! {
                #done = #run::<#register, { #once_only }>(
                    #done, #n, &mut #totals, #(#views,)* #(&mut *#edits,)* #(#extents.cells(#arrays),)* #(#near_ends,)*
                    #(#fixed_names),*
                );
            };
            match one.registers {
                Registers::Longest | Registers::Single => call,
                Registers::Half => quote!(if #lanes < <#longest as #rt::simd::Simd>::LANES { #call }),
            }
        });
        quote! {
            #[inline(always)]
            fn #run<#wide: #rt::simd::Simd<Number = #number>, const #once: bool>(
                mut #done: usize,
                #n: usize,
                #totals: &mut [#number; #count],
                #(#views: &[#number],)*
                #(#edits: &mut [#number],)*
                #(#cells: &[::core::cell::Cell<#number>],)*
                #(#near_cells: &[::core::cell::Cell<#number>],)*
                #(#fixed_names: #number),*
            ) -> usize {
                #(let #views = &#views[..#n];)*
                #(let #edits = &mut #edits[..#n];)*
                #(let #cells = &#cells[..#n];)*
                #(let #fixed_names = <#wide as #rt::simd::Simd>::splat(#fixed_names);)*
                #(let mut #sums = <#wide as #rt::simd::Simd>::splat(0.0);)*
                #(let mut #near_waiting = #rt::simd::Waiting::<#wide>::nothing();)*
                while #rt::simd::goes_on::<#wide>(#done, #n) {
                    #(#iterations)*
                    #done += <#wide as #rt::simd::Simd>::LANES;
                    if #once { break; }
                }
                #near_rests
                #(#totals[#at] += #rt::simd::Simd::total(#sums);)*
                #done
            }
            #lent
            #(let #targets = #rt::simd::cells(&mut #places);)*
            #(let #fixed_names: #number = #fixed;)*
            #(#runs)*
        }
    }

    /// Borrows the arrays that cells lie in, those of one variable side by side, and what is borrowed for each.
    fn cells_lent(&self, simd: &Simd) -> (TokenStream, Vec<Code>) {
        let (mut lent, mut places) = (TokenStream::new(), Vec::new());
        for (k, (_, of)) in simd.arrays.iter().enumerate() {
            let of_variable = |(_, other): &&(VarId, Place)| other.root == of.root;
            if simd.arrays[..k].iter().any(|array| of_variable(&array)) {
                continue;
            }
            let all = simd.arrays.iter().filter(of_variable);
            let all: Vec<(VarId, &Place)> = all.map(|(var, of)| (*var, of)).collect();
            let (made, found) = self.lent_apart(&all);
            lent.extend(made);
            places.extend(all.iter().map(|(var, _)| *var).zip(found));
        }
        let place = |var: &VarId| places.iter().find(|(other, _)| other == var);
        let targets = simd.arrays.iter().filter_map(|(var, _)| place(var));
        let targets = targets.map(|(_, of)| self.place(of, Use::Write));
        (lent, targets.collect())
    }

    /// A statement on the numbers of all lanes: an element of a slice stands for as many from there on.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    fn in_lanes(&self, kind: &StmtKind, simd: &Simd) -> TokenStream {
        let (rt, done, wide) = (self.rt(), self.name(simd.done), own("__Wide"));
        match kind {
            StmtKind::Let {
                var,
                init: Some(value),
            } => {
                let name = self.name(*var);
                if let ExprKind::Read(place) = &value.kind
                    && simd.reads.contains(&place.root)
                {
                    let slice = self.name(place.root);
                    return quote!(let #name: #wide = #rt::simd::load(#slice, #done););
                }
                let value = self.lanes_of(value, simd);
                quote!(let mut #name: #wide = #value;)
            }
            StmtKind::Let { var, init: None } => {
                let name = self.name(*var);
                quote!(let mut #name: #wide;)
            }
            StmtKind::Assign { place, value, .. } => {
                let (name, value) = (self.name(place.root), self.lanes_of(value, simd));
                if place.is_var() {
                    quote!(#name = #value;)
                } else {
                    quote!(#rt::simd::store(#name, #done, #value);)
                }
            }
            StmtKind::Update { place, op, value } if is_near(simd, place.root) => {
                let value = self.lanes_of(value, simd);
                let value = if *op == BinOp::Sub {
                    quote!((-#value))
                } else {
                    value
                };
                let all = simd
                    .near
                    .iter()
                    .find_map(|near| self.near_sum(near, place.root, &value, done));
                all.unwrap_or_else(|| unreachable!("the cells belong to a sum"))
            }
            StmtKind::Update { place, op, value } => {
                let (name, value) = (self.name(place.root), self.lanes_of(value, simd));
                let operator = if *op == BinOp::Sub {
                    quote!(sub)
                } else {
                    quote!(add)
                };
                quote!(#rt::simd::#operator(#name, #done, #value);)
            }
            _ => unreachable!("numbers are declared, assigned and added"),
        }
    }

    /// Adds to a sum of what neighbouring cells get, which goes to memory behind its last part.
    fn near_sum(
        &self,
        near: &Near,
        cells: VarId,
        value: &TokenStream,
        done: &Ident,
    ) -> Option<TokenStream> {
        let (rt, sum, to) = (self.rt(), self.name(near.sum), self.name(near.cells));
        if cells == near.first {
            return Some(quote!(let mut #sum = #rt::simd::Near::first(#value);));
        }
        let at = near.others.iter().position(|one| one.cells == cells)?;
        let one = &near.others[at];
        let (waiting, by) = (self.name(one.waiting), literal::count(one.by));
        let last = (at + 1 == near.others.len()).then(|| quote!(#sum.add(#to, #done);));
        Some(quote! {
            #sum.and(#to, #done, &mut #waiting, #value, #by);
            #last
        })
    }

    fn near(&self, simd: &Simd) -> NearParts<'_> {
        let done = self.name(simd.done);
        let mut parts = NearParts::default();
        for near in &simd.near {
            let of = |var: VarId| simd.cells.iter().find(|one| one.var == var);
            let last = near.others.last().and_then(|one| of(one.cells));
            let (Some(first), Some(last)) = (of(near.first), last) else {
                unreachable!("sums in neighbouring cells have several")
            };
            let [from, to, array] =
                [first.extent, last.extent, first.array].map(|var| self.name(var));
            let cells = self.name(near.cells);
            parts.cells.push(cells);
            parts.ends.push(quote!(#from.cells_through(#to, #array)));
            for one in &near.others {
                let (waiting, by) = (self.name(one.waiting), literal::count(one.by));
                parts.waiting.push(waiting);
                parts
                    .rests
                    .extend(quote!(#waiting.add(#cells, #done, #by);));
            }
        }
        parts
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    fn lanes_of(&self, e: &Expr, simd: &Simd) -> TokenStream {
        let rt = self.rt();
        let of = |e: &Expr| self.lanes_of(e, simd);
        match &e.kind {
            ExprKind::Read(place) => self.lanes_at(place, simd),
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = of(a);
                quote!((-#a))
            }
            ExprKind::Math(_, args) => {
                let a = of(&args[0]);
                quote!(#rt::simd::Simd::root(#a))
            }
            ExprKind::Rule(rule, args) => {
                let name = own(rule.name());
                let args = args.iter().map(of);
                quote!(#rt::simd::#name(#(#args),*))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                match op {
                    BinOp::Add => quote!((#a + #b)),
                    BinOp::Sub => quote!((#a - #b)),
                    BinOp::Mul => quote!((#a * #b)),
                    _ => quote!((#a / #b)),
                }
            }
            _ => unreachable!("arithmetic"),
        }
    }

    fn lanes_at(&self, place: &Place, simd: &Simd) -> TokenStream {
        let (rt, done, wide) = (self.rt(), self.name(simd.done), own("__Wide"));
        let name = self.name(place.root);
        if place.is_var() {
            quote!(#name)
        } else {
            quote!(#rt::simd::load::<#wide>(#name, #done))
        }
    }
}
