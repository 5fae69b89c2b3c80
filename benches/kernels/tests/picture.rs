//! The picture in the README is that of the table in the documents.

use retrograde_kernels::plot;

#[test]
fn the_picture_shows_the_table() {
    let drawn = plot::svg(include_str!("../../../docs/performance.md"));
    assert!(
        drawn == include_str!("../../../docs/kernels.svg"),
        "`cargo run --release -p retrograde-kernels -- plot` draws it anew"
    );
    assert_eq!(drawn.matches("<circle").count(), 3 + 3 * 12);
}
