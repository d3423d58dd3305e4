//! Builds again when a feature is added: what `include_dir!` cannot see by itself.

fn main() {
    println!("cargo:rerun-if-changed=../../features");
}
