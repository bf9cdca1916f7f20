//! A client with its own TLS keeps it, before and after ours is made.

fn main() {
    let _client = reqwest::blocking::Client::new();
    let _web = tsugi::Http::builder("host/1.0").build().expect("a client");
    let _another = reqwest::blocking::Client::new();
}
