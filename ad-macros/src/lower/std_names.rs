//! Methods of containers and options that are understood by their names, noted for generated code to check.

use proc_macro2::Ident;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::value::Value;
use crate::ir::{Standing, StdMethod, Ty, VarKind, is_of_chains, is_of_std_by_name};
use crate::surroundings::with_text;

impl Lowerer<'_> {
    /// A method of this name is taken for std's, if the receiver turns out to be a container or an option.
    pub(super) fn note_std_method(&mut self, receiver: &Value, method: &Ident) {
        if !is_of_std_by_name(&method.to_string()) {
            return;
        }
        let standing = match receiver {
            Value::Ref(view) if view.mutable && view.depth == 0 => Standing::Exclusive,
            Value::Ref(_) => Standing::Shared,
            Value::Place(..) | Value::Expr(_) => Standing::Itself,
            Value::Opaque(..) | Value::Tuple(..) | Value::Unit | Value::Error | Value::Never => {
                return;
            }
        };
        let ty = self.type_of(receiver);
        // `num_traits::Signed` and its like have what std has for integers, and take references.
        if standing != Standing::Itself
            && matches!(self.types.shallow(&ty), Ty::Int(_))
            && imports_number_traits(method)
        {
            return;
        }
        let place = match receiver {
            Value::Place(place, _) => Some(place),
            Value::Ref(view) => Some(&view.place),
            _ => None,
        };
        let whole = place.filter(|place| {
            self.func.var(place.root).kind == VarKind::Param
                && place
                    .proj
                    .iter()
                    .all(|step| matches!(step, crate::ir::Proj::Deref))
        });
        let called = StdMethod {
            method: method.clone(),
            receiver: standing,
            ty,
            whole: whole.map(|place| place.root),
        };
        self.func.std_methods.push(called);
    }
}

/// Methods of the body that are understood by their names if what they are called on is an iterator that they take by
/// reference, each name once.
pub(super) fn of_chains(item: &syn::ItemFn) -> Vec<Ident> {
    #[derive(Default)]
    struct Called(Vec<Ident>);
    impl Visit<'_> for Called {
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            let name = call.method.to_string();
            if is_of_chains(&name, call.args.len()) && !self.0.contains(&call.method) {
                self.0.push(call.method.clone());
            }
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut called = Called::default();
    called.visit_block(&item.block);
    called.0
}

/// Whether the file names a crate whose traits give integers the methods that std gives them.
fn imports_number_traits(at: &Ident) -> bool {
    const CRATES: [&str; 3] = ["num_traits::", "num_integer::", "num::"];
    let named = with_text(at.span(), |text| {
        CRATES.iter().any(|name| text.contains(name))
    });
    named.unwrap_or(false)
}
