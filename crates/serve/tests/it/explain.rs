//! The explaining page's interface, and the frame that shows pages of others.

use crate::support::{Tested, article_site};
use serde_json::json;

#[test]
fn the_facts_are_those_of_the_page_and_its_frame() {
    let (tested, site) = (Tested::start(), article_site(2, &[]));
    let facts = tested.post("/api/explain", &json!({"url": site.address("/1")})).is(200).json();
    assert_eq!(facts["next"]["url"], site.address("/2"));
    assert_eq!(facts["links"][0]["node"], facts["next"]["node"]);
    assert!(!facts["links"][0]["reasons"].as_array().unwrap().is_empty());
    assert!(facts["blocks"].as_array().unwrap().len() > 4);
    assert_eq!(facts["pair"]["continues"], true);
    let frame = tested.get(&format!("/frame/{}", facts["frame"].as_str().unwrap())).is(200);
    let policy = frame.header("content-security-policy");
    assert!(policy.starts_with("sandbox allow-scripts; default-src 'none'; script-src 'nonce-"), "{policy}");
    assert!(!policy.contains("allow-same-origin") && !policy.contains("unsafe"), "{policy}");
    let link = facts["next"]["node"].as_u64().unwrap();
    let link = format!("<t-a data-n={link}><t-t data-t={}>Next page</t-t></t-a>", link + 1);
    assert!(frame.body.contains(&link), "{}", frame.body);
    tested.get("/frame/0123").is(404);
}

#[test]
fn nothing_of_a_page_is_active_in_its_frame() {
    let tested = Tested::start();
    let html = "<p>Text</p><script>alert(1)</script><img src=//evil.test/x onerror=alert(1) alt='</script><script>alert(1)'>\
                <a href=javascript:alert(1)>x</a>";
    let facts =
        tested.post("/api/explain", &json!({"url": "http://127.0.0.1:9/", "html": html})).is(200).json();
    let frame = tested.get(&format!("/frame/{}", facts["frame"].as_str().unwrap())).is(200).body;
    let (page, own) = frame.split_once("<script nonce=").unwrap();
    let (_, page) = page.split_once("<body>").unwrap();
    assert!(page.split('<').skip(1).all(|tag| tag.starts_with("t-") || tag.starts_with("/t-")), "{page}");
    assert_eq!(own.matches("</script>").count(), 1, "the overlay cannot be left");
}
