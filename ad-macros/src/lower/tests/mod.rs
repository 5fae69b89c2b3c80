mod cases;
mod language;
mod refused;
mod show;

use crate::diag::Diagnostics;
use crate::ir::{self, Func};

/// Lowers the function; the names of the messages if it is refused.
pub(super) fn lowered(source: &str) -> Result<Func, Vec<&'static str>> {
    let item: syn::ItemFn = syn::parse_str(source).expect("the test parses");
    lowered_item(&item)
}

pub(super) fn lowered_item(item: &syn::ItemFn) -> Result<Func, Vec<&'static str>> {
    let mut diags = Diagnostics::new();
    let func = super::lower(item, &super::Owner::default(), &mut diags);
    let names = diags.names();
    match func {
        Some(func) => {
            assert!(names.is_empty());
            Ok(func)
        }
        None => Err(names),
    }
}

/// Lowers and structures the function; panics with the reason if it does not verify.
pub(super) fn structured(source: &str) -> Func {
    let mut func = lowered(source).unwrap_or_else(|names| panic!("refused: {names:?}\n{source}"));
    super::exits::structure(&mut func);
    if let Err(reason) = ir::verify(&func) {
        panic!("{reason}\n{}", ir::text(&func));
    }
    func
}
