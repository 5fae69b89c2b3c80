//! Scalar replacement of parameters: of a parameter `s: &S` or `s: &mut S` of which only fields are used, the body sees
//! each of these fields as a parameter of its own.
//!
//! Done where the definition of `S` is known. All that is known of parameters, and all that can be done with them, then
//! holds for the fields: a loop over `self.x[i]` is one over a vector. The sweeps borrow the fields at their beginning,
//! and their adjoints from that of the whole. rustc checks the types of what is borrowed.

use crate::ir::edit::{each_expr, each_place_within, each_stmt};
use crate::ir::{
    Block, Expr, ExprKind, Field, FieldParam, Func, Param, Passing, Place, Proj, SplitParams,
    Struct, StructField, Ty, VarId, VarInfo, constant_field,
};

/// Splits what can be split; structs in structs, from the outside to the inside.
pub(in crate::lower) fn split_parameters(func: &mut Func, body: &mut Block) {
    let mut at = 0;
    while at < func.params.len() {
        match splittable(&func.params[at]) {
            Some(of) => match used(body, func.params[at].var, &of) {
                Some(fields) => split(func, body, at, fields),
                None => at += 1,
            },
            None => at += 1,
        }
    }
}

/// The definition of a parameter's type, where a reference to it is passed.
fn splittable(param: &Param) -> Option<std::rc::Rc<Struct>> {
    match &param.ty {
        Ty::Struct(of) if param.passing != Passing::Value && !param.constant => Some(of.clone()),
        _ => None,
    }
}

/// The field that a place of the parameter leads through first, if one does.
fn first_field(place: &Place) -> Option<Field> {
    match place.proj.as_slice() {
        [Proj::Deref, Proj::Field(field), ..] => Some(*field),
        _ => None,
    }
}

/// The fields by which a parameter is used; `None` if it is used otherwise, or not at all.
fn used(body: &mut Block, var: VarId, of: &Struct) -> Option<Vec<StructField>> {
    let mut fields: Vec<Field> = Vec::new();
    let mut whole = false;
    each_place(body, &mut |place| {
        if place.root == var {
            match first_field(place).filter(|field| of.field(field).is_some()) {
                Some(field) if !fields.contains(&field) => fields.push(field),
                Some(_) => {}
                None => whole = true,
            }
        }
    });
    let used = of.fields.iter().filter(|f| fields.contains(&f.field));
    (!whole && !fields.is_empty()).then(|| used.cloned().collect())
}

fn split(func: &mut Func, body: &mut Block, at: usize, fields: Vec<StructField>) {
    let signature = func.params.clone();
    let whole = func.params.remove(at);
    let info = func.var(whole.var).clone();
    let mut vars: Vec<(Field, VarId)> = Vec::new();
    for (
        n,
        StructField {
            field,
            ty,
            constant,
        },
    ) in fields.into_iter().enumerate()
    {
        let (owner, name) = (whole.ident.to_string(), field.to_string());
        let plain = |name: &str| name.trim_start_matches("r#").to_owned();
        let name = func.fresh_name(
            &format!("{}_{}", plain(&owner), plain(&name)),
            info.name.span(),
        );
        let var = func.add(VarInfo {
            name: name.clone(),
            ty: Ty::Ref(whole.passing == Passing::InOut, Box::new(ty.clone())),
            constant: info.constant || constant,
            ..info.clone()
        });
        let param = Param {
            var,
            ident: name.clone(),
            passing: whole.passing,
            ty,
            written: syn::parse_quote!(_),
            constant: whole.constant || constant,
            generator: false,
            function: false,
        };
        func.params.insert(at + n, param);
        vars.push((field, var));
        let split = func.split.get_or_insert_with(|| {
            Box::new(SplitParams {
                signature: signature.clone(),
                fields: Vec::new(),
            })
        });
        split.fields.push(FieldParam {
            var,
            ident: name,
            of: whole.var,
            field,
        });
    }
    each_place(body, &mut |place| {
        if place.root == whole.var {
            let field = first_field(place);
            let part = vars.iter().find(|(name, _)| Some(*name) == field);
            place.root = part.expect("each field that is used").1;
            place.proj.remove(1);
        }
    });
}

/// Fields that are only read are borrowed so.
pub(in crate::lower) fn share_what_is_read(func: &mut Func) {
    let Some(split) = &func.split else {
        return;
    };
    let vars: Vec<VarId> = split.fields.iter().map(|field| field.var).collect();
    for param in func.params.iter_mut().filter(|p| vars.contains(&p.var)) {
        let info = &mut func.vars[param.var.0 as usize];
        if param.passing == Passing::InOut && !info.mutable {
            param.passing = Passing::Shared;
            info.ty = Ty::Ref(false, Box::new(param.ty.clone()));
        }
    }
}

/// What is read of constant fields of whole structs has no derivative.
pub(in crate::lower) fn cut_constant_fields(func: &Func, body: &mut Block) {
    each_stmt(body, &mut |stmt| each_expr(stmt, &mut |e| cut(func, e)));
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of all others the operands are looked at"
)]
fn cut(func: &Func, e: &mut Expr) {
    match &e.kind {
        ExprKind::Read(place) if e.ty.is_float() && constant_field(func, place).is_some() => {
            let read = Expr::new(e.kind.clone(), e.ty.clone(), e.span);
            e.kind = ExprKind::NoGradient(Box::new(read));
        }
        ExprKind::NoGradient(_) => {}
        _ => e
            .children_mut()
            .into_iter()
            .for_each(|child| cut(func, child)),
    }
}

fn each_place(body: &mut Block, f: &mut dyn FnMut(&mut Place)) {
    each_stmt(body, &mut |stmt| each_place_within(stmt, f));
}
