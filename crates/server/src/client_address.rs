//! The unit to which limits apply: an IPv4 address, or an IPv6 network of 64 bits, which is the smallest that a provider
//! gives to one customer.

use std::net::{IpAddr, Ipv6Addr};

/// The address of a client, for its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientAddress(IpAddr);

impl From<IpAddr> for ClientAddress {
    fn from(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            IpAddr::V4(ip) => ClientAddress(IpAddr::V4(ip)),
            IpAddr::V6(ip) => {
                let [a, b, c, d, ..] = ip.segments();
                ClientAddress(IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)))
            }
        }
    }
}

impl ClientAddress {
    /// Returns whether the client is on this machine. No other address than `::1` is in use in its network.
    pub(crate) fn is_loopback(self) -> bool {
        self.0.is_loopback() || self == ClientAddress::from(IpAddr::V6(Ipv6Addr::LOCALHOST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_is_one_client() {
        let client = |text: &str| ClientAddress::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"), "IPv4 on an IPv6 socket");
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert!(
            ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"].iter().all(|it| client(it).is_loopback())
        );
        assert!(!["192.0.2.1", "2001:db8::1"].iter().any(|it| client(it).is_loopback()));
    }
}
