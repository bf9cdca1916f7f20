//! Where requests may go.

use crate::{options, page, url};
use std::net::{IpAddr, Ipv4Addr};
use tsugi_fetch::{Fetch, FetchError, Guard, Http, SiteHeaders};
use tsugi_testing::{LoopbackServer, missing, redirect};

fn http(guard: Guard) -> Http {
    crate::http(|options| {
        options.guard = guard;
        options.robots = false;
        options.retries = 0;
    })
}

fn loopback() -> Guard {
    options().guard
}

fn by_name() -> Guard {
    Guard::public().and("localhost".parse().unwrap())
}

#[track_caller]
fn refused(http: &Http, at: &str) -> IpAddr {
    match http.fetch(&url(at)) {
        Err(FetchError::Private { address, .. }) => address,
        other => panic!("{at}: {other:?}"),
    }
}

#[test]
fn private_addresses_are_not_asked_however_they_are_written() {
    let server = LoopbackServer::start(|_| page("secret"));
    let (public, port) = (http(Guard::public()), server.port());
    for host in ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "017700000001"] {
        assert_eq!(refused(&public, &format!("http://{host}:{port}/")), Ipv4Addr::LOCALHOST, "{host}");
    }
    for host in ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"] {
        refused(&public, &format!("http://{host}:{port}/"));
    }
    // By its name: the resolver's answer is checked.
    assert!(refused(&public, &format!("http://localhost:{port}/")).is_loopback());
    assert_eq!(server.asked(), [""; 0]);
    assert!(http(loopback()).fetch(&server.url("/")).is_ok());
    assert!(http(loopback()).fetch(&url(&format!("http://localhost:{port}/"))).is_ok());
}

#[test]
fn a_host_that_is_named_opens_no_other_way_to_its_address() {
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/away" => redirect(&format!("http://127.0.0.1:{}/", request.port)),
        "/metadata" => redirect("http://169.254.169.254/latest/meta-data/"),
        _ => page("here"),
    });
    let (http, at) = (http(by_name()), |path: &str| format!("http://localhost:{}{path}", server.port()));
    assert!(http.fetch(&url(&at("/"))).is_ok());
    assert_eq!(refused(&http, server.url("/").as_str()), Ipv4Addr::LOCALHOST);
    assert_eq!(refused(&http, &at("/away")), Ipv4Addr::LOCALHOST);
    assert_eq!(refused(&http, &at("/metadata")), Ipv4Addr::new(169, 254, 169, 254));
    assert_eq!(server.asked(), ["/", "/away", "/metadata"]);
}

#[test]
fn the_message_names_the_address_and_why() {
    let error = http(Guard::public()).fetch(&url("http://0x7f.1/x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`http://127.0.0.1/x` leads to 127.0.0.1, a loopback address; only public addresses are fetched, \
         and those that are allowed"
    );
    let error = http(Guard::public()).fetch(&url("http://169.254.169.254/latest")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`http://169.254.169.254/latest` leads to 169.254.169.254, a link-local address; such addresses are never \
         fetched"
    );
}

#[test]
fn redirects_are_checked_as_first_addresses_are() {
    for target in ["http://127.0.0.2/", "http://[::1]/", "http://2130706434/", "//169.254.169.254/latest/"] {
        let server = LoopbackServer::start(move |_| redirect(target));
        let http = http(loopback());
        let error = http.fetch(&server.url("/")).unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{target}: {error}");
        assert_eq!(server.asked(), ["/"]);
    }
}

#[test]
fn robots_files_are_no_way_in() {
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/robots.txt" => redirect("http://127.0.0.2/"),
        _ => missing(),
    });
    let error = crate::http(|_| ()).fetch(&server.url("/1")).unwrap_err();
    assert!(matches!(error, FetchError::Private { .. }), "{error}");
    let error = crate::http(|options| options.guard = Guard::public()).fetch(&server.url("/1")).unwrap_err();
    let named = matches!(&error, FetchError::Private { url, .. } if *url == server.url("/1"));
    assert!(named, "the page is named, not its robots.txt: {error}");
}

#[test]
fn names_and_passwords_stay_on_their_host() {
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/robots.txt" => missing(),
        "/near" => redirect(&format!("http://other:user@127.0.0.1:{}/there", request.port)),
        "/far" => redirect(&format!("http://localhost:{}/there", request.port)),
        _ => page("there"),
    });
    let with_login = |path: &str| url(&server.url(path).as_str().replace("//", "//name:word@"));
    let headers = SiteHeaders::new([], [&with_login("/")]).unwrap();
    let http = crate::http(|options| options.headers = headers);
    for path in ["/near", "/far"] {
        let response = http.fetch(&with_login(path)).unwrap();
        assert_eq!((response.url.username(), response.url.password()), ("", None));
    }
    // What nobody gave to the client may come from a page.
    crate::http(|_| ()).fetch(&with_login("/link")).unwrap();
    let sent: Vec<(String, bool)> = server
        .requests()
        .into_iter()
        .map(|request| (request.path, request.head.contains("uthorization: Basic bmFtZTp3b3Jk\r\n")))
        .collect();
    let expected = [
        ("/robots.txt", true),
        ("/near", true),
        ("/there", true),
        ("/far", true),
        ("/robots.txt", false),
        ("/there", false),
        ("/robots.txt", false),
        ("/link", false),
    ];
    assert_eq!(sent, expected.map(|(path, sent)| (path.to_owned(), sent)));
}
