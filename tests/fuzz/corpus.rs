//! Every input that was ever worth keeping, without a fuzzer: a finding stays found.

use std::path::Path;

use frontdesk_fuzz::TARGETS;

#[test]
fn each_target_holds_for_its_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, target) in TARGETS {
        let folder = corpus.join(name);
        let mut inputs = 0;
        for entry in std::fs::read_dir(&folder).expect(name) {
            let path = entry.expect(name).path();
            let input = std::fs::read(&path).expect(name);
            // What fails is the output's last line.
            println!("{}", path.display());
            target(&input);
            inputs += 1;
        }
        assert!(inputs > 0, "{} is empty", folder.display());
    }
}
