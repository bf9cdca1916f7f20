//! The answers of the interface for programs, checked against its description.

use crate::support::{LoopbackServer, ServerAnswer, TOKEN, Tested, article, site_of};
use boon::{Compiler, Schemas};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const LOCATION: &str = "http://localhost/openapi.json";

struct Description {
    document: Value,
    compiler: Compiler,
    schemas: Schemas,
    /// JSON pointers to the schemas that answers were checked with.
    checked: BTreeSet<String>,
}

impl Description {
    fn of(tested: &Tested) -> Description {
        let document = tested.get("/openapi.json").is(200).json();
        let mut compiler = Compiler::new();
        compiler.add_resource(LOCATION, document.clone()).unwrap();
        Description { document, compiler, schemas: Schemas::new(), checked: BTreeSet::new() }
    }

    /// Checks that an answer has a status and a media type of the description, and fits its schema.
    #[track_caller]
    fn check(&mut self, method: &str, target: &str, answer: &ServerAnswer) {
        let path = target.split('?').next().unwrap();
        let media = answer.header("content-type").split(';').next().unwrap();
        let pointer = pointer(path, method, &answer.status.to_string(), media);
        assert!(self.document.pointer(&pointer).is_some(), "{method} {target}: no {pointer}");
        let schema = self.compiler.compile(&format!("{LOCATION}#{pointer}"), &mut self.schemas).unwrap();
        let value = if media.ends_with("json") && !media.ends_with("ndjson") {
            answer.json()
        } else {
            json!(answer.body)
        };
        if let Err(error) = self.schemas.validate(&value, schema) {
            panic!("{method} {target}: {error:#}");
        }
        self.checked.insert(pointer);
    }

    /// Returns the pointers to the schemas of all answers with status 200.
    fn of_success(&self) -> BTreeSet<String> {
        let mut pointers = BTreeSet::new();
        for (path, methods) in self.document["paths"].as_object().unwrap() {
            for (method, described) in methods.as_object().unwrap() {
                for media in described["responses"]["200"]["content"].as_object().unwrap().keys() {
                    pointers.insert(pointer(path, method, "200", media));
                }
            }
        }
        pointers
    }
}

fn pointer(path: &str, method: &str, status: &str, media: &str) -> String {
    let (path, media) = (path.replace('/', "~1"), media.replace('/', "~1"));
    format!("/paths/{path}/{method}/responses/{status}/content/{media}/schema")
}

fn site() -> LoopbackServer {
    let feed = "<rss version='2.0'><channel><title>Mills</title><link>{HOST}/</link><description>All mills</description>\
                <item><title>One</title><link>{HOST}/1</link><author>Ann</author></item>\
                <item><title>Gone</title><link>{HOST}/gone</link></item></channel></rss>";
    let mut pages = article(2, &[]);
    pages.push(("/feed".to_owned(), "application/rss+xml", feed.as_bytes().to_vec()));
    pages.push(("/empty".to_owned(), "text/html", b"<body></body>".to_vec()));
    LoopbackServer::start(site_of(pages))
}

#[test]
fn answers_to_reads_are_as_described() {
    let (tested, site) = (Tested::start(), site());
    let mut description = Description::of(&tested);
    let mut targets = vec!["/health".to_owned(), "/healthz".to_owned()];
    for path in ["/api/join", "/api/extract"] {
        for format in ["json", "md", "html", "txt", "epub"] {
            targets.push(format!("{path}?url={}&format={format}", site.url("/1")));
        }
    }
    for format in ["rss", "atom", "json"] {
        targets.push(format!("/makefulltextfeed.php?url={}&format={format}", site.url("/feed")));
    }
    for path in ["/api/next", "/api/pages", "/extract.php"] {
        targets.push(format!("{path}?url={}", site.url("/1")));
    }
    for target in &targets {
        description.check("get", target, &tested.get(target).is(200));
    }
    let of_success = description.of_success();
    let reads: BTreeSet<&String> = of_success.iter().filter(|pointer| pointer.contains("/get/")).collect();
    assert_eq!(description.checked.iter().collect::<BTreeSet<_>>(), reads);

    description.check("get", "/api/next", &tested.get(&format!("/api/next?url={}", site.url("/2"))).is(200));
    for path in ["/api/join", "/api/extract", "/api/next", "/makefulltextfeed.php", "/extract.php"] {
        let target = format!("{path}?url={}", site.url("/1"));
        for (header, status) in [(("Host", "evil.test"), 421), (("Origin", "http://evil.test"), 403)] {
            description.check("get", path, &tested.send("GET", &target, &[header], "").is(status));
        }
        description.check("get", path, &tested.get(path).is(400));
        description.check("get", path, &tested.get(&format!("{path}?url=file:///etc/passwd")).is(400));
        description.check("get", path, &tested.get(&format!("{path}?url=http://10.0.0.1/")).is(502));
    }
    for path in ["/api/join", "/api/extract", "/extract.php"] {
        let empty = format!("{path}?url={}", site.url("/empty"));
        description.check("get", path, &tested.get(&empty).is(422));
    }
}

#[test]
fn answers_to_given_pages_are_as_described() {
    let (tested, site) = (Tested::start(), site());
    let mut description = Description::of(&tested);
    let given = json!({"url": site.url("/1")});
    for path in ["/api/join", "/api/extract"] {
        for format in ["json", "md", "html", "txt", "epub"] {
            let target = format!("{path}?format={format}");
            description.check("post", &target, &tested.post(&target, &given).is(200));
        }
        let empty = json!({"url": site.url("/1"), "html": "<body></body>"});
        description.check("post", path, &tested.post(path, &empty).is(422));
    }
    description.check("post", "/api/next", &tested.post("/api/next", &given).is(200));
    let batch = json!({"urls": [site.url("/1")]});
    description.check("post", "/api/batch", &tested.post("/api/batch", &batch).is(200));
    let of_success = description.of_success();
    let writes: Vec<&String> = of_success.iter().filter(|pointer| pointer.contains("/post/")).collect();
    assert!(writes.iter().all(|pointer| description.checked.contains(*pointer)), "{writes:#?}");

    let (token, json) = (("X-Tsugi-Token", TOKEN), ("Content-Type", "application/json"));
    for path in ["/api/join", "/api/extract", "/api/next"] {
        for (headers, body, status) in [
            (&[json][..], "{}", 401),
            (&[token], "{}", 415),
            (&[token, json], "{", 400),
            (&[token, json, ("Host", "evil.test")], "{}", 421),
            (&[token, json, ("Origin", "http://evil.test")], "{}", 403),
        ] {
            description.check("post", path, &tested.send("POST", path, headers, body).is(status));
        }
        let lost = json!({"url": site.url("/1"), "set": "none"});
        description.check("post", path, &tested.post(path, &lost).is(404));
        let private = json!({"url": "http://10.0.0.1/"});
        description.check("post", path, &tested.post(path, &private).is(502));
    }
}
