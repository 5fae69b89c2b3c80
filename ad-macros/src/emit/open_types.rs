//! Numbers whose types the text does not show, `let a = 200;`.
//!
//! The uses of such a number decide its type. The reverse sweep has others than the forward sweep, so that the number,
//! computed again there, could be of another type, and have another value. The two are tied together:
//!
//! ```text
//! let __type_of_a = None;
//! let a = 200; same_type(&__type_of_a, &a); f += g(a);      // forward: the function takes a `u8`
//! let a = 200; same_type(&__type_of_a, &a); let v = a + 100; // reverse
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::hash::HashMap;
use crate::ir::{Stmt, StmtKind, Sweeps, VarId};

use super::Emitter;

impl Emitter<'_> {
    /// Declares what ties together the types of variables that these statements declare, and the procedures that they
    /// run.
    pub(super) fn open_types<'s, const N: usize>(
        &self,
        sweeps: &'s Sweeps,
        lists: [&'s Vec<Stmt>; N],
    ) -> TokenStream {
        let mut declared: HashMap<VarId, usize> = HashMap::default();
        lists
            .into_iter()
            .for_each(|stmts| self.count(stmts, &mut declared));
        for id in sweeps.procs_of(lists) {
            self.count(&sweeps.procs[id.0].body.stmts, &mut declared);
        }
        declared.retain(|_, times| *times > 1);
        let mut typed: Vec<VarId> = declared.into_keys().collect();
        typed.sort_unstable();
        let names = typed.iter().map(|var| self.type_of(*var));
        let declarations = quote!(#(let #names = ::core::option::Option::None;)*);
        self.typed.replace(typed.into_iter().collect());
        declarations
    }

    fn count(&self, stmts: &[Stmt], declared: &mut HashMap<VarId, usize>) {
        for stmt in stmts {
            let var = if let StmtKind::Let { var, init: Some(_) } = &stmt.kind {
                Some(*var)
            } else if let StmtKind::Loop(this) = &stmt.kind {
                this.domain.counter()
            } else {
                None
            };
            if let Some(like) = var.and_then(|var| self.func.var(var).type_of) {
                *declared.entry(like).or_default() += 1;
            }
            stmt.kind
                .each_block(&mut |block| self.count(&block.stmts, declared));
        }
    }

    /// Behind the declaration of a variable.
    pub(super) fn same_type(&self, var: VarId) -> Option<TokenStream> {
        let like = self.func.var(var).type_of?;
        if !self.typed.borrow().contains(&like) {
            return None;
        }
        let (rt, of, name) = (self.rt(), self.type_of(like), self.name(var));
        Some(quote!(#rt::same_type(&#of, &#name);))
    }

    fn type_of(&self, var: VarId) -> Ident {
        super::own(&format!("__type_of_{}", self.func.var(var).name).replace("r#", ""))
    }
}
