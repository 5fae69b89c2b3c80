//! What loops do with rows of nested arrays, in all forms.

/// What is done with an element of a row, one of another row, and a third.
pub(super) const INNER: &[&str] = &[
    "{a}[{i}][{j}] -= {f} * {a}[{l}][{j}];",
    "{a}[{i}][{j}] -= {f} * {a}[{l}][{j}] * {q};\n{a}[{r}][{j}] -= {f} * {a}[{l}][{j}] * {q};",
    "{a}[{i}][{j}] = {a}[{i}][{j}] * {h} + {a}[{l}][{j}] * {a}[{r}][{j}] * {q};",
    "{a}[{i}][{j}] = {a}[{l}][{j}] * {h} + {f} * {a}[{r}][{j}];",
    "{b}[{i}][{j}] = {a}[{i}][{j}] * {h} + {a}[{l}][{j}] * {a}[{r}][{j}] * {q};",
    "{b}[{i}][{j}] = ({a}[{l}][{j}] - {a}[{r}][{j}]) * {x}[{j}] * {q} + {b}[{i}][{j}] * {h};",
    "{b}[{l}][{j}] += {f} * {a}[{i}][{j}];\n{b}[{r}][{j}] = {b}[{r}][{j}] * {h} - {a}[{i}][{j}] * {a}[{l}][{j}] * {q};",
    "{s} += {a}[{i}][{j}] * {a}[{l}][{j}] * {q};",
    "{s} = {s} * {h} + {a}[{l}][{j}] * {a}[{r}][{j}] * {x}[{j}];",
    "{x}[{j}] = {x}[{j}] * {h} + {a}[{i}][{j}] * {a}[{l}][{j}] * {q};",
    "{x}[{j}] -= {f} * {a}[{i}][{j}];\n{a}[{l}][{j}] = {a}[{l}][{j}] * {h} + {x}[{j}] * {q};",
    "let {d}: ƒ = {a}[{i}][{j}];\n{a}[{i}][{j}] = {a}[{l}][{j}];\n{a}[{l}][{j}] = {d};",
    "let {d}: ƒ = {a}[{i}][{j}];\nlet {e}: ƒ = {a}[{l}][{j}];\n{a}[{i}][{j}] = {d} * {h} - {f} * {e};\n\
     {a}[{l}][{j}] = {f} * {d} + {e} * {h};",
    "if {a}[{l}][{j}] > {a}[{i}][{j}] { {a}[{i}][{j}] = {a}[{l}][{j}] * {h}; } \
     else { {b}[{i}][{j}] -= {f} * {a}[{r}][{j}]; }",
    "{a}[{i}][{j}] = {a}[{i}][{j}].max({a}[{l}][{j}] * {f});",
    "{a}[{i}][{j}] /= {a}[{l}][{j}] * {a}[{l}][{j}] + {one};",
    "{a}[{i}][{j}] = ({a}[{i}][{j}] + {f} * {a}[{l}][{j}]).sin();\n{s} += {a}[{i}][{j}] * {x}[{j}];",
    "{a}[{i}][{j}] = {b}[{l}][{j}] * {h} + {f};\n{b}[{r}][{j}] = {a}[{i}][{j}] * {b}[{i}][{j}] * {q};",
    "{a}[{i}][{j}] *= {b}[{i}][{j}];\n{a}[{l}][{j}] += {f} * {b}[{r}][{j}];",
    "{a}[{i}][{j}] += {f} * {x}[{j}];\n{a}[{l}][{j}] = {a}[{i}][{j}] * {q};\n{s} += {a}[{r}][{j}] * {a}[{r}][{j}];",
];

/// With neighbours in the row, where it has them.
pub(super) const STENCILS: &[&str] = &[
    "{b}[{i}][{j}] = ({a}[{i} - 1][{j}] + {a}[{i} + 1][{j}] + {a}[{i}][{j} - 1] + {a}[{i}][{j} + 1]) * {q};",
    "{a}[{i}][{j}] = ({a}[{i} - 1][{j}] + {a}[{i} + 1][{j}] + {a}[{i}][{j} - 1] + {a}[{i}][{j} + 1]) * {q};",
    "{b}[{i}][{j}] = {a}[{i}][{j}] * {h} + {a}[{i} - 1][{j} - 1] * {a}[{i} + 1][{j} + 1] * {q};",
    "{a}[{i}][{j}] = {a}[{i}][{j}] * {h} + {a}[{i} - 1][{j}] * {a}[{i}][{j} - 1] * {q};",
    "{b}[{i} - 1][{j}] += {f} * {a}[{i}][{j}];\n{b}[{i} + 1][{j}] -= {f} * {a}[{i}][{j} + 1];",
    "{s} += ({a}[{i}][{j}] - {a}[{i} - 1][{j}]) * ({a}[{i}][{j}] - {a}[{i}][{j} - 1]) * {q};",
    "let {d}: ƒ = {a}[{i} + 1][{j}] - {a}[{i}][{j}];\n{a}[{i}][{j}] += {d} * {q};\n{a}[{i} + 1][{j}] -= {d} * {q};",
    "{a}[{i}][{j}] = {a}[{i} - 1][{j} + 1].min({a}[{i} - 1][{j}]) * {h} + {b}[{i}][{j}] * {q};",
];

