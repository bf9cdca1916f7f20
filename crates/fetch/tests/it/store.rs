//! Archives that grow: what a crash leaves, what is asked again, and that a replay says what the run said.

use crate::{gzip, url};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tsugi_fetch::{
    Archive, ArchiveError, Exchange, Fetch, FetchError, FetchImage, Keep, Record, Saved, Store, Wanted,
    records,
};
use tsugi_page::{Response, Url};

fn open(path: &Path) -> Result<Store, ArchiveError> {
    Store::open(path, "test/1", || "2026-01-02T03:04:05Z".to_owned())
}

fn place(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

fn headers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn keep(store: &Store, at: &str, status: u16, pairs: &[(&str, &str)], body: &[u8]) {
    let (url, headers) = (url(at), headers(pairs));
    store.keep(&Exchange { url: &url, wanted: Wanted::Page, status, headers: &headers, body }).unwrap();
}

fn keep_page(store: &Store, at: &str, body: &str) {
    keep(store, at, 200, &[("content-type", "text/html")], body.as_bytes());
}

fn timeout(at: &str) -> FetchError {
    FetchError::Timeout { url: url(at) }
}

fn body(fetch: &dyn Fetch, at: &str) -> Option<String> {
    fetch.fetch(&url(at)).ok().map(|response| String::from_utf8(response.body).unwrap())
}

/// An image as far as anybody looks.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

fn keep_image(store: &Store, at: &str, status: u16, pairs: &[(&str, &str)], body: &[u8]) {
    let (url, headers) = (url(at), headers(pairs));
    store.keep(&Exchange { url: &url, wanted: Wanted::Image, status, headers: &headers, body }).unwrap();
}

/// An address may be asked for as a page and as an image; what it answered to the one says nothing of the other.
#[test]
fn images_are_held_apart_from_pages() {
    let png = [("content-type", "image/png")];
    for name in ["a.warc.gz", "a.warc"] {
        let (_folder, path) = place(name);
        let store = open(&path).unwrap();
        keep(&store, "https://a.test/i.png", 200, &png, b"");
        keep_image(&store, "https://a.test/i.png", 200, &png, PNG);
        keep_image(&store, "https://a.test/i.png", 503, &[], b"");
        keep(&store, "https://a.test/i.png", 200, &png, b"");
        keep_image(&store, "https://a.test/moved", 302, &[("location", "/i.png")], b"");
        keep_image(&store, "https://a.test/gone", 404, &[], b"");
        keep_page(&store, "https://a.test/1", "<p>1");
        let at = "https://a.test/1";
        store.keep_failure(&url(at), Wanted::Image, &timeout(at)).unwrap();
        keep_page(&store, "https://a.test/2", "<p>2");
        keep(&store, "https://a.test/by-others.png", 200, &png, PNG);
        let check = |pages: &dyn Fetch, images: &dyn FetchImage| {
            let image = |path: &str| {
                let image = images.fetch_image(&url(&format!("https://a.test/{path}")));
                image.map(|response| response.body).map_err(|error| error.word().to_owned())
            };
            for path in ["i.png", "i.png#top", "moved", "by-others.png"] {
                assert_eq!(image(path).as_deref(), Ok(PNG), "{path}");
            }
            for (path, word) in
                [("gone", "status"), ("1", "timeout"), ("2", "not-image"), ("none", "not-stored")]
            {
                assert_eq!(image(path).unwrap_err(), word, "{path}");
            }
            let page = |path: &str| pages.fetch(&url(&format!("https://a.test/{path}")));
            assert_eq!(page("1").unwrap().body, b"<p>1");
            assert_eq!(page("i.png").unwrap_err().word(), "not-html");
            assert_eq!(page("gone").unwrap_err().word(), "not-stored");
        };
        check(&store, &store);
        let archive = Archive::open(&path).unwrap();
        check(&archive, &archive);
        let listed: Vec<&str> = archive.urls().map(Url::path).collect();
        assert_eq!(listed, ["/i.png", "/1", "/2", "/by-others.png"]);
        assert_eq!(records(&path).unwrap().count(), 5, "those asked for as pages");
        drop(store);
        let again = open(&path).unwrap();
        check(&again, &again);
    }
}

#[test]
fn what_is_kept_is_there_at_once_and_later() {
    for name in ["a.warc.gz", "a.warc"] {
        let (_folder, path) = place(name);
        let store = open(&path).unwrap();
        let travelled = [
            ("content-type", "text/html; charset=utf-8"),
            ("content-encoding", "gzip"),
            ("transfer-encoding", "chunked"),
            ("content-length", "7"),
            ("x-odd", "a\r\nb"),
        ];
        keep(&store, "https://a.test/1#top", 200, &travelled, "<p>次".as_bytes());
        keep(&store, "https://a.test/old", 301, &[("location", "/1")], b"");
        keep(&store, "https://a.test/gone", 404, &[("content-type", "text/html")], b"");
        store.sync().unwrap();
        let archive = Archive::open(&path).unwrap();
        for fetch in [&store as &dyn Fetch, &archive] {
            let page = fetch.fetch(&url("https://a.test/old")).unwrap();
            assert_eq!((page.url.path(), page.body.as_slice()), ("/1", "<p>次".as_bytes()));
            assert_eq!(page.content_type.as_deref(), Some("text/html; charset=utf-8"));
            let gone = fetch.fetch(&url("https://a.test/gone")).unwrap_err();
            assert_eq!(gone.word(), "status");
        }
        assert_eq!(archive.problems(), []);
        let plain = std::fs::read(&path).unwrap().starts_with(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n");
        assert_eq!(plain, name == "a.warc", "{name}");
    }
}

/// An archive takes a like address for the wanted one; a page that can be asked for is not guessed at.
#[test]
fn only_the_very_address_is_held() {
    let (_folder, path) = place("a.warc.gz");
    let store = open(&path).unwrap();
    keep_page(&store, "https://www.a.test/1/", "one");
    assert_eq!(body(&store, "https://a.test/1"), None);
    assert_eq!(body(&Archive::open(&path).unwrap(), "https://a.test/1").as_deref(), Some("one"));
}

/// Three pages and a failure, and where each record ends.
fn written(path: &Path) -> Vec<u64> {
    let store = open(path).unwrap();
    let length = || std::fs::metadata(path).unwrap().len();
    let mut ends = vec![length()];
    for number in 1..=3 {
        keep_page(&store, &format!("https://a.test/{number}"), &format!("page {number}"));
        ends.push(length());
    }
    store.keep_failure(&url("https://a.test/4"), Wanted::Page, &timeout("https://a.test/4")).unwrap();
    ends.push(length());
    ends
}

#[test]
fn an_archive_cut_anywhere_goes_on_behind_its_last_whole_record() {
    for name in ["a.warc.gz", "a.warc"] {
        let (_folder, path) = place(name);
        let ends = written(&path);
        let bytes = std::fs::read(&path).unwrap();
        // Near the ends of records each cut, elsewhere some: each costs a write to the disk.
        let near = |cut: u64| ends.iter().any(|end| cut.abs_diff(*end) <= 5);
        for cut in (0..bytes.len()).filter(|cut| cut % 59 == 0 || near(*cut as u64)) {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            let store = open(&path).unwrap();
            let whole = ends.iter().filter(|end| **end <= cut as u64).count();
            let end = whole.checked_sub(1).map_or(0, |last| ends[last]);
            // Of a plain record the last 4 bytes, two line ends, are not missed.
            let torn = cut as u64 - end;
            let missed = name == "a.warc" && ends.get(whole).is_some_and(|end| end - (cut as u64) <= 4);
            assert_eq!(store.cut(), if missed { 0 } else { torn }, "{name} cut at {cut}");
            assert_eq!(store.problems(), []);
            keep_page(&store, "https://a.test/5", "page 5");
            for number in 1..=3 {
                let held = number < whole || (missed && number == whole);
                let found = body(&store, &format!("https://a.test/{number}"));
                assert_eq!(found, held.then(|| format!("page {number}")), "{name} cut at {cut}");
            }
            drop(store);
            let archive = Archive::open(&path).unwrap();
            assert_eq!(
                (archive.problems(), body(&archive, "https://a.test/5").as_deref()),
                (&[][..], Some("page 5"))
            );
        }
    }
}

#[test]
fn damage_inside_is_left_and_its_page_is_kept_anew() {
    let (_folder, path) = place("a.warc.gz");
    let ends = written(&path);
    let whole = std::fs::read(&path).unwrap();
    let (start, end) = (usize::try_from(ends[0]).unwrap(), usize::try_from(ends[1]).unwrap());
    for at in start..end {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x11;
        std::fs::write(&path, &bytes).unwrap();
        let store = open(&path).unwrap();
        assert_eq!(store.cut(), 0, "byte {at}");
        if body(&store, "https://a.test/1").is_none() {
            keep_page(&store, "https://a.test/1", "page 1, again");
            assert_eq!(body(&store, "https://a.test/1").as_deref(), Some("page 1, again"), "byte {at}");
        }
        assert_eq!(body(&store, "https://a.test/2").as_deref(), Some("page 2"), "byte {at}");
    }
}

/// What reading an archive in order gives: addresses with bodies, and how many records are refused.
fn read(path: &Path) -> (Vec<(String, Vec<u8>)>, usize) {
    let (mut pages, mut problems) = (Vec::new(), 0);
    for record in records(path).unwrap() {
        match record {
            Ok(Record { target, response: Ok(page), .. }) => pages.push((target, page.body)),
            Ok(_) | Err(_) => problems += 1,
        }
    }
    (pages, problems)
}

/// Every seventh bit of a plain archive, turned over. Damage in what an answer consists of is always told, and no damaged page is
/// read. Nothing protects the head of a record: there a page may move to another address, its body as it was.
#[test]
fn no_flipped_bit_gives_a_damaged_page() {
    let (_folder, path) = place("a.warc");
    let ends: Vec<usize> = written(&path).into_iter().map(|end| usize::try_from(end).unwrap()).collect();
    let whole = std::fs::read(&path).unwrap();
    let (pages, problems) = read(&path);
    assert_eq!((pages.len(), problems), (3, 0));
    let find = |from: usize, what: &[u8]| {
        from + whole[from..].windows(what.len()).position(|window| window == what).unwrap()
    };
    // The blocks and the addresses of the three pages.
    let places = ends[..4].windows(2).map(|ends| {
        let address = find(ends[0], b"WARC-Target-URI: ");
        ((find(ends[0], b"\r\n\r\n") + 4..ends[1] - 4), (address..find(address, b"\n") + 1))
    });
    let (blocks, addresses): (Vec<_>, Vec<_>) = places.unzip();
    let (mut told, mut moved) = (0, 0);
    for bit in (0..whole.len() * 8).step_by(7) {
        let at = bit / 8;
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (bit % 8);
        std::fs::write(&path, &bytes).unwrap();
        let (found, problems) = read(&path);
        told += usize::from(problems > 0);
        if blocks.iter().any(|block| block.contains(&at)) {
            assert!(problems > 0, "bit {bit}");
        }
        if problems > 0 {
            assert!(found.iter().all(|page| pages.contains(page)), "bit {bit}: {found:?}");
        } else if found != pages {
            assert!(addresses.iter().any(|address| address.contains(&at)), "bit {bit}: {found:?}");
            assert!(found.iter().map(|page| &page.1).eq(pages.iter().map(|page| &page.1)), "bit {bit}");
            moved += 1;
        }
    }
    assert!(told > 0 && moved > 0, "{told} told, {moved} moved");
}

#[test]
fn what_is_no_archive_is_not_touched() {
    let (_folder, path) = place("a.warc.gz");
    let noise: Vec<u8> = (0..20_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let packed = gzip(&noise);
    for bytes in [&b"# Notes\n\nWARC/1.1 is a format.\n"[..], b"\n", &packed, &packed[..packed.len() / 2]] {
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(open(&path), Err(ArchiveError::NotAnArchive { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    let folder = path.parent().unwrap();
    for other in [folder, Path::new("/dev/zero")] {
        assert!(matches!(open(other), Err(ArchiveError::Io { .. })), "{}", other.display());
    }
}

/// More than a record cannot be what a crash left.
#[test]
fn a_long_damaged_end_is_not_cut_off() {
    let (_folder, path) = place("a.warc.gz");
    written(&path);
    let length = (70 << 20) + std::fs::metadata(&path).unwrap().len();
    File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
    let refused = open(&path).unwrap_err();
    assert!(matches!(refused, ArchiveError::DamagedEnd { length, .. } if length == 70 << 20), "{refused}");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
}

/// Other programs pack many records as one gzip member, and of those what comes before the break can be read.
#[test]
fn a_member_of_many_records_is_not_cut_off() {
    let (_folder, path) = place("a.warc");
    let ends = written(&path);
    let plain = std::fs::read(&path).unwrap();
    let (head, rest) = plain.split_at(usize::try_from(ends[1]).unwrap());
    let first = usize::try_from(ends[2] - ends[1]).unwrap();
    let second = &plain[head.len()..head.len() + first];
    let torn = |bytes: &[u8]| gzip(bytes)[..gzip(bytes).len() - 4].to_vec();
    let path = path.with_extension("warc.gz");
    let broken = String::from_utf8(second.to_vec()).unwrap().replace("Content-Length", "Content-Lengthy");
    for bytes in [
        torn(&plain),
        [gzip(head), torn(rest)].concat(),
        [gzip(head), torn(rest), torn(second)].concat(),
        [gzip(head), torn(&[second, b"# Notes\n"].concat())].concat(),
        [gzip(head), gzip(b"# Notes\n")].concat(),
        gzip(&[broken.as_bytes(), rest].concat()),
    ] {
        std::fs::write(&path, &bytes).unwrap();
        let refused = open(&path).map(|store| store.cut()).unwrap_err();
        assert!(matches!(refused, ArchiveError::DamagedEnd { .. }), "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    for bytes in [torn(second), [gzip(&plain), torn(second)].concat()] {
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(open(&path).unwrap().cut(), torn(second).len() as u64);
    }
}

/// Once the file had grown, the first record would reach over what was added: wherever its claim ends in what is
/// behind the last whole record, also in what is cut off.
#[test]
fn nothing_is_added_where_a_record_claims_more_than_there_is() {
    let (_folder, path) = place("a.warc");
    let ends = written(&path);
    let plain = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
    let (head, rest) = plain.split_at(usize::try_from(ends[1]).unwrap());
    let (_, declared) = rest.split_once("Content-Length: ").unwrap();
    let declared: usize = declared.split_once("\r\n").unwrap().0.parse().unwrap();
    let claiming = |claimed: usize| {
        let [from, to] = [declared, claimed].map(|length| format!("Content-Length: {length}\r\n"));
        format!("{head}{}", rest.replacen(&from, &to, 1))
    };
    let first = usize::try_from(ends[2] - ends[1]).unwrap();
    // Up to the end of the last whole record and its two line ends.
    let to_end = declared + 4 + rest.len() - first;
    let torn = &rest[..first - 9];
    for (behind, claimed) in [
        ("", to_end + 1),
        ("", 70 << 20),
        ("# Notes\n", to_end),
        (torn, to_end + 4),
        (torn, to_end + torn.len() - 1),
    ] {
        let bytes = claiming(claimed) + behind;
        std::fs::write(&path, &bytes).unwrap();
        let refused = open(&path).map(|store| store.cut()).unwrap_err();
        let offset = head.len() as u64;
        assert!(matches!(refused, ArchiveError::Unclosed { offset: at, .. } if at == offset), "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes.as_bytes());
    }
    std::fs::write(&path, claiming(declared + 9) + torn).unwrap();
    assert_eq!(open(&path).unwrap().cut(), torn.len() as u64);
}

/// Nothing is held, after opening, of what was cut off, wherever that is.
#[test]
fn what_is_cut_off_is_not_held() {
    let (_folder, path) = place("a.warc");
    let ends = written(&path);
    let plain = std::fs::read(&path).unwrap();
    let (head, rest) = plain.split_at(usize::try_from(ends[0]).unwrap());
    let path = path.with_extension("warc.gz");
    let (head, rest) = (gzip(head), gzip(rest));
    let mut opened = 0;
    for kept in (0..rest.len()).step_by(7).chain(rest.len() - 9..rest.len()) {
        let bytes = [&head[..], &rest[..kept]].concat();
        std::fs::write(&path, &bytes).unwrap();
        match open(&path) {
            Err(refused) => {
                assert!(matches!(refused, ArchiveError::DamagedEnd { .. }), "{refused}");
                assert_eq!(std::fs::read(&path).unwrap(), bytes);
            }
            Ok(store) => {
                opened += 1;
                assert_eq!(store.cut(), kept as u64);
                for number in 1..=3 {
                    let at = format!("https://a.test/{number}");
                    assert_eq!(store.fetch(&url(&at)).unwrap_err().word(), "not-stored", "{kept} bytes kept");
                    keep_page(&store, &at, "anew");
                    assert_eq!(body(&store, &at).as_deref(), Some("anew"));
                }
            }
        }
    }
    assert!(opened > 0, "a torn first record is cut off");
}

#[test]
fn two_runs_do_not_write_one_archive() {
    let (_folder, path) = place("a.warc.gz");
    let first = open(&path).unwrap();
    assert!(matches!(open(&path), Err(ArchiveError::InUse { .. })));
    drop(first);
    assert!(open(&path).is_ok());
}

#[test]
fn an_exchange_that_no_record_can_hold_is_refused() {
    let (_folder, path) = place("a.warc.gz");
    let store = open(&path).unwrap();
    let before = std::fs::metadata(&path).unwrap().len();
    let (at, long) = (url("https://a.test/1"), vec![b'x'; 64 << 20]);
    assert!(
        store
            .keep(&Exchange { url: &at, wanted: Wanted::Page, status: 200, headers: &[], body: &long })
            .is_err()
    );
    assert_eq!(std::fs::metadata(&path).unwrap().len(), before);
    let many: Vec<_> = (0..2000).map(|n| (format!("x-{n}"), "y".repeat(60))).collect();
    let many = [headers(&[("content-type", "text/html")]), many].concat();
    store
        .keep(&Exchange { url: &at, wanted: Wanted::Page, status: 200, headers: &many, body: b"<p>" })
        .unwrap();
    assert_eq!(body(&store, "https://a.test/1").as_deref(), Some("<p>"));
}

#[test]
fn robots_txt_is_no_page() {
    let (_folder, path) = place("a.warc.gz");
    let store = open(&path).unwrap();
    keep(&store, "https://a.test/robots.txt", 200, &[("content-type", "text/plain")], b"User-agent: *\n");
    keep_page(&store, "https://a.test/1", "one");
    store.keep_failure(&url("https://a.test/2"), Wanted::Page, &timeout("https://a.test/2")).unwrap();
    let archive = Archive::open(&path).unwrap();
    assert!(archive.urls().map(Url::path).eq(["/1"]) && archive.len() == 1);
    let listed: Vec<String> = records(&path).unwrap().map(|record| record.unwrap().target).collect();
    assert_eq!(listed, ["https://a.test/1"]);
}

/// A web that keeps what it gives, and counts what it is asked.
#[derive(Default)]
struct FakeWeb {
    pages: BTreeMap<&'static str, FakeAnswer>,
    asked: Mutex<Vec<String>>,
}

#[derive(Clone, Copy)]
enum FakeAnswer {
    Page(&'static str),
    Status(u16),
    Moved(&'static str),
    Late,
    Robots,
}

struct Live {
    web: Arc<FakeWeb>,
    keep: Arc<Store>,
}

impl Fetch for Live {
    fn fetch(&self, at: &Url) -> Result<Response, FetchError> {
        self.web.asked.lock().unwrap().push(at.path().to_owned());
        let kept = |status, headers: &[(String, String)], body: &[u8]| {
            self.keep.keep(&Exchange { url: at, wanted: Wanted::Page, status, headers, body }).unwrap();
        };
        let html = headers(&[("content-type", "text/html")]);
        match self.web.pages[at.path()] {
            FakeAnswer::Page(body) => {
                kept(200, &html, body.as_bytes());
                let content_type = Some("text/html".to_owned());
                Ok(Response { url: at.clone(), status: 200, content_type, link: None, body: body.into() })
            }
            FakeAnswer::Status(status) => {
                kept(status, &html, b"");
                Err(FetchError::Status { url: at.clone(), status })
            }
            FakeAnswer::Moved(to) => {
                kept(301, &headers(&[("location", to)]), b"");
                self.fetch(&at.join(to).unwrap())
            }
            FakeAnswer::Late => Err(FetchError::Timeout { url: at.clone() }),
            FakeAnswer::Robots => {
                Err(FetchError::Disallowed { url: at.clone(), rule: "`Disallow: /`\nline 2".into() })
            }
        }
    }
}

/// What the run says to each path, in words, and what the web was asked.
fn run(path: &Path, web: &[(&'static str, FakeAnswer)], wanted: &[&str]) -> (Vec<String>, Vec<String>) {
    let store = Arc::new(open(path).unwrap());
    let web = Arc::new(FakeWeb { pages: web.iter().copied().collect(), ..FakeWeb::default() });
    let saved = Saved::new(Arc::clone(&store), Live { web: Arc::clone(&web), keep: store });
    let said = say(&saved, wanted);
    let archive = Archive::open(path).unwrap();
    assert_eq!(said, say(&archive, wanted), "a replay says something else");
    let asked = web.asked.lock().unwrap().clone();
    (said, asked)
}

fn say(fetch: &dyn Fetch, wanted: &[&str]) -> Vec<String> {
    let say = |path: &&str| match fetch.fetch(&url(&format!("https://a.test{path}"))) {
        Ok(response) => format!("{} {}", response.url.path(), String::from_utf8(response.body).unwrap()),
        Err(error) => format!("{}: {error}", error.word()),
    };
    wanted.iter().map(say).collect()
}

#[test]
fn a_page_is_asked_for_once_and_a_failure_once_a_run() {
    let (_folder, path) = place("a.warc.gz");
    let wanted = ["/1", "/old", "/late", "/503", "/no", "/1", "/late", "/503", "/no", "/away"];
    let web = [
        ("/1", FakeAnswer::Page("one")),
        ("/old", FakeAnswer::Moved("/new")),
        ("/new", FakeAnswer::Page("new")),
        ("/late", FakeAnswer::Late),
        ("/503", FakeAnswer::Status(503)),
        ("/no", FakeAnswer::Robots),
        ("/away", FakeAnswer::Moved("/late")),
    ];
    let (first, asked) = run(&path, &web, &wanted);
    let late = "timeout: `https://a.test/late` took too long to answer";
    let no = "robots: `https://a.test/no` may not be fetched: `Disallow: /` line 2";
    let busy = "status: `https://a.test/503` answered with status 503";
    assert_eq!(first, ["/1 one", "/new new", late, busy, no, "/1 one", late, busy, no, late]);
    assert_eq!(asked, ["/1", "/old", "/new", "/late", "/503", "/no", "/away", "/late"]);

    // The next run: the web has changed. What was a page stays; what was none is asked again.
    let web = [("/late", FakeAnswer::Page("late")), ("/503", FakeAnswer::Late), ("/no", FakeAnswer::Robots)];
    let length = std::fs::metadata(&path).unwrap().len();
    let (second, asked) = run(&path, &web, &wanted);
    let busy = "timeout: `https://a.test/503` took too long to answer";
    assert_eq!(
        second,
        ["/1 one", "/new new", "/late late", busy, no, "/1 one", "/late late", busy, no, "/late late"]
    );
    assert_eq!(asked, ["/late", "/503", "/no"]);
    assert!(std::fs::metadata(&path).unwrap().len() > length);

    // The one after: the same failures are not written again.
    let length = std::fs::metadata(&path).unwrap().len();
    let web = [("/503", FakeAnswer::Late), ("/no", FakeAnswer::Robots)];
    let (third, asked) = run(&path, &web, &wanted);
    assert_eq!((third, asked), (second, vec!["/503".to_owned(), "/no".to_owned()]));
    assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
}

/// Two jobs ask for one address: what the one got meanwhile stays when the other gets nothing.
#[test]
fn a_failure_does_not_replace_what_another_job_got() {
    struct Late(Arc<Store>);
    impl Fetch for Late {
        fn fetch(&self, at: &Url) -> Result<Response, FetchError> {
            match at.path() {
                "/moved" => {
                    keep(&self.0, at.as_str(), 302, &[("location", "/1")], b"");
                    keep_page(&self.0, "https://a.test/1", "one");
                }
                "/gone" => keep(&self.0, at.as_str(), 503, &[], b""),
                "/nowhere" => keep(&self.0, at.as_str(), 302, &[("location", "/none")], b""),
                _ => keep_page(&self.0, at.as_str(), "page"),
            }
            Err(FetchError::Timeout { url: at.clone() })
        }
    }
    let (_folder, path) = place("a.warc.gz");
    let store = Arc::new(open(&path).unwrap());
    let saved = Saved::new(Arc::clone(&store), Late(store));
    let wanted = ["/2", "/moved", "/gone", "/nowhere"];
    let said = say(&saved, &wanted);
    let late = |path: &str| format!("timeout: `https://a.test{path}` took too long to answer");
    assert_eq!(said, ["/2 page".to_owned(), "/1 one".to_owned(), late("/gone"), late("/nowhere")]);
    assert_eq!(say(&Archive::open(&path).unwrap(), &wanted), said);
    drop(saved);
    assert_eq!(say(&open(&path).unwrap(), &wanted), said);
}

/// What is only in memory would be lost, so it is not used.
#[test]
fn what_cannot_be_kept_is_an_error_and_not_recorded() {
    struct Full;
    impl Fetch for Full {
        fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
            Err(FetchError::Keep { url: url.clone(), source: std::io::ErrorKind::StorageFull.into() })
        }
    }
    let (_folder, path) = place("a.warc.gz");
    let store = Arc::new(open(&path).unwrap());
    let length = std::fs::metadata(&path).unwrap().len();
    let refused = Saved::new(store, Full).fetch(&url("https://a.test/1")).unwrap_err();
    assert_eq!(refused.word(), "keep");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]

    /// Whatever stands in the file, opening takes nothing but a torn end.
    #[test]
    fn opening_changes_nothing_but_a_torn_end(mut bytes: Vec<u8>, kind in 0..5_usize, cut in 0..4000_usize) {
        let (_folder, path) = place("a.warc.gz");
        let mut whole = 0;
        if kind > 2 {
            whole = *written(&path).last().unwrap();
            let mut archive = std::fs::read(&path).unwrap();
            if kind == 4 {
                archive.truncate(cut);
                whole = 0;
            }
            bytes.splice(0..0, archive);
        } else {
            bytes.splice(0..0, [&b""[..], b"WARC/1.1\r\n", b"\x1f\x8b\x08\0"][kind].iter().copied());
        }
        std::fs::write(&path, &bytes).unwrap();
        let opened = open(&path).map(|store| store.cut());
        let after = std::fs::read(&path).unwrap();
        match opened {
            Err(_) => assert_eq!(after, bytes),
            Ok(cut) => {
                let end = bytes.len() - usize::try_from(cut).unwrap();
                assert!(end as u64 >= whole, "whole records are cut off");
                assert_eq!(&after[..end], &bytes[..end]);
                // A new archive, or one of which nothing was left, starts anew.
                assert!(after.len() == end || end == 0);
                assert!(Archive::open(&path).unwrap().problems().iter().all(|problem| problem.offset < end as u64));
            }
        }
    }
}
