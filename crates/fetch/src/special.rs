//! Addresses that are not public.
//!
//! # Source
//!
//! RFC 6890 and the IANA registries of special-purpose addresses, as of 2025. Addresses of clouds: their manuals.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What reaches only the machines on the same wire; most clouds serve the secrets of a machine at such an address.
const LINK_LOCAL: &str = "a link-local address";

/// What a cloud serves its own machines with, besides link-local addresses.
const OF_CLOUD: &str = "an address of a cloud's own services";

/// IPv4 networks that are not public: first address, length of the prefix in bits, description. The first one counts.
const SPECIAL_V4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::UNSPECIFIED, 8, "an address of this machine"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address"),
    // Alibaba.
    (Ipv4Addr::new(100, 100, 100, 200), 32, OF_CLOUD),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "an address inside a provider's network"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "a loopback address"),
    // Azure.
    (Ipv4Addr::new(168, 63, 129, 16), 32, OF_CLOUD),
    (Ipv4Addr::new(169, 254, 0, 0), 16, LINK_LOCAL),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address"),
    // Oracle.
    (Ipv4Addr::new(192, 0, 0, 192), 32, OF_CLOUD),
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
    // Amazon, Google, Scaleway.
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0), 32, OF_CLOUD),
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0), 32, OF_CLOUD),
    (Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0), 32, OF_CLOUD),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "a private address"),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, LINK_LOCAL),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "a multicast address"),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "an address for documentation"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "an address for documentation"),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "a reserved address"),
];

pub(crate) fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

/// Returns `true` for link-local addresses and those of a cloud's own services, also inside any form of IPv6.
pub(crate) fn is_off_limits(address: IpAddr) -> bool {
    let is_one = |found: Option<&str>| matches!(found, Some(LINK_LOCAL | OF_CLOUD));
    match address {
        IpAddr::V4(address) => is_one(special_v4(address)),
        IpAddr::V6(address) => {
            let [.., high, low] = address.segments();
            // Where else an address of IPv4 stands inside one of IPv6, it is at its end (NAT64, ISATAP).
            let inside = leads_to(address).into_iter().flatten().chain([v4(high, low)]);
            is_one(special_v6(address)) || inside.map(special_v4).any(is_one)
        }
    }
}

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    let differs = |network: Ipv4Addr| address.to_bits() ^ network.to_bits();
    let named = SPECIAL_V4.iter().find(|(network, bits, _)| differs(*network) >> (32 - bits) == 0);
    named.map(|(.., what)| *what)
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    let inside = |network: Ipv6Addr, bits: u32| (address.to_bits() ^ network.to_bits()) >> (128 - bits) == 0;
    let reached = leads_to(address);
    if reached[0].is_some() {
        return reached.into_iter().flatten().find_map(special_v4);
    }
    if let Some((.., what)) = SPECIAL_V6.iter().find(|(network, bits, _)| inside(*network, *bits)) {
        return Some(what);
    }
    let global = inside(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
    (!global).then_some("a reserved address")
}

fn leads_to(address: Ipv6Addr) -> [Option<Ipv4Addr>; 2] {
    match address.segments() {
        // IPv4-mapped, the prefix of NAT64, and 6to4, where a router has that address.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => [Some(v4(high, low)), None],
        // Teredo: a server, and a client whose bits are turned.
        [0x2001, 0, high, low, _, _, client_high, client_low] => {
            [Some(v4(high, low)), Some(v4(!client_high, !client_low))]
        }
        _ => [None, None],
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_local_addresses_and_those_of_clouds_are_off_limits_in_every_form() {
        for address in [
            "169.254.0.0",
            "169.254.169.254",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "fe80::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fd00:42::42",
            "::ffff:169.254.169.254",
            "::ffff:100.100.100.200",
            "::169.254.169.254",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::169.254.169.254",
            "2002:a9fe:a9fe::1",
            // Teredo: a server at 169.254.169.254; a client there (bits turned), with a server at 10.0.0.1.
            "2001:0:a9fe:a9fe::f7f7:f7f7",
            "2001:0:a00:1::5601:5601",
            // ISATAP.
            "fd12::5efe:169.254.169.254",
        ] {
            assert!(is_off_limits(address.parse().unwrap()), "{address}");
        }
        for address in
            ["127.0.0.1", "10.0.0.1", "100.100.100.201", "::1", "fd12:3456::1", "::ffff:10.0.0.1", "1.1.1.1"]
        {
            assert!(!is_off_limits(address.parse().unwrap()), "{address}");
        }
    }

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
            ("100.100.100.200", OF_CLOUD),
            ("127.255.255.255", "a loopback address"),
            ("168.63.129.16", OF_CLOUD),
            ("169.254.169.254", "a link-local address"),
            ("172.16.0.0", "a private address"),
            ("172.31.255.255", "a private address"),
            ("192.0.0.192", OF_CLOUD),
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
