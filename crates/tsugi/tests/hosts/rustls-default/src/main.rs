//! A program that takes rustls as it comes, and the same provider for tsugi.

fn main() {
    let _web = tsugi::Http::builder("host/1.0").build().expect("a client");
    let _config = rustls::ClientConfig::builder();
}
