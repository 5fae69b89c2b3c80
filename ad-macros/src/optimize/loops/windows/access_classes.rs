//! What each variable from outside is to a loop: read, written in slices, or added to.

use std::collections::BTreeMap;

use crate::analysis::affine::Poly;
use crate::analysis::dependence::reach::{Iterations, Reach};
use crate::analysis::purity::is_arithmetic;
use crate::analysis::target::cache::CONTRIBUTION_ROWS;
use crate::ir::faults::Fault;
use crate::ir::{
    Block, Expr, ExprKind, Func, MathFn, Order, Place, Proj, Steps, Stmt, StmtKind, Ty, VarId,
    parted_at,
};

use crate::ir::Transform;

use super::Head;
use super::flatten::Flat;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::optimize) enum Role {
    /// Nothing is written.
    Read,
    /// Written and maybe read, always at the elements of the iteration: one slice for each of these indices.
    Edit,
    /// Only added to: when a block of iterations is done.
    Sum,
}

pub(in crate::optimize) struct Roles {
    roots: BTreeMap<VarId, Role>,
    pub(in crate::optimize) order: Order,
}

impl Roles {
    pub(in crate::optimize) fn of(
        func: &Func,
        iterations: &Iterations<'_>,
        (head, flat): (&Head<'_>, &Flat),
    ) -> Result<Self, String> {
        let mut uses = Uses {
            func,
            iterations,
            roots: BTreeMap::new(),
            heavy: false,
            calls: false,
        };
        uses.block(head.body, true)?;
        uses.decide(head, flat)
    }

    pub(in crate::optimize) fn role(&self, var: VarId) -> &Role {
        self.roots.get(&var).unwrap_or(&Role::Read)
    }

    pub(in crate::optimize) fn is_edited(&self, var: VarId) -> bool {
        *self.role(var) == Role::Edit
    }

    pub(in crate::optimize) fn has_sums(&self) -> bool {
        self.roots.values().any(|role| *role == Role::Sum)
    }
}

/// How one variable from outside is used.
#[derive(Default)]
struct Use {
    read: bool,
    overwritten: bool,
    /// How often it is added to.
    added: usize,
    /// Whether one of the additions is under a condition.
    conditional: bool,
    reaches: Vec<Reach>,
    /// Its arrays, by what leads from the variable to them.
    arrays: BTreeMap<String, ArrayUse>,
}

/// One array of a variable.
struct ArrayUse {
    path: Steps,
    /// The elements that are reached, and how.
    elements: Vec<(Reach, Touched)>,
}

/// What is done with an element.
#[derive(Clone, Copy, Default)]
struct Touched {
    read: bool,
    overwritten: bool,
    added: bool,
}

impl Touched {
    fn with(self, other: Self) -> Self {
        Self {
            read: self.read || other.read,
            overwritten: self.overwritten || other.overwritten,
            added: self.added || other.added,
        }
    }
}

const READ: Touched = Touched {
    read: true,
    overwritten: false,
    added: false,
};
const OVERWRITTEN: Touched = Touched {
    read: false,
    overwritten: true,
    added: false,
};
const ADDED: Touched = Touched {
    read: false,
    overwritten: false,
    added: true,
};

impl ArrayUse {
    /// The indices that go along with the counter.
    fn along(&self) -> Vec<&Poly> {
        let indices = self.elements.iter().map(|(reach, _)| index_along(reach));
        indices.flatten().collect()
    }

