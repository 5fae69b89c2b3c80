//! With the feature `c`, compiles the same functions in C, as a user of that language would have them on this machine.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(twins)");
    println!("cargo::rerun-if-changed=c");
    #[cfg(feature = "c")]
    compile();
}

/// Where no C compiler is, the table does without.
#[cfg(feature = "c")]
fn compile() {
    let sources = std::fs::read_dir("c").expect("the folder of C sources");
    let sources = sources.map(|entry| entry.expect("an entry").path());
    let mut build = cc::Build::new();
    build
        .files(sources.filter(|path| path.extension().is_some_and(|end| end == "c")))
        .opt_level(3)
        .flag_if_supported("-march=native")
        .warnings(true)
        .cargo_warnings(false);
    match build.try_compile("retrograde_twins") {
        Ok(()) => {
            println!("cargo::rustc-cfg=twins");
            println!("cargo::rustc-link-lib=m");
        }
        Err(error) => println!("cargo::warning=no functions in C: {error}"),
    }
}
