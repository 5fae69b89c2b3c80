//! Passes over the primal, before it is differentiated.

mod constants;
mod copies;
mod induction;
mod lengths;
mod literal_arrays;
mod merge;
mod motion;
mod preallocate;
mod rename;
mod scalars;
mod speculate;
mod unroll;
mod views;

use crate::ir::{Func, Remarks, Transform, Transforms};

/// Runs them.
pub(crate) fn prepare(func: &mut Func, transforms: Transforms, remarks: &mut Remarks) {
    if transforms.has(Transform::Unroll) {
        unroll::unroll(func);
    }
    if transforms.has(Transform::Scalars) {
        scalars::replace(func, remarks);
    }
    if transforms.has(Transform::Induction) {
        induction::induction(func, remarks);
    }
    if transforms.has(Transform::Motion) {
        motion::hoist(func, remarks);
    }
    if transforms.has(Transform::Speculate) {
        merge::merge(func, remarks);
        speculate::speculate(func, remarks);
    }
    if transforms.has(Transform::Rename) {
        rename::rename(func, remarks);
    }
    if transforms.has(Transform::Reslice) {
        views::flatten(func);
    }
    if transforms.has(Transform::Preallocate) {
        preallocate::preallocate(func, remarks);
    }
    if transforms.has(Transform::Unroll) {
        unroll::explain(func, remarks);
    }
}
