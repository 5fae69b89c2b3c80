//! What an adapter of a chain does with one item.

use proc_macro2::{Ident, Span};

use super::Lowerer;
use super::iterate::Access;
use super::operator::strip;
use super::scope::Scope;
use super::sequence::{Sequence, Sink, Stage};
use super::value::{Value, View, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, Jump, Place, Proj, StmtKind, Ty, VarId};

/// Where the adapter goes on to the next item, and where it ends the chain.
type Ways = (Jump, Jump);

impl<'l> Lowerer<'l> {
    /// The adapter's code for an item, and what follows it in the chain.
    pub(super) fn stage(
        &mut self,
        stage: &Stage,
        item: Value,
        ways: Ways,
        span: Span,
        sink: Sink<'_, 'l>,
    ) {
        if matches!(item, Value::Error | Value::Never) {
            return;
        }
        let (next, stop) = ways;
        match stage {
            Stage::Filter(f) | Stage::TakeWhile(f) => {
                let otherwise = if matches!(stage, Stage::Filter(_)) {
                    next
                } else {
                    stop
                };
                let item = self.fixed(item, span_of(f));
                let Some(selector) = self.predicate(f, &item) else {
                    return;
                };
                self.jump_unless(selector, otherwise, span_of(f));
                sink(self, item, next);
            }
            Stage::SkipWhile(f, skipping) => {
                let item = self.fixed(item, span_of(f));
                self.skip_while(f, *skipping, &item, next);
                sink(self, item, next);
            }
            Stage::FilterMap(f) | Stage::MapWhile(f) => {
                let otherwise = if matches!(stage, Stage::FilterMap(_)) {
                    next
                } else {
                    stop
                };
                let option = self.inlined(f, vec![item]);
                self.payload_or(option, otherwise, span_of(f), next, sink);
            }
            Stage::Scan(f, state, ty) => {
                let span = span_of(f);
                let place = Place::var(*state, span);
                let state = Value::Ref(View::new(place, ty.clone(), true));
                let option = self.inlined(f, vec![state, item]);
                self.payload_or(option, stop, span, next, sink);
            }
            Stage::Map(f) => {
                let item = self.inlined(f, vec![item]);
                sink(self, item, next);
            }
            Stage::Inspect(f) => {
                let item = self.fixed(item, span_of(f));
                let (f, shown) = lent_to(f, 0, &item);
                let value = self.inlined(&f, vec![shown]);
                self.discard(value, span_of(&f));
                sink(self, item, next);
            }
            Stage::Enumerate(counter)
            | Stage::EnumerateBack(_, counter)
            | Stage::Zip(.., counter) => {
                self.paired(stage, (*counter, span), item, ways, sink);
            }
            Stage::Skip(n, skipped) => self.skip(n, *skipped, item, next, sink),
            Stage::StepBy(n, seen) => {
                let item = self.fixed(item, n.span);
                let at = Expr::read_var(*seen, Ty::USIZE, n.span);
                let at = self.in_temp("index", at);
                self.count_up(*seen, n.span);
                let rest = self.binop(BinOp::Rem, at, n.clone());
                let zero = Expr::usize_literal(0, n.span);
                let selector = self.binop(BinOp::Eq, rest, zero);
                self.jump_unless(selector, next, n.span);
                sink(self, item, next);
            }
            Stage::Take(n, taken) => self.taken(n, *taken, item, ways, sink),
            Stage::Copied => {
                let item = copy_of(item);
                sink(self, item, next);
            }
            Stage::Cloned => {
                let item = self.clone_of_item(item, span);
                sink(self, item, next);
            }
            Stage::FlatMap(f) => self.flat_map(f, item, sink),
            Stage::Flatten => self.flatten(item, next, span, sink),
        }
    }

    /// A closure of an adapter, inlined: it runs for each item that is asked for, in their order, as std's does.
    /// Where items are asked for before their time, what it writes to outside itself is refused, as in `map`.
    pub(super) fn inlined(&mut self, f: &syn::Expr, args: Vec<Value>) -> Value {
        if self.eager > 0 {
            return self.inlined_without_writes(f, args);
        }
        self.apply(f, args, span_of(f))
    }

    /// The same, where std may call the closure in another order.
    pub(super) fn inlined_without_writes(&mut self, f: &syn::Expr, args: Vec<Value>) -> Value {
        let declared = self.func.vars.len();
        let mark = self.mark();
        let lent: Vec<VarId> = args.iter().filter_map(mutable_root).collect();
        let value = self.apply(f, args, span_of(f));
        let outside = |var: &VarId| (var.0 as usize) < declared && !lent.contains(var);
        if self.written(mark, false).iter().any(outside) {
            return self.refuse(f, catalog::closure_effect());
        }
        value
    }

