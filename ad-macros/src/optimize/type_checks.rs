//! Lets rustc check that places with an adjoint are parts of what they stand in.
//!
//! `d.x` and `d[i]` of a type that the macro cannot see may go through a `Deref` or an `Index` of the user's, which
//! leads anywhere. The adjoint is found by the same words in the tangent, where they may lead elsewhere.
//!
//! In front of a statement stand the checks of the places that it touches. A check runs nothing, so one is enough for
//! all places that are reached in the same way.

use crate::ir::edit::blocks_mut;
use crate::ir::hash::HashSet;
use crate::ir::{
    ELEMENTS, Func, Opaque, PARTS, Place, Proj, Stmt, StmtKind, Sweeps, Touch, Ty, VarId, place_ty,
    shallow_touches,
};

use super::Cx;
use super::pass::Rewrite;

/// A variable and the kinds of steps from it, up to one that is checked.
type Way = (VarId, String);

/// Finds the parts of variables whose adjoints the sweeps name.
pub(super) fn plan(sweeps: &Sweeps, _: &mut Cx<'_>) -> Rewrite {
    let mut reached = HashSet::default();
    for stmt in sweeps.lists().flatten() {
        reach(stmt, sweeps, &mut reached);
    }
    Box::new(move |sweeps| {
        if reached.is_empty() && !sweeps.func.written.knows_structs() {
            return;
        }
        let mut checks = Checks {
            func: &sweeps.func,
            reached,
            asked: HashSet::default(),
        };
        let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
        let procs = sweeps.procs.iter_mut().map(|proc| &mut proc.body.stmts);
        for stmts in [&mut sweeps.forward, &mut sweeps.reverse]
            .into_iter()
            .chain(joint)
            .chain(procs)
        {
            checks.stmts(stmts);
        }
    })
}

fn reach(stmt: &Stmt, sweeps: &Sweeps, reached: &mut HashSet<Way>) {
    shallow_touches(stmt, &mut |place, _| {
        if !place.is_var()
            && let Some(of) = sweeps.bars.get(&place.root)
        {
            let ends = 1..=place.proj.len();
            reached.extend(ends.map(|end| way(*of, &place.proj[..end])));
        }
    });
    let blocks = stmt.kind.blocks().into_iter();
    let inner = blocks.flat_map(|block| &block.stmts);
    inner.for_each(|stmt| reach(stmt, sweeps, reached));
}

struct Checks<'a> {
    func: &'a Func,
    reached: HashSet<Way>,
    /// The ways that are checked already.
    asked: HashSet<Way>,
}

impl Checks<'_> {
    fn stmts(&mut self, stmts: &mut Vec<Stmt>) {
        let mut at = 0;
        while at < stmts.len() {
            let checks = self.of_stmt(&stmts[at]);
            let behind = at + checks.len();
            stmts.splice(at..at, checks);
            at = behind + 1;
            // Those work on numbers, and on indices, and stand beside the loop as it is.
            if matches!(stmts[behind].kind, StmtKind::Simd(_) | StmtKind::Check(_)) {
                continue;
            }
            for block in blocks_mut(&mut stmts[behind]) {
                self.stmts(&mut block.stmts);
            }
        }
    }

    fn of_stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let mut checks = Vec::new();
        shallow_touches(stmt, &mut |place, touch| {
            if touch != Touch::Declare {
                self.of_place(place, &mut checks);
            }
        });
        checks
    }

    fn of_place(&mut self, place: &Place, checks: &mut Vec<Stmt>) {
        for (k, step) in place.proj.iter().enumerate() {
            let kind = match step {
                Proj::Index(_) | Proj::Range { .. } => ELEMENTS,
                Proj::Field(_) | Proj::Deref => PARTS,
                // Of an `Option`, an enum or a `Box`, or rustc says so.
                Proj::Payload | Proj::Variant(_) | Proj::Unbox => continue,
            };
            let base = Place {
                proj: place.proj[..k].into(),
                ..place.clone()
            };
            let ty = place_ty(self.func, &base);
            if !ty.is_unseen() {
                continue;
            }
            let way = way(place.root, &place.proj[..=k]);
            let reached = self.reached.contains(&way) || is_constant(&ty, step);
            if reached && self.asked.insert(way) {
                let check = StmtKind::Opaque(Box::new(Opaque::check(kind, &base)));
                checks.push(Stmt::new(check, place.span));
            }
        }
    }
}

/// Whether it is a constant field, as far as the definition of the struct shows. No adjoint reaches it; if it is
/// private, a `Deref` may lead to another one of its name, which is not constant.
fn is_constant(ty: &Ty, step: &Proj) -> bool {
    if let (Ty::Struct(of), Proj::Field(field)) = (ty, step) {
        let known = of.field(field);
        known.is_some_and(|known| known.constant && known.ty.may_carry_derivative())
    } else {
        false
    }
}

fn way(root: VarId, steps: &[Proj]) -> Way {
    (root, steps.iter().map(kind).collect())
}

/// What matters of a step for types. A parameter may be a reference where its adjoint is none.
fn kind(step: &Proj) -> String {
    match step {
        Proj::Deref => String::new(),
        Proj::Index(_) => "[]".to_owned(),
        Proj::Range { .. } => "[..]".to_owned(),
        Proj::Field(field) => format!(".{}", field.tokens()),
        Proj::Payload => "?".to_owned(),
        Proj::Variant(part) => format!("|{}.{}", part.name(), part.field.tokens()),
        Proj::Unbox => "*".to_owned(),
    }
}
