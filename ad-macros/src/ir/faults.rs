//! Deliberate faults of the compiler, to see that each is caught.
//!
//! A build with `RUSTFLAGS="--cfg retrograde_faults"` has them, and switches on the one that `RETROGRADE_FAULT`
//! names. In any other build [`Fault::is_on`] is the constant `false`. `cargo run -p retrograde-fuzz -- faults`
//! builds `tests/faults` with each of them; the test of the fault's name has to fail, or the verifier to refuse
//! what is generated.
//!
//! Most faults drop a condition where it is asked. Those at the end of the list change primals and sweeps
//! (`reverse/inject.rs`), whatever made them. This module imports nothing of the compiler, so that all of it may ask.

macro_rules! faults {
    ($($variant:ident $name:literal $catch:ident: $what:literal;)*) => {
        /// One fault.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[cfg_attr(not(any(test, retrograde_faults)), expect(dead_code, reason = "asked for by `inject`"))]
        pub(crate) enum Fault {
            $(#[doc = $what] $variant,)*
        }

        #[cfg(any(test, retrograde_faults))]
        impl Fault {
            /// All of them.
            #[cfg(test)]
            pub(crate) const ALL: &[Fault] = &[$(Fault::$variant),*];

            /// What `RETROGRADE_FAULT` calls it, and the function of `tests/faults` that it makes wrong.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Fault::$variant => $name,)*
                }
            }

            /// Who catches it.
            #[cfg(test)]
            pub(crate) fn caught(self) -> Catch {
                match self {
                    $(Fault::$variant => Catch::$catch,)*
                }
            }
        }
    };
}

/// Who catches a fault.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Catch {
    /// The verifier, while the macro runs.
    Verifier,
    /// The test of its name.
    Test,
}

