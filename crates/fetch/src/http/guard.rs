//! IP addresses that may be connected to.

use crate::special::{is_off_limits, special};
use hyper_util::client::legacy::connect::dns::Name;
use ipnet::IpNet;
use std::collections::BTreeSet;
use std::error::Error;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll};
use tower_service::Service;
use tsugi_page::Url;
use url::Host;

/// The IP addresses that may be connected to: public ones, and those that the user names.
///
/// A page chooses its links, and a name server the addresses of a name. Without a guard, either could make this program
/// send requests to machines of its own network (a router, a database, the metadata service of a cloud) and put the
/// answers into a document.
///
/// # Examples
///
/// ```
/// use tsugi_fetch::{Guard, HttpOptions};
/// let guard = Guard::public().and("wiki.example".parse()?).and("10.1.0.0/16".parse()?);
/// let options = HttpOptions::new("my-reader/1.0").guard(guard);
/// # Ok::<(), tsugi_fetch::PlaceError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guard {
    hosts: BTreeSet<String>,
    networks: BTreeSet<IpNet>,
}

/// A host, an IP address, or a network that a [`Guard`] allows although it is private; read from text by
/// [`str::parse`].
///
/// A host (`wiki.example`) may resolve to any private address. Other names of that address stay refused, and so does the
/// address itself. An address (`192.168.1.7`) or a network (`10.0.0.0/8`) is allowed under every name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedPlace(HostOrNetwork);

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostOrNetwork {
    /// In lower case, without a dot at its end.
    Host(String),
    Network(IpNet),
}

/// A text that names no [`AllowedPlace`] that may be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The text is something else.
    #[error("expected a host name, an IP address, or a network such as 10.0.0.0/8")]
    Unknown,
    /// No [`Guard`] allows such addresses.
    #[error("link-local addresses and those of a cloud's own services are never asked")]
    OffLimits,
}

