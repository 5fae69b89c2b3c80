//! Records of all shapes, where the names of std mean nothing, or other things.

#![no_implicit_prelude]
#![allow(
    dead_code,
    missing_docs,
    non_camel_case_types,
    non_upper_case_globals,
    unreachable_pub
)]

use ::core::cmp::PartialEq;
use ::core::fmt::Debug;
use ::std::boxed::Box;
use ::std::marker::PhantomData;
use ::std::option::Option;
use ::std::string::String;
use ::std::vec::Vec;

// Names that the derive uses mean other things here.
mod core {}
type usize = ();
struct Field;

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Named {
    pub x: f64,
    pub on: bool,
    pub letter: char,
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Tuple(pub u8, pub Named, pub [(f32, i16); 2]);

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Unit;

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Empty {}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub enum Law {
    Linear,
    Quadratic,
    Cubic = 100,
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub enum Contact {
    None,
    Elastic { force: f64, at: [f64; 2] },
    Sticking(Law, u8),
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub enum Never {}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Generic<
    'a,
    A: Debug,
    B: Iterated + ?::core::marker::Sized,
    const N: ::core::primitive::usize,
> where
    B::Item: Debug,
{
    pub values: [A; N],
    pub item: Option<B::Item>,
    pub qualified: <B as Iterated>::Item,
    pub marker: PhantomData<&'a B>,
}

/// Not a record, nor is `Two`.
pub trait Iterated {
    type Item;
}

#[derive(Debug, PartialEq)]
pub struct Two;

impl Iterated for Two {
    type Item = i8;
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Owner {
    pub name: String,
    pub rows: Vec<Vec<Named>>,
    pub next: Option<Box<Tuple>>,
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub enum List {
    End,
    Item(f64, Box<List>),
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Tree<T> {
    pub value: T,
    pub children: Vec<Self>,
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Left(pub Vec<Right>);

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct Right(pub Vec<Left>, pub u8);

// A name of a crate of one's own for the facade.
pub use ::retrograde as facade;

#[derive(::retrograde::Record, Debug, PartialEq, Clone, Copy)]
#[record(crate = facade)]
#[repr(C, packed(2))]
pub struct Packed {
    pub small: u8,
    pub large: f64,
}

/// A private type in a public one.
#[derive(::retrograde::Record)]
pub struct Open(Secret);

#[derive(::retrograde::Record)]
struct Secret(u8);

impl Open {
    pub fn new(number: u8) -> Self {
        Self(Secret(number))
    }

    pub fn number(&self) -> u8 {
        self.0.0
    }
}

#[derive(::retrograde::Record, Debug, PartialEq)]
pub struct r#Raw {
    pub r#type: f64,
}
