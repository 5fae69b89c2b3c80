//! `SHOW_FILE=f.rs cargo test show -- --nocapture` prints what a function lowers to.

#[test]
#[expect(clippy::print_stdout, reason = "on request only")]
fn show() {
    let Ok(path) = std::env::var("SHOW_FILE") else {
        return;
    };
    let source = std::fs::read_to_string(path).expect("readable");
    for item in syn::parse_file(&source).expect("parses").items {
        let syn::Item::Fn(item) = item else { continue };
        match super::lowered_item(&item) {
            Ok(func) => println!("{}", crate::ir::text(&func)),
            Err(names) => println!("refused: {names:?}"),
        }
        let tokens = crate::pipeline::expand(
            proc_macro2::TokenStream::new(),
            quote::ToTokens::into_token_stream(&item),
        );
        match syn::parse2(tokens.clone()) {
            Ok(file) => println!("{}", prettyplease::unparse(&file)),
            Err(_) => println!("{tokens}"),
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "on request only")]
fn verdicts() {
    let Ok(path) = std::env::var("SHOW_FILE") else {
        return;
    };
    let source = std::fs::read_to_string(path).expect("readable");
    for item in syn::parse_file(&source).expect("parses").items {
        let syn::Item::Fn(item) = item else { continue };
        let name = item.sig.ident.clone();
        let mut diags = crate::diag::Diagnostics::new();
        let Some(mut func) =
            crate::lower::lower(&item, &crate::lower::Owner::default(), &mut diags)
        else {
            println!("{name}: {:?}", diags.names());
            continue;
        };
        let untyped = crate::lower::exits::structure(&mut func);
        untyped
            .iter()
            .for_each(|v| println!("{name}: no type for {}", func.var(*v).name));
        crate::reverse::prepare::prepare(&mut func);
        let verified = crate::ir::verify(&func);
        let facts = crate::analysis::activity::activity(&func);
        diags.report(crate::analysis::lost::lost(&func, &facts));
        println!("{name}: {:?} {verified:?}", diags.names());
    }
}
