//! A browser that is driven over `WebDriver`: one `chromedriver`, a session for each person, and what one does on a page.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Nothing on a page takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// The key under which `WebDriver` names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// `chromedriver`, which ends with its test.
struct Driver {
    child: Child,
    port: u16,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Driver {
    /// `None`, with a word about it, where there is none.
    #[allow(clippy::print_stderr, reason = "a test that cannot run says so")]
    fn start() -> Option<Self> {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            assert!(!is_must(), "chromedriver is not there: install chromium and chromium-driver");
            eprintln!("skipped: there is no chromedriver");
            return None;
        };
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        Some(Driver { child, port: port.expect("chromedriver says where it listens") })
    }
}

/// Whether a browser must be there.
pub(crate) fn is_must() -> bool {
    std::env::var_os("TABIYA_BROWSER").is_some_and(|word| word == "must")
}

/// Browsers, one for each person.
pub(crate) struct Browsers {
    driver: Driver,
    folders: Vec<tempfile::TempDir>,
}

impl Browsers {
    /// A person with a browser of his own, with a window of that size.
    pub(crate) fn person(&mut self, (width, height): (u32, u32)) -> Page {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--hide-scrollbars", format!("--window-size={width},{height}"),
            format!("--user-data-dir={}", folder.path().display()),
        ] });
        if width < 500 {
            let metrics =
                json!({ "width": width, "height": height, "pixelRatio": 2, "touch": true, "mobile": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        self.folders.push(folder);
        let wanted = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let base = format!("http://127.0.0.1:{}/session", self.driver.port);
        let begun = command(&base, &json!({ "capabilities": { "alwaysMatch": wanted } })).expect("a browser");
        let id = begun["sessionId"].as_str().expect("a session");
        Page { base: format!("{base}/{id}") }
    }
}

/// Runs a test that needs browsers, where there are any.
pub(crate) fn with_browsers(test: impl FnOnce(&mut Browsers)) {
    let Some(driver) = Driver::start() else { return };
    test(&mut Browsers { driver, folders: Vec::new() });
}

/// A command of `WebDriver`; its value, or what is wrong.
fn command(url: &str, body: &Value) -> Result<Value, String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(120)))
        .build()
        .into();
    let answer = if body.is_null() {
        agent.get(url).call()
    } else {
        agent.post(url).header("content-type", "application/json").send(body.to_string())
    };
    let mut answer = answer.map_err(|error| error.to_string())?;
    let is_good = answer.status().is_success();
    let text = answer
        .body_mut()
        .with_config()
        .limit(50 << 20)
        .read_to_string()
        .map_err(|error| error.to_string())?;
    let mut value: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    let value = value["value"].take();
    if is_good { Ok(value) } else { Err(value["message"].to_string()) }
}

/// One browser, which closes with its test.
pub(crate) struct Page {
    base: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = ureq::delete(&self.base).call();
    }
}

/// An element of a page.
struct Element(String);

impl Page {
    fn tell(&self, path: &str, body: &Value) -> Result<Value, String> {
        command(&format!("{}/{path}", self.base), body)
    }

    fn must(&self, path: &str, body: &Value) -> Value {
        self.tell(path, body).unwrap_or_else(|why| {
            self.picture("failed");
            panic!("{path}: {why}; see target/screenshots/failed.png")
        })
    }

    pub(crate) fn goto(&self, url: &str) {
        self.must("url", &json!({ "url": url }));
    }

    pub(crate) fn refresh(&self) {
        self.must("refresh", &json!({}));
    }

    /// Goes on in the window that was opened last.
    pub(crate) fn to_newest_window(&self) {
        let windows = self.must("window/handles", &Value::Null);
        let last = windows.as_array().and_then(|all| all.last()).expect("a window");
        self.must("window", &json!({ "handle": last }));
    }

