//! The rules of a `macro_rules!` macro: its arms, and how a call is matched.
//!
//! Of a call, rustc takes the first arm that matches, and stops with an error where a fragment begins that it cannot
//! read, or where two ways to match are left. So an arm is taken here only if there is one way to match it, and no
//! fragment on the way to it could not be read: whatever rustc would take then is this arm.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::fragments::{Fragment, fragment};

/// The arms, in their order.
pub(super) struct Rules(Vec<Arm>);

struct Arm {
    matcher: Vec<Matcher>,
    template: Vec<Template>,
}

/// What a piece of a call has to be.
enum Matcher {
    Token(TokenTree),
    Group(Delimiter, Vec<Matcher>),
    Fragment(String, Fragment),
    Repeat(Vec<Matcher>, Repetition),
}

/// A piece of what stands for a call.
pub(super) enum Template {
    Token(TokenTree),
    Group(proc_macro2::Group, Vec<Template>),
    Variable(String),
    Repeat(Vec<Template>, Repetition),
}

pub(super) struct Repetition {
    separator: Option<TokenTree>,
    /// `?`, `*`, `+`.
    times: char,
}

/// What a variable of a matcher stands for.
#[derive(Clone)]
pub(super) enum Bound {
    One(TokenStream),
    Many(Vec<Bound>),
}

pub(super) type Bindings = Vec<(String, Bound)>;

/// What the text has for a name: that of a template is compared without what tells it from others.
type Spelled<'a> = &'a dyn Fn(&Ident) -> Ident;

/// A call cannot be matched as rustc would.
pub(super) struct Stuck;

/// Deeper or longer calls are not followed.
const MOST: usize = 1 << 10;

impl Rules {
    /// The arms between the delimiters of a definition, if all of them are understood.
    pub(super) fn parse(tokens: TokenStream) -> Option<Self> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut arms = Vec::new();
        let mut rest = tokens.as_slice();
        while let [matcher, equals, greater, template, after @ ..] = rest {
            let (TokenTree::Group(matcher), TokenTree::Group(template)) = (matcher, template)
            else {
                return None;
            };
            if !is_punct(equals, '=') || !is_punct(greater, '>') {
                return None;
            }
            arms.push(Arm {
                matcher: matchers(&trees(matcher.stream()))?,
                template: templates(&trees(template.stream()))?,
            });
            rest = match after {
                [semicolon, after @ ..] if is_punct(semicolon, ';') => after,
                [] => after,
                _ => return None,
            };
        }
        (rest.is_empty() && !arms.is_empty()).then_some(Rules(arms))
    }

    /// The template of the arm that a call takes, and what its variables stand for.
    pub(super) fn matched(
        &self,
        call: TokenStream,
        spelled: Spelled<'_>,
    ) -> Option<(&[Template], Bindings)> {
        let call = trees(call);
        for arm in &self.0 {
            let mut found = prefixes(&arm.matcher, &call, 0, spelled).ok()?;
            found.retain(|(end, _)| *end == call.len());
            match found.len() {
                0 => {}
                1 => return Some((&arm.template, found.pop()?.1)),
                _ => return None,
            }
        }
        None
    }
}

