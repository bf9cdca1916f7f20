//! The default of the process is the program's to set, also after our client is made.

fn main() {
    let _web = tsugi::Http::builder("host/1.0").build().expect("a client");
    rustls::crypto::aws_lc_rs::default_provider().install_default().expect("nobody else has set it");
    let _config = rustls::ClientConfig::builder();
    let _web = tsugi::Http::builder("host/1.0").build().expect("a client");
}