    fn find(&self, css: &str) -> Option<Element> {
        let found = self.tell("element", &json!({ "using": "css selector", "value": css })).ok()?;
        let element = found[ELEMENT].as_str()?;
        let is_seen = self.tell(&format!("element/{element}/displayed"), &Value::Null);
        (is_seen == Ok(Value::Bool(true))).then(|| Element(element.to_owned()))
    }

    /// The element, once it is there and can be seen.
    fn element(&self, css: &str) -> Element {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(element) = self.find(css) {
                return element;
            }
            if Instant::now() > until {
                self.picture("failed");
                panic!("{css} is not to be seen; see target/screenshots/failed.png");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the element can be seen.
    pub(crate) fn see(&self, css: &str) {
        self.element(css);
    }

    /// Waits until an expression of the page is true.
    pub(crate) fn until(&self, what: &str) {
        let until = Instant::now() + PATIENCE;
        // While a page goes to another, there is nobody to ask.
        while self.tell("execute/sync", &script(what)) != Ok(Value::Bool(true)) {
            if Instant::now() > until {
                self.picture("failed");
                panic!("never: {what}; see target/screenshots/failed.png");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The value of an expression on the page.
    pub(crate) fn ask(&self, what: &str) -> Value {
        self.must("execute/sync", &script(what))
    }

    /// The value that a script gives to its last argument, when it has it.
    pub(crate) fn ask_later(&self, script: &str) -> Value {
        self.must("execute/async", &json!({ "script": script, "args": [] }))
    }

    pub(crate) fn click(&self, css: &str) {
        let Element(element) = self.element(css);
        self.must(&format!("element/{element}/click"), &json!({}));
    }

    pub(crate) fn text(&self, css: &str) -> String {
        let Element(element) = self.element(css);
        self.must(&format!("element/{element}/text"), &Value::Null).as_str().expect(css).to_owned()
    }

    /// Presses keys, wherever the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let pressed = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
        });
        let actions: Vec<Value> = pressed.collect();
        self.must("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// A square of the table's board.
    fn square(&self, name: &str) -> Element {
        self.element(&format!("#board [data-square=\"{name}\"]"))
    }

    /// Presses the mouse on one square and lets go on another: whatever stands there is under the pointer, as for a person.
    fn mouse(&self, from: &Element, to: &Element, duration: u64) {
        let over = |Element(element): &Element, duration: u64| json!({ "type": "pointerMove", "origin": { ELEMENT: element }, "x": 0, "y": 0, "duration": duration });
        let actions = [
            over(from, 0),
            json!({ "type": "pointerDown", "button": 0 }),
            over(to, duration),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.must("actions", &json!({ "actions": [mouse] }));
    }

    /// Clicks on a square.
    pub(crate) fn touch(&self, name: &str) {
        let square = self.square(name);
        self.mouse(&square, &square, 0);
    }

    /// Drags a man from one square to another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        self.mouse(&self.square(from), &self.square(to), 80);
    }

    /// Clicks a man and then his target.
    pub(crate) fn moves(&self, from: &str, to: &str) {
        self.touch(from);
        self.touch(to);
    }

    /// Waits until so many moves are in the list.
    pub(crate) fn has_moves(&self, count: usize) {
        self.until(&format!("document.querySelectorAll('#moves [data-ply]').length >= {count}"));
    }

    /// Leaves a picture.
    pub(crate) fn picture(&self, name: &str) {
        // What moves comes to rest first.
        std::thread::sleep(Duration::from_millis(250));
        let Ok(Value::String(text)) = self.tell("screenshot", &Value::Null) else { return };
        let folder = target().join("screenshots");
        std::fs::create_dir_all(&folder).expect("a folder");
        let png = STANDARD.decode(text).expect("base64");
        std::fs::write(folder.join(format!("{name}.png")), png).expect("a picture");
    }

    /// The browser had nothing to complain about.
    pub(crate) fn is_quiet(&self) {
        let log = self.must("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().expect("a list").iter();
        let bad: Vec<&Value> =
            entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING").collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}

fn script(what: &str) -> Value {
    json!({ "script": format!("return ({what})"), "args": [] })
}

/// The folder of built things.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")
}
