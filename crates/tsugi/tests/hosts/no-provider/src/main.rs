//! Without a provider of its own, tsugi takes the one that the program has set, and says so where there is none.

fn main() {
    let error = tsugi::Http::builder("host/1.0").build().expect_err("no provider");
    assert!(
        format!("{:?}", std::error::Error::source(&error)).contains("`ring` or `aws-lc-rs`"),
        "{error:?}"
    );
    rustls::crypto::ring::default_provider().install_default().expect("nobody else has set it");
    let _web = tsugi::Http::builder("host/1.0").build().expect("a client");
}
