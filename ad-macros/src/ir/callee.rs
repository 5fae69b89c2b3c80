//! What a call names.

use super::Arg;

/// What a call names, and so where its sweeps are found.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) kind: CalleeKind,
    /// The path as the user wrote it; of a method the name, and the parameters that it is given.
    pub(crate) path: syn::ExprPath,
    /// It is known to have no sweeps.
    pub(crate) without: Option<Without>,
    /// The call yields a `Result`, or an `Option`, that is taken apart: `dest` is its value as an `Option`, and the
    /// last argument is where its error goes, which no sweep takes.
    pub(crate) fallible: bool,
    /// Which of the arguments are functions, in their order. Of one, the arguments are what it has captured.
    pub(crate) functions: Vec<FunctionArg>,
    pub(crate) returning: Returning,
    /// Of a method: whether its receiver is a reference in the text.
    pub(crate) behind: Behind,
    /// What the text shows of the result.
    pub(crate) answer: Option<Answer>,
    /// An argument is an iterator in the text: the sweeps take its items, the function itself does not.
    pub(crate) iterated: bool,
}

/// What a call yields, where that is not the value that the signature says, or nothing that carries a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The method returns a reference: the caller has a copy of what it leads to.
    LentValue,
    /// The same of a slice.
    LentSlice,
    /// A number that counts, a variant or the like, of a function whose text hides no float in it.
    Discrete,
}

/// What a receiver stands behind. Rust looks for methods of the reference first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Behind {
    /// It is the value, or a method with a place of its own.
    #[default]
    Nothing,
    /// `&T`
    Shared,
    /// `&mut T`
    Mutable,
}

/// Whether the reverse sweep of a call puts back what the function wrote to its arguments.
#[derive(Clone, Default, Debug)]
pub(crate) enum Returning {
    #[default]
    Always,
    /// Nobody reads it.
    Never,
    /// If the callee would leave one of these, and somebody reads it.
    If(Vec<Output>),
}

/// As many arguments as a companion says something of: a bit of its constants for each.
pub(crate) const ARGUMENTS: usize = 64;

/// An output of a call, of which the companion of the callee says whether its reverse sweep could leave it.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) of: Argument,
    pub(crate) read_by: ReadBy,
}

/// Who reads what the reverse sweep of a callee puts back.
#[derive(Clone, Debug)]
pub(crate) enum ReadBy {
    /// The function with the call.
    Caller,
    /// The reverse sweeps of calls, if their companions say that they read one of these arguments.
    Sweeps(Vec<Argument>),
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) of: syn::ExprPath,
    pub(crate) at: usize,
}

/// A function that is given to another one, or called itself.
#[derive(Clone, Debug)]
pub(crate) struct FunctionArg {
    /// Where the arguments begin that it has captured.
    pub(crate) at: usize,
    /// How many these are.
    pub(crate) captures: usize,
    pub(crate) kind: FunctionKind,
    /// The types of its own arguments, `_` where they are not written; none of a function that has a name.
    pub(crate) inputs: Vec<syn::Type>,
    /// The runtime's trait by which it is called.
    pub(crate) bound: Option<syn::Path>,
    /// The references that the user's function takes it behind, the outermost first; whether they are mutable.
    pub(crate) behind: Vec<bool>,
}

/// What a function is that is given to another one.
#[derive(Clone, Debug)]
pub(crate) enum FunctionKind {
    /// A parameter, which is the only thing captured.
    Parameter,
    /// A function with `#[gradient]`.
    Named(syn::ExprPath),
    /// A closure, by the name of what carries its sweeps, with its generic arguments.
    Closure(proc_macro2::Ident, Vec<proc_macro2::Ident>),
}

/// An argument as the user wrote it.
pub(crate) enum GivenArg<'a> {
    Plain(usize),
    Function(&'a FunctionArg),
}

/// Why a function has no sweeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Without {
    /// It returns a reference.
    Reference,
    /// It returns an `impl Trait`.
    Opaque,
    /// A parameter has a type that nothing is known of.
    Parameter,
    /// It returns nothing and writes nothing.
    Effect,
    /// It is left as it is, by `#[no_gradient]`.
    Left,
    /// It is a method that is given parameters where it is called.
    Parameters,
    /// The text shows that it has no attribute.
    Plain,
    /// It is named by a trait alone, which has no attribute.
    OfTrait,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CalleeKind {
    /// A function: a companion type of its name carries its sweeps.
    Function,
    /// `S::f(…)`: its sweeps stand beside it in the `impl`.
    Associated,
    /// A function that is an argument, or a closure: the first of the functions.
    Argument,
    /// `s.f(…)`: as an associated function, the receiver being the first argument.
    Method,
    /// `V::from(x)`, `<V as From<_>>::from(x)`: the types of target and argument say what its sweeps are.
    Conversion,
    /// An operator on types that the macro does not see, whose path is its name in the runtime: only its reverse
    /// sweep is called.
    Operator,
}

impl Callee {
    /// What the sweeps take of the arguments, and where an error goes.
    pub(crate) fn split<'a>(&self, args: &'a [Arg]) -> (&'a [Arg], Option<&'a Arg>) {
        match args.split_last() {
            Some((error, taken)) if self.fallible => (taken, Some(error)),
            _ => (args, None),
        }
    }

    /// The arguments as the user wrote them, of so many.
    pub(crate) fn given(&self, args: usize) -> Vec<GivenArg<'_>> {
        let (mut given, mut functions) = (Vec::new(), self.functions.iter().peekable());
        let mut at = 0;
        loop {
            while let Some(function) = functions.next_if(|f| f.at == at) {
                given.push(GivenArg::Function(function));
                at += function.captures;
            }
            if at >= args {
                return given;
            }
            given.push(GivenArg::Plain(at));
            at += 1;
        }
    }

    /// The last name of the path.
    pub(crate) fn name(&self) -> String {
        let last = self.path.path.segments.last();
        last.map_or_else(
            || "value".to_owned(),
            |s| syn::ext::IdentExt::unraw(&s.ident).to_string(),
        )
    }

    /// Whether its last name is given parameters.
    pub(crate) fn has_parameters(&self) -> bool {
        let last = self.path.path.segments.last();
        last.is_some_and(|last| !last.arguments.is_none())
    }

    /// Where its name stands.
    pub(crate) fn span(&self) -> proc_macro2::Span {
        let last = self.path.path.segments.last();
        last.map_or_else(proc_macro2::Span::call_site, |s| s.ident.span())
    }

    /// The callee in the user's words, without spaces.
    pub(crate) fn text(&self) -> String {
        let text = quote::ToTokens::to_token_stream(&self.path).to_string();
        text.replace(' ', "")
    }
}