/// What is done with whole rows.
pub(super) const ROWS: &[&str] = &[
    "{a}.swap({i}, {l});",
    "let {d}: Vec<ƒ> = {a}[{l}].to_vec();\nfor {j} in 0..{w} { {a}[{i}][{j}] -= {f} * {d}[{j}]; }",
    "if {i} > 0 { let ({d}, {e}) = {a}.split_at_mut({i});\n\
     for {j} in 0..{w} { {e}[0][{j}] -= {f} * {d}[{i} - 1][{j}]; } }",
    "if {i} + 1 < {n} { let ({d}, {e}) = {a}.split_at_mut({i} + 1);\n\
     for {j} in 0..{w} { {d}[{i}][{j}] = {d}[{i}][{j}] * {h} + {e}[0][{j}] * {f}; } }",
    "let {d}: ƒ = {a}[{i}].iter().map(|{j}| *{j} * *{j}).sum::<ƒ>() + {one};\n\
     for {j} in 0..{w} { {a}[{i}][{j}] /= {d}; }",
    "let {d}: ƒ = {a}[{l}].iter().map(|{j}| *{j} * *{j}).sum::<ƒ>() + {one};\n\
     for {j} in {a}[{i}].iter_mut() { *{j} /= {d}; }",
    "for {j} in 0..{w} { {a}[{i}][{j}] = {a}[{i}][{j}].sin().exp(); }\nlet {d}: ƒ = {a}[{i}].iter().sum::<ƒ>() + {h};\n\
     for {j} in 0..{w} { {a}[{i}][{j}] /= {d}; }",
    "let mut {d}: ƒ = {zero};\nfor {j} in 0..{w} { {d} += {a}[{i}][{j}] * {a}[{l}][{j}]; }\n\
     for {j} in 0..{w} { {b}[{i}][{j}] = {a}[{i}][{j}] * {d} * {q}; }",
    "for {j} in 0..{w} { {b}[{i}][{j}] = {a}[{l}][{j}]; }\nfor {j} in 0..{w} { {a}[{l}][{j}] = {b}[{i}][{j}] * {h}; }",
];

/// Divisions in place of a line of numbers.
pub(super) const QUOTIENTS: &[&str] = &[
    "let {d}: ƒ = {x}.iter().map(|{i}| *{i} * *{i}).sum::<ƒ>() + {one};\nfor {i} in 0..{x}.len() { {x}[{i}] /= {d}; }",
    "let mut {d}: ƒ = {one};\nfor {i} in 0..{m} { {d} += {x}[{i}] * {x}[{i}]; }\n\
     for {i} in 0..{m} { {x}[{i}] = {x}[{i}] / {d}; }",
    "for {i} in 0..{m} { {x}[{i}] /= {x}[0] * {x}[0] + {one}; }",
    "for {i} in 0..{m} { {x}[{i}] /= {x}[{i}] * {x}[{i}] + {one}; }",
    "for {i} in 1..{x}.len() { {x}[{i}] /= {x}[{i} - 1] * {x}[{i} - 1] + {one}; }",
    "for {i} in 0..{m} { let {d}: ƒ = {x}[{m} - 1 - {i}] * {seed} + {two};\n{s} += {x}[{i}] * {q};\n{x}[{i}] /= {d};\n\
     {s} += {x}[{i}] * {x}[{i}]; }",
    "let {d}: ƒ = {seed} * {seed} + {one};\nfor {i} in {x}.iter_mut() { *{i} /= {d}; }\n{s} += {d} * {x}[0];",
    "let mut {d}: ƒ = {seed} + {two};\nfor {i} in 0..{m} { {x}[{i}] /= {d};\n\
     {d} = {d} * {h} + {x}[{i}] * {q} + {one}; }",
    "for {i} in 0..{k}.len() { let {d} = {k}[{i}] % {x}.len();\n{x}[{d}] /= {seed} + {two}; }",
    "for {i} in 0..{m} { {x}[{i}] = {x}[{i}].sin().exp(); }\nlet {d}: ƒ = {x}[..{m}].iter().sum::<ƒ>() + {q};\n\
     for {i} in 0..{m} { {x}[{i}] /= {d}; }",
    "let {d}: ƒ = {x}[{x}.len() - 1] * {x}[0] + {two};\nfor {i} in 0..{m} { if {i} % 2 == 0 { {x}[{i}] /= {d}; } }",
];