faults! {
    ActivityEndsEarly "activity_ends_early" Test: "what varies is not followed around a loop";
    OverwriteNotSaved "overwrite_not_saved" Test:
        "a value that the reverse sweep reads is overwritten without being saved";
    SiblingForgotten "sibling_forgotten" Test: "an overwrite of one field counts as one of all fields";
    FieldsApart "fields_apart" Test: "fields of a type that is not seen are taken for parts of it";
    ReadBehindOverwrite "read_behind_overwrite" Test:
        "an element that an earlier iteration reads is overwritten without being saved";
    DirectionForgotten "direction_forgotten" Test: "an element that is read before its turn is taken for one behind it";
    EndLeftOut "end_left_out" Test:
        "a counter is taken to stay below the end of a range that holds it";
    ConditionTurned "condition_turned" Test:
        "what holds in one arm of a branch is taken to hold in the other";
    NeededInFrontForgotten "needed_in_front_forgotten" Test:
        "an overwrite in a loop forgets what is read in front of the loop";
    ElementsTakenApart "elements_taken_apart" Test: "one element at two indices is taken for two";
    SwapNotSaved "swap_not_saved" Test: "values that the reverse sweep reads are swapped and not swapped back";
    LoopSeenOnce "loop_seen_once" Test: "what an iteration needs of the one before is not looked for";
    ArmNeedsForgotten "arm_needs_forgotten" Test:
        "what a branch needs is overwritten behind it without being saved";
    SavedIndexForgotten "saved_index_forgotten" Test:
        "the index of a saved element is overwritten without being saved";
    ArgumentNotReturned "argument_not_returned" Test:
        "a reverse sweep does not return an argument as it was on entry";
    OutputLeft "output_left" Test: "a callee leaves what it wrote though the reverse sweep of its caller reads it";
    OutputUnsaid "output_unsaid" Test: "a companion does not say that its reverse sweep leaves its first argument";
    OutputReadUnsaid "output_read_unsaid" Test:
        "a companion does not say that its reverse sweep reads an output";
    OutputUndone "output_undone" Test:
        "a counter that is undone by counting back is left by a callee before";
    RegionStateLost "region_state_lost" Test: "a region runs again without the state on entry";
    InnerWriteRenamed "inner_write_renamed" Verifier:
        "a variable that a branch overwrites is taken for one that straight-line code does";
    OverwrittenOperandRecomputed "overwritten_operand_recomputed" Test:
        "a value is computed again from an operand that was overwritten";
    ImpureCallRepeated "impure_call_repeated" Test:
        "a function that does not give the same result each time is called again";
    OverwrittenArgumentRepeated "overwritten_argument_repeated" Test:
        "a call is repeated with an argument that was overwritten";
    OverwrittenElementReadBack "overwritten_element_read_back" Test:
        "a value is read back from an element that was overwritten";
    BulkOfWhatIsRead "bulk_of_what_is_read" Test:
        "a range is restored in one copy though the reverse of the loop reads it";
    PartOverwritten "part_overwritten" Test:
        "a loop that overwrites some elements of an array is taken for one that overwrites all";
    OverwrittenThoughRead "overwritten_though_read" Test:
        "an array that a loop overwrites is taken for done with, though the reverse of the loop reads it";
    UndoneValueLost "undone_value_lost" Test:
        "a value is restored from the one that overwrote it, which was overwritten without being saved";
    LastOfASum "last_of_a_sum" Test: "only the last write of a branch is reversed though others contribute";
    LoserReversed "loser_reversed" Test: "of a search that records a number, that of the last iteration is used";
    NoNumberTaken "no_number_taken" Test: "a running maximum gives the derivative to an operand that is no number";
    CarriedOverwriteIgnored "carried_overwrite_ignored" Test:
        "a reverse loop runs forwards though its iterations overwrite a variable";
    CarriedReadIgnored "carried_read_ignored" Test:
        "a reverse loop runs forwards though its iterations read an adjoint that others add to";
    NeighboursApart "neighbours_apart" Test: "indices of neighbouring iterations are taken for different";
    SlopesApart "slopes_apart" Test: "indices with different slopes are taken for different";
    DigitsApart "digits_apart" Test: "indices whose lower digits overflow are taken for different";
    SecondIndexCovered "second_index_covered" Test:
        "a gradient is assigned though an iteration uses it at two indices";
    GapsCovered "gaps_covered" Test: "a gradient is assigned though its elements are not met one after another";
    FusedDependent "fused_dependent" Test:
        "an iteration is reversed at once though others depend on what its reverse changes";
    FusedUnknownAdjoint "fused_unknown_adjoint" Test:
        "an iteration is reversed at once though its adjoint is computed behind the loop";
    ExposedReadIgnored "exposed_read_ignored" Test:
        "an iteration is reversed at once though it reads what an earlier one has written";
    PrivateAdjointKept "private_adjoint_kept" Test:
        "an iteration is reversed at once though others find adjoints that it leaves";
    JammedCarried "jammed_carried" Test: "iterations run at once though a variable goes from one to the next";
    JammedNestCarried "jammed_nest_carried" Test:
        "iterations run through loops at once though these write what goes from one iteration to the next";
    JammedNestRead "jammed_nest_read" Test:
        "iterations run through loops at once though they read what those before them write behind these";
    JammedNestTwice "jammed_nest_twice" Test:
        "an iteration that is gone through again with those behind it writes again";
    DeferredReadBefore "deferred_read_before" Test:
        "products for an adjoint wait though it is read, or cleared, before they are added";
    InterchangedCarried "interchanged_carried" Test: "loops change places though their iterations carry something";
    InlinedAmongOthers "inlined_among_others" Test:
        "a function is inlined though the caller gives a name in it another meaning";
    InductionWrittenTwice "induction_written_twice" Test:
        "of two updates of a counter in an iteration one is forgotten";
    InductionUnderCondition "induction_under_condition" Test:
        "a counter is computed from a loop though its update depends on a condition";
    InductionAmountVaries "induction_amount_varies" Test:
        "a counter is computed from a loop though the loop changes what is added to it";
    InductionUpdateOrder "induction_update_order" Test: "a counter that was updated is taken for what it was before";
    NewValueOverwritten "new_value_overwritten" Test:
        "an aggregate is overwritten number by number with a value that is computed from it";
    OpenTypeForgotten "open_type_forgotten" Test:
        "a number that the reverse sweep computes again is of the type that its literal has by default";
    ResizedKeepsLength "resized_keeps_length" Test:
        "a vector that changes its length is taken for one that keeps it";
    PreallocatedIsRead "preallocated_is_read" Test:
        "a list has its length before the loop that fills it and asks for its elements";
    MovedThoughWritten "moved_though_written" Test:
        "an expression leaves a loop that writes one of its operands";
    SpeculatedThoughWritten "speculated_though_written" Test:
        "a condition leaves a branch that writes one of its operands in front of it";
    SpeculatedIndex "speculated_index" Test: "a condition that reads an element leaves a branch that guards its index";
    MergedElsewhere "merged_elsewhere" Test: "what one arm of a branch writes last is taken for what the others write";
    MergedZero "merged_zero" Test: "an arm that adds nothing to a sum adds a zero that changes it";
    LikeTermsApart "like_terms_apart" Test:
        "contributions are taken for multiples of one product though their factors differ";
    SunkNotZero "sunk_not_zero" Test: "what a branch has no part in is added in the branch alone";
    MiddleUnchecked "middle_unchecked" Test:
        "the last iterations of a loop are taken for those in its middle";
    SharedElementAmong "shared_element_among" Test:
        "an element that all iterations share is taken to be none of those that they change";
    SharedElementCarried "shared_element_carried" Test:
        "an element that all iterations share and add to is taken to be none of those that they read";
    MirroredIsGathered "mirrored_is_gathered" Test:
        "sums whose index goes down are added in one pass with those whose index goes up";
    ReplayedTwice "replayed_twice" Test: "of two writes of a scalar in an iteration only one runs again";
    ReplayedOperandChanged "replayed_operand_changed" Test:
        "a scalar runs again with an operand that the loop has changed";
    ReplayedCarried "replayed_carried" Test:
        "a scalar runs again though the reverse of an iteration needs that of the one behind first";
    AngleChanged "angle_changed" Test:
        "a cosine is taken for the derivative of a sine though the angle was overwritten in between";
    AdjointsExchanged "adjoints_exchanged" Test: "two contributions to adjoints are exchanged";
    ContributionLost "contribution_lost" Test: "a contribution to an adjoint is left out";
    SignLost "sign_lost" Test: "a contribution is added that is to be subtracted";
    AdjointNotCleared "adjoint_not_cleared" Test: "the adjoint of a value that is overwritten is not cleared";
    ValueNotRestored "value_not_restored" Test: "an overwritten value is not restored";
    SwapNotUndone "swap_not_undone" Test: "a swap is not undone";
    UndoneForEachSeed "undone_for_each_seed" Test: "a swap of values is undone once for each seed";
    ArmsExchanged "arms_exchanged" Test: "the reverse of a branch runs the arm that was not taken";
    OrderLost "order_lost" Test: "a reverse loop runs forwards";
    DeclarationLost "declaration_lost" Verifier: "a variable of the reverse sweep is not declared";
    DeclaredTwice "declared_twice" Verifier: "a variable of the primal is declared twice";
    ResultUndeclared "result_undeclared" Verifier: "the result of the primal is not declared";
    ImmutableWritten "immutable_written" Verifier: "an immutable variable is written";
    IndexReadsMemory "index_reads_memory" Verifier: "the index of a written place reads memory";
    JumpLeft "jump_left" Verifier: "a jump is left in the primal";
    RecordedUndeclared "recorded_undeclared" Verifier: "a loop records what an iteration does not declare";
    NeitherClearedNorBegun "neither_cleared_nor_begun" Verifier:
        "a gradient that the caller does not clear begins with an addition";
    BegunTwice "begun_twice" Verifier: "two statements assign a gradient";
    WindowOverrun "window_overrun" Verifier: "a loop on windows has one iteration more than they have elements";
    WindowsMeet "windows_meet" Verifier: "windows of one array that are written are made one by one";
    VersionsDiffer "versions_differ" Verifier: "the fast version of a loop leaves out what the plain one writes";
    ProcedureResultLost "procedure_result_lost" Verifier: "a procedure does not give back what it changes";
    FastComputesOther "fast_computes_other" Verifier: "the fast version of a loop adds where the plain one multiplies";
    AdjointIntoValue "adjoint_into_value" Verifier: "an overwritten value is restored from an adjoint";
    ValueMulAdded "value_mul_added" Verifier: "a value that is computed again is computed with `mul_add`";
    EffectInExpression "effect_in_expression" Verifier: "an expression that is no declaration has an effect";
    BufferUnfilled "buffer_unfilled" Verifier: "partial sums are added up before the loop that adds to them";
    LaneOverrun "lane_overrun" Verifier: "a loop over iterations side by side has one more than there are numbers for";
    RegistersLeaveRest "registers_leave_rest" Verifier:
        "iterations that do not fill a register are left out";
    SkippedNotZero "skipped_not_zero" Verifier: "a loop is skipped that does more than add zeros";
    NearOutOfOrder "near_out_of_order" Verifier: "sums in neighbouring elements are said to lie in another order";
    PanelRowMissing "panel_row_missing" Verifier: "a row of a panel is used that the panel has not";
    ProductsLost "products_lost" Verifier: "products that wait are not added in the end";
    ProductsElsewhere "products_elsewhere" Verifier: "products that wait are begun for something else";
}

