//! Addresses that are not public.
//!
//! # Source
//!
//! RFC 6890 and the IANA registries of special-purpose addresses, as of 2025.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public: first address, length of the prefix in bits, description.
const SPECIAL_V4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::UNSPECIFIED, 8, "an address of this machine"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "an address inside a provider's network"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "a loopback address"),
    // The virtual address under which Azure serves its machines.
    (Ipv4Addr::new(168, 63, 129, 16), 32, "an address inside a provider's network"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "a reserved address"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "an address for documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a reserved address"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private address"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "an address for benchmarks"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "an address for documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "an address for documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "a multicast address"),
    (Ipv4Addr::BROADCAST, 32, "the broadcast address"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address"),
];

/// IPv6 networks with a description of their own; nothing outside `2000::/3` is public anyway.
const SPECIAL_V6: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "an address of this machine"),
    (Ipv6Addr::LOCALHOST, 128, "a loopback address"),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, "a private address"),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "a private address"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "a link-local address"),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "a multicast address"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "an address for documentation"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "an address for documentation"),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "a reserved address"),
];

/// Returns what kind of special address this is; `None` for a public one.
pub(crate) fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    let differs = |network: Ipv4Addr| address.to_bits() ^ network.to_bits();
    let named = SPECIAL_V4.iter().find(|(network, bits, _)| differs(*network) >> (32 - bits) == 0);
    named.map(|(.., what)| *what)
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    let inside = |network: Ipv6Addr, bits: u32| (address.to_bits() ^ network.to_bits()) >> (128 - bits) == 0;
    let words = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match words {
        // IPv4-mapped, and the prefix of NAT64: the address of IPv4 is what is reached.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            return special_v4(v4(high, low));
        }
        // 6to4: a router with that address.
        [0x2002, high, low, ..] => return special_v4(v4(high, low)),
        // Teredo: a server, and a client whose bits are turned.
        [0x2001, 0, high, low, _, _, client_high, client_low] => {
            return special_v4(v4(high, low)).or_else(|| special_v4(v4(!client_high, !client_low)));
        }
        _ => {}
    }
    if let Some((.., what)) = SPECIAL_V6.iter().find(|(network, bits, _)| inside(*network, *bits)) {
        return Some(what);
    }
    let global = inside(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
    (!global).then_some("a reserved address")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(address: &str) -> Option<&'static str> {
        special(address.parse().unwrap())
    }

    #[test]
    fn public_addresses_pass() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
            // A Teredo client at 8.8.8.8 with a server at 1.1.1.1.
            "2001:0:101:101:0:0:f7f7:f7f7",
        ] {
            assert_eq!(what(address), None, "{address}");
        }
    }

    #[test]
    fn special_addresses_do_not() {
        for (address, named) in [
            ("0.0.0.0", "an address of this machine"),
            ("0.1.2.3", "an address of this machine"),
            ("10.0.0.1", "a private address"),
            ("100.64.0.0", "an address inside a provider's network"),
            ("100.100.100.200", "an address inside a provider's network"),
            ("127.255.255.255", "a loopback address"),
            ("168.63.129.16", "an address inside a provider's network"),
            ("169.254.169.254", "a link-local address"),
            ("172.16.0.0", "a private address"),
            ("172.31.255.255", "a private address"),
            ("192.0.0.192", "a reserved address"),
            ("192.0.2.1", "an address for documentation"),
            ("192.168.1.1", "a private address"),
            ("198.19.255.255", "an address for benchmarks"),
            ("198.51.100.7", "an address for documentation"),
            ("203.0.113.7", "an address for documentation"),
            ("224.0.0.1", "a multicast address"),
            ("239.255.255.255", "a multicast address"),
            ("240.0.0.1", "a reserved address"),
            ("255.255.255.255", "the broadcast address"),
            ("::", "an address of this machine"),
            ("::1", "a loopback address"),
            // IPv4-compatible.
            ("::7f00:1", "a reserved address"),
            ("::ffff:127.0.0.1", "a loopback address"),
            ("::ffff:169.254.169.254", "a link-local address"),
            ("64:ff9b::7f00:1", "a loopback address"),
            ("64:ff9b:1::1", "a private address"),
            ("100::1", "a reserved address"),
            ("2001:2::1", "a reserved address"),
            ("2001:10::1", "a reserved address"),
            ("2001:db8::1", "an address for documentation"),
            ("2002:7f00:1::1", "a loopback address"),
            // Teredo: a server at 10.0.0.1; a client at 127.0.0.1 (bits turned).
            ("2001:0:a00:1::f7f7:f7f7", "a private address"),
            ("2001:0:101:101::80ff:fffe", "a loopback address"),
            ("3fff::1", "an address for documentation"),
            ("5f00::1", "a reserved address"),
            ("fc00::1", "a private address"),
            ("fd12:3456::1", "a private address"),
            ("fe80::1", "a link-local address"),
            ("febf::1", "a link-local address"),
            ("fec0::1", "a reserved address"),
            ("ff02::1", "a multicast address"),
        ] {
            assert_eq!(what(address), Some(named), "{address}");
        }
    }
}