pub(super) fn trees(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

fn is_punct(tree: &TokenTree, c: char) -> bool {
    matches!(tree, TokenTree::Punct(p) if p.as_char() == c)
}

/// `$(…) sep op` at the beginning of what follows a `$`: the inner tokens, the repetition, and how many trees it takes.
fn repetition(rest: &[TokenTree]) -> Option<(Vec<TokenTree>, Repetition, usize)> {
    let [TokenTree::Group(inner), after @ ..] = rest else {
        return None;
    };
    if inner.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    let times = |tree: &TokenTree| match tree {
        TokenTree::Punct(p) if matches!(p.as_char(), '?' | '*' | '+') => Some(p.as_char()),
        _ => None,
    };
    let inner = trees(inner.stream());
    match after {
        [first, ..] if let Some(times) = times(first) => {
            let separator = None;
            Some((inner, Repetition { separator, times }, 2))
        }
        // Of a separator of two characters, the second one would be taken for the operator.
        [separator, op, ..] if let Some(times) = times(op) => {
            let alone = match separator {
                TokenTree::Punct(p) => p.as_char() != '$' && matches!(p.as_char(), ',' | ';'),
                TokenTree::Ident(_) => true,
                TokenTree::Group(_) | TokenTree::Literal(_) => false,
            };
            let separator = Some(separator.clone());
            alone.then_some((inner, Repetition { separator, times }, 3))
        }
        _ => None,
    }
}

fn matchers(tokens: &[TokenTree]) -> Option<Vec<Matcher>> {
    let mut found = Vec::new();
    let mut rest = tokens;
    loop {
        rest = match rest {
            [] => return Some(found),
            [dollar, after @ ..] if is_punct(dollar, '$') => match after {
                [
                    TokenTree::Ident(name),
                    colon,
                    TokenTree::Ident(kind),
                    after @ ..,
                ] if is_punct(colon, ':') => {
                    let kind = Fragment::named(&kind.to_string())?;
                    found.push(Matcher::Fragment(name.to_string(), kind));
                    after
                }
                _ => {
                    let (inner, repetition, taken) = repetition(after)?;
                    found.push(Matcher::Repeat(matchers(&inner)?, repetition));
                    &after[taken..]
                }
            },
            [TokenTree::Group(group), after @ ..] => {
                let inner = matchers(&trees(group.stream()))?;
                found.push(Matcher::Group(group.delimiter(), inner));
                after
            }
            [token, after @ ..] => {
                found.push(Matcher::Token(token.clone()));
                after
            }
        };
    }
}

fn templates(tokens: &[TokenTree]) -> Option<Vec<Template>> {
    let mut found = Vec::new();
    let mut rest = tokens;
    loop {
        rest = match rest {
            [] => return Some(found),
            [dollar, after @ ..] if is_punct(dollar, '$') => match after {
                // `$crate` depends on where the macro was defined.
                [TokenTree::Ident(name), after @ ..] if name != "crate" => {
                    found.push(Template::Variable(name.to_string()));
                    after
                }
                _ => {
                    let (inner, repetition, taken) = repetition(after)?;
                    found.push(Template::Repeat(templates(&inner)?, repetition));
                    &after[taken..]
                }
            },
            [TokenTree::Group(group), after @ ..] => {
                let inner = templates(&trees(group.stream()))?;
                found.push(Template::Group(group.clone(), inner));
                after
            }
            [token, after @ ..] => {
                found.push(Template::Token(token.clone()));
                after
            }
        };
    }
}

/// The ways in which the beginning of the tokens from `at` on matches: where it ends, and what variables stand for.
fn prefixes(
    pieces: &[Matcher],
    tokens: &[TokenTree],
    at: usize,
    spelled: Spelled<'_>,
) -> Result<Vec<(usize, Bindings)>, Stuck> {
    let mut ways = vec![(at, Bindings::new())];
    for piece in pieces {
        let mut next = Vec::new();
        for (at, bindings) in ways {
            for (end, more) in ends(piece, tokens, at, spelled)? {
                next.push((end, [bindings.clone(), more].concat()));
            }
        }
        if next.len() > MOST {
            return Err(Stuck);
        }
        ways = next;
    }
    Ok(ways)
}

fn ends(
    piece: &Matcher,
    tokens: &[TokenTree],
    at: usize,
    spelled: Spelled<'_>,
) -> Result<Vec<(usize, Bindings)>, Stuck> {
    Ok(match piece {
        Matcher::Token(token) => match tokens.get(at) {
            Some(found) if equal(token, found, spelled)? => vec![(at + 1, Bindings::new())],
            _ => Vec::new(),
        },
        Matcher::Group(delimiter, inner) => match tokens.get(at) {
            Some(TokenTree::Group(group)) if group.delimiter() == *delimiter => {
                let inside = trees(group.stream());
                let mut ways = prefixes(inner, &inside, 0, spelled)?;
                ways.retain(|(end, _)| *end == inside.len());
                ways.into_iter().map(|(_, found)| (at + 1, found)).collect()
            }
            _ => Vec::new(),
        },
        Matcher::Fragment(name, kind) => match fragment(*kind, &tokens[at..])? {
            Some((found, taken)) => {
                vec![(at + taken, vec![(name.clone(), Bound::One(found))])]
            }
            None => Vec::new(),
        },
        Matcher::Repeat(inner, repetition) => repeated(inner, repetition, tokens, at, spelled)?,
    })
}

fn repeated(
    inner: &[Matcher],
    repetition: &Repetition,
    tokens: &[TokenTree],
    at: usize,
    spelled: Spelled<'_>,
) -> Result<Vec<(usize, Bindings)>, Stuck> {
    let mut names = Vec::new();
    variables(inner, &mut names);
    let all = |rounds: &[Bindings]| -> Bindings {
        let of = |name: &String| {
            let values = rounds.iter().flatten().filter(|(known, _)| known == name);
            let values = values.map(|(_, value)| value.clone()).collect();
            (name.clone(), Bound::Many(values))
        };
        names.iter().map(of).collect()
    };
    let mut ends = Vec::new();
    if repetition.times != '+' {
        ends.push((at, all(&[])));
    }
    let mut open: Vec<(usize, Vec<Bindings>)> = vec![(at, Vec::new())];
    while let Some((at, rounds)) = open.pop() {
        let begin = match &repetition.separator {
            Some(separator) if !rounds.is_empty() => match tokens.get(at) {
                Some(found) if equal(separator, found, spelled)? => at + 1,
                _ => continue,
            },
            _ => at,
        };
        for (end, round) in prefixes(inner, tokens, begin, spelled)? {
            if end == begin || ends.len() > MOST {
                return Err(Stuck);
            }
            let rounds = [rounds.clone(), vec![round]].concat();
            ends.push((end, all(&rounds)));
            if repetition.times != '?' {
                open.push((end, rounds));
            }
        }
    }
    Ok(ends)
}

fn variables(pieces: &[Matcher], names: &mut Vec<String>) {
    for piece in pieces {
        match piece {
            Matcher::Token(_) => {}
            Matcher::Fragment(name, _) => names.push(name.clone()),
            Matcher::Group(_, inner) | Matcher::Repeat(inner, _) => variables(inner, names),
        }
    }
}

/// Whether a token of a call is spelled like one of a matcher. What a fragment stands for is none.
fn equal(of_matcher: &TokenTree, found: &TokenTree, spelled: Spelled<'_>) -> Result<bool, Stuck> {
    Ok(match (of_matcher, found) {
        (TokenTree::Ident(a), TokenTree::Ident(b)) => *a == spelled(b),
        (TokenTree::Punct(a), TokenTree::Punct(b)) => {
            // Of `- >` and `->`, one is two tokens.
            let alone = matches!(a.as_char(), ',' | ';' | '#' | '$' | '?' | '~' | '@');
            if a.as_char() == b.as_char() && !alone && a.spacing() != b.spacing() {
                return Err(Stuck);
            }
            a.as_char() == b.as_char()
        }
        (TokenTree::Literal(a), TokenTree::Literal(b)) => a.to_string() == b.to_string(),
        _ => false,
    })
}

/// What a template is with its variables filled in; `mark` gives the names of its own.
pub(super) fn filled(
    template: &[Template],
    bindings: &Bindings,
    mark: &mut dyn FnMut(&Ident) -> Ident,
) -> Option<TokenStream> {
    let mut out = TokenStream::new();
    for piece in template {
        match piece {
            Template::Token(TokenTree::Ident(ident)) => {
                out.extend([TokenTree::from(mark(ident))]);
            }
            Template::Token(token) => out.extend([token.clone()]),
            Template::Group(group, inner) => {
                let inner = filled(inner, bindings, mark)?;
                let mut filled = proc_macro2::Group::new(group.delimiter(), inner);
                filled.set_span(group.span());
                out.extend([TokenTree::from(filled)]);
            }
            Template::Variable(name) => match bindings.iter().find(|(known, _)| known == name) {
                Some((_, Bound::One(tokens))) => out.extend(tokens.clone()),
                // Of a repetition around which there is none here, or no variable at all.
                Some((_, Bound::Many(_))) | None => return None,
            },
            Template::Repeat(inner, repetition) => {
                let times = rounds(inner, bindings)?;
                for round in 0..times {
                    if let Some(separator) = repetition.separator.as_ref().filter(|_| round > 0) {
                        out.extend([separator.clone()]);
                    }
                    out.extend(filled(inner, &of_round(bindings, round), mark)?);
                }
            }
        }
    }
    Some(out)
}

/// How often a repetition is written: the variables in it agree, and there is one.
fn rounds(inner: &[Template], bindings: &Bindings) -> Option<usize> {
    let mut names = Vec::new();
    used(inner, &mut names);
    let mut times = None;
    for name in names {
        let (_, bound) = bindings.iter().find(|(known, _)| *known == name)?;
        if let Bound::Many(values) = bound {
            if times.is_some_and(|times| times != values.len()) {
                return None;
            }
            times = Some(values.len());
        }
    }
    times
}

fn used(pieces: &[Template], names: &mut Vec<String>) {
    for piece in pieces {
        match piece {
            Template::Token(_) => {}
            Template::Variable(name) => names.push(name.clone()),
            Template::Group(_, inner) | Template::Repeat(inner, _) => used(inner, names),
        }
    }
}

fn of_round(bindings: &Bindings, round: usize) -> Bindings {
    let one = |(name, bound): &(String, Bound)| {
        let bound = match bound {
            Bound::Many(values) => values.get(round).cloned(),
            Bound::One(_) => Some(bound.clone()),
        };
        bound.map(|bound| (name.clone(), bound))
    };
    bindings.iter().filter_map(one).collect()
}
