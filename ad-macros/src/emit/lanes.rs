//! Several iterations side by side: windows and numbers for each of them, panels of rows.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::lanes::{Corners, InRegisters, Lanes, Matrix, OfProducts, Panel, PerLane, Rows};
use crate::ir::versions::{Disjoint, KernelBody};
use crate::ir::{Expr, ExprKind, Ty, VarId, literal};

use super::expr::Use;
use super::{Emitter, own};

impl Emitter<'_> {
    pub(super) fn per_lane(&self, windows: &PerLane) -> TokenStream {
        let (rt, leave) = (self.rt(), self.leave());
        let PerLane {
            window,
            lane,
            at,
            len,
            ..
        } = windows;
        let (name, lane, len) = (self.name(window.var), self.name(*lane), self.bare(len));
        let (at, number) = (self.name(at.0), self.bare(&at.1));
        let (first, last) = (self.expr(&window.first), self.expr(&window.last));
        let lanes = literal::count(windows.lanes);
        let all = if let Some(row) = &windows.row {
            let row = self.expr(row);
            if windows.written {
                let of = self.place(&window.of, Use::Write);
                quote!(#rt::list_rows_mut::<_, _, #lanes>(&mut #of, #len, |#lane| {
                    let #at = #number;
                    (#row, #first, #last)
                }))
            } else {
                let of = self.place(&window.of, Use::Read);
                quote!(#rt::rows::<_, #lanes>(|#lane| {
                    let #at = #number;
                    #rt::view(#rt::element(&#of, #row)?, #first, #last, #len)
                }))
            }
        } else if windows.written {
            let of = self.place(&window.of, Use::Write);
            quote!(#rt::rows_mut::<_, #lanes>(&mut #of, #len, |#lane| { let #at = #number; (#first, #last) }))
        } else {
            let of = self.place(&window.of, Use::Read);
            quote!(#rt::rows::<_, #lanes>(|#lane| { let #at = #number; #rt::view(&#of, #first, #last, #len) }))
        };
        quote!(let ::core::option::Option::Some(#name) = #all else { #leave };)
    }

    pub(super) fn rows_of(&self, rows: &Rows) -> TokenStream {
        let (name, leave) = (self.name(rows.var), self.leave());
        let mutable = rows.written.then(|| quote!(mut));
        let matrix = self.matrix(&rows.matrix, rows.written);
        quote!(let ::core::option::Option::Some(#mutable #name) = #matrix else { #leave };)
    }

    /// Rows of an array or of a list, if they lie so.
    fn matrix(&self, matrix: &Matrix, written: bool) -> TokenStream {
        let rt = self.rt();
        let (rows, len) = (self.bare(&matrix.rows), self.bare(&matrix.len));
        let all = |exprs: &[Expr]| {
            let exprs = exprs.iter().map(|e| self.expr(e));
            quote!([#(#exprs),*])
        };
        let (kind, corners) = match &matrix.corners {
            Corners::Array { starts, ends } => {
                let (starts, ends) = (all(starts), all(ends));
                (
                    "Matrix",
                    quote!(#rt::Corners { starts: #starts, ends: #ends }),
                )
            }
            Corners::List { rows, columns } => {
                let (rows, columns) = (all(rows), all(columns));
                (
                    "ListMatrix",
                    quote!(#rt::ListCorners { rows: #rows, columns: #columns }),
                )
            }
        };
        if written {
            let (kind, of) = (
                own(&format!("{kind}Mut")),
                self.place(&matrix.of, Use::Write),
            );
            return quote!(#rt::#kind::of(&mut #of, #corners, #rows, #len));
        }
        let (kind, of) = (own(kind), self.place(&matrix.of, Use::Read));
        quote!(#rt::#kind::of(&#of, #corners, #rows, #len))
    }

    pub(super) fn panel(&self, panel: &Panel) -> TokenStream {
        let (name, of) = (self.binding(panel.var), self.name(panel.of));
        let [row, rows, column] = [&panel.row, &panel.rows, &panel.column].map(|e| self.bare(e));
        let width = self.lanes(panel.width);
        quote!(let #name = #of.panel::<#width>(#row, #rows, #column);)
    }

    /// A constant, as an argument of a generic function.
    fn lanes(&self, lanes: Lanes) -> TokenStream {
        let rt = self.rt();
        match lanes {
            Lanes::Count(n) => {
                let n = literal::count(n);
                quote!(#n)
            }
            Lanes::Panel => quote!({ #rt::PANEL }),
        }
    }

    /// Numbers side by side, which are zero.
    pub(super) fn numbers(&self, var: VarId, lanes: Lanes) -> TokenStream {
        let (name, lanes) = (self.name(var), self.lanes(lanes));
        let element = self.func.var(var).ty.element();
        let zero = if element == Ty::Bool {
            quote!(false)
        } else if let Ty::Four(number) = &element {
            self.splat4(&element, &self.zero(number))
        } else if let Ty::F32 | Ty::F64 = element {
            self.zero(&element)
        } else {
            quote!(::core::default::Default::default())
        };
        quote!(let mut #name = [#zero; #lanes];)
    }

    pub(super) fn in_registers(&self, inside: &InRegisters) -> TokenStream {
        let names: Vec<&Ident> = inside.vars.iter().map(|v| self.name(*v)).collect();
        let body = self.block(&inside.body);
        quote! {
            let (#(mut #names,)*) = {
                #(let mut #names = #names;)*
                #body
                (#(#names,)*)
            };
        }
    }

    /// How many windows a variable stands for that has one for each of some iterations.
    fn windows_side_by_side(&self, var: VarId) -> Option<usize> {
        let Ty::Array(_, Some(len)) = &self.func.var(var).ty else {
            return None;
        };
        usize::try_from(len.number()?).ok()
    }

    /// From here on, windows have as many elements as it says.
    pub(super) fn narrow(&self, var: VarId, written: bool, part: &TokenStream) -> TokenStream {
        let (name, mutable) = (self.name(var), written.then(|| quote!(mut)));
        match self.windows_side_by_side(var) {
            Some(_) => quote!(let #name = #name.map(|row| &#mutable row #part);),
            None => quote!(let #name = &#mutable #name #part;),
        }
    }

    /// A closure that has the windows as its arguments: only of arguments does the optimiser know that a slice which
    /// is written meets no other. It also has to see again how many elements there are.
    pub(super) fn disjoint(&self, disjoint: &Disjoint) -> TokenStream {
        let (mut params, mut args) = (TokenStream::new(), TokenStream::new());
        let (mut pack, mut unpack, mut again) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let (len, body) = (self.bare(&disjoint.len), self.block(&disjoint.body));
        let part = quote!([..#len]);
        for side_by_side in [false, true] {
            for (vars, written) in [(&disjoint.reads, false), (&disjoint.edits, true)] {
                for var in vars {
                    let (name, lanes) = (self.name(*var), self.windows_side_by_side(*var));
                    if lanes.is_some() != side_by_side {
                        continue;
                    }
                    again.extend(self.narrow(*var, written, &part));
                    again.extend(self.mirror(*var, written));
                    let element = self.func.var(*var).ty.element();
                    let element = if side_by_side {
                        element.element()
                    } else {
                        element
                    };
                    let (element, mutable) = (self.known(&element), written.then(|| quote!(mut)));
                    let Some(lanes) = lanes else {
                        params.extend(quote!(#name: &#mutable [#element],));
                        args.extend(if self.is_mirrored(*var) {
                            quote!(#name.elements(),)
                        } else if written {
                            quote!(&mut *#name,)
                        } else {
                            quote!(#name,)
                        });
                        continue;
                    };
                    let one = |k| own(&format!("__{name}_{k}"));
                    let all: Vec<Ident> = (0..lanes).map(one).collect();
                    unpack.extend(quote!(let [#(#all),*] = #name;));
                    params.extend(quote!(#(#all: &#mutable [#element],)*));
                    args.extend(quote!(#(#all,)*));
                    pack.extend(quote!(let #name = [#(#all),*];));
                }
            }
        }
        quote! {
            #unpack
            (|#params| { #pack #again #body })(#args);
        }
    }

    /// What is done with products that wait.
    pub(super) fn products(
        &self,
        (store, what): (VarId, &OfProducts),
        to: Option<&TokenStream>,
        inputs: &[TokenStream],
        body: Option<&KernelBody>,
    ) -> TokenStream {
        let store = self.name(store);
        match what {
            OfProducts::Want {
                wanted,
                matrix,
                alone,
            } => {
                let (wanted, matrix) = (self.name(*wanted), self.matrix(matrix, true));
                quote!(let #wanted: bool = #store.wants(#matrix, #alone);)
            }
            OfProducts::Begin { .. } => {
                let (params, code) = self.params_and_code(body);
                let factor = body
                    .iter()
                    .flat_map(|body| &body.yields)
                    .map(|v| self.name(*v));
                quote!(#store.begin(&mut #to, |#(#params: usize),*| { #code #(#factor)* });)
            }
            OfProducts::Rows => {
                let (factors, rows) = (inputs.first(), inputs.get(1));
                quote!(#store.rows(&#factors[..#rows]);)
            }
            OfProducts::Add => quote!(#store.add(&mut #to);),
        }
    }

    /// The type of four numbers.
    pub(super) fn four(&self, ty: &Ty) -> TokenStream {
        let rt = self.rt();
        if ty.element() == Ty::F32 {
            quote!(#rt::F32x4)
        } else {
            quote!(#rt::F64x4)
        }
    }

    pub(super) fn splat4(&self, ty: &Ty, number: &TokenStream) -> TokenStream {
        let (rt, four) = (self.rt(), self.four(ty));
        quote!(#rt::splat4::<#four>(#number))
    }

    pub(super) fn load4(&self, ty: &Ty, args: &[Expr]) -> TokenStream {
        let (rt, four) = (self.rt(), self.four(ty));
        let [
            Expr {
                kind: ExprKind::Read(of),
                ..
            },
            at,
        ] = args
        else {
            unreachable!("a window and the number of an element");
        };
        let (of, at) = (self.place(of, Use::Read), self.bare(at));
        quote!(#rt::load4::<#four>(&#of, #at))
    }
}

/// Numbers side by side, which are the last of some arguments, by reference.
pub(super) fn with_numbers(args: &[TokenStream]) -> TokenStream {
    let Some((numbers, at)) = args.split_last() else {
        unreachable!("there are numbers");
    };
    quote!(#(#at,)* &#numbers)
}
