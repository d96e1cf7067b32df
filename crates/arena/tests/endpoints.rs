//! Agents behind URLs, with a small local server that misbehaves.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use common::{SLACK, timed};
use tabiya_arena::{Address, Agent, AgentFault, AgentOptions, HttpAgent, Question, connect};

const STATE: &str = r#"{"turn":"white"}"#;
const ANSWER: &str = r#"{"from":"e2","to":"e4","promotion":null}"#;
const LONG: Duration = Duration::from_secs(5);
const SHORT: Duration = Duration::from_millis(400);

/// A request that the server received.
struct Request {
    head: String,
    body: String,
}

/// Serves connections one after the other. `respond` receives the number of the request, from 0.
fn serve(respond: impl Fn(usize, &mut TcpStream) + Send + 'static) -> (String, Receiver<Request>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/move", listener.local_addr().unwrap());
    let (seen, requests) = channel();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let Ok(mut stream) = stream else { return };
            if let Some(request) = read_request(&stream) {
                let _ = seen.send(request);
            }
            respond(number, &mut stream);
        }
    });
    (url, requests)
}

fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { head, body: String::from_utf8(body).ok()? })
}

fn reply(stream: &mut TcpStream, status: &str, body: &str) {
    let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}

/// Asks once and checks that the result comes in time.
fn ask(agent: &mut dyn Agent, time: Duration) -> Result<String, AgentFault> {
    let (answer, took) = timed(|| agent.ask(&Question::new(STATE, Instant::now() + time)));
    assert!(took <= time + SLACK, "it took {took:?}");
    answer
}

/// Returns the result of an HTTP agent with such a server.
fn fetch(
    time: Duration,
    respond: impl Fn(usize, &mut TcpStream) + Send + 'static,
) -> Result<String, AgentFault> {
    let (url, _requests) = serve(respond);
    ask(&mut HttpAgent::new(&url).unwrap(), time)
}

fn word(answer: Result<String, AgentFault>) -> &'static str {
    answer.expect_err("there is a fault").word()
}

#[test]
fn good() {
    let (url, requests) = serve(|_, stream| reply(stream, "200 OK", &format!("{ANSWER}\n")));
    let mut agent = connect(&Address::Http(url), &AgentOptions::default()).unwrap();
    for _ in 0..3 {
        assert_eq!(ask(&mut *agent, LONG).unwrap(), ANSWER);
        let request = requests.recv().unwrap();
        assert!(request.head.starts_with("post /move http/1.1\r\n"), "{}", request.head);
        assert_eq!(request.body, STATE);
    }
    assert_eq!(agent.finish().fault, None);
}

#[test]
fn fails_and_then_answers() {
    for status in ["500 Oops", "503 Busy", "429 Slow Down"] {
        let answer = fetch(LONG, move |number, stream| match number {
            0 | 1 => reply(stream, status, "later"),
            _ => reply(stream, "200 OK", ANSWER),
        });
        assert_eq!(answer.unwrap(), ANSWER, "{status}");
    }
    let answer = fetch(LONG, |number, stream| {
        if number > 0 {
            reply(stream, "200 OK", ANSWER);
        }
    });
    assert_eq!(answer.unwrap(), ANSWER, "after a connection that was closed");
}

#[test]
fn keeps_failing() {
    for status in ["500 Oops", "429 Slow Down"] {
        let fault = fetch(SHORT, move |_, stream| reply(stream, status, "")).unwrap_err();
        assert_eq!(fault.word(), "unreachable");
        assert_eq!(fault.word(), "unreachable");
        assert!(fault.to_string().contains(&status[..3]), "{fault}");
    }
    assert_eq!(word(fetch(SHORT, |_, _| {})), "unreachable", "closed without a response");
}

#[test]
fn retry_after_exceeds_the_time() {
    let start = Instant::now();
    let answer = fetch(LONG, |_, stream| {
        let _ = write!(stream, "HTTP/1.1 429 Slow\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n");
    });
    assert_eq!(word(answer), "unreachable");
    assert!(start.elapsed() < LONG / 2);
}

#[test]
fn the_port_is_closed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let mut agent = HttpAgent::new(&url).unwrap();
    assert_eq!(word(ask(&mut agent, SHORT)), "unreachable");
    assert_eq!(word(ask(&mut agent, SHORT)), "unreachable");
    assert_eq!(agent.finish().fault.unwrap().word(), "unreachable");
}

#[test]
fn silent_or_slow() {
    assert_eq!(word(fetch(SHORT, |_, _| thread::sleep(2 * SHORT))), "timeout");
    let drips = |_, stream: &mut TcpStream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        for _ in 0..20 {
            let _ = stream.write_all(b"x");
            thread::sleep(SHORT / 10);
        }
    };
    assert_eq!(word(fetch(SHORT, drips)), "timeout");
}

#[test]
fn endless() {
    let body = |_, stream: &mut TcpStream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    };
    assert_eq!(word(fetch(LONG, body)), "too_long");
    let head = |_, stream: &mut TcpStream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\n");
        while stream.write_all(b"X-More: and more\r\n").is_ok() {}
    };
    assert_eq!(word(fetch(LONG, head)), "malformed");
}

#[test]
fn broken_off() {
    let answer = fetch(SHORT, |_, stream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf");
    });
    assert_eq!(word(answer), "unreachable");
}

#[test]
fn redirects_are_not_followed() {
    let (elsewhere, requests) = serve(|_, stream| reply(stream, "200 OK", ANSWER));
    for status in ["301 Moved", "302 Found", "303 See Other", "307 There", "308 There"] {
        let elsewhere = elsewhere.clone();
        let answer = fetch(LONG, move |_, stream| {
            let _ = write!(stream, "HTTP/1.1 {status}\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n");
        });
        assert_eq!(word(answer), "unreachable", "{status}");
    }
    assert!(requests.try_recv().is_err(), "no request was redirected");
}

