//! IP addresses that may be connected to.

use crate::special::special;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use tsugi_page::Url;
use url::Host;

/// The IP addresses that may be connected to.
///
/// A page chooses its links, and a name server the addresses of a name. Without a guard, either could make this program
/// send requests to machines of its own network (a router, a database, the metadata service of a cloud) and put the
/// answers into a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    anywhere: bool,
    also: BTreeSet<IpAddr>,
}

impl Guard {
    /// Returns a guard that allows public addresses only: none that a registry lists as special, nor an IPv6 address
    /// that contains such an IPv4 address.
    ///
    /// # Source
    ///
    /// RFC 6890 and the IANA registries of special-purpose addresses, as of 2025.
    pub fn public() -> Guard {
        Guard::default()
    }

    /// Returns a guard that allows every address.
    pub fn anywhere() -> Guard {
        Guard { anywhere: true, also: BTreeSet::new() }
    }

    /// Allows one more address.
    #[must_use]
    pub fn and(mut self, address: IpAddr) -> Guard {
        self.also.insert(address);
        self
    }

    /// Returns `true` if every address is allowed.
    pub(super) fn is_open(&self) -> bool {
        self.anywhere
    }

    fn allows(&self, address: IpAddr) -> bool {
        self.anywhere || special(address).is_none() || self.also.contains(&address)
    }

    /// Refuses a literal IP address in a URL, which no resolver sees.
    pub(super) fn check_literal(&self, url: &Url) -> Result<(), Refused> {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        if self.allows(address) { Ok(()) } else { Err(Refused { address }) }
    }

    /// Returns the allowed addresses of a name; an error if it has only others.
    pub(super) fn admit(&self, found: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, Refused> {
        let (allowed, refused): (Vec<_>, Vec<_>) = found.partition(|address| self.allows(address.ip()));
        match refused.first() {
            Some(address) if allowed.is_empty() => Err(Refused { address: address.ip() }),
            _ => Ok(allowed),
        }
    }
}

/// An address that may not be connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{address} may not be connected to")]
pub(super) struct Refused {
    pub(super) address: IpAddr,
}

/// Resolves names for the client. It connects only to the addresses returned here, so a name that resolves differently
/// the next time gains nothing.
#[derive(Debug)]
pub(super) struct Resolver(pub(super) Guard);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, host) = (self.0.clone(), name.as_str().to_owned());
        Box::pin(async move {
            // The client replaces port 0 with that of the URL.
            let found = tokio::task::spawn_blocking(move || (host.as_str(), 0).to_socket_addrs()).await??;
            let allowed: Addrs = Box::new(guard.admit(found)?.into_iter());
            Ok(allowed)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    #[test]
    fn addresses_in_urls_are_checked_however_they_are_written() {
        for url in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://017700000001/",
            "http://127.0.0.1./",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://user:word@127.0.0.1:8080/",
            "http://１２７.０.０.１/",
        ] {
            let url: Url = url.parse().unwrap();
            assert!(Guard::public().check_literal(&url).is_err(), "{url}");
            assert!(Guard::anywhere().check_literal(&url).is_ok(), "{url}");
        }
        let one = Guard::public().and(Ipv4Addr::LOCALHOST.into());
        assert!(one.check_literal(&"http://0x7f.1/".parse().unwrap()).is_ok());
        assert!(one.check_literal(&"http://127.0.0.2/".parse().unwrap()).is_err());
        assert!(one.check_literal(&"http://[::1]/".parse().unwrap()).is_err());
        assert!(Guard::public().check_literal(&"http://1.1.1.1/".parse().unwrap()).is_ok());
    }

    #[test]
    fn a_name_is_reached_where_it_is_public_only() {
        let socket = |address: &str| SocketAddr::new(address.parse().unwrap(), 0);
        let (public, private) = (socket("1.1.1.1"), socket("10.0.0.1"));
        let admit = |found: &[SocketAddr]| Guard::public().admit(found.iter().copied());
        assert_eq!(admit(&[private, public]), Ok(vec![public]));
        assert_eq!(admit(&[private]), Err(Refused { address: private.ip() }));
        assert_eq!(admit(&[]), Ok(vec![]));
    }

    proptest::proptest! {
        #[test]
        fn what_is_refused_as_ipv4_is_refused_inside_ipv6(bits: u32) {
            let v4 = Ipv4Addr::from_bits(bits);
            let [high, low] = [bits >> 16, bits & 0xffff].map(|word| u16::try_from(word).unwrap());
            for v6 in [
                v4.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0x101, 0x101, 0, 0, !high, !low),
            ] {
                proptest::prop_assert_eq!(special(v4.into()), special(v6.into()));
            }
        }
    }
}
