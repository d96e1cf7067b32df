//! The addresses at which other machines can reach this server, for invitations.

use std::net::{IpAddr, UdpSocket};

use crate::settings::Settings;

/// Returns the origins that others can use, best first; empty if only this machine can reach the server. `listen` has the port
/// that is really used.
pub(crate) fn reachable_origins(settings: &Settings) -> Vec<String> {
    let (ip, port) = (settings.listen.ip(), settings.listen.port());
    let is_behind_proxy = settings.behind_proxy || ip.is_loopback();
    // A host name on a server that only this machine can reach belongs to a proxy, which speaks TLS.
    let named = settings.hosts.iter().map(|host| {
        if is_behind_proxy { format!("https://{host}") } else { format!("http://{host}:{port}") }
    });
    let own = match ip {
        ip if ip.is_loopback() => None,
        IpAddr::V4(ip) if ip.is_unspecified() => outgoing("0.0.0.0:0", "192.0.2.1:9"),
        IpAddr::V6(ip) if ip.is_unspecified() => {
            outgoing("0.0.0.0:0", "192.0.2.1:9").or_else(|| outgoing("[::]:0", "[2001:db8::1]:9"))
        }
        ip => Some(ip),
    };
    let own = own.map(|ip| match ip {
        IpAddr::V4(ip) => format!("http://{ip}:{port}"),
        IpAddr::V6(ip) => format!("http://[{ip}]:{port}"),
    });
    named.chain(own).collect()
}

/// Returns the address of this machine in its network. Connecting a UDP socket sends nothing; it only chooses a route.
fn outgoing(from: &str, to: &str) -> Option<IpAddr> {
    let socket = UdpSocket::bind(from).ok()?;
    socket.connect(to).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_not_reachable_and_names_come_first() {
        let local = Settings::default();
        assert!(reachable_origins(&local).is_empty());
        let named = Settings { hosts: vec!["chess.example.org".into()], ..Settings::default() };
        assert_eq!(reachable_origins(&named), ["https://chess.example.org"]);
        let bound = Settings { listen: "192.0.2.7:80".parse().unwrap(), ..named };
        assert_eq!(reachable_origins(&bound), ["http://chess.example.org:80", "http://192.0.2.7:80"]);
        let six = Settings { listen: "[2001:db8::7]:80".parse().unwrap(), ..Settings::default() };
        assert_eq!(reachable_origins(&six), ["http://[2001:db8::7]:80"]);
    }
}
