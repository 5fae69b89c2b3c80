//! Loops in two versions: checks, windows, records in strips, buffers, kernels.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::ir::versions::{
    Below, Buffer, BufferKind, Check, Function, NoOverflow, Part, Versioned, Window, Windows,
};
use crate::ir::{Direction, Expr, ExprKind, StmtKind, Ty, VarId, literal};
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

    pub(super) fn windows(&self, windows: &Windows) -> TokenStream {
        let (rt, leave) = (self.rt(), self.leave());
        let some = quote!(::core::option::Option::Some);
        let bounds = |window: &Window| (self.expr(&window.first), self.expr(&window.last));
        match windows {
            Windows::Groups(group) => {
                let (name, size) = (self.name(group.var), literal::count(group.size));
                if group.mutable {
                    let of = self.place(&group.of, Use::Write);
                    quote!(let #name = #rt::groups_mut::<_, #size>(&mut #of);)
                } else {
                    let of = self.place(&group.of, Use::Read);
                    quote!(let #name = #rt::groups::<_, #size>(&#of);)
                }
            }
            Windows::Element { var, of, at } => {
                let (name, of, at) = (self.name(*var), self.place(of, Use::Read), self.expr(at));
                quote!(let #some(#name) = #rt::element(&#of, #at) else { #leave };)
            }
            Windows::Read { window, len } => {
                let (name, of) = (self.name(window.var), self.place(&window.of, Use::Read));
                let ((first, last), len) = (bounds(window), self.bare(len));
                let mirror = self.mirror(window.var, false);
                quote!(let #some(#name) = #rt::view(&#of, #first, #last, #len) else { #leave }; #mirror)
            }
            Windows::Write { windows, len } => {
                let len = self.bare(len);
                let names = windows.iter().map(|window| self.name(window.var));
                let mirror: TokenStream = (windows.iter())
                    .filter_map(|window| self.mirror(window.var, true))
                    .collect();
                let of = self.place(&windows[0].of, Use::Write);
                if let [window] = windows.as_slice() {
                    let (first, last) = bounds(window);
                    return quote!(let #some(#(#names)*) = #rt::view_mut(&mut #of, #first, #last, #len) else {
                        #leave }; #mirror);
                }
                let bounds = windows.iter().map(|window| {
                    let (first, last) = bounds(window);
                    quote!((#first, #last))
                });
                quote!(let #some([#(#names),*]) = #rt::views_mut(&mut #of, [#(#bounds),*], #len) else { #leave };
                    #mirror)
            }
            Windows::Extent { window, len } => {
                let (name, of) = (self.name(window.var), self.place(&window.of, Use::Read));
                let ((first, last), len) = (bounds(window), self.bare(len));
                quote!(let #some(#name) = #rt::within(#of.len(), #first, #last, #len) else { #leave };)
            }
            Windows::Stencil {
                var,
                arrays,
                first,
                last,
                len,
                around,
                steps,
            } => {
                let ty = self.func.var(arrays[0]).ty.element();
                let ty = self.known(&ty).unwrap_or_else(|| quote!(_));
                let (name, [a, b]) = (self.name(*var), arrays.map(|of| self.name(of)));
                let (first, last) = (self.expr(first), self.expr(last));
                let (len, steps) = (self.bare(len), self.bare(steps));
                let [left, right] = around.map(literal::count);
                quote!(let #some(#name) = #rt::Stencil::of::<#ty>([#a.len(), #b.len()], (#first, #last, #len),
                    (#left, #right), #steps) else { #leave };)
            }
            Windows::Records {
                var,
                strip,
                len,
                direction,
            } => self.records_of((*var, *strip), len, *direction),
            Windows::PerLane(windows) => self.per_lane(windows),
            Windows::Rows(rows) => self.rows_of(rows),
            Windows::Panel(panel) => self.panel(panel),
            Windows::Part { .. }
            | Windows::Narrow { .. }
            | Windows::Shift { .. }
            | Windows::ShiftRecords { .. }
            | Windows::NarrowRecords { .. } => self.parts_of_windows(windows),
        }
    }

    /// Parts of windows, which are there.
    fn parts_of_windows(&self, windows: &Windows) -> TokenStream {
        let some = quote!(::core::option::Option::Some);
        match windows {
            Windows::Part { var, part } => {
                let (name, part) = (self.name(*var), self.part_of(part));
                let mirror = self.mirror(*var, true);
                quote!(let #name = #part; #mirror)
            }
            Windows::Narrow {
                vars,
                written,
                from,
                len,
            } => {
                let behind = (!from.is_zero_literal()).then(|| self.bare(from));
                let (behind, len) = (behind.map(|from| quote!([#from..])), self.bare(len));
                let part = quote!(#behind[..#len]);
                let narrow = |v: &VarId| {
                    if self.is_mirrored(*v) {
                        let (name, from) = (self.name(*v), self.bare(from));
                        let mutable = written.then(|| quote!(mut));
                        return quote!(let #mutable #name = #name.part(#from, #len););
                    }
                    self.narrow(*v, *written, &part)
                };
                vars.iter().map(narrow).collect()
            }
            Windows::Shift { var, of, from, len } => {
                let (name, of) = (self.name(*var), self.name(*of));
                let (from, len) = (self.bare(from), self.bare(len));
                quote!(let #name = &#of[#from..][..#len];)
            }
            Windows::ShiftRecords { var, of, from, len } => {
                let (name, of) = (self.name(*var), self.name(*of));
                let (from, len) = (self.bare(from), self.bare(len));
                quote!(let #some(#name) = #of.part(#from, #len) else { ::core::unreachable!() };)
            }
            Windows::NarrowRecords {
                var,
                strip,
                from,
                len,
                direction,
            } => {
                let (name, strip) = (self.name(*var), self.name(*strip));
                let (from, len) = (self.bare(from), self.bare(len));
                let part = match direction {
                    Direction::Forward => quote!(#some(mut #name) = #strip.slots(#from, #len)),
                    Direction::Reverse => quote!(#some(#name) = #name.part(#from, #len)),
                };
                quote!(let #part else { ::core::unreachable!() };)
            }
            Windows::Groups(_)
            | Windows::Element { .. }
            | Windows::Read { .. }
            | Windows::Write { .. }
            | Windows::Extent { .. }
            | Windows::PerLane(_)
            | Windows::Rows(_)
            | Windows::Panel(_)
            | Windows::Stencil { .. }
            | Windows::Records { .. } => unreachable!("made by a check"),
        }
    }

    /// Elements of an array by an extent.
    pub(super) fn part_of(&self, part: &Part) -> TokenStream {
        let of = self.place(&part.of, Use::Write);
        let len = self.bare(&part.len);
        let then = part.then.as_ref().map(|(from, len)| {
            let (from, len) = (self.bare(from), self.bare(len));
            quote!([#from..][..#len])
        });
        let Some(extent) = part.extent.map(|extent| self.name(extent)) else {
            let from = self.bare(&part.from);
            return quote!(&mut #of[#from..][..#len]#then);
        };
        if part.from.is_zero_literal() {
            return quote!(&mut #of[#extent.start()..][..#len]#then);
        }
        let from = self.bare(&part.from);
        if part.behind {
            quote!(&mut #of[#extent.start() + #from..][..#len]#then)
        } else {
            quote!(#extent.part(&mut #of, #from, #len))
        }
    }

    /// Whether the elements of a window are counted from its end.
    pub(super) fn is_mirrored(&self, var: VarId) -> bool {
        matches!(self.func.var(var).ty, Ty::Mirrored(_))
    }

    /// From here on, the elements of a mirrored window, which is a slice, are counted from its end.
    pub(super) fn mirror(&self, var: VarId, written: bool) -> Option<TokenStream> {
        let (rt, name) = (self.rt(), self.name(var));
        self.is_mirrored(var).then(|| {
            if written {
                quote!(let mut #name = #rt::MirroredMut::of(#name);)
            } else {
                quote!(let #name = #rt::Mirrored::of(#name);)
            }
        })
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
            Function::Splat4 => self.splat4(ty, &first.cloned().unwrap_or_default()),
        }
    }
}
