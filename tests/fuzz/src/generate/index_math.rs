//! Index arithmetic that wraps around, saturates, is checked, narrows or has a sign: its text, and what it is in a
//! release build.
//!
//! The generator has to know which elements a loop reaches, as nothing that it writes may panic. So each form of an
//! index is written down twice, and the numbers are tried for all sizes that the program may have.

/// What an index is made of, in one iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// The counters of the loop and of the loop inside, with the bits of their sign.
    pub(crate) i: u64,
    pub(crate) j: u64,
    /// Their ends.
    pub(crate) n: u64,
    pub(crate) m: u64,
    /// Two numbers which may be as large as numbers are.
    pub(crate) p: u64,
    pub(crate) b: u64,
    /// Two small literals, the second no less than the first.
    pub(crate) c: u64,
    pub(crate) d: u64,
}

/// One form of an index, of the operand `{a}` and the numbers.
pub(crate) struct Form {
    /// The construct that it counts as.
    pub(crate) family: &'static str,
    pub(crate) text: &'static str,
    pub(crate) value: fn(u64, &Numbers) -> u64,
}

const fn form(family: &'static str, text: &'static str, value: fn(u64, &Numbers) -> u64) -> Form {
    Form {
        family,
        text,
        value,
    }
}

/// Operands in a loop whose counter has no sign.
pub(crate) const COUNTERS: &[Form] = &[
    form("", "{i}", |_, q| q.i),
    form("", "{i}", |_, q| q.i),
    form("", "{i}", |_, q| q.i),
    form("", "({i} + {c})", |_, q| q.i.wrapping_add(q.c)),
    form("", "(2 * {i})", |_, q| q.i.wrapping_mul(2)),
    form("", "({n} - {i})", |_, q| q.n.wrapping_sub(q.i)),
    form("", "({i} * {m})", |_, q| q.i.wrapping_mul(q.m)),
];

/// Operands in a loop whose counter has a sign.
pub(crate) const SIGNED_COUNTERS: &[Form] = &[
    form("", "({i} as usize)", |_, q| q.i),
    form("", "(({i} + 3) as usize)", |_, q| q.i.wrapping_add(3)),
    form("", "({i}.unsigned_abs() as usize)", |_, q| {
        (q.i as i64).unsigned_abs()
    }),
    form("", "({i}.rem_euclid(5) as usize)", |_, q| {
        (q.i as i64).rem_euclid(5) as u64
    }),
    form("", "({i}.pow(2) as usize)", |_, q| q.i.wrapping_mul(q.i)),
];

/// Operands in a loop inside of another.
pub(crate) const ROWS: &[Form] = &[
    form("", "({m} * {i} + {j})", |_, q| {
        q.m.wrapping_mul(q.i).wrapping_add(q.j)
    }),
    form("", "({p} * {i} + {j})", |_, q| {
        q.p.wrapping_mul(q.i).wrapping_add(q.j)
    }),
    form("", "({p} * {i} + {j} - {b})", |_, q| {
        q.p.wrapping_mul(q.i).wrapping_add(q.j).wrapping_sub(q.b)
    }),
    form("", "({b} + {p} * {i} + {j})", |_, q| {
        q.p.wrapping_mul(q.i).wrapping_add(q.j).wrapping_add(q.b)
    }),
    form(
        "",
        "({b} + 18446744073709551615usize * {i} + {j})",
        |_, q| q.b.wrapping_sub(q.i).wrapping_add(q.j),
    ),
    form("", "({n} * {j} + {i})", |_, q| {
        q.n.wrapping_mul(q.j).wrapping_add(q.i)
    }),
    form("", "({m} * {i} + {j} * {p})", |_, q| {
        q.m.wrapping_mul(q.i).wrapping_add(q.j.wrapping_mul(q.p))
    }),
    form("", "({p}.saturating_mul({i}) % 24 + {j})", |_, q| {
        q.p.saturating_mul(q.i) % 24 + q.j
    }),
    form("", "({p}.wrapping_mul({i}) % 24 + {j})", |_, q| {
        q.p.wrapping_mul(q.i) % 24 + q.j
    }),
    form("", "(({p} * {i}) as u8 as usize % 24 + {j})", |_, q| {
        u64::from(q.p.wrapping_mul(q.i) as u8) % 24 + q.j
    }),
    form(
        "",
        "({m} * {i} + ({j} + {c}).saturating_sub({d}))",
        |_, q| {
            q.m.wrapping_mul(q.i)
                .wrapping_add((q.j + q.c).saturating_sub(q.d))
        },
    ),
];

