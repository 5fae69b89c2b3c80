//! Every message that the compiler gives: what is not supported, and what to write instead.
//!
//! The name of a message is stable: `tests/ui/<name>.rs` shows it.

/// A message of the catalogue, filled in.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) help: String,
}

impl Message {
    pub(crate) fn full_text(&self) -> String {
        format!("{}\n\nhelp: {}", self.text, self.help)
    }
}

macro_rules! catalog {
    ($($name:literal $function:ident($($arg:ident),*): $text:literal, help: $help:literal;)*) => {
        /// The names of all messages.
        #[cfg(test)]
        pub(crate) const ALL: &[&str] = &[$($name),*];

        $(
            pub(crate) fn $function($($arg: &str),*) -> Message {
                Message { name: $name, text: format!($text), help: format!($help) }
            }
        )*
    };
}

catalog! {
    // What `#[gradient]` stands on, and its arguments.
    "not-a-function" not_a_function(what): "`#[gradient]` on {what} has no meaning",
        help: "put `#[gradient]` on a function with a body, on an `impl` of a type of your own, or on a trait";
    "foreign-type" foreign_type(): "the `impl` of a trait for this type cannot have `#[gradient]`",
        help: "write it for numbers, arrays, tuples or `Vec`, with each float by its name, or for a struct of your own \
            that holds the value, with `#[derive(Differentiable)]`";
    "trait-without-gradient" trait_without_gradient(name): "the trait `{name}` has no `#[gradient]`, and this \
     `impl` has one for a type of the language or of std",
        help: "put `#[gradient]` above `trait {name}`, too: such a type has no other place for derivatives";
    "trait-function" trait_function(): "functions of traits are not supported yet",
        help: "put `#[gradient]` above the whole `impl` of the trait, or on a function of the type itself";
    "impl-for-all" impl_for_all(name): "the `impl` of a trait for every `{name}` that fits cannot have `#[gradient]`",
        help: "write it for each type whose derivative is asked for";
    "impl-parameter" impl_parameter(name): "the type parameter `{name}` of this `impl` is none of its type's, and \
     stands for a float, or not in the arguments of the trait: `#[gradient]` has no place for it",
        help: "leave `#[gradient]` out above this `impl`, and write a function of the type that takes what the \
            argument is asked for";
    "trait-parameter" trait_parameter(name): "the type parameter `{name}` of the trait has to be `Differentiable`",
        help: "write `{name}: Differentiable` above: a type of the language or of std has its derivatives in the trait";
    "unknown-option" unknown_option(option): "`#[gradient]` has no argument `{option}`",
        help: "the arguments are `name = …`, `crate = …`, `companion = …`, `no(…)`, `seeds` and, above a trait, `dyn`";
    "name-by-hand" name_by_hand(name): "`#[gradient]` writes a function `{name}`, and there is one of this name here",
        help: "rename that, or give those that are written another name: `#[gradient(name = …)]` on the function";
    "option-of-block" option_of_block(): "`name` and `companion` have no meaning on an `impl` block",
        help: "put `#[gradient(name = …)]` on the method";
    "option-of-trait" option_of_trait(): "`dyn` has a meaning above the definition of a trait alone",
        help: "put `#[gradient(dyn)]` above `trait`, if its supertraits allow `dyn`";
    "seeds-target" seeds_target(): "`seeds` has a meaning for a function alone, and for a function of an `impl` block \
     of a type: one that is generic over a float, takes functions, or is of a trait, has no sweeps for several seeds",
        help: "call the generated `…_adjoint` once for each seed, or write a function for `f64` that calls this one";
    "seeds-call" seeds_call(): "sweeps for several seeds cannot call an operator of a type of your own, or give \
     functions to others",
        help: "write the operator out, or as a function with `#[gradient(seeds)]`, or leave `seeds` out";
    "seeds-loop" seeds_loop(): "sweeps for several seeds cannot run in parallel",
        help: "leave out `#[parallel]`, or `seeds`: the generated `…_adjoint` runs once for each seed";
    "seeds-object" seeds_object(): "sweeps for several seeds cannot have a parameter of a `dyn` type",
        help: "make it generic or `#[constant]`, or leave `seeds` out";
    "unknown-transform" unknown_transform(written, known): "`{written}` names no transformation",
        help: "the transformations are {known}; `all` stands for every one";
    "unreadable-item" unreadable_item(reason): "`#[gradient]` cannot read this item: {reason}",
        help: "put `#[gradient]` on a free function; a statement from a macro (`$s:stmt`) can be passed as an \
            expression or block instead";
    "option-syntax" option_syntax(reason): "the arguments of `#[gradient]` cannot be read: {reason}",
        help: "the arguments are `name = ident`, `companion = ident`, `crate = path`, `no(ident, …)`, `seeds` and \
            `dyn`";
    "async-fn" async_fn(): "an `async fn` cannot be differentiated",
        help: "move the numerical part into an ordinary function and put `#[gradient]` there";
    "primitive-name" primitive_name(name): "a function called `{name}` cannot be differentiated: what carries its \
     derivative would hide the type `{name}`",
        help: "rename the function";
    "unsafe-fn" unsafe_fn(): "an `unsafe fn` cannot be differentiated",
        help: "wrap the safe numerical part in an ordinary function and put `#[gradient]` there";
    "extern-fn" extern_fn(): "an `extern` function cannot be differentiated",
        help: "put `#[gradient]` on an ordinary function and call that from the `extern` one";
    "variadic" variadic(): "variadic arguments cannot be differentiated",
        help: "take a slice instead";

    // Rules that the user writes.
    "rule-syntax" rule_syntax(reason): "the arguments of `#[derivative_of]` cannot be read: {reason}",
        help: "write the path of the function, `#[derivative_of(path::g)]`; behind it, `companion = name` and \
            `crate = path`";
    "rule-item" rule_item(reason): "`#[derivative_of]` has no meaning here: {reason}",
        help: "put it on a plain function with a body and a name of its own, in a module, without generic \
            parameters";
    "rule-of-method" rule_of_method(): "a rule for a method or an associated function is not supported",
        help: "write a function that calls it, `fn cdf(n: &Normal, x: f64) -> f64 {{ n.cdf(x) }}`, and the rule for \
            that one";
    "rule-signature" rule_signature(reason): "this rule {reason}",
        help: "write `fn rule(arguments…, seed: f64, adjoints…)`, with `&mut` of an adjoint for each argument that \
            carries a derivative, in their order; or, for floats, `fn rule(arguments…) -> (f64, …)`, which returns \
            the partial derivatives; `#[constant]` marks arguments without one, `#[result]` in front of the seed the \
            result";
    "rule-in-out" rule_in_out(what): "an argument that the function overwrites cannot be {what} in a rule",
        help: "write `#[in_out] x: &T` where the function takes `x: &mut T`, of numbers, arrays or slices of them, and \
            let the function return a float or nothing; or write a function that returns the new value, and the \
            rule for that one";

    // The signature.
    "receiver-type" receiver_type(): "a receiver of this type is not supported yet",
        help: "take `self`, `&self` or `&mut self`";
    "generic-type" generic_type(name): "the type parameter `{name}` is not supported yet",
        help: "write the function for `f64`, generic over one float that is bound by a trait of numbers, \
            `<T: Float>`, or over a type that is bound by a trait of your own under `#[gradient]`; mark parameters of \
            this type `#[constant]` if they carry no derivative; for a method, put `#[gradient]` above the whole \
            `impl`";
    "several-floats" several_floats(name): "a second type parameter for a float, `{name}`, is not supported",
        help: "use one type parameter for all floats, or write this one as `f64`";
    "impl-trait" impl_trait(): "`impl Trait` cannot be differentiated",
        help: "write the concrete type, or `#[constant] p: &dyn Trait` for a parameter that carries no derivative";
    "function-signature" function_signature(): "a function with these arguments or this result cannot be \
     differentiated here",
        help: "a function that is an argument takes and returns numbers, arrays, slices, `Vec`s and your own types; \
            mark the parameter `#[constant]` if it carries no derivative";
    "function-bound" function_bound(name): "a function that is an argument cannot be bound by `{name}` as well",
        help: "beside `Fn`, `FnMut` or `FnOnce` there can be `Copy`, `Clone`, `Send`, `Sync` and lifetimes; a trait of \
            your own with one method can have `#[gradient]` itself";
    "function-twice" function_twice(name): "the function `{name}` is given twice to one call",
        help: "both would add to one derivative at a time: let the callee take it once, or call it in a function with \
            `#[gradient]` of its own";
    "function-value" function_value(name): "the function `{name}` can be called here, and given to functions with \
     `#[gradient]`, and nothing else",
        help: "call it, or give it on as it is: `{name}`, `&{name}`, `&mut {name}`; a value of it that is printed or \
            compared is bound first, `let y = {name}(x);`";
    "closure-writes" closure_writes(): "a closure that is called by others writes to a variable outside of it",
        help: "let it return what it computes, or take `&mut` of the variable as a parameter";
    "closure-type" closure_type(name): "the type of `{name}`, which a closure captures, is not known",
        help: "write it where the variable is declared, `let {name}: T = …;`, or bind what the closure needs of it: \
            `let k: f64 = {name}.k;`";
    "closure-result" closure_result(): "a closure that is called by others and yields a `Result` needs the type of its \
            result",
        help: "write it: `|x: f64| -> Result<f64, E> {{ … }}`";
    "closure-self" closure_self(): "a closure that is called by others cannot capture `self` here",
        help: "put `#[gradient]` above the whole `impl`, or bind what the closure needs in front of it: \
            `let k: f64 = self.k;`";
    "closure-form" closure_form(what): "{what} is not supported in a closure that is called by others",
        help: "write a function with `#[gradient]`, and give its path";
    "literal-syntax" literal_syntax(reason): "`differentiable!` cannot read this: {reason}",
        help: "write the path of a function with `#[gradient]`, `differentiable!(path::g)`, or a closure, \
            `differentiable!(|x: f64| …)`";
    "function-path" function_path(name): "`{name}` cannot be given as a function here",
        help: "write a closure that calls it: `|x: f64| {name}(x)`";
    "dyn-trait" dyn_trait(name): "a `dyn {name}` cannot be differentiated",
        help: "write the concrete type or `dyn` of a trait with `#[gradient]`, or mark the parameter `#[constant]` if \
            it carries no derivative";
    "raw-pointer" raw_pointer(): "raw pointers are not supported",
        help: "use a reference or a slice, or mark the parameter `#[constant]` if it carries no derivative";
    "function-pointer" function_pointer(): "function pointers are not supported",
        help: "call the function by its path, or mark the parameter `#[constant]` if it is used without derivative";
    "nested-reference" nested_reference(): "a `&mut` reference inside another type, or to what holds references, \
     cannot be differentiated",
        help: "take the reference as a parameter of its own (`&T`, `&mut T`, `&[T]`), or mark the parameter \
            `#[constant]` if it carries no derivative";
    "unsupported-type" unsupported_type(what): "the type {what} is not supported in the signature",
        help: "use floats, integers, arrays, slices, `Vec`, tuples, `Option`, or a type that implements \
            `Differentiable`; mark a parameter without derivative `#[constant]`";
    "collection-parameter" collection_parameter(name): "a `{name}` cannot be differentiated",
        help: "pass the numbers in a slice or `Vec`, or mark the parameter `#[constant]` if it carries no derivative";
    "returned-reference" returned_reference(): "a function that returns a reference cannot be differentiated",
        help: "return the value, or write through a `&mut` parameter";
    "returned-borrow" returned_borrow(): "a function that returns what borrows from its arguments cannot be \
     differentiated",
        help: "return what owns its parts, or read those in the function that uses them";
    "boxed-slice" boxed_slice(): "a function that returns a slice in a box cannot be differentiated",
        help: "return a `Vec`; what calls it writes `.into_boxed_slice()`";
    "result-type" result_type(): "a `Result` is supported as the result of a function only, with its type in it",
        help: "write `Result<f64, Error>`, or an alias with the type, `Result<f64>`; of an argument, take the value";
    "result-value" result_value(): "a `Result` as a value is not supported yet",
        help: "apply `?`, `match`, `if let` or `unwrap` to the call itself, or to a variable with its type written; \
            write `Ok(…)` and `Err(…)` where the function returns";
    "cfg" cfg(): "this `#[cfg]` inside a differentiated function is not supported",
        help: "at most three conditions are, on statements, arms, fields, elements and arguments of functions that are \
            not generic; use `if cfg!(…)`, or write one function per configuration";
    "unknown-attribute" unknown_attribute(name): "the attribute `{name}` is not supported inside a differentiated \
     function",
        help: "remove it, or move the code into a function of its own";
    "parallel-feature" parallel_feature(): "parallel loops need the feature `rayon` of retrograde",
        help: "switch it on (`features = [\"rayon\"]`), or let the loop run on one thread: the gradient stays the same";
    "parallel-target" parallel_target(): "`#[parallel]` belongs on a `for` loop",
        help: "move it there, or remove it";
    "parallel-loop" parallel_loop(reason): "this loop cannot run in parallel: {reason}",
        help: "write a `for` over `lo..hi` of `usize` or over a slice, that runs to its end, by itself; or let the \
            loop run on one thread";
    "parallel-refused" parallel_refused(reason): "this loop cannot run in parallel: {reason}",
        help: "let each iteration write `a[i]` or `a[c*i..c*(i+1)]` and nothing else of `a`, and add to sums (`s += \
            …`); or let the loop run on one thread";
    "constant-written" constant_written(name): "a value with a derivative is written into `{name}`, which is \
     `#[constant]`: the derivative would be lost",
        help: "remove `#[constant]`, use a local variable, or cut the derivative on purpose with `no_gradient(…)`";
    "constant-on-code" constant_on_code(): "`#[constant]` belongs on a parameter",
        help: "write `no_gradient(expr)` to cut the derivative of an expression";

    // Checkpoints.
    "checkpoint-schedule" checkpoint_schedule(): "`#[checkpoint]` takes no arguments yet",
        help: "write `#[checkpoint]` alone";
    "checkpoint-target" checkpoint_target(): "`#[checkpoint]` does not apply here",
        help: "put it on a block, a loop, an expression statement or the initialiser of a `let`";
    "checkpoint-effect" checkpoint_effect(what): "`{what}` inside a `#[checkpoint]` region would run twice",
        help: "move it out of the region";
    "checkpoint-len" checkpoint_len(): "`len` of a value whose type is not known, inside a `#[checkpoint]` region, \
     would run twice",
        help: "annotate the value before the region: `let v: &[f64] = &s.v;` makes `v.len()` known";
    "checkpoint-reference" checkpoint_reference(): "a `#[checkpoint]` region cannot have a reference as its value",
        help: "yield the value, or bind the reference inside the region";

    "generator-read" generator_read(name): "the state of the random generator `{name}` is used otherwise than for \
     its numbers",
        help: "a reverse sweep does not bring the state back: pass what is needed beside it, a number or another \
            generator";

    // Items and unsafe things in the body.
    "static-in-body" static_in_body(): "a `static` inside a differentiated function is not supported: the body is \
     emitted twice",
        help: "move it out of the function";
    "item-in-body" item_in_body(what): "{what} inside a differentiated function is not supported: the body is emitted \
     twice",
        help: "move it out of the function";
    "item-in-block" item_in_block(name): "`{name}` is declared in an inner block but its name is also used outside it",
        help: "rename it, or move it out of the function";
    "macro-definition" macro_definition(): "a macro defined inside a differentiated function is not supported",
        help: "move it out of the function, and write what it expands to";
    "unsafe-block" unsafe_block(): "`unsafe` blocks cannot be differentiated",
        help: "write `x[i]` for an element of a constant; move the block into a function of its own that carries no \
            derivative, or write `no_gradient(…)` around a call of it";
    "raw-borrow" raw_borrow(): "raw borrows are not supported",
        help: "use a reference";
    "async-block" async_block(): "`async` and `.await` cannot be differentiated",
        help: "move the numerical part into an ordinary function and put `#[gradient]` there";
    "try-block" try_block(): "`try` blocks and generators cannot be differentiated",
        help: "write ordinary control flow";
    "error-effect" error_effect(): "an error whose code writes to variables outside it is not supported",
        help: "make the writes statements of their own before";
    "error-value" error_value(): "a number out of an error is used where its derivative counts, and an \
     error carries none",
        help: "return the number beside the value, or write `no_gradient(…)` around its use";
    "move-closure" move_closure(): "a `move` closure that writes to a variable outside it is not supported: it would \
     write to its own copy",
        help: "leave `move` out, or give the closure a variable of its own";
    "question-mark" question_mark(): "`?` is supported in functions that return an `Option` or a `Result`",
        help: "write `match` or `if let`";
    "inline-assembly" inline_assembly(): "inline assembly cannot be differentiated",
        help: "move it into a function of its own that carries no derivative";

    // Calls, closures, methods, macros.
    "closure" closure(): "a closure is not supported here yet",
        help: "bind it to a name and call that, write a function with `#[gradient]`, or the code itself where the \
            closure is called";
    "closure-effect" closure_effect(): "a closure in an iterator chain that writes to variables outside it is not \
     supported",
        help: "write a `for` loop";
    "closure-capture" closure_capture(name): "a closure that may take `{name}` by value, while `{name}` is assigned \
     again, is not supported",
        help: "give the closure `&{name}`, or assign the new value to another variable";
    "closure-question" closure_question(): "`?` in a closure of which the text does not show what it yields is not \
     supported",
        help: "end the closure with `Ok(…)` or `Some(…)`, or write its type: `|x| -> Result<f64, E> {{ … }}`";
    "closure-return" closure_return(): "`return` and `?` in this closure are not supported",
        help: "write a `for` loop, or `if … else …` as the closure's value";
    "call-of-local" call_of_local(): "a call through a local variable cannot be differentiated",
        help: "call a function by its path, or write `no_gradient(…)` around the call";
    "unsupported-call" unsupported_call(): "this kind of callee cannot be differentiated",
        help: "call a function by its path";
    "call-of-field" call_of_field(): "a function in a field has no derivative: the text does not show which one it is",
        help: "take the function as a parameter, `f: impl Fn(f64) -> f64`, or write a trait with `#[gradient]` and a \
           field of a type that implements it";
    "method-turbofish" method_turbofish(name): "parameters of the method `{name}` cannot be given here",
        help: "call it by its path: `Type::{name}::<…>(&value, …)`";
    "no-sweeps" no_sweeps(name, why): "`{name}` is called with a value that has a derivative, and has none itself: \
     {why}",
        help: "return the value, read the field itself, or cut the derivative on purpose with `no_gradient(…)`";
    "function-of-trait-alone" function_of_trait_alone(name): "`{name}` is called with a value that has a derivative, \
     by the name of a trait without `#[gradient]`",
        help: "put `#[gradient]` on the trait and its `impl`, or cut the derivative on purpose with `no_gradient(…)`";
    "plain-function" plain_function(name): "`{name}` is called with a value that has a derivative, and has no \
     `#[gradient]`",
        help: "put `#[gradient]` above it, or cut the derivative on purpose with `no_gradient(…)`; what it \
            answers is taken as it is if that is a `bool`, or, in this module, a number that counts, where its body \
            makes nothing of bits and calls what this file or std has for numbers";
    "unsupported-macro" unsupported_macro(name): "the macro `{name}!` is not supported: it could hide `return`, \
     `break` or `?`",
        help: "write what it does, or `no_gradient({name}!(…))` if its value carries no derivative; of `anyhow`, \
            `log`, `tracing`, `approx` and `itertools`, import the macro by name in this file, or write its whole path";
    "macro-arguments" macro_arguments(name): "the arguments of `{name}!` could not be read",
        help: "write them as expressions separated by commas, the format string as a literal";
    "dbg-macro" dbg_macro(): "`dbg!` is not supported: it prints and passes a value on",
        help: "write `println!(\"{{x:?}}\")` as a statement of its own";
    "active-method" active_method(name): "the method `{name}` on a value with a derivative is not supported: the \
     derivative would be lost",
        help: "write it with supported operations, or cut the derivative on purpose with `no_gradient(…)`";
    "active-iterator" active_iterator(name): "the iterator method `{name}` on values with a derivative is not \
     supported yet",
        help: "write a `for` loop";
    "active-call" active_call(callee): "the call of `{callee}` with a value that has a derivative is not supported: \
     the derivative would be lost",
        help: "call a free function with `#[gradient]`, or cut the derivative on purpose with `no_gradient(…)`";
    "active-macro" active_macro(name): "the result of `{name}!` with a value that has a derivative is not supported: \
     the derivative would be lost",
        help: "write what it does, or cut the derivative on purpose with `no_gradient(…)`";
    "active-code" active_code(what): "{what} with a value that has a derivative is not supported: the derivative would \
     be lost",
        help: "write it with supported operations, or cut the derivative on purpose with `no_gradient(…)`";
    "float-conversion" float_conversion(): "the operand's type is not known here, so this conversion may lose a \
     derivative",
        help: "annotate the operand's type (`let x: f32 = …;`)";
    "cast-target" cast_target(): "a cast to a type that is not written as a primitive type may lose a derivative",
        help: "write the primitive type (`as f64`)";
    "cast-of-unknown" cast_of_unknown(): "the operand's type is not known here, so this cast may lose a derivative",
        help: "annotate the operand's type (`let x: f64 = …;`)";
    "vec-method" vec_method(name): "the method `{name}` on a container of floats is not supported yet",
        help: "write it with `push`, `pop`, `truncate`, `swap`, `fill`, `copy_from_slice` or a loop";
    "array-from-fn" array_from_fn(): "the length of what `from_fn` makes is not seen here",
        help: "write it: `let a: [f64; 3] = array::from_fn(…)`, or `array::from_fn::<f64, 3, _>(…)`";
    "array-map" array_map(): "`map` on an array whose closure returns this type is not supported",
        help: "return a number, or an array or tuple of numbers, or fill an array in a `for` loop";
    "option-changed" option_changed(name): "`{name}` of an option behind a reference, while its arguments write to \
        that option, is not supported",
        help: "copy the option first: `let option = *reference;`";
    "option-method" option_method(name): "the method `{name}` on an `Option` is not supported yet",
        help: "write `match` or `if let`";
    "range-type" range_type(): "the type of this range is not known to be `usize`, which this iterator chain needs",
        help: "suffix a bound (`0usize..`), or write a `for` loop over the range alone";
    "unsupported-iterator" unsupported_iterator(what): "{what} is not supported in an iterator chain yet",
        help: "write a `for` loop, or a chain of `map`, `filter`, `enumerate`, `zip`, `rev`, `take` and their \
            relatives over a range, a slice or a `Vec`";
    "own-sum" own_sum(name): "this `{name}` of an own type has no derivative: the `impl` cannot be written in place of \
     it",
        help: "put `#[gradient]` above the `impl`, let its body use the iterator once and name nothing else but its \
            own variables and the type, and where there is another one for references, end the chain with `copied()`; \
            or write a `for` loop";
    "iterate-unknown" iterate_unknown(): "what this loop runs over is not known to be a range, an array, a slice or a \
     `Vec`",
        help: "annotate the variable's type, call `.iter()`, or loop over an index";

    // Values, places, references.
    "or-pattern" or_pattern(): "alternatives that bind a name at different places are not supported",
        help: "write one arm per alternative";
    "unsupported-pattern" unsupported_pattern(): "this pattern is not supported",
        help: "bind the value to a name and take it apart with `.0`, `[i]` or `match`";
    "pattern-of-unknown" pattern_of_unknown(): "this pattern needs a type that is not known here",
        help: "annotate the type of the value, or bind it to a name first";
    "guard-effect" guard_effect(): "a guard or condition with statements in it is not supported here",
        help: "compute the value in a `let` before, or nest an `if` in the arm";
    "guard-let" guard_let(): "a guard with a `let` in it is not supported yet",
        help: "nest an `if let` in the arm, or match both values at once: `match (a, b)`";
    "dereference" dereference(): "a dereference of something that is not a known reference is not supported",
        help: "take the argument by `&`/`&mut`, or annotate its type";
    "reference-in-value" reference_in_value(): "a reference stored inside another value is not supported",
        help: "bind the reference to a variable of its own, or store the value";
    "reference-too-dynamic" reference_too_dynamic(): "what this reference points to depends on too much to be followed",
        help: "index into one array instead, or choose between values with `if`";
    "assignment-target" assignment_target(): "this assignment target is not supported",
        help: "assign to a variable, an element, a field or through a reference";
    "assignment-in-code" assignment_in_code(): "an assignment inside code that is kept as it stands is not supported",
        help: "make it a statement of its own before";
    "jump-in-code" jump_in_code(what): "`{what}` inside code that is kept as it stands is not supported",
        help: "make it a statement of its own";
    "no-gradient-effect" no_gradient_effect(): "`no_gradient(…)` around code that writes to variables outside it is \
     not supported",
        help: "make the writes statements of their own before";
    "compound-order" compound_order(): "the order of evaluation of this compound assignment depends on a type that is \
     not known here",
        help: "compute the right side in a `let` before";
    "deferred-mut" deferred_mut(): "`let mut` without an initial value needs a type that is known",
        help: "give it an initial value, or annotate its type";
    "mem-take" mem_take(): "`mem::take` needs a type that is known here",
        help: "annotate the variable's type, or write `mem::replace(…)`";
    "range-value" range_value(): "a range as a value is not supported",
        help: "write the range where it is used";
    "unsupported-expression" unsupported_expression(what): "{what} is not supported",
        help: "write it with supported operations, or `no_gradient(…)` around it if it carries no derivative";
    "early-exit-type" early_exit_type(): "this variable is assigned on several paths, some of which an early exit cuts \
     off, and its type is not known here",
        help: "annotate its type (`let x: f64;`)";
    "derive-union" derive_union(): "`#[derive(Differentiable)]` on a union has no meaning: nothing says which of its \
     fields is valid",
        help: "use an enum";
    "derive-argument" derive_argument(argument): "`#[differentiable]` has no argument `{argument}`",
        help: "the arguments are `tangent = Name`, `tangent = Self`, `flat = false`, `schema = false` and \
     `crate = path`";
    "derive-syntax" derive_syntax(reason): "the arguments of `#[differentiable]` cannot be read: {reason}",
        help: "the arguments are `tangent = Name`, `tangent = Self`, `flat = false`, `schema = false` and \
     `crate = path`";
    "derive-place" derive_place(): "`#[differentiable(…)]` stands above a struct or an enum",
        help: "above a field, `#[constant]` takes it out";
    "derive-constant" derive_constant(): "`#[constant]` stands above a field, without arguments",
        help: "mark each field that is to have no tangent";
    "derive-mut-reference" derive_mut_reference(): "a field that is a `&mut` reference has no tangent",
        help: "own the data, or take it as a parameter of the function beside the struct; `#[constant]` above the \
            field takes it out";
    "derive-own-field" derive_own_field(what): "with `tangent = Self`, each field has to be its own tangent; {what} is \
     not",
        help: "leave `tangent = Self` out: the derive then defines a type for the tangent";
    "derive-without-data" derive_without_data(): "an enum without data has the tangent `()`, which needs no name",
        help: "leave `tangent = …` out";
    "record-union" record_union(): "`#[derive(Record)]` on a union has no meaning: nothing says which of its fields is \
     valid",
        help: "use an enum";
    "internal" internal(what): "retrograde made a mistake: {what}",
        help: "please report this function; rewriting the statement in smaller steps may avoid it";
    "unknown-label" unknown_label(): "there is no loop or block for this jump",
        help: "name the label of an enclosing loop";
}
