//! Methods of arrays, slices and `Vec`.

use proc_macro2::Span;

use super::infer::{Class, Kind};
use super::operator::strip;
use super::queues::only_of_queues;
use super::types::{PathType, path_type};
use super::value::{Value, View, Want, span_of};
use super::{Lowerer, Obligation};
use crate::diag::catalog;
use crate::ir::{
    Expr, ExprKind, IS_OPTION, IS_QUEUE, IS_VEC, OpaqueKind, Place, Proj, StmtKind, Ty, VarKind,
};
use crate::shown;

/// Methods of containers alone, among what a differentiated function can return.
pub(super) fn only_of_containers(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("to_vec" | "is_empty" | "as_slice" | "as_mut_slice", 0)
            | ("fill" | "copy_from_slice" | "clone_from_slice", 1)
            | ("swap", 2)
    ) || only_of_vec(name, args)
}

/// Methods that change the elements of arrays, slices and vectors.
pub(super) fn only_of_sequences(name: &str, args: usize) -> bool {
    matches!((name, args), ("fill" | "copy_from_slice", 1) | ("swap", 2))
}

fn only_of_vec(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("pop" | "clear", 0) | ("push" | "truncate", 1)
    )
}

/// Methods that say of what a function returned that it is an option. A `Result` is no value.
fn only_of_options(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("map_or" | "map_or_else", 2) | ("is_some_and" | "is_none_or" | "unwrap_or_else", 1)
    )
}

