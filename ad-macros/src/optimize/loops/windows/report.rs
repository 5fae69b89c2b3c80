//! What is said of a loop that runs on slices.

use crate::ir::{Remarks, Sliced, Stmt, Transform};

use super::{Around, sweep_in};

/// `rows`: why sums in neighbouring elements are collected in rows.
pub(super) fn report(
    remarks: &mut Remarks,
    stmt: &Stmt,
    sliced: &Sliced,
    around: &Around<'_>,
    rows: Option<&'static str>,
) {
    let sweep = sweep_in(stmt, around);
    let few = match sliced.least {
        0 | 1 => String::new(),
        least => format!(" from {least} iterations on"),
    };
    let groups = match sliced.groups.as_slice() {
        [] => "",
        _ => "groups of ",
    };
    let middle = match sliced.middle {
        Some(_) => ", in its middle, where conditions on the counter are known",
        None => "",
    };
    let how = format!("{sweep}: on slices of {groups}what it touches{few}{middle}");
    remarks.applied(stmt.span, Transform::Reslice, how);
    if sliced.wide.is_some() {
        let how = "as many iterations run at once as registers hold, and what they add goes where it belongs at once";
        remarks.applied(stmt.span, Transform::Wide, format!("{sweep}: {how}"));
    } else if !sliced.sums.is_empty() && sliced.split.is_none() {
        let how = match (sliced.partial, sliced.whole_blocks) {
            (true, _) => "added up in eight partial sums each".to_owned(),
            (_, Some(length)) => format!("collected for {length} iterations and then added"),
            (_, None) => "collected for up to 64 iterations and then added".to_owned(),
        };
        let how = format!("{sweep}: sums are {how}");
        remarks.applied(stmt.span, Transform::Lanes, how);
    }
    if combined(sliced) {
        let how = "what neighbouring elements get is one sum, of factors that contributions have in common";
        remarks.applied(stmt.span, Transform::Combine, format!("{sweep}: {how}"));
    }
    if !sliced.gathers.is_empty() {
        let how = match rows {
            _ if sliced.wide.is_some() => "are one sum in registers".to_owned(),
            None if combined(sliced) => {
                "are computed where they go, in one pass, or added so from rows up to 64 iterations"
                    .to_owned()
            }
            Some(why) => format!("are added in one pass, from rows: {why}"),
            None => "are computed where they go, in one pass".to_owned(),
        };
        let how = format!("{sweep}: sums in neighbouring elements {how}");
        remarks.applied(stmt.span, Transform::Gather, how);
    }
}

fn combined(sliced: &Sliced) -> bool {
    let split = sliced.split.as_ref();
    split.is_some_and(|split| !split.combined.is_empty())
}