#[test]
fn an_error_status_voids_the_game_at_once() {
    for status in ["304 Same", "400 Bad", "401 Who", "403 Not You", "404 Where", "422 What"] {
        let (url, requests) = serve(move |_, stream| reply(stream, status, ANSWER));
        let fault = ask(&mut HttpAgent::new(&url).unwrap(), LONG).unwrap_err();
        assert_eq!(fault.word(), "unreachable", "{status}");
        assert!(fault.to_string().contains(&format!("HTTP status {}", &status[..3])), "{fault}");
        let is_about_the_key = status.starts_with("401") || status.starts_with("403");
        assert_eq!(fault.to_string().contains("the key may be wrong"), is_about_the_key, "{fault}");
        assert_eq!(requests.try_iter().count(), 1, "{status}: one request");
    }
}

#[test]
fn answers_nonsense() {
    assert_eq!(word(fetch(LONG, |_, stream| drop(stream.write_all(b"hello\r\n\r\n")))), "malformed");
    assert_eq!(word(fetch(LONG, |_, stream| reply(stream, "200 OK", ""))), "malformed");
    let binary = |_, stream: &mut TcpStream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe");
    };
    assert_eq!(word(fetch(LONG, binary)), "malformed");
}

#[test]
fn a_late_answer_is_dropped() {
    let (url, _requests) = serve(|number, stream| {
        if number == 0 {
            thread::sleep(SHORT + SHORT / 4);
        }
        reply(stream, "200 OK", ANSWER);
    });
    let mut agent = HttpAgent::new(&url).unwrap();
    assert_eq!(ask(&mut agent, SHORT), Err(AgentFault::Timeout));
    thread::sleep(SHORT);
    assert_eq!(ask(&mut agent, LONG), Err(AgentFault::Timeout));
}

#[test]
fn a_plain_server_does_not_answer_https() {
    let (url, _requests) = serve(|_, stream| reply(stream, "200 OK", ANSWER));
    match HttpAgent::new(&url.replace("http:", "https:")) {
        Ok(mut agent) => assert_eq!(word(ask(&mut agent, SHORT)), "unreachable"),
        Err(fault) => assert_eq!(fault.word(), "could_not_start", "no certificates on this machine"),
    }
}

/// Returns the body of a chat reply.
fn saying(text: &str) -> String {
    serde_json::json!({ "choices": [{ "message": { "role": "assistant", "content": text } }] }).to_string()
}

/// Cargo sets this variable for every test; here it is the key.
const KEY: &str = "CARGO_MANIFEST_DIR";

fn chat(url: &str) -> HttpAgent {
    HttpAgent::chat(url, "tiny", "The rules.", KEY).unwrap()
}

#[test]
fn chat_good() {
    let key = std::env::var(KEY).unwrap();
    let (url, requests) = serve(|_, stream| reply(stream, "200 OK", &saying(ANSWER)));
    let mut agent = chat(&url);
    assert_eq!(ask(&mut agent, LONG).unwrap(), ANSWER);
    let request = requests.recv().unwrap();
    assert!(request.head.starts_with("post /move/chat/completions http/1.1\r\n"), "{}", request.head);
    assert!(request.head.contains(&format!("authorization: bearer {}\r\n", key.to_lowercase())));
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
    let messages = serde_json::json!([
        { "role": "system", "content": "The rules." },
        { "role": "user", "content": STATE },
    ]);
    assert_eq!(body, serde_json::json!({ "model": "tiny", "messages": messages }));
    assert_eq!(agent.finish().fault, None);
}

#[test]
fn chat_without_a_key() {
    let (url, requests) = serve(|_, stream| reply(stream, "200 OK", &saying(ANSWER)));
    let address = format!("chat:{url}/chat/completions#tiny").parse().unwrap();
    let agent_options = AgentOptions { key_variable: "TABIYA_NO_SUCH_KEY".into(), ..AgentOptions::default() };
    let mut agent = connect(&address, &agent_options).unwrap();
    assert_eq!(ask(&mut *agent, LONG).unwrap(), ANSWER);
    let request = requests.recv().unwrap();
    assert!(request.head.starts_with("post /move/chat/completions http/1.1\r\n"), "{}", request.head);
    assert!(!request.head.contains("authorization"));
}

#[test]
fn chat_fails() {
    let said = |time, status: &'static str, body: String| {
        let (url, _requests) = serve(move |_, stream| reply(stream, status, &body));
        ask(&mut chat(&url), time)
    };
    assert_eq!(word(said(LONG, "200 OK", "no JSON".into())), "malformed");
    assert_eq!(word(said(LONG, "200 OK", r#"{"choices":[]}"#.into())), "malformed");
    assert_eq!(word(said(LONG, "200 OK", saying(" "))), "malformed");
    assert_eq!(word(said(LONG, "200 OK", "[".repeat(100_000))), "malformed");
    assert_eq!(word(said(SHORT, "503 Busy", String::new())), "unreachable");
    let key = std::env::var(KEY).unwrap();
    let refused = said(LONG, "401 Who", format!("wrong key {key}")).unwrap_err();
    assert_eq!(refused.word(), "unreachable");
    assert!(!refused.to_string().contains(&key));
    let echoed = said(LONG, "200 OK", saying(&format!("My key is {key}"))).unwrap();
    assert_eq!(echoed, format!("My key is [{KEY}]"));
}
