//! Loops whose bodies run on the numbers of several iterations at once, in registers.
//!
//! The body is a function of the kind of register, called for the longest ones, for half as long ones, and for the
//! iterations that are left: it gets the slices, the arrays that are added to, and what is the same for all iterations.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::is_invariant;
use crate::ir::{BinOp, Expr, ExprKind, Place, Sliced, StmtKind, Ty, UnOp, VarId, literal};

use super::expr::Use;
use super::slices::target;
use super::{Emitter, own};

impl Emitter<'_> {
    pub(super) fn run_wide(&self, sliced: &Sliced, ty: &Ty) -> TokenStream {
        let (rt, n, done) = (self.rt(), own("__n"), own("__done"));
        let number = self.known(ty).unwrap_or_else(|| self.zero(ty));
        let body = Body::of(self, sliced, ty);
        let sums = Sums::of(self, sliced);
        let iterations = body.iterations(&sums.adds);
        let (targets, starts, arrays) = (&sums.targets, &sums.starts, &sums.arrays);
        let (names, places) = (&sums.names, &sums.places);
        let fixed = body.fixed.into_inner();
        let (fixed_names, fixed): (Vec<Ident>, Vec<TokenStream>) = fixed.into_iter().unzip();
        let views: Vec<&Ident> = sliced.views.iter().map(|(v, _)| self.name(*v)).collect();
        let edits = sliced.edits.iter().flatten();
        let edits: Vec<&Ident> = edits.map(|(v, _)| self.name(*v)).collect();
        let (accumulators, finish) = (&sums.accumulators, &sums.finish);
        let (run, wide, totals) = (own("__side_by_side"), own("__Wide"), own("__totals"));
        let count = literal::count(accumulators.len());
        let once = own("__ONCE");
        let call = |register: TokenStream, once: TokenStream| {
            quote! {
                #done = #run::<#register, { #once }>(
                    #done, #n, &mut #totals, #(#views,)* #(&mut *#edits,)* #(#starts.cells(#arrays),)* #(#fixed_names),*
                );
            }
        };
        let longest = call(
            quote!(<#number as #rt::simd::Element>::Longest),
            quote!(false),
        );
        let half = call(quote!(<#number as #rt::simd::Element>::Half), quote!(true));
        let lanes = quote!(<<#number as #rt::simd::Element>::Half as #rt::simd::Simd>::LANES);
        let rest = call(quote!(#number), quote!(#lanes <= 2));
        quote! {
            #[inline(always)]
            fn #run<#wide: #rt::simd::Simd<Number = #number>, const #once: bool>(
                mut #done: usize,
                #n: usize,
                #totals: &mut [#number; #count],
                #(#views: &[#number],)*
                #(#edits: &mut [#number],)*
                #(#starts: &[::core::cell::Cell<#number>],)*
                #(#fixed_names: #number),*
            ) -> usize {
                #(let #views = &#views[..#n];)*
                #(let #edits = &mut #edits[..#n];)*
                #(let #starts = &#starts[..#n];)*
                #(let #fixed_names = <#wide as #rt::simd::Simd>::splat(#fixed_names);)*
                #(let mut #accumulators = <#wide as #rt::simd::Simd>::splat(0.0);)*
                while #rt::simd::goes_on::<#wide>(#done, #n) {
                    #iterations
                    #done += <#wide as #rt::simd::Simd>::LANES;
                    if #once { break; }
                }
                #(#finish)*
                #done
            }
            let mut #totals: [#number; #count] = [0.0; #count];
            let mut #done: usize = 0;
            #(let #targets = #rt::simd::cells(&mut #places);)*
            #(let #fixed_names: #number = #fixed;)*
            #longest
            if #lanes
                < <<#number as #rt::simd::Element>::Longest as #rt::simd::Simd>::LANES
            {
                #half
            }
            #rest
            #(#names)*
        }
    }
}

/// What is added, and where.
#[derive(Default)]
struct Sums {
    /// What each adds to it.
    adds: Vec<TokenStream>,
    /// The arrays: as arguments, and where they are.
    targets: Vec<Ident>,
    places: Vec<TokenStream>,
    /// Where in them the elements of each sum are.
    starts: Vec<Ident>,
    arrays: Vec<Ident>,
    /// Sums that all iterations add to, for each kind of register.
    accumulators: Vec<Ident>,
    finish: Vec<TokenStream>,
    /// And behind the loop.
    names: Vec<TokenStream>,
}

impl Sums {
    fn of(emitter: &Emitter<'_>, sliced: &Sliced) -> Self {
        let (rt, done, totals) = (emitter.rt(), own("__done"), own("__totals"));
        let mut sums = Self::default();
        let mut texts: Vec<String> = Vec::new();
        for (k, sum) in sliced.sums.iter().enumerate() {
            let source = emitter.name(sum.source);
            let subtract = sum.op == BinOp::Sub;
            let Some(view) = &sum.along else {
                let accumulator = own(&format!("__sum_{k}"));
                let at = literal::count(sums.accumulators.len());
                let place = emitter.place(&sum.place, Use::Write);
                sums.adds
                    .push(quote!(#accumulator = #accumulator + #source;));
                sums.finish
                    .push(quote!(#totals[#at] += #rt::simd::Simd::total(#accumulator);));
                sums.names.push(if subtract {
                    quote!(#place -= #totals[#at];)
                } else {
                    quote!(#place += #totals[#at];)
                });
                sums.accumulators.push(accumulator);
                continue;
            };
            let of = emitter.place(&view.of, Use::Write);
            let text = of.to_string();
            let array = texts.iter().position(|t| *t == text).unwrap_or_else(|| {
                sums.targets.push(own(&format!("__of_{}", texts.len())));
                sums.places.push(of);
                texts.push(text);
                texts.len() - 1
            });
            let (array, start) = (sums.targets[array].clone(), target(k));
            let operator = if subtract { quote!(sub) } else { quote!(add) };
            sums.adds
                .push(quote!(#rt::simd::#operator(#start, #done, #source);));
            sums.starts.push(start);
            sums.arrays.push(array);
        }
        sums
    }
}

/// The body of the loop.
struct Body<'a> {
    emitter: &'a Emitter<'a>,
    sliced: &'a Sliced,
    ty: &'a Ty,
    slices: HashSet<VarId>,
    /// What changes from iteration to iteration.
    varying: HashSet<VarId>,
    /// What does not, computed in front of the loop.
    fixed: RefCell<Vec<(Ident, TokenStream)>>,
    /// Slices of which an element has been loaded.
    loaded: RefCell<Vec<VarId>>,
}

impl<'a> Body<'a> {
    fn of(emitter: &'a Emitter<'a>, sliced: &'a Sliced, ty: &'a Ty) -> Self {
        let edits = sliced.edits.iter().flatten();
        let slices = sliced.views.iter().chain(edits).map(|(var, _)| *var);
        let slices: HashSet<VarId> = slices.collect();
        let declared = sliced.body.stmts.iter().filter_map(|s| match &s.kind {
            StmtKind::Let { var, .. } => Some(*var),
            _ => None,
        });
        let varying = declared.chain(slices.iter().copied());
        let varying = varying.chain([sliced.lane, sliced.counter]);
        Self {
            emitter,
            sliced,
            ty,
            varying: varying.collect(),
            slices,
            fixed: RefCell::default(),
            loaded: RefCell::default(),
        }
    }

    /// The statements for the iterations from `__done` on. What goes into a sum is added as soon as it is there, as
    /// registers are few.
    fn iterations(&self, adds: &[TokenStream]) -> TokenStream {
        let (rt, done, wide) = (self.emitter.rt(), own("__done"), own("__Wide"));
        let mut out = TokenStream::new();
        let ready = self.ready();
        for (at, stmt) in self.sliced.body.stmts.iter().enumerate() {
            let before = self.loaded.borrow().len();
            let code = self.stmt(&stmt.kind);
            for var in &self.loaded.borrow()[before..] {
                let (lanes, slice) = (self.lanes(*var), self.emitter.name(*var));
                out.extend(quote!(let #lanes: #wide = #rt::simd::load(#slice, #done);));
            }
            out.extend(code);
            let ready = ready.iter().zip(adds).filter(|(last, _)| **last == at);
            out.extend(ready.map(|(_, add)| add.clone()));
        }
        out
    }

    /// For each sum the last statement that changes what is added to it.
    fn ready(&self) -> Vec<usize> {
        let mut last: HashMap<VarId, usize> = HashMap::new();
        for (at, stmt) in self.sliced.body.stmts.iter().enumerate() {
            let var = match &stmt.kind {
                StmtKind::Let { var, .. } => *var,
                StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => place.root,
                _ => continue,
            };
            last.insert(var, at);
        }
        let sums = self.sliced.sums.iter();
        sums.map(|sum| last.get(&sum.source).copied().unwrap_or_default())
            .collect()
    }

    fn stmt(&self, kind: &StmtKind) -> TokenStream {
        let wide = own("__Wide");
        match kind {
            StmtKind::Let { var, init } if self.emitter.func.var(*var).ty == *self.ty => {
                let name = self.emitter.name(*var);
                match init {
                    Some(value) => {
                        let value = self.value(value);
                        quote!(let mut #name: #wide = #value;)
                    }
                    None => quote!(let mut #name: #wide;),
                }
            }
            StmtKind::Assign { place, value, .. } => {
                let value = self.value(value);
                self.assign(place, &value)
            }
            StmtKind::Update { place, op, value } => {
                let (old, value) = (self.read(place), self.value(value));
                self.assign(place, &operation(*op, &old, &value))
            }
            _ => TokenStream::new(), // an index
        }
    }

    fn assign(&self, place: &Place, value: &TokenStream) -> TokenStream {
        let (rt, done, name) = (
            self.emitter.rt(),
            own("__done"),
            self.emitter.name(place.root),
        );
        if self.slices.contains(&place.root) {
            quote!(#rt::simd::store(#name, #done, #value);)
        } else {
            quote!(#name = #value;)
        }
    }

    fn read(&self, place: &Place) -> TokenStream {
        let (rt, done, name) = (
            self.emitter.rt(),
            own("__done"),
            self.emitter.name(place.root),
        );
        let view = self.sliced.views.iter().any(|(var, _)| *var == place.root);
        if view {
            let mut loaded = self.loaded.borrow_mut();
            if !loaded.contains(&place.root) {
                loaded.push(place.root);
            }
            let lanes = self.lanes(place.root);
            quote!(#lanes)
        } else if self.slices.contains(&place.root) {
            let wide = own("__Wide");
            quote!(#rt::simd::load::<#wide>(#name, #done))
        } else {
            quote!(#name)
        }
    }

    /// The variable for the elements of a slice that is only read.
    fn lanes(&self, slice: VarId) -> Ident {
        own(&format!("__{}_lanes", self.emitter.name(slice)))
    }

    fn value(&self, e: &Expr) -> TokenStream {
        let (rt, emitter) = (self.emitter.rt(), self.emitter);
        if is_invariant(e, &|var| self.varying.contains(&var)) {
            return self.once(e);
        }
        match &e.kind {
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = self.value(a);
                quote!((-#a))
            }
            ExprKind::Math(_, args) => {
                let a = self.value(&args[0]);
                quote!(#rt::simd::Simd::root(#a))
            }
            ExprKind::Rule(rule, args) => {
                let name = own(rule.name());
                let args = args.iter().map(|a| self.value(a));
                quote!(#rt::simd::#name(#(#args),*))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                operation(*op, &a, &b)
            }
            _ => {
                let value = emitter.expr(e);
                unreachable!("arithmetic, not {value}")
            }
        }
    }

    /// A value that is the same for all iterations.
    fn once(&self, e: &Expr) -> TokenStream {
        let value = self.emitter.bare(e);
        let mut fixed = self.fixed.borrow_mut();
        let text = value.to_string();
        let known = fixed.iter().find(|(_, other)| other.to_string() == text);
        if let Some((name, _)) = known {
            return quote!(#name);
        }
        let name = own(&format!("__fixed_{}", fixed.len()));
        fixed.push((name.clone(), value));
        quote!(#name)
    }
}

fn operation(op: BinOp, a: &TokenStream, b: &TokenStream) -> TokenStream {
    match op {
        BinOp::Add => quote!((#a + #b)),
        BinOp::Sub => quote!((#a - #b)),
        BinOp::Mul => quote!((#a * #b)),
        _ => quote!((#a / #b)),
    }
}
