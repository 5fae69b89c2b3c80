//! What goes into an error has no derivative in it; what makes one runs once, in order.

use std::cell::Cell;

use retrograde::gradient;

use super::Fault;

thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
}

fn made(x: f64) -> Fault {
    MADE.with(|made| made.set(made.get() + 1));
    Fault::Negative(x)
}

#[gradient]
fn counted(x: f64, given: Option<f64>) -> Result<f64, Fault> {
    let given = given.ok_or_else(|| made(1.0))?;
    if x < 0.0 {
        return Err(made(x * given));
    }
    Ok(x * given)
}

#[gradient]
fn eager(given: Option<f64>) -> Result<f64, Fault> {
    let y = given.ok_or(made(2.0))?;
    Ok(y * y)
}

#[test]
fn an_error_is_made_once_and_only_if_it_is_needed() {
    MADE.with(|made| made.set(0));
    assert_eq!(counted_grad(2.0, Some(3.0)), Ok((6.0, (3.0, Some(2.0)))));
    assert_eq!(MADE.with(Cell::get), 0);
    assert_eq!(counted_grad(-2.0, Some(3.0)), Err(Fault::Negative(-6.0)));
    assert_eq!(MADE.with(Cell::get), 1);
    assert_eq!(counted_grad(-2.0, None), Err(Fault::Negative(1.0)));
    assert_eq!(MADE.with(Cell::get), 2);
    assert_eq!(eager_grad(Some(3.0)), Ok((9.0, Some(6.0))));
    assert_eq!(MADE.with(Cell::get), 3);
}

/// An error that is a variable, moved.
#[gradient]
fn moved(x: f64, names: &[String]) -> Result<f64, String> {
    let mut message = String::from("bad");
    for name in names {
        message.push_str(name);
    }
    if x < 0.0 {
        return Err(message);
    }
    if x > 10.0 { Err(message) } else { Ok(x * x) }
}

#[test]
fn a_variable_as_the_error() {
    let names = ["a".to_owned(), "b".to_owned()];
    assert_eq!(moved_grad(3.0, &names), Ok((9.0, 6.0)));
    assert_eq!(moved_grad(-3.0, &names), Err("badab".to_owned()));
    assert_eq!(moved_grad(30.0, &names), Err("badab".to_owned()));
}

/// What goes into the error is coerced to the type that the signature says.
#[gradient]
fn boxed(x: f64, text: &str) -> Result<f64, Box<dyn std::error::Error>> {
    if x < 0.0 {
        return Err(Box::new(Fault::Negative(x)));
    }
    let n: i32 = text.parse()?;
    if x > 9.0 {
        Err("large")?;
    }
    if x > 8.0 {
        Err(Box::new(Fault::Small))
    } else {
        Ok(super::root(x)?.powi(n))
    }
}

#[test]
fn errors_are_coerced() {
    super::support::check(
        |p| boxed(p[0], "3").unwrap(),
        |p| boxed_grad(p[0], "3").unwrap(),
        &[&[4.0]],
    );
    for (x, text) in [
        (-1.0, "3"),
        (1.0, "three"),
        (10.0, "3"),
        (8.5, "3"),
        (0.0, "3"),
    ] {
        let text_of = |e: Box<dyn std::error::Error>| e.to_string();
        assert_eq!(
            boxed_grad(x, text).map_err(text_of).unwrap_err(),
            boxed(x, text).map_err(text_of).unwrap_err()
        );
    }
}
