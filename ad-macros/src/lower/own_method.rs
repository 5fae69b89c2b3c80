//! Methods of the user's own types, which may have sweeps.

use syn::ext::IdentExt;

use super::Lowerer;
use super::expr::is_constant_name;
use super::infer::Class;
use super::method_names::{is_float_function, is_known_of_language};
use super::operator::strip;
use super::owner::{Derivative, Member};
use super::scope::{Binding, plain_ident};
use super::side_by_side::meet;
use super::std_methods::is_of_std;
use super::value::{Value, View, Want, span_of};
use crate::ir::{
    Behind, Callee, CalleeKind, ExprKind, MathFn, Passing, Place, Proj, Returning, Ty,
    converts_to_integer, only_reads,
};
use crate::shown::Yields;
use crate::surroundings::{
    Lasting, function_of_block, function_of_type, is_of_plain_trait, lasting, with_text,
};

impl Lowerer<'_> {
    /// A method that nothing is known of, as a call that may carry derivatives; the receiver comes back if it is none.
    ///
    /// Methods that std has by this name are read as std's, unless the block that the attribute stands on has one.
    pub(super) fn own_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        want: Want,
    ) -> Result<Value, Value> {
        let member = self.member_of_self(&receiver, call);
        if self.lenient > 0 || (member.is_none() && !self.may_be_own(&receiver, name, &call.args)) {
            return Err(receiver);
        }
        let named = member.is_some() || !self.is_of_std(name, &call.args);
        let of_std = |arg: &syn::Expr| match strip(arg) {
            syn::Expr::Closure(_) => !named,
            syn::Expr::Range(_) => true,
            _ => false,
        };
        if call.args.iter().any(of_std) {
            return Err(receiver);
        }
        self.called_on(receiver, member.as_ref(), call, want)
    }

    /// The call of a method of the user's; the receiver comes back if it is no place.
    fn called_on(
        &mut self,
        receiver: Value,
        member: Option<&Member>,
        call: &syn::ExprMethodCall,
        want: Want,
    ) -> Result<Value, Value> {
        let behind = behind(&receiver);
        let receiver = self.as_receiver(receiver, member, call)?;
        Ok(self.outside_conditions(|l| l.own_call((receiver, behind), call, want)))
    }

    /// A method of a number, an array or a `Vec` that std does not have: one of a trait of somebody's; the receiver
    /// comes back if it is none.
    pub(super) fn method_of_trait(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        want: Want,
    ) -> Result<Value, Value> {
        if self.lenient > 0
            || is_known_of_language(name)
            || is_of_std(name, call.args.len())
            || MathFn::from_name(name).is_some()
            || call.args.iter().any(is_closure_or_range)
            || matches!(receiver, Value::Opaque(..))
            || converts_to_integer(name).is_some() && call.args.is_empty()
            || is_of_plain_trait(&call.method)
        {
            return Err(receiver);
        }
        self.called_on(receiver, None, call, want)
    }

    /// A method that the block of `self` has, whatever std's methods of the name do; the receiver comes back if it is
    /// none.
    pub(super) fn method_of_self(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        want: Want,
    ) -> Result<Value, Value> {
        match self.member_of_self(&receiver, call) {
            Some(_) => self.own_method(receiver, call, name, want),
            None => Err(receiver),
        }
    }

    /// A method that std has by its name, too, of a receiver that is one of the user's own types by the text; it
    /// comes back if it is none.
    pub(super) fn method_of_shown(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        want: Want,
    ) -> Result<Value, Value> {
        let ty = self.type_of(&receiver);
        let shown = self.shown.call(&call.method).cloned();
        let Some((member, yields)) = shown.filter(|_| self.lenient == 0) else {
            return Err(receiver);
        };
        if !matches!(self.types.class(&ty), Class::Open | Class::Hidden)
            || matches!(receiver, Value::Opaque(..))
        {
            return Err(receiver);
        }
        self.types.set_struct(&ty);
        let value = self.called_on(receiver, Some(&member), call, want)?;
        let ty = self.type_of(&value);
        match yields {
            Yields::Own => self.types.set_struct(&ty),
            Yields::F64 => self.types.unify(&ty, &Ty::F64),
            Yields::F32 => self.types.unify(&ty, &Ty::F32),
            Yields::Unknown => {}
        }
        Ok(value)
    }

    /// A method that floats have by its name, too, of a variable whose type nobody knows, but whose fields the function
    /// reads somewhere: it is no float. It comes back if it is none.
    pub(super) fn method_of_fields(
        &mut self,
        receiver: Value,
        ty: &Ty,
        call: &syn::ExprMethodCall,
        want: Want,
    ) -> Result<Value, Value> {
        let name = match strip(&call.receiver) {
            syn::Expr::Path(path) => plain_ident(path).map(|name| name.unraw().to_string()),
            _ => None,
        };
        let has_fields = name.is_some_and(|name| self.with_fields.contains(&name));
        let of_float = is_float_function(&call.method.to_string(), call.args.len());
        let open = self.types.class(ty) == Class::Open && !matches!(receiver, Value::Opaque(..));
        if self.lenient > 0 || !has_fields || !of_float || !open {
            return Err(receiver);
        }
        self.types.set_struct(ty);
        self.called_on(receiver, None, call, want)
    }

    pub(super) fn is_member_of_self(&self, receiver: &Value, call: &syn::ExprMethodCall) -> bool {
        self.member_of_self(receiver, call).is_some()
    }

    fn member_of_self(&self, receiver: &Value, call: &syn::ExprMethodCall) -> Option<Member> {
        let of_own_type = match receiver {
            Value::Place(place, _) => self.is_self(place) || self.is_another_self(place),
            Value::Ref(view) => self.is_self(&view.place) || self.is_another_self(&view.place),
            _ => false,
        };
        // What a call of `clone` does is compared with the value.
        let by_text = call.method != "clone";
        if !of_own_type {
            let of_parameter = || self.member_of_parameter(receiver, call);
            return by_text.then(of_parameter).flatten();
        }
        let member = self.owner.member(&call.method).cloned();
        member.or_else(|| by_text.then(|| self.member_beside(call)).flatten())
    }

    /// A function that the text shows in the block around the function, where the attribute stands on the function
    /// alone. One without derivatives may have the meaning of std's, as far as `lower` asks: `len`, `is_empty`.
    fn member_beside(&self, call: &syn::ExprMethodCall) -> Option<Member> {
        let stands_alone = self.owner.members.is_empty() && self.owner.of_trait.is_none();
        if !self.owner.stands_in_block || !stands_alone {
            return None;
        }
        own_member(&function_of_block(call.method.span(), &call.method)?)
    }

    /// A function that the text shows in an `impl` of the parameter that a place is all of.
    fn member_of_parameter(&self, receiver: &Value, call: &syn::ExprMethodCall) -> Option<Member> {
        let place = match receiver {
            Value::Place(place, _) => place,
            Value::Ref(view) => &view.place,
            _ => return None,
        };
        if !place.proj.iter().all(|proj| matches!(proj, Proj::Deref))
            || !is_of_std(&call.method.to_string(), call.args.len())
        {
            return None;
        }
        let mut params = self.func.params.iter();
        let written = &params.find(|param| param.var == place.root)?.written;
        let mut ty = written;
        while let syn::Type::Reference(r) = ty {
            ty = &r.elem;
        }
        let syn::Type::Path(ty) = ty else {
            return None;
        };
        let [segment] = ty.path.segments.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        if ty.qself.is_some() || super::is_primitive(&segment.ident.to_string()) {
            return None;
        }
        own_member(&function_of_type(
            call.method.span(),
            &segment.ident,
            &call.method,
        )?)
    }

    /// Whether a place is all of a parameter of type `Self`.
    fn is_another_self(&self, place: &Place) -> bool {
        let behind = |ty: &syn::Type| match ty {
            syn::Type::Reference(r) => (*r.elem).clone(),
            ty => ty.clone(),
        };
        let is_self = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if p.path.is_ident("Self"));
        let mut params = self.func.params.iter();
        let param = params.find(|param| param.var == place.root);
        let whole = place.proj.iter().all(|proj| matches!(proj, Proj::Deref));
        whole && param.is_some_and(|param| is_self(&behind(&param.written)))
    }

    /// Whether the call is one of a method that may be the user's own, of a variable or a field that may carry a
    /// derivative.
    pub(super) fn is_own_call(&mut self, call: &syn::ExprMethodCall) -> bool {
        let mut root = strip(&call.receiver);
        while let syn::Expr::Field(field) = root {
            root = strip(&field.base);
        }
        let binding = super::scope::name_of(root).and_then(|name| self.lookup(name));
        let named = matches!(
            binding,
            Some(Binding::Var(_) | Binding::View { .. } | Binding::Captured(..))
        );
        let taken = call.args.iter().any(is_closure_or_range);
        if !named || self.lenient > 0 || taken || !self.mentions_active(call) {
            return false;
        }
        // Names and fields leave nothing behind.
        let receiver = self.pointee(&call.receiver);
        let name = call.method.to_string();
        let plain = matches!(receiver, Value::Place(..) | Value::Ref(_));
        plain && !is_of_std(&name, call.args.len()) && self.may_be_own(&receiver, &name, &call.args)
    }

    fn own_call(
        &mut self,
        (receiver, behind): (View, Behind),
        call: &syn::ExprMethodCall,
        want: Want,
    ) -> Value {
        let fallible = std::mem::take(&mut self.apart);
        let mark = self.mark();
        let converted = self.with_conversions(CalleeKind::Method, &call.method, false, &call.args);
        let args = converted.as_ref().unwrap_or(&call.args);
        let (mut values, mut functions) = self.arguments(args.iter());
        let mut receiver = receiver;
        self.protect_place(&mut receiver.place, mark);
        // Beside a reference to the same place, or to another element, the method only reads, unless both are parts of
        // what was split: else it did not compile.
        let beside =
            |value: &Value| matches!(value, Value::Ref(view) if meet(&receiver.place, &view.place));
        if !self.split.contains(&receiver.place.root) {
            receiver.mutable &= !values.iter().any(|(value, _)| beside(value));
        }
        values.insert(0, (Value::Ref(receiver), span_of(&call.receiver)));
        functions.iter_mut().for_each(|function| function.at += 1);
        let (name, parameters) = (&call.method, &call.turbofish);
        let callee = Callee {
            kind: CalleeKind::Method,
            path: syn::parse_quote!(#name #parameters),
            without: None,
            fallible,
            functions,
            returning: Returning::Always,
            behind,
            answer: None,
            iterated: false,
        };
        self.emit_call(callee, values, want, span_of(call))
    }

    /// Whether the method may be one of the user's own, by what is known of its receiver and by its name.
    fn may_be_own(&mut self, receiver: &Value, name: &str, args: &Arguments) -> bool {
        let ty = self.type_of(receiver);
        let is_tuple = matches!(self.types.shallow(&ty), Ty::Tuple(_));
        if is_tuple && !is_known_of_language(name) && !self.is_of_std(name, args) {
            return true;
        }
        let known = match receiver {
            Value::Place(..) | Value::Ref(_) => false,
            // A static can hide what it is given.
            Value::Expr(e) => {
                matches!(&e.kind, ExprKind::Opaque(opaque) if !is_constant(&opaque.code))
            }
            Value::Opaque(..) | Value::Tuple(..) | Value::Unit | Value::Never | Value::Error => {
                true
            }
        };
        let open = matches!(self.types.class(&ty), Class::Open | Class::Hidden);
        // A struct is no float, no option and no container.
        let of_struct = matches!(self.types.shallow(&ty), Ty::Struct(_))
            && !matches!(name, "clone" | "to_string");
        open && !known
            && (self.types.is_made(&ty)
                || of_struct
                || !self.is_of_std(name, args)
                || name == "len" && !is_part(receiver) && self.file_measures())
    }

    /// Whether the file has a method `len` that returns a float, such as the length of a vector in space. What has no
    /// type here is then taken for a value with this method, unless it is a field: rustc rejects a wrong guess.
    fn file_measures(&self) -> bool {
        let measures = |text: &str| {
            text.match_indices("fn len(").any(|(at, _)| {
                let head = text[at..].split(['{', ';']).next().unwrap_or_default();
                let result = head.split("->").nth(1).map(str::trim);
                matches!(result, Some("f64" | "f32"))
            })
        };
        with_text(self.func.name.span(), measures).unwrap_or(false)
    }

    /// Whether a method of this name and these arguments is read as one of std's.
    fn is_of_std(&mut self, name: &str, args: &Arguments) -> bool {
        let takes_function = matches!(name, "all" | "any" | "filter" | "find" | "map" | "position");
        is_of_std(name, args.len())
            && !(name == "get" && self.takes_numbers(args))
            && !(takes_function && args.iter().any(|arg| self.is_no_function(arg)))
    }

    /// Whether an argument is shown to be a number, or a reference to a variable, and so no function.
    fn is_no_function(&self, arg: &syn::Expr) -> bool {
        match strip(arg) {
            syn::Expr::Reference(of) => {
                let name = super::scope::name_of(&of.expr);
                let binding = name.and_then(|name| self.lookup(name));
                matches!(binding, Some(Binding::Var(_) | Binding::View { .. }))
            }
            syn::Expr::Lit(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_) => true,
            syn::Expr::Path(path) => match plain_ident(path).and_then(|name| self.lookup(name)) {
                Some(Binding::Var(var)) => {
                    let ty = self.types.shallow(&self.func.var(var).ty);
                    self.is_number(&ty)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// `noise.get([x, y])`, of a type that the text does not show.
    pub(super) fn gets_by_numbers(&mut self, ty: &Ty, call: &syn::ExprMethodCall) -> bool {
        call.method == "get"
            && matches!(self.types.class(ty), Class::Open | Class::Hidden)
            && self.takes_numbers(&call.args)
    }

    /// Whether an argument is a number with a derivative or an array: no position, and no key.
    pub(super) fn takes_numbers(&mut self, args: &Arguments) -> bool {
        args.iter().any(|arg| match strip(arg) {
            syn::Expr::Array(_) => true,
            syn::Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Float(_)),
            syn::Expr::Path(path) => {
                let ty = match plain_ident(path).and_then(|name| self.lookup(name)) {
                    Some(Binding::Var(var)) => self.func.var(var).ty.clone(),
                    Some(Binding::View { view, var: None }) => view.ty,
                    _ => return false,
                };
                let ty = self.types.shallow(&ty);
                self.types.class(&ty) == Class::Float || matches!(ty, Ty::Array(..))
            }
            _ => false,
        })
    }

    /// The receiver as a place. A mutable one counts as written unless the method is known only to read it.
    fn as_receiver(
        &mut self,
        receiver: Value,
        member: Option<&Member>,
        call: &syn::ExprMethodCall,
    ) -> Result<View, Value> {
        let name = call.method.to_string();
        let reads = match member {
            Some(member) => member.receiver != Some(Passing::InOut),
            None => name.starts_with("is_") || name.starts_with("has_") || only_reads(&name),
        };
        match receiver {
            Value::Place(place, ty) => {
                let mutable = !reads && self.may_write_root(&place);
                Ok(View::new(place, ty, mutable))
            }
            Value::Ref(view) => {
                if view.depth > 0 {
                    return Err(Value::Ref(view));
                }
                let mutable = view.mutable && !reads;
                Ok(View { mutable, ..view })
            }
            value @ (Value::Expr(_) | Value::Tuple(..)) => {
                let span = span_of(&call.receiver);
                let e = match value {
                    Value::Expr(e) => e,
                    tuple => self.stored(tuple, span),
                };
                let ty = e.ty.clone();
                let var = self.temp_let("receiver", e);
                Ok(View::new(Place::var(var, span), ty, !reads))
            }
            other => Err(other),
        }
    }
}

/// Arguments that no method with a derivative takes.
fn is_closure_or_range(arg: &syn::Expr) -> bool {
    matches!(strip(arg), syn::Expr::Closure(_) | syn::Expr::Range(_))
}

/// What the receiver is in the text.
fn behind(receiver: &Value) -> Behind {
    match receiver {
        Value::Ref(view) if view.mutable => Behind::Mutable,
        Value::Ref(_) => Behind::Shared,
        Value::Expr(_)
        | Value::Place(..)
        | Value::Tuple(..)
        | Value::Opaque(..)
        | Value::Unit
        | Value::Never
        | Value::Error => Behind::Nothing,
    }
}

/// Whether a value is a field of another one, or an element.
fn is_part(value: &Value) -> bool {
    let place = match value {
        Value::Place(place, _) => place,
        Value::Ref(view) => &view.place,
        _ => return false,
    };
    !place.proj.iter().all(|proj| matches!(proj, Proj::Deref))
}

/// A function of a block, if it is one that can have derivatives.
fn own_member(function: &syn::ImplItemFn) -> Option<Member> {
    let left = function
        .attrs
        .iter()
        .any(|a| a.path().is_ident("no_gradient"));
    let member = Member::of(&function.sig, left);
    (member.derivative == Derivative::Own).then_some(member)
}

/// The arguments of a call.
pub(super) type Arguments = syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>;

/// A constant is another value wherever it is named: `T::ZERO`, of a type, and one that the text shows.
fn is_constant(code: &syn::Expr) -> bool {
    let path = match strip(code) {
        syn::Expr::Path(path) => path,
        syn::Expr::Field(field) => return is_constant(&field.base),
        syn::Expr::Index(index) => return is_constant(&index.expr),
        _ => return false,
    };
    if let Some(last) = path.path.segments.last()
        && is_constant_name(&last.ident)
        && lasting(last.ident.span(), &last.ident) == Some(Lasting::Constant)
    {
        return true;
    }
    let mut segments = path.path.segments.iter().rev();
    let of_type = |name: &proc_macro2::Ident| name.to_string().starts_with(char::is_uppercase);
    segments.next().is_some() && segments.next().is_some_and(|before| of_type(&before.ident))
}
