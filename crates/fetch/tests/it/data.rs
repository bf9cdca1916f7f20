//! The archives of the data sets.

use std::path::Path;
use tsugi_fetch::{Archive, Fetch, records};

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn real_archives_are_read_whole() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    for (name, count) in [("sites", 755), ("crawls", 135), ("autopager", 140)] {
        let path = data.join(name).join("pages.warc.gz");
        let mut held = 0;
        for record in records(&path).unwrap() {
            record.unwrap();
            held += 1;
        }
        assert_eq!(held, count, "{name}");
        let archive = Archive::open(&path).unwrap();
        assert_eq!(archive.problems(), [], "{name}");
        for url in archive.urls().step_by(20) {
            assert_eq!(archive.fetch(url).unwrap().url, *url);
        }
    }
}
