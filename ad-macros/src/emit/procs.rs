//! Procedures, and where they run.
//!
//! A procedure is a closure that captures nothing but other procedures: unlike a nested `fn`, it sees the generic
//! parameters of the function, and those of the block that it stands in. Numbers go in and come back by value, so that
//! they stay in registers; all else is borrowed.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{
    Given, Interface, Passing, Place, ProcId, Proj, Run, Stmt, Sweeps, Ty, VarId, behind,
};

use super::Emitter;
use super::expr::Use;

fn name(proc: ProcId) -> Ident {
    super::own(&format!("__procedure_{}", proc.0))
}

impl Emitter<'_> {
    /// The procedures that some statements run.
    pub(super) fn procs<'s>(
        &self,
        sweeps: &'s Sweeps,
        lists: impl IntoIterator<Item = &'s Vec<Stmt>>,
    ) -> TokenStream {
        let procs = sweeps.procs_of(lists).into_iter().map(|id| {
            let (name, proc) = (name(id), &sweeps.procs[id.0]);
            let given = proc.interface.given.iter();
            let params = given.clone().map(|(var, given)| self.param(*var, *given));
            let lent = given.filter(|(var, given)| {
                *given != Given::Value && !matches!(self.func.var(*var).ty, Ty::Ref(..))
            });
            self.lent.replace(lent.map(|(var, _)| *var).collect());
            let (body, result) = (self.block(&proc.body), self.returned(&proc.interface));
            self.lent.take();
            quote!(let #name = |#(#params),*| { #body #result };)
        });
        procs.collect()
    }

    fn param(&self, var: VarId, given: Given) -> TokenStream {
        let name = self.name(var);
        let param = self.func.params.iter().find(|param| param.var == var);
        if let (Given::Shared, Some(param)) = (given, param)
            && param.passing == Passing::Shared
        {
            let ty = &param.written;
            return quote!(#name: #ty);
        }
        // `&mut` lasts as long as the procedure runs, whatever lifetime it is written with.
        let ty = match param.and_then(behind) {
            Some(written) => quote!(#written),
            None => self
                .annotation(&self.func.var(var).ty)
                .map_or_else(|| quote!(_), TokenStream::from),
        };
        match given {
            Given::Value => {
                let binding = self.binding(var);
                quote!(#binding: #ty)
            }
            Given::Shared => quote!(#name: &#ty),
            Given::Exclusive => quote!(#name: &mut #ty),
        }
    }

    fn returned(&self, interface: &Interface) -> TokenStream {
        let names: Vec<&Ident> = interface.returns().map(|var| self.name(var)).collect();
        match names.as_slice() {
            [one] => quote!(#one),
            several => quote!((#(#several),*)),
        }
    }

    /// Runs a procedure.
    pub(super) fn run(&self, run: &Run) -> TokenStream {
        let name = name(run.proc);
        let args = run.interface.given.iter().map(|(var, given)| {
            let mut place = Place::var(*var, self.name(*var).span());
            if matches!(self.func.var(*var).ty, Ty::Ref(..)) {
                place = place.then(Proj::Deref);
            }
            match given {
                Given::Value => self.place(&place, Use::Read).into(),
                Given::Shared => {
                    let place = self.place(&place, Use::Read);
                    quote!(&#place)
                }
                Given::Exclusive => {
                    let place = self.place(&place, Use::Write);
                    quote!(&mut #place)
                }
            }
        });
        let call = quote!(#name(#(#args),*));
        let mut returns = run.interface.returns();
        if returns.next().is_none() {
            return quote!(#call;);
        }
        let returned = self.returned(&run.interface);
        quote!(#returned = #call;)
    }
}
