use super::*;

fn from(starts: [usize; 3]) -> Corners {
    let [first, _, last] = starts;
    Corners {
        starts: starts.map(Ix::of),
        ends: [first, last].map(Ix::of),
    }
}

#[test]
fn rows_are_where_their_starts_say() {
    let mut x: Vec<usize> = (0..12).collect();
    let rows = Matrix::of(&x, from([1, 5, 9]), 3, 3).expect("three rows");
    assert_eq!(rows.panel::<2>(1, 2, 1).row(1), [10, 11]);
    let upwards = Matrix::of(&x, from([9, 5, 1]), 3, 3).expect("three rows");
    assert_eq!(upwards.panel::<2>(0, 3, 1).row(2), [2, 3]);
    assert_eq!(upwards.panel::<2>(2, 1, 0).row(0), [1, 2]);
    let mut rows = MatrixMut::of(&mut x, from([1, 5, 9]), 3, 3).expect("three rows");
    rows.panel(1, 1, 0).set_row(0, &[0, 0]);
    let mut panel = rows.panel::<3>(1, 2, 0);
    panel.set_end(1, 2, &[0, 0, 0]);
    assert_eq!(panel.row(0), [0, 0, 7]);
    assert_eq!(panel.row(1), [9, 10, 0]);
}

#[test]
fn rows_that_are_not_there_are_none() {
    let x = [0.0; 12];
    assert!(Matrix::of(&x, from([0, 4, 8]), 3, 4).is_some());
    assert!(Matrix::of(&x, from([0, 4, 8]), 3, 5).is_none());
    assert!(Matrix::of(&x, from([0, 4, 8]), 4, 4).is_none());
    assert!(Matrix::of(&x, from([0, 4, 4]), 3, 4).is_none());
    assert!(Matrix::of(&x, from([8, 4, 0]), 3, 5).is_none());
    let none = Ix::of(4) - Ix::of(5);
    let mut corners = from([0, 4, 8]);
    corners.starts[1] = none;
    assert!(Matrix::of(&x, corners, 3, 4).is_none());
    for end in 0..2 {
        let mut corners = from([0, 4, 8]);
        corners.ends[end] = none;
        assert!(Matrix::of(&x, corners, 3, 4).is_none());
    }
    let far = usize::MAX - 3;
    assert!(Matrix::of(&x, from([far, far + 1, far + 2]), 3, 4).is_none());
}

#[test]
fn panels_have_no_rows_and_columns_that_the_matrix_has_not() {
    let mut x: Vec<usize> = (0..12).collect();
    let panics =
        |f: &mut dyn FnMut()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err();
    let rows = Matrix::of(&x, from([1, 5, 9]), 3, 3).expect("three rows");
    for (row, n, column) in [(0, 4, 0), (3, 1, 0), (1, 3, 0), (0, 3, 2), (4, 0, 0)] {
        assert!(panics(&mut || _ = rows.panel::<2>(row, n, column)));
    }
    for huge in [usize::MAX, usize::MAX - 1] {
        assert!(panics(&mut || _ = rows.panel::<2>(huge, 2, 0)));
        assert!(panics(&mut || _ = rows.panel::<2>(1, huge, 0)));
        assert!(panics(&mut || _ = rows.panel::<2>(0, 3, huge)));
    }
    assert!(panics(&mut || _ = rows.panel::<4>(0, 3, 0)));
    let panel = rows.panel::<2>(1, 1, 0);
    assert!(panics(&mut || _ = panel.row(1)));
    let none = rows.panel::<2>(3, 0, 1);
    assert!(panics(&mut || _ = none.row(0)));
    let mut rows = MatrixMut::of(&mut x, from([1, 5, 9]), 3, 3).expect("three rows");
    assert!(panics(&mut || _ = rows.panel::<2>(1, 3, 0)));
    let mut panel = rows.panel::<2>(1, 1, 0);
    assert!(panics(&mut || _ = panel.row(1)));
    assert!(panics(&mut || panel.set_row(1, &[0, 0])));
    assert!(panics(&mut || panel.set_end(1, 1, &[0, 0])));
    assert_eq!(x, (0..12).collect::<Vec<_>>());
}

#[test]
fn long_rows_are_few() {
    assert_eq!(
        [0, 8, 64, 65, 1000].map(panel_height::<64>),
        [64, 64, 64, 16, 16]
    );
    assert_eq!(panel_height::<4>(1000), 4);
}

#[test]
fn rows_that_meet_are_not_changed() {
    let mut x = [0.0; 12];
    assert!(Matrix::of(&x, from([0, 3, 6]), 3, 4).is_some());
    assert!(MatrixMut::of(&mut x, from([0, 3, 6]), 3, 4).is_none());
    assert!(MatrixMut::of(&mut x, from([0, 0, 0]), 3, 4).is_none());
    assert!(MatrixMut::of(&mut x, from([0, 4, 8]), 3, 4).is_some());
}
