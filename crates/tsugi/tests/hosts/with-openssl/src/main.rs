//! OpenSSL in the program's client is no OpenSSL in ours.

use std::io::{Read, Write};
use std::net::TcpListener;
use tsugi::Fetch;
use tsugi::fetch::{Guard, chain};

fn main() {
    // A server that knows no TLS: the error names the stack that met it.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let url = format!("https://127.0.0.1:{port}/");
    let guard = Guard::public().and("127.0.0.1".parse().expect("an address"));
    let web = tsugi::Http::builder("host/1.0")
        .guard(guard)
        .robots(false)
        .proxy(false)
        .retries(0)
        .build()
        .expect("a client");
    let ours = chain(&web.fetch(&url.parse().expect("an address")).expect_err("no TLS"));
    assert!(ours.contains("corrupt message") && !ours.contains("SSL routines"), "{ours}");
    let theirs = format!("{:?}", reqwest::blocking::get(&url).expect_err("no TLS"));
    assert!(theirs.contains("ssl") || theirs.contains("SSL"), "{theirs}");
}