/// What is made of an operand.
pub(crate) const FORMS: &[Form] = &[
    form("index-plain", "{a}", |a, _| a),
    form("index-plain", "{a} + {p} - {b}", |a, q| {
        a.wrapping_add(q.p).wrapping_sub(q.b)
    }),
    form("index-plain", "{b} + {a} - {p}", |a, q| {
        a.wrapping_add(q.b).wrapping_sub(q.p)
    }),
    form("index-plain", "{p} * {a} + {b}", |a, q| {
        q.p.wrapping_mul(a).wrapping_add(q.b)
    }),
    form("index-plain", "{p} * {a} - {b}", |a, q| {
        q.p.wrapping_mul(a).wrapping_sub(q.b)
    }),
    form("index-plain", "{b} - {a}", |a, q| q.b.wrapping_sub(a)),
    form("index-plain", "{a} / 2 + {b}", |a, q| {
        (a / 2).wrapping_add(q.b)
    }),
    form("index-plain", "{a} * {a}", |a, _| a.wrapping_mul(a)),
    form("index-plain", "{a}.min({b}).max(1)", |a, q| {
        a.min(q.b).max(1)
    }),
    form("index-plain", "{a}.abs_diff({b})", |a, q| a.abs_diff(q.b)),
    form("index-plain", "{a}.pow(2)", |a, _| a.wrapping_mul(a)),
    form("index-bits", "{a} ^ {p}", |a, q| a ^ q.p),
    form("index-bits", "{a} & {p}", |a, q| a & q.p),
    form("index-bits", "{a} | {c}", |a, q| a | q.c),
    form("index-bits", "({a} << 62) >> 61", |a, _| (a << 62) >> 61),
    form("index-bits", "({a} << {d}) >> {c}", |a, q| {
        (a << q.d) >> q.c
    }),
    form("index-wrapping", "{a} + 18446744073709551615", |a, _| {
        a.wrapping_sub(1)
    }),
    form(
        "index-wrapping",
        "18446744073709551615usize * {a} + {p}",
        |a, q| q.p.wrapping_sub(a),
    ),
    form(
        "index-wrapping",
        "{b} + 18446744073709551615usize * {a}",
        |a, q| q.b.wrapping_sub(a),
    ),
    form(
        "index-wrapping",
        "{a}.wrapping_add({p}).wrapping_sub({b})",
        |a, q| a.wrapping_add(q.p).wrapping_sub(q.b),
    ),
    form("index-wrapping", "{a}.wrapping_mul({p})", |a, q| {
        a.wrapping_mul(q.p)
    }),
    form("index-wrapping", "{a}.wrapping_mul({p}) & 7", |a, q| {
        a.wrapping_mul(q.p) & 7
    }),
    form(
        "index-wrapping",
        "{a}.wrapping_neg().wrapping_add({b})",
        |a, q| q.b.wrapping_sub(a),
    ),
    form(
        "index-wrapping",
        "{a}.wrapping_sub({c}).wrapping_add({d})",
        |a, q| a.wrapping_sub(q.c).wrapping_add(q.d),
    ),
    form(
        "index-wrapping",
        "{a}.overflowing_add({p}).0.wrapping_add({c})",
        |a, q| a.wrapping_add(q.p).wrapping_add(q.c),
    ),
    form("index-wrapping", "{a}.wrapping_pow(2)", |a, _| {
        a.wrapping_mul(a)
    }),
    form(
        "index-saturating",
        "{a}.saturating_add({p}) - {b}",
        |a, q| a.saturating_add(q.p).wrapping_sub(q.b),
    ),
    form(
        "index-saturating",
        "{a}.saturating_add(usize::MAX - {c}) - (usize::MAX - {d})",
        |a, q| {
            a.saturating_add(u64::MAX - q.c)
                .wrapping_sub(u64::MAX - q.d)
        },
    ),
    form(
        "index-saturating",
        "({a} + {c}).saturating_sub({d})",
        |a, q| a.wrapping_add(q.c).saturating_sub(q.d),
    ),
    form("index-saturating", "{a}.saturating_sub({c})", |a, q| {
        a.saturating_sub(q.c)
    }),
    form("index-saturating", "{a}.saturating_mul({p})", |a, q| {
        a.saturating_mul(q.p)
    }),
    form("index-saturating", "{b}.saturating_sub({a})", |a, q| {
        q.b.saturating_sub(a)
    }),
    form(
        "index-checked",
        "{a}.checked_sub({c}).unwrap_or({d})",
        |a, q| a.checked_sub(q.c).unwrap_or(q.d),
    ),
    form(
        "index-checked",
        "{a}.checked_sub({p}).unwrap_or({b})",
        |a, q| a.checked_sub(q.p).unwrap_or(q.b),
    ),
    form(
        "index-checked",
        "{a}.checked_add({p}).unwrap_or({a})",
        |a, q| a.checked_add(q.p).unwrap_or(a),
    ),
    form(
        "index-checked",
        "{a}.checked_mul({p}).unwrap_or(1)",
        |a, q| a.checked_mul(q.p).unwrap_or(1),
    ),
    form("index-narrow", "({a} * 96) as u8 as usize", |a, _| {
        u64::from(a.wrapping_mul(96) as u8)
    }),
    form("index-narrow", "({a} * 96) as u8 as usize / 8", |a, _| {
        u64::from(a.wrapping_mul(96) as u8) / 8
    }),
    form("index-narrow", "({a} * {p}) as u16 as usize", |a, q| {
        u64::from(a.wrapping_mul(q.p) as u16)
    }),
    form("index-narrow", "({a} + {p}) as u32 as usize", |a, q| {
        u64::from(a.wrapping_add(q.p) as u32)
    }),
    form(
        "index-narrow",
        "({a} as u8).wrapping_mul(64) as usize / 8",
        |a, _| u64::from((a as u8).wrapping_mul(64)) / 8,
    ),
    form("index-narrow", "({a} as u8 + 250) as usize % 16", |a, _| {
        u64::from((a as u8).wrapping_add(250)) % 16
    }),
    form(
        "index-signed",
        "({a} as isize - {d}).unsigned_abs()",
        |a, q| (a as i64).wrapping_sub(q.d as i64).unsigned_abs(),
    ),
    form(
        "index-signed",
        "({a} as i32 - {d}).rem_euclid(4) as usize",
        |a, q| (a as i32).wrapping_sub(q.d as i32).rem_euclid(4) as u64,
    ),
    form(
        "index-signed",
        "({a} as i64 + {b} as i64) as usize",
        |a, q| a.wrapping_add(q.b),
    ),
    form(
        "index-signed",
        "(({a} as isize - {b} as isize) as i8).unsigned_abs() as usize",
        |a, q| u64::from((a.wrapping_sub(q.b) as i8).unsigned_abs()),
    ),
    form(
        "index-signed",
        "({d} - {a} as isize).abs() as usize",
        |a, q| (q.d as i64).wrapping_sub(a as i64).wrapping_abs() as u64,
    ),
    form(
        "index-signed",
        "({a} as i64 % 4 - {c}).max(-1) as usize + 1",
        |a, q| ((a as i64 % 4 - q.c as i64).max(-1) as u64).wrapping_add(1),
    ),
];