    /// Elements that all iterations share, where others go along with the counter.
    fn shared(&self) -> impl Iterator<Item = Touched> {
        let fixed = |(reach, touched): &(Reach, Touched)| {
            matches!(reach, Reach::Fixed { .. }).then_some(*touched)
        };
        self.elements.iter().filter_map(fixed)
    }
}

fn index_along(reach: &Reach) -> Option<&Poly> {
    match reach {
        Reach::Along { index, .. } | Reach::Down { index, .. } => Some(index),
        Reach::Variable | Reach::Fixed { .. } | Reach::Elsewhere(_) => None,
    }
}

impl Use {
    fn add(&mut self, reach: Reach) {
        if !self.reaches.contains(&reach) {
            self.reaches.push(reach);
        }
    }
}

/// What is said of an element that keeps a loop from running on slices.
pub(in crate::optimize) fn written_where_shared(name: &str) -> String {
    format!("`{name}` is written at an element that all iterations share")
}

struct Uses<'a, 'b> {
    func: &'a Func,
    iterations: &'b Iterations<'a>,
    roots: BTreeMap<VarId, Use>,
    /// Whether there are operations that are much slower one by one than in vectors.
    heavy: bool,
    /// Whether functions of the math library are called, which the optimiser does not vectorise.
    calls: bool,
}

impl Uses<'_, '_> {
    fn block(&mut self, block: &Block, always: bool) -> Result<(), String> {
        for stmt in &block.stmts {
            self.stmt(stmt, always)?;
        }
        Ok(())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn stmt(&mut self, stmt: &Stmt, always: bool) -> Result<(), String> {
        match &stmt.kind {
            StmtKind::Let { var, init } => {
                let ty = &self.func.var(*var).ty;
                if !ty.is_scalar() {
                    return Err(format!("`{}` is not a number", self.name(*var)));
                }
                init.iter().try_for_each(|e| self.expr(e))
            }
            // The first contribution to a gradient is assigned, or added: it stays with its element.
            StmtKind::Assign { place, value, .. } | StmtKind::Begin { place, value } => {
                self.expr(value)?;
                self.place(place, OVERWRITTEN).map(|_| ())
            }
            StmtKind::SetZero(place) => self.place(place, OVERWRITTEN).map(|_| ()),
            StmtKind::Update { place, value, .. } => {
                self.expr(value)?;
                let used = self.place(place, ADDED)?;
                used.added += 1;
                used.conditional |= !always;
                Ok(())
            }
            StmtKind::Switch { selector, arms } => {
                self.expr(selector)?;
                arms.iter().try_for_each(|arm| self.block(arm, false))
            }
            StmtKind::Call { .. } | StmtKind::CallForward { .. } | StmtKind::CallReverse { .. } => {
                Err("the body calls a function".to_owned())
            }
            StmtKind::Opaque(o) if always && self.iterations.checked_part(o).is_some() => Ok(()),
            StmtKind::Opaque(_) => Err("the body holds code that is kept as it is".to_owned()),
            StmtKind::Branch { .. } | StmtKind::MatchRecord { .. } => {
                Err("a branch of the body records values".to_owned())
            }
            _ => Err("the body uses the tape, or does more than assign numbers".to_owned()),
        }
    }

    fn name(&self, var: VarId) -> String {
        self.func.var(var).name.to_string()
    }

    /// Notes that the place is reached. A variable of the iteration's own is not looked at further.
    fn place(&mut self, place: &Place, touched: Touched) -> Result<&mut Use, String> {
        let reach = self.iterations.reach(place);
        if let Reach::Elsewhere(why) = reach {
            return Err(format!("`{}`: {why}", self.name(place.root)));
        }
        let used = self.roots.entry(place.root).or_default();
        if let Reach::Along { at, .. } | Reach::Down { at, .. } | Reach::Fixed { at, .. } = reach {
            let path = &place.proj[..at];
            let array = used.arrays.entry(self.iterations.array_key(path));
            let array = array.or_insert_with(|| ArrayUse {
                path: path.into(),
                elements: Vec::new(),
            });
            match array.elements.iter_mut().find(|(known, _)| *known == reach) {
                Some((_, known)) => *known = known.with(touched),
                None => array.elements.push((reach.clone(), touched)),
            }
        }
        used.read |= touched.read;
        used.overwritten |= touched.overwritten;
        used.add(reach);
        Ok(used)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn expr(&mut self, e: &Expr) -> Result<(), String> {
        match &e.kind {
            ExprKind::Read(place) => {
                if !e.ty.is_scalar() {
                    return Err(format!("`{}` is not a number", self.name(place.root)));
                }
                self.place(place, READ).map(|_| ())
            }
            _ if is_arithmetic(e) => {
                self.calls |= matches!(&e.kind, ExprKind::Math(f, _) if f.is_expensive());
                self.heavy |= matches!(&e.kind, ExprKind::Math(MathFn::Sqrt, _))
                    || matches!(&e.kind, ExprKind::Binary(crate::ir::BinOp::Div, ..) if e.ty.is_float());
                e.children()
                    .into_iter()
                    .try_for_each(|child| self.expr(child))
            }
            ExprKind::Opaque(_) => Err("the body holds code that is kept as it is".to_owned()),
            _ => Err("the body does more than compute with numbers".to_owned()),
        }
    }

    fn decide(self, head: &Head<'_>, flat: &Flat) -> Result<Roles, String> {
        let mut roots = BTreeMap::new();
        let mut carried = None;
        for (var, used) in &self.roots {
            if self.iterations.owns(*var) {
                continue;
            }
            let role = self.role(*var, used, (head, flat))?;
            let scalar = used.reaches == [Reach::Variable];
            if scalar && role == Role::Read && (used.overwritten || used.added > 0) {
                carried = Some(*var);
            }
            roots.insert(*var, role);
        }
        let mut order = head.order;
        if head.reverse && carried.is_none() {
            order = Order::Forward;
        }
        let roles = Roles { roots, order };
        // In reverse: where iterations run both ways, a value that goes from one to another does so in their order.
        if let (true, false, Some(var)) = (roles.has_sums(), head.both, carried) {
            return Err(format!(
                "`{}` goes from iteration to iteration",
                self.name(var)
            ));
        }
        let slices = |reach: &Reach| matches!(reach, Reach::Along { .. } | Reach::Down { .. });
        if !self.roots.values().any(|u| u.reaches.iter().any(slices)) {
            return Err("no array is indexed by the counter plus something fixed".to_owned());
        }
        let sums = self
            .roots
            .iter()
            .filter(|(v, _)| *roles.role(**v) == Role::Sum);
        if sums.map(|(_, used)| used.reaches.len()).sum::<usize>() > CONTRIBUTION_ROWS {
            return Err(format!(
                "it adds to more than {CONTRIBUTION_ROWS} elements in an iteration"
            ));
        }
        Ok(roles)
    }

    /// Whether a sum of the value takes terms under a condition while iterations run forward and in reverse: its
    /// additions come one by one, so the loop runs with its branches, and rows of contributions would only be filled
    /// and added.
    fn keeps_branches(&self, head: &Head<'_>) -> bool {
        let sums = self.roots.iter().filter(|(_, used)| used.conditional);
        let mut values = sums.filter(|(var, _)| !self.iterations.owns(**var));
        head.both && values.any(|(var, _)| !head.in_any_order(*var))
    }

    fn role(
        &self,
        var: VarId,
        used: &Use,
        (head, flat): (&Head<'_>, &Flat),
    ) -> Result<Role, String> {
        if !used.overwritten && used.added == 0 {
            return Ok(Role::Read);
        }
        let only_added = !used.overwritten && !used.read;
        let along: Option<Vec<&Poly>> = used.reaches.iter().map(index_along).collect();
        let scalar = used.reaches == [Reach::Variable];
        let lanes = head.around.transforms.has(Transform::Lanes) && !self.keeps_branches(head);
        let any_order = head.in_any_order(var);
        let several = used.arrays.len() > 1;
        let paths: Vec<&[Proj]> = used.arrays.values().map(|array| &*array.path).collect();
        let told_apart = parted_at(&paths).is_some();
        let alone = |all: &Vec<&Poly>| match several {
            true => told_apart && used.arrays.values().all(|array| array.elements.len() == 1),
            false => all.len() == 1 || flat.are_apart(var, all),
        };
        if lanes && any_order && only_added && !along.as_ref().is_some_and(alone) {
            return Ok(Role::Sum);
        }
        if several && !told_apart {
            return Err(format!(
                "several arrays in `{}` are written that no index tells apart",
                self.name(var)
            ));
        }
        if scalar {
            // The order of a sum in the value is kept, so there is something to gain only beside slow operations. What
            // the caller owns must hold, when the body panics, all that was added until then.
            let own = !matches!(self.func.var(var).ty, Ty::Ref(..));
            let one = own && only_added && used.added == 1 && !used.conditional;
            let vectors = self.heavy || head.both && !self.calls;
            return Ok(if lanes && !any_order && one && vectors {
                Role::Sum
            } else {
                Role::Read
            });
        }
        // Elements that all iterations share: that no slice has them is checked in front of the loop.
        let keeps = |touched: Touched| {
            let sum = touched.added && !touched.read && lanes && any_order;
            !touched.overwritten && (!touched.added || sum)
        };
        // One that is added to may be one that is read: which ones they are is not known.
        let one_way = |array: &ArrayUse| {
            let all: Vec<Touched> = array.shared().collect();
            let never = |f: fn(&Touched) -> bool| !all.iter().any(f);
            never(|touched| touched.added)
                || never(|touched| touched.read)
                || Fault::SharedElementCarried.is_on()
        };
        let apart = |array: &ArrayUse| {
            !array.along().is_empty() && array.shared().all(keeps) && one_way(array)
        };
        let whole = used.reaches.contains(&Reach::Variable);
        if along.is_none() && (whole || !used.arrays.values().all(apart)) {
            return Err(written_where_shared(&self.name(var)));
        }
        // Those of different arrays do not meet: that the arrays are different ones is checked in front of the loop.
        let mut arrays = used.arrays.values().map(ArrayUse::along);
        if arrays.any(|indices| Poly::meet(&indices)) {
            return Err(format!(
                "`{}` is written at an element that another iteration reads or writes",
                self.name(var)
            ));
        }
        Ok(Role::Edit)
    }
}
