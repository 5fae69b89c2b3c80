//! Tests of the stages as data: `testdata/<stage>/<what-it-shows>.rs` is a function, the `.txt` beside it what the
//! stage makes of it. `RETROGRADE_BLESS=1 cargo test -p ad-macros` rewrites the texts; read the difference before
//! committing.

use std::path::Path;

use crate::diag::Diagnostics;
use crate::ir::Transforms;
use crate::{ir, pipeline};

/// What `stage` makes of the function in `source`.
fn text(stage: &str, source: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("the test data parses");
    if stage == "tokens" {
        let tokens = pipeline::expand(
            proc_macro2::TokenStream::new(),
            quote::ToTokens::into_token_stream(item),
        );
        return prettyplease::unparse(&syn::parse2(tokens).expect("the expansion parses"));
    }
    let mut diags = Diagnostics::new();
    let Ok(primal) = pipeline::structured(&item, &mut diags) else {
        return format!("refused: {}\n", diags.names().join(" "));
    };
    if stage == "structured" {
        return ir::text(&primal.func);
    }
    let transforms = Transforms::ON;
    let primal = pipeline::unrolled(primal, transforms, &mut diags).expect("the primal verifies");
    match stage {
        "unrolled" => return ir::text(&primal.func),
        "activity" => return primal.activity.text(&primal.func),
        _ => {}
    }
    let (sweeps, explain) =
        pipeline::sweeps(primal, transforms, &mut diags).expect("the sweeps verify");
    if stage == "explain" {
        return explain.text() + "\n" + &explain.documentation();
    }
    sweeps.text()
}

#[test]
fn stages_give_what_their_data_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let bless = std::env::var_os("RETROGRADE_BLESS").is_some();
    let (mut compared, mut wrong) = (0, Vec::new());
    for stage in [
        "structured",
        "unrolled",
        "activity",
        "sweeps",
        "explain",
        "tokens",
        "refused",
    ] {
        let mut files: Vec<_> = std::fs::read_dir(root.join(stage))
            .expect("the stage has data")
            .map(|entry| entry.expect("readable").path())
            .filter(|path| path.extension().is_some_and(|e| e == "rs"))
            .collect();
        files.sort();
        for file in files {
            let got = text(stage, &std::fs::read_to_string(&file).expect("readable"));
            let expected = file.with_extension("txt");
            compared += 1;
            if bless {
                std::fs::write(&expected, got).expect("writable");
            } else if std::fs::read_to_string(&expected).unwrap_or_default() != got {
                wrong.push(format!("{}:\n{got}", file.display()));
            }
        }
    }
    assert!(compared > 0, "no data found");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