    /// A closure that looks at an item and answers with a `bool`. `None`: an error was reported, or it never answers.
    pub(super) fn predicate(&mut self, f: &syn::Expr, item: &Value) -> Option<Expr> {
        let (f, shown) = lent_to(f, 0, item);
        self.passive += 1;
        let answer = self.inlined(&f, vec![shown]);
        let answer = match answer {
            Value::Error | Value::Never => None,
            answer => {
                let answer = self.operand(answer, span_of(&f));
                self.types.unify(&answer.ty, &Ty::Bool);
                Some(answer)
            }
        };
        self.passive -= 1;
        answer
    }

    fn skip_while(&mut self, f: &syn::Expr, skipping: VarId, item: &Value, next: Jump) {
        let span = span_of(f);
        self.open();
        if let Some(selector) = self.predicate(f, item) {
            let selector = self.not(selector);
            self.jump_unless(selector, next, span);
        }
        self.assign_to(skipping, super::exits::truth(false), span);
        let (body, _) = self.close();
        let selector = Expr::read_var(skipping, Ty::Bool, span);
        self.emit_if(selector, body, span);
    }

    /// Goes on with what is in the option.
    pub(super) fn payload_or(
        &mut self,
        option: Value,
        otherwise: Jump,
        span: Span,
        next: Jump,
        sink: Sink<'_, 'l>,
    ) {
        if matches!(option, Value::Error | Value::Never) {
            return;
        }
        let option = self.fixed(option, span);
        let name = Ident::new(super::option_closures::PAYLOAD, span);
        let some: syn::Pat = syn::parse_quote!(Some(#name));
        let test = self.test_of(&some, option.clone());
        self.jump_unless(test.selector, otherwise, span);
        let ty = self.type_of(&option);
        if let open @ Ty::Infer(_) = self.types.shallow(&ty) {
            let payload = self.fresh_number();
            self.types.unify(&open, &Ty::Option(Box::new(payload)));
        }
        let item = self.projected(&option, Proj::Payload, span);
        sink(self, item, next);
    }

    /// The item beside its number, or beside the item of another chain.
    fn paired(
        &mut self,
        stage: &Stage,
        (counter, span): (VarId, Span),
        item: Value,
        (next, stop): Ways,
        sink: Sink<'_, 'l>,
    ) {
        let at = Expr::read_var(counter, Ty::USIZE, span);
        if let Stage::Zip(_, len, _) = stage {
            let selector = self.binop(BinOp::Lt, at.clone(), len.clone());
            self.jump_unless(selector, stop, span);
        }
        let item = self.fixed(item, span);
        // The number is that of this item, whatever the variable holds later.
        let at = self.in_temp("index", at);
        self.count_up(counter, span);
        let pair = match stage {
            Stage::Zip(other, ..) => {
                let other = self.item(other, &at);
                vec![item, other]
            }
            Stage::EnumerateBack(len, _) => {
                let one = Expr::usize_literal(1, span);
                let last = self.binop(BinOp::Sub, len.clone(), one);
                let number = self.binop(BinOp::Sub, last, at);
                vec![Value::Expr(number), item]
            }
            _ => vec![Value::Expr(at), item],
        };
        sink(self, Value::Tuple(pair, span), next);
    }

    fn skip(&mut self, n: &Expr, skipped: VarId, item: Value, next: Jump, sink: Sink<'_, 'l>) {
        let span = n.span;
        let item = self.fixed(item, span);
        self.open();
        self.count_up(skipped, span);
        self.emit(StmtKind::Jump(next), span);
        let (body, _) = self.close();
        let at = Expr::read_var(skipped, Ty::USIZE, span);
        let selector = self.binop(BinOp::Lt, at, n.clone());
        self.emit_if(selector, body, span);
        sink(self, item, next);
    }

    /// The last item that is taken ends the chain, before another is asked for.
    fn taken(&mut self, n: &Expr, taken: VarId, item: Value, ways: Ways, sink: Sink<'_, 'l>) {
        let span = n.span;
        let item = self.fixed(item, span);
        self.count_up(taken, span);
        let done = self.fresh_loop();
        self.open();
        sink(self, item, Jump::Break(done));
        let (body, _) = self.close();
        self.emit(StmtKind::Labelled(done, body), span);
        let at = Expr::read_var(taken, Ty::USIZE, span);
        let selector = self.binop(BinOp::Ne, at, n.clone());
        self.jump_unless(selector, ways.1, span);
    }

    /// The chain that the closure makes of an item. Its closures see the names of this one; those behind it do not.
    fn flat_map(&mut self, f: &syn::Expr, item: Value, sink: Sink<'_, 'l>) {
        let closure = match strip(f) {
            syn::Expr::Closure(c) if c.inputs.len() == 1 && c.asyncness.is_none() => c,
            other => {
                self.refuse(other, catalog::closure());
                return;
            }
        };
        let Some(tail) = tail_of(&closure.body) else {
            self.refuse(&closure.or1_token, catalog::closure());
            return;
        };
        let outer = self.scopes.clone();
        self.scopes.push(Scope::default());
        self.closures += 1;
        let targets = std::mem::take(&mut self.targets);
        self.bind_closure_input(&closure.inputs[0], item);
        let inner = self.sequence_of(tail, None);
        self.targets = targets;
        self.closures -= 1;
        if let Some(inner) = inner {
            self.nested(&inner, span_of(f), Some(&outer), sink);
        }
        self.scopes = outer;
    }

    /// The loops of an inner chain; what follows sees the names in `outer`.
    fn nested(
        &mut self,
        inner: &Sequence,
        span: Span,
        outer: Option<&Vec<Scope>>,
        sink: Sink<'_, 'l>,
    ) {
        let whole = self.fresh_loop();
        self.run(inner, whole, span, &mut |l, item, next| {
            let Some(outer) = outer else {
                return sink(l, item, next);
            };
            let scopes = std::mem::replace(&mut l.scopes, outer.clone());
            sink(l, item, next);
            l.scopes = scopes;
        });
    }

    fn flatten(&mut self, item: Value, next: Jump, span: Span, sink: Sink<'_, 'l>) {
        let ty = self.type_of(&item);
        if matches!(self.types.shallow(&ty), Ty::Option(_)) {
            self.payload_or(item, next, span, next, sink);
            return;
        }
        let item = self.fixed(item, span);
        let access = match &item {
            Value::Ref(view) if view.mutable => Access::Mutable,
            Value::Ref(_) => Access::Shared,
            _ => Access::Value,
        };
        if let Some(iter) = self.element_iter(item, access, span) {
            self.nested(&Sequence::Items(iter), span, None, sink);
        }
    }

    pub(super) fn count_up(&mut self, counter: VarId, span: Span) {
        let place = Place::var(counter, span);
        let value = Expr::usize_literal(1, span);
        self.emit(
            StmtKind::Update {
                place,
                op: BinOp::Add,
                value,
            },
            span,
        );
    }

    pub(super) fn assign_to(&mut self, var: VarId, value: Expr, span: Span) {
        let place = Place::var(var, span);
        self.emit(
            StmtKind::Assign {
                place,
                value,
                init: false,
            },
            span,
        );
    }
}

/// `copied`: what the reference is to.
pub(super) fn copy_of(item: Value) -> Value {
    match item {
        Value::Ref(view) => Value::Place(view.place, view.ty),
        other => other,
    }
}

/// The closure and its argument where it takes the item by reference: a `&` in the pattern takes that away again.
pub(super) fn lent_to(f: &syn::Expr, at: usize, item: &Value) -> (syn::Expr, Value) {
    if let syn::Expr::Closure(closure) = strip(f)
        && let Some(syn::Pat::Reference(p)) = closure.inputs.get(at)
        && p.mutability.is_none()
    {
        let mut closure = closure.clone();
        let inner = (*p.pat).clone();
        closure.inputs[at] = inner;
        return (syn::Expr::Closure(closure), item.clone());
    }
    (f.clone(), lent(item.clone()))
}

fn lent(item: Value) -> Value {
    match item {
        Value::Place(place, ty) => Value::Ref(View::new(place, ty, false)),
        Value::Ref(view) => {
            let depth = view.depth + 1;
            Value::Ref(View {
                depth,
                mutable: false,
                ..view
            })
        }
        Value::Tuple(parts, span) => Value::Tuple(parts.into_iter().map(lent).collect(), span),
        other => other,
    }
}

/// The variable that a mutable reference leads to.
fn mutable_root(value: &Value) -> Option<VarId> {
    match value {
        Value::Ref(view) if view.mutable => Some(view.place.root),
        _ => None,
    }
}

/// The value of a closure's body, if there is nothing else in it.
fn tail_of(body: &syn::Expr) -> Option<&syn::Expr> {
    match strip(body) {
        syn::Expr::Block(b) if b.label.is_none() => match b.block.stmts.as_slice() {
            [syn::Stmt::Expr(e, None)] => tail_of(e),
            _ => None,
        },
        other => Some(other),
    }
}
