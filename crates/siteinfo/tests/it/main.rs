//! The dumps beside the project: every item must be readable, or listed with a reason.

use std::path::PathBuf;
use tsugi_siteinfo::Siteinfo;

/// The folder of real data beside the project; a test that needs it is skipped where it is absent.
fn shared_data() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    folder.is_dir().then_some(folder)
}

#[test]
fn the_items_of_real_dumps_are_usable_but_for_a_few() {
    let Some(data) = shared_data() else {
        println!("skipped: there is no folder `shared/data` beside the project");
        return;
    };
    for (dump, items) in [("wedata-2024-08.json", 3824), ("wedata-2013-10.json", 4466), ("sites.json", 116)] {
        let json = std::fs::read(data.join("rules").join(dump)).unwrap();
        let siteinfo = Siteinfo::read(&json).unwrap();
        for problem in siteinfo.problems() {
            println!("{dump}: {problem}");
        }
        assert_eq!(siteinfo.items().len() + siteinfo.problems().len(), items);
        assert!(
            siteinfo.problems().len() * 100 <= items,
            "{} of {items} unusable",
            siteinfo.problems().len()
        );
    }
}
