//! What a closure that others call may do.

use proc_macro2::Span;

use crate::ir::{Access, Func, Passing, shallow_accesses, visit_stmts};
use crate::lower::Owner;

/// Where a closure writes to what it has captured.
pub(crate) fn written_captures(func: &Func, owner: &Owner) -> Vec<Span> {
    let mut found = Vec::new();
    let params = func.signature().iter().take(owner.captures);
    let params = params.filter(|p| p.passing != Passing::InOut);
    let captured: Vec<_> = params.map(|p| p.var).collect();
    if captured.is_empty() {
        return found;
    }
    visit_stmts(&func.body, &mut |stmt| {
        shallow_accesses(stmt, &mut |var, access| {
            let writes = matches!(access, Access::WriteAll | Access::WritePart);
            if writes && captured.contains(&var) {
                found.push(stmt.span);
            }
        });
    });
    found
}
