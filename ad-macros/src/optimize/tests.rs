use super::pass::{Pass, Properties};
use super::{SCHEDULE, Transform};

/// The first pass of an order that comes where something is missing.
fn misplaced(order: &[&Pass]) -> Option<&'static str> {
    let mut properties = Properties::derived();
    let mut passes = order.iter();
    let misplaced = passes.find(|pass| {
        let admitted = properties.admit(pass).is_ok();
        properties.behind(pass);
        !admitted
    });
    misplaced.map(|pass| pass.name)
}

fn order() -> Vec<&'static Pass> {
    SCHEDULE.iter().collect()
}

/// The order with one pass moved to the place of another.
fn moved(name: &str, to: &str) -> Option<&'static str> {
    let mut order = order();
    let position = |order: &[&Pass], name: &str| {
        let found = order.iter().position(|pass| pass.name == name);
        found.unwrap_or_else(|| panic!("there is a pass `{name}`"))
    };
    let (from, to) = (position(&order, name), position(&order, to));
    let pass = order.remove(from);
    order.insert(to, pass);
    misplaced(&order)
}

#[test]
fn each_pass_finds_what_it_requires() {
    assert_eq!(misplaced(&order()), None);
}

#[test]
fn passes_in_another_order_are_found() {
    // The list of both sweeps is made of what is simplified, has strips, and has its order.
    assert_eq!(moved("fuse", "strips"), Some("fuse"));
    assert_eq!(moved("order", "assign"), Some("fuse"));
    assert_eq!(moved("factors", "assign"), Some("factors"));
    assert_eq!(moved("simplify", "tiles"), Some("simplify"));
    // Gradients are assigned in the list that callers run.
    assert_eq!(moved("assign", "fuse"), Some("assign"));
    // Products wait in jammed loops, and what is jammed is no loop on slices.
    assert_eq!(moved("defer", "jam"), Some("defer"));
    assert_eq!(moved("windows", "jam"), Some("windows"));
    assert_eq!(moved("jam", "mul_add"), Some("defer"));
    assert_eq!(moved("interchange", "windows"), Some("interchange"));
    // Passes that look for products would not know them any more.
    assert_eq!(moved("mul_add", "simplify"), Some("mul_add"));
    assert_eq!(moved("mul_add", "windows"), Some("mul_add"));
    assert_eq!(moved("tiles", "windows"), Some("tiles"));
    // Two versions are made of loops on windows when nothing changes those any more.
    assert_eq!(moved("versions", "windows"), Some("versions"));
    assert_eq!(moved("versions", "tiles"), Some("tiles"));
    assert_eq!(moved("type_checks", "versions"), Some("type_checks"));
}

#[test]
fn names_are_unique_and_each_pass_can_be_switched_off() {
    let mut names: Vec<&str> = SCHEDULE.iter().map(|pass| pass.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), SCHEDULE.len());
    // `simplify` gains nothing to speak of, so nobody measures it; `versions` makes what others have planned;
    // `type_checks` is no choice; and `moves` spares copies that the function does not make either.
    let always: Vec<&str> = SCHEDULE
        .iter()
        .filter(|pass| pass.transform.is_none())
        .map(|pass| pass.name)
        .collect();
    assert_eq!(always, ["simplify", "versions", "type_checks", "moves"]);
    let switched = |one: Transform| SCHEDULE.iter().any(|pass| pass.transform == Some(one));
    assert!(switched(Transform::Strips) && !switched(Transform::Unroll));
}

#[test]
fn the_documents_show_the_order_of_the_passes() {
    let documents = [
        include_str!("../../../ARCHITECTURE.md"),
        include_str!("../../../docs/optimizations.md"),
    ];
    let order: Vec<&str> = SCHEDULE.iter().map(|pass| pass.name).collect();
    for text in documents {
        let from = text.find("simplify →").expect("a picture of the order");
        let picture = text[from..].split("```").next().unwrap_or_default();
        let shown = picture.split('→').map(|step| {
            let words = step.split_whitespace();
            words.take(1).collect::<String>()
        });
        assert_eq!(shown.collect::<Vec<_>>(), order);
    }
}