impl FromStr for AllowedPlace {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<AllowedPlace, PlaceError> {
        let network = match (text.parse::<IpNet>(), text.parse::<IpAddr>()) {
            (Ok(network), _) => network.trunc(),
            (_, Ok(address)) => address.to_canonical().into(),
            _ => match Host::parse(text).map_err(|_| PlaceError::Unknown)? {
                Host::Ipv4(address) => IpAddr::V4(address).into(),
                Host::Ipv6(address) => address.to_canonical().into(),
                Host::Domain(name) => {
                    let name = bare(&name);
                    if name.is_empty() || !name.bytes().all(is_of_name) {
                        return Err(PlaceError::Unknown);
                    }
                    return Ok(AllowedPlace(HostOrNetwork::Host(name.to_owned())));
                }
            },
        };
        if [network.network(), network.broadcast()].into_iter().all(is_off_limits) {
            return Err(PlaceError::OffLimits);
        }
        Ok(AllowedPlace(HostOrNetwork::Network(network)))
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

fn bare(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
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

    /// Allows a private place, too.
    ///
    /// Whatever is named, link-local addresses and those of a cloud's own services (`169.254.169.254` and the like) are
    /// never allowed, nor are IPv6 addresses that contain one.
    #[must_use]
    pub fn and(mut self, place: AllowedPlace) -> Guard {
        match place.0 {
            HostOrNetwork::Host(name) => self.hosts.insert(name),
            HostOrNetwork::Network(network) => self.networks.insert(network),
        };
        self
    }

    fn allows(&self, host: &str, address: IpAddr) -> bool {
        special(address).is_none() || (!is_off_limits(address) && self.names(host, address))
    }

    fn names(&self, host: &str, address: IpAddr) -> bool {
        // A network of IPv4 also means its addresses as they are written in IPv6.
        let forms = [address, address.to_canonical()];
        self.hosts.contains(bare(host))
            || self.networks.iter().any(|network| forms.iter().any(|form| network.contains(form)))
    }

    /// Refuses a literal IP address in a URL, which no resolver sees.
    pub(super) fn check_literal(&self, url: &Url) -> Result<(), Refused> {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        if self.allows("", address) { Ok(()) } else { Err(Refused { address }) }
    }

    /// Returns the allowed addresses of a host; an error if it has only others.
    pub(super) fn admit(
        &self,
        host: &str,
        found: impl Iterator<Item = SocketAddr>,
    ) -> Result<Vec<SocketAddr>, Refused> {
        let (allowed, refused): (Vec<_>, Vec<_>) = found.partition(|address| self.allows(host, address.ip()));
        match refused.first() {
            Some(address) if allowed.is_empty() => Err(Refused { address: address.ip() }),
            _ => Ok(allowed),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{address} may not be connected to")]
pub(super) struct Refused {
    pub(super) address: IpAddr,
}

/// Resolves names for the client. It connects only to the addresses returned here, so a name that resolves differently
/// the next time gains nothing.
#[derive(Debug, Clone)]
pub(super) struct GuardedResolver(pub(super) Guard);

impl Service<Name> for GuardedResolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let guard = self.0.clone();
        Box::pin(async move {
            // The client replaces port 0 with that of the URL.
            let look_up = move || {
                let found = (name.as_str(), 0).to_socket_addrs()?;
                Ok::<_, Self::Error>(guard.admit(name.as_str(), found)?)
            };
            Ok(tokio::task::spawn_blocking(look_up).await??.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    fn guard(places: &[&str]) -> Guard {
        places.iter().fold(Guard::public(), |guard, place| guard.and(place.parse().unwrap()))
    }

    fn is_allowed(guard: &Guard, url: &str) -> bool {
        guard.check_literal(&url.parse().unwrap()).is_ok()
    }

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
            "http://１２７.0.０.１/",
        ] {
            assert!(!is_allowed(&Guard::public(), url), "{url}");
            assert!(is_allowed(&guard(&["127.0.0.1", "::1"]), url), "{url}");
        }
        let one = guard(&["127.0.0.1"]);
        assert!(!is_allowed(&one, "http://127.0.0.2/") && !is_allowed(&one, "http://[::1]/"));
        assert!(is_allowed(&Guard::public(), "http://1.1.1.1/"));
        assert!(
            !is_allowed(&guard(&["localhost"]), "http://127.0.0.1/"),
            "its name is allowed, not the address"
        );
    }

    #[test]
    fn a_name_is_reached_where_it_is_public_or_named() {
        let socket = |address: &str| SocketAddr::new(address.parse().unwrap(), 0);
        let (public, private) = (socket("1.1.1.1"), socket("10.0.0.1"));
        let admit = |places: &[&str], host: &str, found: &[SocketAddr]| {
            guard(places).admit(host, found.iter().copied())
        };
        let refused = Err(Refused { address: private.ip() });
        assert_eq!(admit(&[], "a.test", &[private, public]), Ok(vec![public]));
        assert_eq!(admit(&[], "a.test", &[private]), refused);
        assert_eq!(admit(&[], "a.test", &[]), Ok(vec![]));
        for place in ["A.test", "a.test.", "10.0.0.1", "10.0.0.0/24", "::ffff:10.0.0.1"] {
            for host in ["a.test", "a.test."] {
                assert_eq!(admit(&[place], host, &[private]), Ok(vec![private]), "{place} {host}");
            }
        }
        assert_eq!(admit(&["a.test"], "b.test", &[private]), refused, "another name of a named host");
        assert_eq!(admit(&["a.test"], "www.a.test", &[private]), refused);
        assert_eq!(admit(&["10.0.0.2", "11.0.0.0/8", "fd00::/8"], "a.test", &[private]), refused);
    }

    #[test]
    fn what_is_off_limits_is_never_reached() {
        let all = guard(&["0.0.0.0/0", "::/0", "a.test"]);
        for address in
            ["169.254.169.254", "100.100.100.200", "fe80::1", "fd00:ec2::254", "::ffff:169.254.169.254"]
        {
            let address: IpAddr = address.parse().unwrap();
            assert!(!all.allows("a.test", address) && !all.allows("", address), "{address}");
        }
        for address in ["10.0.0.1", "127.0.0.1", "::1", "fd12:3456::1", "1.1.1.1"] {
            assert!(all.allows("", address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn places_are_hosts_addresses_and_networks() {
        let read = |text: &str| text.parse::<AllowedPlace>();
        for text in [
            "localhost", "wiki.Intern.example.", "my_host", "127.0.0.1", "127.1", "::1", "[::1]",
            "10.1.2.3/8", "例え.jp",
        ] {
            assert!(read(text).is_ok(), "{text}");
        }
        assert_eq!(read("10.1.2.3/8"), read("10.0.0.0/8"));
        for text in [
            "", ".", " ", "http://localhost:8000/", "localhost:8000", "*.test", "a b", "10.0.0.0/33", "a/8",
            "x@y",
        ] {
            assert_eq!(read(text), Err(PlaceError::Unknown), "{text}");
        }
        for text in ["169.254.169.254", "169.254.0.0/16", "169.254.1.0/24", "fe80::/10", "fd00:ec2::254"] {
            assert_eq!(read(text), Err(PlaceError::OffLimits), "{text}");
        }
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
                proptest::prop_assert!(!is_off_limits(v4.into()) || is_off_limits(v6.into()));
            }
        }

        #[test]
        fn any_text_is_a_place_or_none(text: String, like in "[a-z0-9.:/\\[\\]-]{0,20}") {
            for text in [text, like] {
                if let Ok(AllowedPlace(HostOrNetwork::Host(name))) = text.parse() {
                    proptest::prop_assert!(format!("http://{name}/").parse::<Url>().is_ok(), "{}", name);
                }
            }
        }
    }
}
