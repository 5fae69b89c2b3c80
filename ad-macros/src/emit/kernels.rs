//! Calls of kernels of the runtime.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::versions::{Call, Kernel, KernelBody, KernelCall, Output, Procedure, Shifted};
use crate::ir::{Ty, VarId, literal};

use super::expr::Use;
use super::lanes::with_numbers;
use super::stmt::grouped;
use super::{Code, Emitter, own};

impl Emitter<'_> {
    #[expect(clippy::too_many_lines, reason = "one arm per kernel")]
    pub(super) fn kernel(&self, call: &KernelCall) -> TokenStream {
        let rt = self.rt();
        let inputs: Vec<TokenStream> = call.inputs.iter().map(|e| self.shared(e)).collect();
        let first = inputs.first();
        let outputs: Vec<TokenStream> = call.outputs.iter().map(|o| self.output(o)).collect();
        let to = outputs.first();
        let body = call.bodies.first();
        match &call.kernel {
            Kernel::Search { less, equal } => {
                let better = match (less, equal) {
                    (false, false) => quote!(Greater),
                    (false, true) => quote!(GreaterOrEqual),
                    (true, false) => quote!(Less),
                    (true, true) => quote!(LessOrEqual),
                };
                let (found, code) = self.params_and_code(body);
                quote! {
                    if let ::core::option::Option::Some(#(#found)*) = #rt::search::<#rt::#better, _>(#(#inputs),*) {
                        #code
                    }
                }
            }
            Kernel::Begin(front) => {
                let front = literal::count(*front);
                quote!(#to.begin::<#front>();)
            }
            Kernel::Compute { whole } => {
                let number = (!whole).then(|| quote!(#first,));
                let (params, code) = self.params_and_code(body);
                let yields = body.iter().flat_map(|body| &body.yields);
                let yields = yields.map(|v| self.name(*v));
                quote!(#to.compute(#number |#(#params),*| { #code [#(#yields),*] });)
            }
            Kernel::Carry { front, rows } => {
                let front = literal::count(*front);
                let rows = rows.iter().map(|row| literal::count(*row));
                quote!(#to.carry::<#front, _>([#(#rows),*]);)
            }
            Kernel::Gather(rows) => {
                let rows = shifted(rows);
                quote!(#rt::gather(#to, &#first, #rows);)
            }
            Kernel::GatherAnew(rows) => {
                let rows = shifted(rows);
                quote!(#rt::gather_anew(#to, &#first, #rows);)
            }
            Kernel::ForwardTiles(site) | Kernel::ReverseTiles(site) => {
                self.tiles(call, self.site(*site), &inputs, &outputs)
            }
            Kernel::GatherRest(rows) => {
                let rows = shifted(rows);
                quote!(#rt::gather_rest(#to, &#first, #rows);)
            }
            Kernel::GatherEnds { terms, call } => {
                let (lo, hi, n) = (&inputs[0], &inputs[1], &inputs[2]);
                let (terms, call) = (shifted(terms), self.procedure_call(call, true));
                let (params, _) = self.params_and_code(body);
                quote!(#rt::gather_ends(#to, #lo..#hi, #n, #terms, |#(#params),*| { #call });)
            }
            Kernel::AddContribution {
                row,
                subtract,
                call,
            } => {
                let (row, call) = (literal::count(*row), self.procedure_call(call, false));
                if *subtract {
                    quote!(#to -= #call[#row];)
                } else {
                    quote!(#to += #call[#row];)
                }
            }
            Kernel::AddRow {
                row,
                subtract,
                mirrored,
            } => {
                let row = literal::count(*row);
                let function = own(match (subtract, mirrored) {
                    (false, false) => "add_row",
                    (true, false) => "sub_row",
                    (false, true) => "add_row_mirrored",
                    (true, true) => "sub_row_mirrored",
                });
                quote!(#rt::#function(#to, #first.row(#row));)
            }
            Kernel::Products { store, what } => self.products((*store, what), to, &inputs, body),
            Kernel::SetRow => {
                let numbers = with_numbers(&inputs);
                quote!(#to.set_row(#numbers);)
            }
            Kernel::SetRowEnd => {
                let numbers = with_numbers(&inputs);
                quote!(#to.set_end(#numbers);)
            }
            Kernel::StorePanel => {
                let numbers = with_numbers(&inputs);
                quote!(#rt::store_panel(#to, #numbers);)
            }
            Kernel::StorePanelEnd => {
                let numbers = with_numbers(&inputs);
                quote!(#rt::store_panel_end(#to, #numbers);)
            }
            Kernel::AddTransposed { subtract: false } => {
                quote!(#rt::add_transposed(&mut #to, &#first);)
            }
            Kernel::AddTransposed { subtract: true } => {
                quote!(#rt::sub_transposed(&mut #to, &#first);)
            }
            Kernel::EachOfRow(row) => {
                let row = literal::count(*row);
                let (params, code) = self.params_and_code(body);
                quote!(for #(#params)* in #first.row(#row) { #code })
            }
            Kernel::ZipRow { row, mirrored } => {
                let row = literal::count(*row);
                let to = if *mirrored {
                    quote!(::core::iter::Iterator::rev(#to.iter_mut()))
                } else {
                    quote!(#to.iter_mut())
                };
                let (params, code) = self.params_and_code(body);
                quote! {
                    for (#(#params),*) in ::core::iter::Iterator::zip(#to, #first.row(#row)) { #code }
                }
            }
        }
    }

    /// `whole`: on all of the windows.
    fn procedure_call(&self, call: &Call, whole: bool) -> TokenStream {
        let (name, records) = (self.name(call.procedure), call.records);
        let slices = call.slices.iter().map(|v| {
            let name = self.name(*v);
            if whole {
                quote!(&#name[..])
            } else {
                quote!(#name)
            }
        });
        let records = records.map(|v| {
            let name = self.name(v);
            quote!(#name,)
        });
        let (lane, number) = (self.bare(&call.lane), self.bare(&call.number));
        quote!(#name(#(#slices,)* #records #lane, #number))
    }

    pub(super) fn procedure(&self, procedure: &Procedure) -> TokenStream {
        let element = |var: &VarId| self.known(&self.func.var(*var).ty.element());
        let known = |var: &VarId| self.known(&self.func.var(*var).ty);
        let (name, lane, number) = (
            self.name(procedure.var),
            self.name(procedure.lane),
            self.name(procedure.number),
        );
        let slices = procedure.slices.iter().map(|v| self.name(*v));
        let elements = procedure.slices.iter().map(element);
        let record = procedure.records.as_ref().map(|(records, vars)| {
            let types = vars.iter().filter_map(known).map(Code::from);
            let types = grouped(types.collect());
            let (rt, records) = (self.rt(), self.name(*records));
            quote!(#records: #rt::StripRecords<'_, #types>,)
        });
        let body = self.block(&procedure.body);
        let values = procedure.yields.iter().map(|v| self.name(*v));
        let ty = procedure.yields.first().and_then(known);
        let rows = literal::count(procedure.yields.len());
        quote! {
            let #name = |#(#slices: &[#elements],)* #record #lane: usize, #number: usize| -> [#ty; #rows] {
                #body
                [#(#values),*]
            };
        }
    }

    /// The steps of a time loop, forward or in reverse.
    fn tiles(
        &self,
        call: &KernelCall,
        site: TokenStream,
        inputs: &[TokenStream],
        outputs: &[TokenStream],
    ) -> TokenStream {
        let (rt, tape, cells, steps) = (self.rt(), own("__tape"), &inputs[0], &inputs[1]);
        let bodies = call.bodies.iter().map(|body| self.closure(body));
        let (values, adjoints) = outputs.split_at(2);
        let values = quote!([#(&mut #values[..]),*]);
        if adjoints.is_empty() {
            return quote!(#rt::forward_tiles(#tape, #site, #values, &#cells, #steps, #(#bodies),*););
        }
        quote! {
            #rt::reverse_tiles(#tape, #site, [#values, [#(&mut #adjoints[..]),*]], &#cells, #steps, #(#bodies),*);
        }
    }

    /// Code on slices and numbers, with their types; it writes to the last one.
    fn closure(&self, body: &KernelBody) -> TokenStream {
        let (names, code) = self.params_and_code(Some(body));
        let types = body.params.iter().map(|var| {
            let info = self.func.var(*var);
            let Ty::Slice(element) = &info.ty else {
                return self.known(&info.ty).unwrap_or_else(|| quote!(_));
            };
            let element = self.known(element).unwrap_or_else(|| quote!(_));
            if body.params.last() == Some(var) {
                quote!(&mut [#element])
            } else {
                quote!(&[#element])
            }
        });
        quote!(|#(#names: #types),*| { #code })
    }

    pub(super) fn params_and_code(&self, body: Option<&KernelBody>) -> (Vec<&Ident>, TokenStream) {
        let params = body.iter().flat_map(|body| &body.params);
        let params = params.map(|v| self.name(*v)).collect();
        let code = body.map(|body| self.block(&body.block));
        (params, code.unwrap_or_default())
    }

    fn output(&self, output: &Output) -> TokenStream {
        match output {
            Output::Place(place) => self.place(place, Use::Write).into(),
            Output::Part(part) => self.part_of(part),
        }
    }
}

/// Rows of contributions, shifted.
fn shifted(rows: &[Shifted]) -> TokenStream {
    let rows = rows.iter().map(|one| {
        let (row, shift, minus) = (
            literal::count(one.row),
            literal::count(one.shift),
            one.minus,
        );
        quote!((#row, #shift, #minus))
    });
    quote!([#(#rows),*])
}