/// A loop's head, what stands in front of it and at the end of its body, and the numbers that its counter `{i}` goes
/// through.
pub(crate) struct Head {
    pub(crate) construct: &'static str,
    pub(crate) before: &'static str,
    pub(crate) text: &'static str,
    pub(crate) last: &'static str,
    pub(crate) signed: bool,
    pub(crate) values: fn(u64) -> Vec<u64>,
}

const fn head(
    construct: &'static str,
    text: &'static str,
    signed: bool,
    values: fn(u64) -> Vec<u64>,
) -> Head {
    Head {
        construct,
        before: "",
        text,
        last: "",
        signed,
        values,
    }
}

fn signed(from: i64, to: i64) -> Vec<u64> {
    (from..to).map(|v| v as u64).collect()
}

pub(crate) const HEADS: &[Head] = &[
    head("index-range", "for {i} in 0..{n}", false, |n| {
        (0..n).collect()
    }),
    head("index-range", "for {i} in 0..{n}", false, |n| {
        (0..n).collect()
    }),
    head("index-range", "for {i} in 0..{n}", false, |n| {
        (0..n).collect()
    }),
    head("index-range", "for {i} in 1..{n}", false, |n| {
        (1..n).collect()
    }),
    head("index-rev", "for {i} in (0..{n}).rev()", false, |n| {
        (0..n).collect()
    }),
    head("index-inclusive", "for {i} in 0..={n}", false, |n| {
        (0..=n).collect()
    }),
    head("index-step", "for {i} in (0..{n}).step_by(2)", false, |n| {
        (0..n).collect()
    }),
    Head {
        construct: "index-while",
        before: "let mut {i}: usize = 0;",
        text: "while {i} < {n}",
        last: "{i} += 1;",
        signed: false,
        values: |n| (0..n).collect(),
    },
    head("index-signed-counter", "for {i} in -2_i32..3", true, |_| {
        signed(-2, 3)
    }),
    head(
        "index-signed-counter",
        "for {i} in -3_isize..={n} as isize",
        true,
        |n| signed(-3, n as i64 + 1),
    ),
    head(
        "index-signed-counter",
        "for {i} in (-1_i64..4).rev()",
        true,
        |_| signed(-1, 4),
    ),
    head(
        "index-signed-counter",
        "for {i} in 0..{n} as i32",
        true,
        |n| signed(0, n as i64),
    ),
];