impl Fault {
    /// Whether the compiler has this fault now.
    #[cfg(not(any(test, retrograde_faults)))]
    pub(crate) const fn is_on(self) -> bool {
        false
    }

    /// Whether the compiler has this fault now.
    #[cfg(test)]
    pub(crate) fn is_on(self) -> bool {
        ON.get() == Some(self)
    }

    /// Whether the compiler has this fault now. A build with a fault has it in the functions alone that are named
    /// by it: what it does to others would keep them from being compiled.
    #[cfg(all(retrograde_faults, not(test)))]
    pub(crate) fn is_on(self) -> bool {
        let Ok(name) = std::env::var("RETROGRADE_FAULT") else {
            return false;
        };
        let here = FUNCTION.with_borrow(|function| function.starts_with(self.name()));
        name == self.name() && here
    }
}

#[cfg(all(retrograde_faults, not(test)))]
thread_local! {
    /// The function that the compiler is at.
    static FUNCTION: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Notes which function the compiler is at.
pub(crate) fn enter(_function: &syn::Ident) {
    #[cfg(all(retrograde_faults, not(test)))]
    FUNCTION.set(_function.to_string());
}

#[cfg(test)]
thread_local! {
    /// The fault that the compiler has on this thread.
    pub(crate) static ON: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}
