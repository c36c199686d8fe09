//! The settings are compiled in, so a mistake in them stops the build and names its line.

use std::path::Path;

fn main() {
    let file = Path::new("../../desk.toml");
    println!("cargo::rerun-if-changed={}", file.display());
    if let Err(error) = frontdesk_settings::Settings::load(file) {
        println!("cargo::error={error}");
    }
}
