//! A client without TLS stays one: tsugi does not switch rustls on in it.

fn main() {
    let _client = reqwest::Client::new();
    let _web = tsugi::Http::builder("host/1.0").build().expect("a client");
    let _another = reqwest::Client::new();
}
