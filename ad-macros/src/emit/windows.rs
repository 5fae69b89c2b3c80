//! Windows of arrays, and parts of them.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::versions::{Part, Window, Windows};
use crate::ir::{Direction, Expr, Place, Proj, Ty, VarId, literal, parted_at, same_place};

use super::Emitter;
use super::code::Code;
use super::expr::Use;

impl Emitter<'_> {
    pub(super) fn windows(&self, windows: &Windows) -> TokenStream {
        let (rt, leave) = (self.rt(), self.leave());
        let some = quote!(::core::option::Option::Some);
        let bounds = |window: &Window| (self.expr(&window.first), self.expr(&window.last));
        match windows {
            Windows::Groups(group) => {
                let (name, size) = (self.name(group.var), literal::count(group.size));
                if group.mutable {
                    let of = self.place(&group.of, Use::Write);
                    quote!(let #name = #rt::groups_mut::<_, #size>(&mut #of);)
                } else {
                    let of = self.place(&group.of, Use::Read);
                    quote!(let #name = #rt::groups::<_, #size>(&#of);)
                }
            }
            Windows::Element {
                var,
                of,
                at,
                copied,
            } => {
                let (name, of, at) = (self.name(*var), self.place(of, Use::Read), self.expr(at));
                let copied = copied.then(|| quote!(&));
                quote!(let #some(#copied #name) = #rt::element(&#of, #at) else { #leave };)
            }
            Windows::Read { window, len } => {
                let (name, of) = (self.name(window.var), self.place(&window.of, Use::Read));
                let ((first, last), len) = (bounds(window), self.bare(len));
                let mirror = self.mirror(window.var, false);
                quote!(let #some(#name) = #rt::view(&#of, #first, #last, #len) else { #leave }; #mirror)
            }
            Windows::Write { windows, len } => self.window_mut(windows, len),
            Windows::Extent { window, len } => {
                let (name, of) = (self.name(window.var), self.place(&window.of, Use::Read));
                let ((first, last), len) = (bounds(window), self.bare(len));
                quote!(let #some(#name) = #rt::within(#of.len(), #first, #last, #len) else { #leave };)
            }
            Windows::Stencil {
                var,
                arrays,
                first,
                last,
                len,
                around,
                steps,
            } => {
                let ty = self.func.var(arrays[0]).ty.element();
                let ty = self.known(&ty).unwrap_or_else(|| quote!(_));
                let (name, [a, b]) = (self.name(*var), arrays.map(|of| self.name(of)));
                let (first, last) = (self.expr(first), self.expr(last));
                let (len, steps) = (self.bare(len), self.bare(steps));
                let [left, right] = around.map(literal::count);
                quote!(let #some(#name) = #rt::Stencil::of::<#ty>([#a.len(), #b.len()], (#first, #last, #len),
                    (#left, #right), #steps) else { #leave };)
            }
            Windows::Records {
                var,
                strip,
                len,
                direction,
            } => self.records_of((*var, *strip), len, *direction),
            Windows::PerLane(windows) => self.per_lane(windows),
            Windows::Rows(rows) => self.rows_of(rows),
            Windows::Panel(panel) => self.panel(panel),
            Windows::Part { .. }
            | Windows::Narrow { .. }
            | Windows::Shift { .. }
            | Windows::ShiftRecords { .. }
            | Windows::NarrowRecords { .. } => self.parts_of_windows(windows),
        }
    }

    /// Windows of one variable to be written, of which no two meet: of several arrays in it, if no two are the same.
    fn window_mut(&self, windows: &[Window], len: &Expr) -> TokenStream {
        let len = self.bare(len);
        let mut arrays: Vec<Vec<&Window>> = Vec::new();
        for window in windows {
            match arrays
                .iter_mut()
                .find(|of| same_place(&of[0].of, &window.of))
            {
                Some(array) => array.push(window),
                None => arrays.push(vec![window]),
            }
        }
        // Until its windows are made, an array has the name of the first of them.
        let all: Vec<(VarId, &Place)> = arrays.iter().map(|of| (of[0].var, &of[0].of)).collect();
        let (mut made, places) = self.lent_apart(&all);
        for (array, of) in arrays.iter().zip(&places) {
            made.extend(self.windows_in(&self.place(of, Use::Write), array, &len));
        }
        made.extend(
            windows
                .iter()
                .filter_map(|window| self.mirror(window.var, true)),
        );
        made
    }

    /// Borrows arrays of one variable side by side, if no two are the same. What is borrowed for that has a name each,
    /// and the places lead from there to the arrays.
    pub(super) fn lent_apart(&self, arrays: &[(VarId, &Place)]) -> (TokenStream, Vec<Place>) {
        let paths: Vec<&[Proj]> = arrays.iter().map(|(_, of)| &*of.proj).collect();
        let Some(at) = parted_at(&paths) else {
            let as_they_are = arrays.iter().map(|(_, of)| (*of).clone());
            return (TokenStream::new(), as_they_are.collect());
        };
        let (rt, leave) = (self.rt(), self.leave());
        let list = Place {
            proj: paths[0][..at].into(),
            ..arrays[0].1.clone()
        };
        let list = self.place(&list, Use::Write);
        let names = arrays.iter().map(|(var, _)| self.name(*var));
        let indices = paths.iter().filter_map(|path| path[at].as_index());
        let indices = indices.map(|index| self.expected(index));
        let lent = quote!(let ::core::option::Option::Some([#(#names),*]) =
            #rt::arrays_mut(&mut #list, [#(#indices),*]) else { #leave };);
        let places = arrays.iter().map(|(var, of)| {
            let mut place = Place::var(*var, of.span);
            place.proj.push(Proj::Deref);
            place.proj.extend(of.proj[at + 1..].iter().cloned());
            place
        });
        (lent, places.collect())
    }

    /// Windows of one array to be written.
    fn windows_in(&self, of: &Code, windows: &[&Window], len: &Code) -> TokenStream {
        let (rt, leave) = (self.rt(), self.leave());
        let some = quote!(::core::option::Option::Some);
        let names = windows.iter().map(|window| self.name(window.var));
        let bounds = windows.iter().map(|window| {
            let (first, last) = (self.expr(&window.first), self.expr(&window.last));
            quote!(#first, #last)
        });
        if let [_] = windows {
            return quote!(let #some(#(#names)*) = #rt::view_mut(&mut #of, #(#bounds)*, #len) else { #leave };);
        }
        quote!(let #some([#(#names),*]) = #rt::views_mut(&mut #of, [#((#bounds)),*], #len) else { #leave };)
    }

    /// Parts of windows, which are there.
    fn parts_of_windows(&self, windows: &Windows) -> TokenStream {
        let some = quote!(::core::option::Option::Some);
        match windows {
            Windows::Part { var, part } => {
                let (name, part) = (self.name(*var), self.part_of(part));
                let mirror = self.mirror(*var, true);
                quote!(let #name = #part; #mirror)
            }
            Windows::Narrow {
                vars,
                written,
                from,
                len,
            } => {
                let behind = (!from.is_zero_literal()).then(|| self.bare(from));
                let (behind, len) = (behind.map(|from| quote!([#from..])), self.bare(len));
                let part = quote!(#behind[..#len]);
                let narrow = |v: &VarId| {
                    if self.is_mirrored(*v) {
                        let (name, from) = (self.name(*v), self.bare(from));
                        let mutable = written.then(|| quote!(mut));
                        return quote!(let #mutable #name = #name.part(#from, #len););
                    }
                    self.narrow(*v, *written, &part)
                };
                vars.iter().map(narrow).collect()
            }
            Windows::Shift { var, of, from, len } => {
                let (name, of) = (self.name(*var), self.name(*of));
                let (from, len) = (self.bare(from), self.bare(len));
                quote!(let #name = &#of[#from..][..#len];)
            }
            Windows::ShiftRecords { var, of, from, len } => {
                let (name, of) = (self.name(*var), self.name(*of));
                let (from, len) = (self.bare(from), self.bare(len));
                quote!(let #some(#name) = #of.part(#from, #len) else { ::core::unreachable!() };)
            }
            Windows::NarrowRecords {
                var,
                strip,
                from,
                len,
                direction,
            } => {
                let (name, strip) = (self.name(*var), self.name(*strip));
                let (from, len) = (self.bare(from), self.bare(len));
                let part = match direction {
                    Direction::Forward => quote!(#some(mut #name) = #strip.slots(#from, #len)),
                    Direction::Reverse => quote!(#some(#name) = #name.part(#from, #len)),
                };
                quote!(let #part else { ::core::unreachable!() };)
            }
            Windows::Groups(_)
            | Windows::Element { .. }
            | Windows::Read { .. }
            | Windows::Write { .. }
            | Windows::Extent { .. }
            | Windows::PerLane(_)
            | Windows::Rows(_)
            | Windows::Panel(_)
            | Windows::Stencil { .. }
            | Windows::Records { .. } => unreachable!("made by a check"),
        }
    }

    /// Elements of an array by an extent.
    pub(super) fn part_of(&self, part: &Part) -> TokenStream {
        let of = self.place(&part.of, Use::Write);
        let len = self.bare(&part.len);
        let then = part.then.as_ref().map(|(from, len)| {
            let (from, len) = (self.bare(from), self.bare(len));
            quote!([#from..][..#len])
        });
        let Some(extent) = part.extent.map(|extent| self.name(extent)) else {
            let from = self.bare(&part.from);
            return quote!(&mut #of[#from..][..#len]#then);
        };
        if part.from.is_zero_literal() {
            return quote!(&mut #of[#extent.start()..][..#len]#then);
        }
        let from = self.bare(&part.from);
        if part.behind {
            quote!(&mut #of[#extent.start() + #from..][..#len]#then)
        } else {
            quote!(#extent.part(&mut #of, #from, #len))
        }
    }

    /// Whether the elements of a window are counted from its end.
    pub(super) fn is_mirrored(&self, var: VarId) -> bool {
        matches!(self.func.var(var).ty, Ty::Mirrored(_))
    }

    /// From here on, the elements of a mirrored window, which is a slice, are counted from its end.
    pub(super) fn mirror(&self, var: VarId, written: bool) -> Option<TokenStream> {
        let (rt, name) = (self.rt(), self.name(var));
        self.is_mirrored(var).then(|| {
            if written {
                quote!(let mut #name = #rt::MirroredMut::of(#name);)
            } else {
                quote!(let #name = #rt::Mirrored::of(#name);)
            }
        })
    }
}