fn path_type_of(of: &syn::Type) -> Option<PathType<'_>> {
    match of {
        syn::Type::Path(path) => Some(path_type(path)),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// What a method says about the result of a differentiated function that it is called on.
    pub(super) fn learn_container(&mut self, ty: &Ty, name: &str, args: usize) {
        if self.types.is_result(ty) && only_of_vec(name, args) {
            let element = self.types.fresh(Kind::General);
            self.types.set_result(&element);
            self.types.unify(ty, &Ty::Vec(Box::new(element)));
        } else if self.types.is_result(ty) && only_of_queues(name, args) {
            let element = self.types.fresh(Kind::General);
            self.types.set_result(&element);
            self.types.unify(ty, &Ty::Queue(Box::new(element)));
        } else if self.types.is_result(ty) && only_of_options(name, args) {
            let payload = self.types.fresh(Kind::General);
            self.types.set_result(&payload);
            self.types.unify(ty, &Ty::Option(Box::new(payload)));
        }
    }

    /// What a method says about a part of a struct or an enum that it is called on: rustc checks it.
    pub(super) fn learn_part(&mut self, receiver: &Value, ty: &Ty, call: &syn::ExprMethodCall) {
        let (name, args) = (&*call.method.to_string(), call.args.len());
        let Some(place) = self.open_part(receiver, ty).cloned() else {
            return;
        };
        let inner = self.types.fresh(Kind::General);
        // Of a map, by reference.
        let by_position = matches!(name, "remove" | "swap_remove" | "split_off")
            && args == 1
            && !matches!(call.args.first().map(strip), Some(syn::Expr::Reference(_)));
        if by_position || only_of_vec(name, args) {
            self.check_that(&place, IS_VEC);
            self.types.unify(ty, &Ty::Vec(Box::new(inner)));
        } else if only_of_queues(name, args) {
            self.check_that(&place, IS_QUEUE);
            self.types.unify(ty, &Ty::Queue(Box::new(inner)));
        } else if matches!(
            (name, args),
            ("unwrap_or" | "expect", 1) | ("unwrap" | "take", 0)
        ) {
            self.learn_option(receiver, ty);
        } else {
            self.learn_shown(receiver, ty, &call.receiver);
        }
    }

    /// What the definition of the type says of a field of `self` of which nothing is known yet: rustc checks it.
    pub(super) fn learn_shown(&mut self, field: &Value, ty: &Ty, written: &syn::Expr) {
        let Some(place) = self.open_part(field, ty).cloned() else {
            return;
        };
        let Some(of) = shown::field_of(self.func.name.span(), strip(written)) else {
            return;
        };
        match path_type_of(&of) {
            Some(PathType::Vec(_)) => {
                let known = self.shown_container(&of);
                self.check_that(&place, IS_VEC);
                self.types.unify(ty, &known);
            }
            Some(PathType::Queue(_)) => {
                let known = self.shown_container(&of);
                self.check_that(&place, IS_QUEUE);
                self.types.unify(ty, &known);
            }
            Some(PathType::Option(_)) => _ = self.learn_option(field, ty),
            _ => {}
        }
    }

    /// A container whose numbers the text shows to be floats: of others, it is not believed what they are.
    fn shown_container(&mut self, of: &syn::Type) -> Ty {
        match path_type_of(of) {
            Some(PathType::Vec(Some(element))) => Ty::Vec(Box::new(self.shown_container(element))),
            Some(PathType::Queue(Some(element))) => {
                Ty::Queue(Box::new(self.shown_container(element)))
            }
            Some(PathType::Primitive(ty @ (Ty::F64 | Ty::F32))) => ty,
            _ => self.types.fresh(Kind::General),
        }
    }

    /// Takes a part of what the function is given, of which nothing is known yet, for an option: rustc checks it.
    pub(super) fn learn_option(&mut self, receiver: &Value, ty: &Ty) -> bool {
        let Some(place) = self.open_part(receiver, ty).cloned() else {
            return false;
        };
        let is_given = self.func.var(place.root).kind == VarKind::Param
            || place.proj.iter().any(|p| matches!(p, Proj::Variant(_)));
        if is_given {
            let inner = self.types.fresh(Kind::General);
            self.check_that(&place, IS_OPTION);
            self.types.unify(ty, &Ty::Option(Box::new(inner)));
        }
        is_given
    }

    /// The place, if it is a part of a struct or an enum of which nothing is known yet.
    pub(super) fn open_part<'v>(&self, receiver: &'v Value, ty: &Ty) -> Option<&'v Place> {
        let place = match receiver {
            Value::Place(place, _) => place,
            Value::Ref(view) if view.depth == 0 => &view.place,
            _ => return None,
        };
        let part = |proj: &Proj| matches!(proj, Proj::Field(_) | Proj::Variant(_));
        let is_open = self.is_open(place, ty) && !self.types.is_result(ty);
        (is_open && place.proj.iter().any(part)).then_some(place)
    }

    /// Whether nothing is known of the type of what a place holds, which may carry a derivative.
    pub(super) fn is_open(&self, place: &Place, ty: &Ty) -> bool {
        let constant = self.func.var(place.root).constant;
        self.types.class(ty) == Class::Open && self.lenient == 0 && !constant
    }

    pub(super) fn container_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        ty: &Ty,
        want: Want,
    ) -> Value {
        let span = span_of(call);
        if let Some(value) = self.rearranged(&receiver, call, name, ty) {
            return value;
        }
        match (name, call.args.len()) {
            ("clone", 0) if matches!((&receiver, ty), (Value::Ref(_), Ty::Slice(_))) => receiver,
            ("clone" | "to_owned", 0) if !matches!(ty, Ty::Slice(_)) => self.cloned(receiver, span),
            ("to_vec" | "to_owned" | "into_vec", 0) => {
                self.on_place(receiver, span, |l, place, element| {
                    Value::Expr(l.settle(Expr::new(
                        ExprKind::ToVec(place),
                        Ty::Vec(Box::new(element)),
                        span,
                    )))
                })
            }
            // A vector stands for the slice in a box.
            ("into_owned" | "into_boxed_slice", 0) => Value::Expr(self.operand_raw(receiver, span)),
            ("to_mut", 0) => match self.place_of(receiver, span) {
                Some((place, ty)) => Value::Ref(View::new(self.writable(place), ty, true)),
                None => Value::Error,
            },
            ("len", 0) => self.on_place(receiver, span, |l, place, _| Value::Expr(l.len_of(place))),
            ("is_empty", 0) => {
                self.on_place(receiver, span, |l, place, _| Value::Expr(l.is_empty(place)))
            }
            ("as_slice" | "as_mut_slice", 0) => {
                let mutable = name == "as_mut_slice";
                self.on_place(receiver, span, |_, place, element| {
                    Value::Ref(View::new(place, Ty::Slice(Box::new(element)), mutable))
                })
            }
            ("pop" | "pop_back", 0) => self.pop(receiver, span),
            ("push_back", 1) => self.with_one_argument(receiver, call, "push", span),
            ("push_front", 1) | ("pop_front", 0) => self.at_front(receiver, call, span),
            ("clear", 0) => self.on_place(receiver, span, |l, place, _| {
                let len = Expr::usize_literal(0, span);
                let vec = l.writable(place);
                l.emit(StmtKind::Truncate { vec, len }, span);
                Value::Unit
            }),
            ("push" | "fill" | "truncate", 1) => self.with_one_argument(receiver, call, name, span),
            ("copy_from_slice" | "clone_from_slice", 1) => self.copy_from(receiver, call, span),
            ("clone_from", 1) => self.clone_from(receiver, call, span),
            ("map", 1) if let Ty::Array(element, Some(len)) = ty => self.map_array(
                receiver,
                &call.args[0],
                (**element).clone(),
                len.clone(),
                span,
            ),
            ("swap", 2) => self.swap_elements(receiver, call, span),
            // A comparison puts nothing of what it looks at into the container.
            _ if (name.starts_with("sort") || name == "retain")
                && self
                    .types
                    .element(ty)
                    .is_some_and(|e| self.types.is_passive(&e)) =>
            {
                let ty = Ty::Unit;
                self.method_as_written(receiver, call, ty, OpaqueKind::Other("a sort"))
            }
            _ if super::room::makes_room(name, call.args.len())
                && self.lenient == 0
                && matches!(ty, Ty::Vec(_) | Ty::Queue(_))
                && let Some(element) = self.types.element(ty)
                && !self.types.is_passive(&element) =>
            {
                self.room(receiver, element, call, span)
            }
            ("front" | "back", 0) if matches!(ty, Ty::Queue(_)) => {
                let ty = self.types.fresh(Kind::General);
                let kind = OpaqueKind::Other("an end of a queue");
                self.method_as_written(receiver, call, ty, kind)
            }
            _ if changes_in_place(name) => self.unknown_change(receiver, call, name, ty),
            _ => {
                let receiver = match self.method_of_trait(receiver, call, name, want) {
                    Ok(value) => return value,
                    Err(receiver) => receiver,
                };
                let ty = self.container_result(name);
                self.method_as_written(receiver, call, ty, OpaqueKind::Method(call.method.clone()))
            }
        }
    }

    fn container_result(&mut self, name: &str) -> Ty {
        match name {
            "contains" | "starts_with" | "ends_with" | "is_sorted" | "eq" | "ne" => Ty::Bool,
            "capacity" | "partition_point" => Ty::USIZE,
            "binary_search"
            | "binary_search_by"
            | "binary_search_by_key"
            | "cmp"
            | "partial_cmp" => Ty::Passive,
            _ => self.types.fresh(Kind::General),
        }
    }

    fn on_place(
        &mut self,
        receiver: Value,
        span: Span,
        f: impl FnOnce(&mut Self, Place, Ty) -> Value,
    ) -> Value {
        let Some((place, ty)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        let zero = Expr::usize_literal(0, span);
        let element = match self.types.element(&ty) {
            Some(element) => element,
            None => {
                self.require_sequence(&place);
                self.part_type(&ty, &Proj::index(zero))
            }
        };
        f(self, place, element)
    }

    /// `push`, `fill`, `truncate`: the receiver's place is fixed first, then the argument is evaluated.
    fn with_one_argument(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        span: Span,
    ) -> Value {
        self.on_place(receiver, span, |l, mut place, element| {
            let mark = l.mark();
            let value = l.value(&call.args[0], Want::Value);
            let value = l.stored(value, span_of(&call.args[0]));
            l.protect_place(&mut place, mark);
            let place = l.writable(place);
            let kind = match name {
                "truncate" => {
                    l.types.unify(&value.ty, &Ty::USIZE);
                    StmtKind::Truncate {
                        vec: place,
                        len: value,
                    }
                }
                "push" => {
                    l.types.unify(&element, &value.ty);
                    StmtKind::Push { vec: place, value }
                }
                _ => {
                    l.types.unify(&element, &value.ty);
                    StmtKind::Fill {
                        slice: place,
                        value,
                    }
                }
            };
            l.emit(kind, span);
            Value::Unit
        })
    }

    fn copy_from(&mut self, receiver: Value, call: &syn::ExprMethodCall, span: Span) -> Value {
        self.on_place(receiver, span, |l, mut place, element| {
            let mark = l.mark();
            let source = l.value(&call.args[0], Want::Value);
            let Some((src, ty)) = l.place_of(source, span) else {
                return Value::Error;
            };
            l.protect_place(&mut place, mark);
            if let Some(other) = l.types.element(&ty) {
                l.types.unify(&element, &other);
            }
            let dst = l.writable(place);
            l.emit(StmtKind::CopyFrom { dst, src }, span);
            Value::Unit
        })
    }

    /// `a.clone_from(&b)`: what `a = b.clone()` does.
    fn clone_from(&mut self, receiver: Value, call: &syn::ExprMethodCall, span: Span) -> Value {
        let Some((mut place, ty)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        let mark = self.mark();
        let source = self.value(&call.args[0], Want::Value);
        let value = self.operand_raw(source, span);
        self.protect_place(&mut place, mark);
        self.types.unify(&ty, &value.ty);
        if let (true, ExprKind::Read(source)) = (self.has_unknown_clone(&ty), &value.kind) {
            self.check_clone_from(&place, source, span);
        }
        let place = self.writable(place);
        let init = false;
        self.emit(StmtKind::Assign { place, value, init }, span);
        Value::Unit
    }

    fn swap_elements(&mut self, receiver: Value, call: &syn::ExprMethodCall, span: Span) -> Value {
        self.on_place(receiver, span, |l, mut place, _| {
            let mark = l.mark();
            l.passive += 1;
            let indices = l.operands(call.args.iter());
            l.passive -= 1;
            l.protect_place(&mut place, mark);
            // Both elements are of one slice: its bounds are looked up once.
            let place = l.writable(place);
            let mut sides = Vec::new();
            for index in indices {
                l.types.unify(&index.ty, &Ty::USIZE);
                sides.push(l.writable(place.then(Proj::index(index))));
            }
            let (Some(b), Some(a)) = (sides.pop(), sides.pop()) else {
                return Value::Error;
            };
            l.emit(StmtKind::Swap(a, b), span);
            Value::Unit
        })
    }

    /// `v.pop()` as an `Option`.
    fn pop(&mut self, receiver: Value, span: Span) -> Value {
        self.on_place(receiver, span, |l, place, element| {
            let vec = l.writable(place);
            let ty = Ty::Option(Box::new(element.clone()));
            let result = l.temp("popped", ty.clone(), span);
            let empty = l.is_empty(vec.clone());
            let set = |l: &mut Self, kind: ExprKind| {
                let value = Expr::new(kind, ty.clone(), span);
                l.emit(
                    StmtKind::Assign {
                        place: Place::var(result, span),
                        value,
                        init: true,
                    },
                    span,
                );
            };
            l.open();
            set(l, ExprKind::None);
            let (nothing, _) = l.close();
            l.open();
            let dest = l.temp("last", element.clone(), span);
            l.emit(StmtKind::Pop { dest, vec }, span);
            set(
                l,
                ExprKind::Some(Box::new(Expr::read_var(dest, element, span))),
            );
            let (something, _) = l.close();
            l.emit_let(result, None, span);
            l.emit(
                StmtKind::Switch {
                    selector: empty,
                    arms: vec![nothing, something],
                },
                span,
            );
            Value::Expr(Expr::read_var(result, ty.clone(), span))
        })
    }

    /// Methods that change a container in a way without a rule: kept where its elements carry no derivative.
    fn unknown_change(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        ty: &Ty,
    ) -> Value {
        if let Some(element) = self.types.element(ty) {
            self.obligations.push(Obligation::Passive(
                element,
                call.method.span(),
                catalog::vec_method(name),
            ));
        }
        let ty = self.types.fresh(Kind::General);
        self.method_as_written(receiver, call, ty, OpaqueKind::Method(call.method.clone()))
    }
}

fn changes_in_place(name: &str) -> bool {
    matches!(
        name,
        "extend"
            | "resize"
            | "resize_with"
            | "insert"
            | "remove"
            | "swap_remove"
            | "split_at_mut"
            | "split_off"
            | "drain"
            | "retain"
            | "retain_mut"
            | "reverse"
            | "append"
            | "extend_from_slice"
            | "extend_from_within"
            | "copy_within"
            | "dedup"
            | "dedup_by"
            | "dedup_by_key"
            | "rotate_left"
            | "rotate_right"
            | "fill_with"
            | "swap_with_slice"
            | "split_at"
            | "iter_mut"
            | "chunks_mut"
            | "chunks_exact_mut"
            | "split_first_mut"
            | "split_last_mut"
            | "get_mut"
            | "make_contiguous"
    ) || name.starts_with("sort")
        || name.starts_with("select_nth")
}
