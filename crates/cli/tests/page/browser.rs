//! A browser controlled over `WebDriver`: one `chromedriver`, and a session for each user.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The longest time to wait for a page.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The JSON key of an element in `WebDriver`.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A running `chromedriver`. It is killed when dropped.
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
    /// Starts `chromedriver`. Returns `None` if it is not installed.
    #[allow(clippy::print_stderr, reason = "a skipped test says so")]
    fn start() -> Option<Self> {
        if setting("never") {
            eprintln!("skipped: TABIYA_BROWSER=never");
            return None;
        }
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            assert!(!browser_is_required(), "chromedriver is missing: install chromium and chromium-driver");
            eprintln!("skipped: chromedriver is missing");
            return None;
        };
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        Some(Driver { child, port: port.expect("chromedriver prints its port") })
    }
}

/// Returns whether a missing browser is a failure.
pub(crate) fn browser_is_required() -> bool {
    setting("must")
}

fn setting(word: &str) -> bool {
    std::env::var_os("TABIYA_BROWSER").is_some_and(|value| value == word)
}

/// The browsers of a test, one for each user.
pub(crate) struct Browsers {
    driver: Driver,
    folders: Vec<tempfile::TempDir>,
}

impl Browsers {
    /// Opens a new browser that shows a page of the given size; small ones are phones.
    pub(crate) fn open_page(&mut self, (width, height): (u32, u32)) -> Page {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--hide-scrollbars", format!("--window-size={width},{height}"),
            format!("--user-data-dir={}", folder.path().display()),
        ] });
        let is_phone = width.min(height) < 500;
        let ratio = if is_phone { 2 } else { 1 };
        let metrics = json!({ "width": width, "height": height, "pixelRatio": ratio, "touch": is_phone, "mobile": is_phone });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        self.folders.push(folder);
        let wanted = json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let base = format!("http://127.0.0.1:{}/session", self.driver.port);
        let begun = command(&base, &json!({ "capabilities": { "alwaysMatch": wanted } })).expect("a browser");
        let id = begun["sessionId"].as_str().expect("a session");
        Page { base: format!("{base}/{id}") }
    }
}

/// Runs a test with browsers, or skips it if there are none.
pub(crate) fn with_browsers(test: impl FnOnce(&mut Browsers)) {
    let Some(driver) = Driver::start() else { return };
    test(&mut Browsers { driver, folders: Vec::new() });
}

/// Sends a `WebDriver` command and returns its value or its error.
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

/// A browser. It is closed when dropped.
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
    fn try_command(&self, path: &str, body: &Value) -> Result<Value, String> {
        command(&format!("{}/{path}", self.base), body)
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        self.try_command(path, body).unwrap_or_else(|why| {
            self.screenshot("failed");
            panic!("{path}: {why}; see target/screenshots/failed.png")
        })
    }

    pub(crate) fn goto(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    pub(crate) fn refresh(&self) {
        self.command("refresh", &json!({}));
    }

    /// Switches to the newest window.
    pub(crate) fn to_newest_window(&self) {
        let windows = self.command("window/handles", &Value::Null);
        let last = windows.as_array().and_then(|all| all.last()).expect("a window");
        self.command("window", &json!({ "handle": last }));
    }

    /// Opens a window in the same browser and switches to it. The old one is closed.
    pub(crate) fn replace_window(&self) {
        let opened = self.command("window/new", &json!({ "type": "tab" }));
        let _ = ureq::delete(format!("{}/window", self.base)).call();
        self.command("window", &json!({ "handle": opened["handle"] }));
    }

    /// Prefers dark or light colors, as the system of the user does.
    pub(crate) fn prefer_colors(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Sends a command of the `DevTools` protocol.
    pub(crate) fn devtools(&self, name: &str, parameters: &Value) {
        self.command("goog/cdp/execute", &json!({ "cmd": name, "params": parameters }));
    }

    fn find(&self, css: &str) -> Option<Element> {
        let found = self.try_command("element", &json!({ "using": "css selector", "value": css })).ok()?;
        let element = found[ELEMENT].as_str()?;
        let is_seen = self.try_command(&format!("element/{element}/displayed"), &Value::Null);
        (is_seen == Ok(Value::Bool(true))).then(|| Element(element.to_owned()))
    }

    /// Waits for a visible element and returns it.
    fn element(&self, css: &str) -> Element {
        let until = Instant::now() + TIMEOUT;
        loop {
            if let Some(element) = self.find(css) {
                return element;
            }
            if Instant::now() > until {
                self.screenshot("failed");
                panic!("{css} is not visible; see target/screenshots/failed.png");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits for a visible element.
    pub(crate) fn wait_for(&self, css: &str) {
        self.element(css);
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) fn wait_until(&self, what: &str) {
        let until = Instant::now() + TIMEOUT;
        // Evaluation fails while the browser navigates.
        while self.try_command("execute/sync", &script(what)) != Ok(Value::Bool(true)) {
            if Instant::now() > until {
                self.screenshot("failed");
                panic!("never true: {what}; see target/screenshots/failed.png");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Evaluates a JavaScript expression.
    pub(crate) fn evaluate(&self, what: &str) -> Value {
        self.command("execute/sync", &script(what))
    }

    /// Runs a script and returns the value that it passes to its last argument.
    pub(crate) fn evaluate_async(&self, script: &str) -> Value {
        self.command("execute/async", &json!({ "script": script, "args": [] }))
    }

    pub(crate) fn click(&self, css: &str) {
        let Element(element) = self.element(css);
        self.command(&format!("element/{element}/click"), &json!({}));
    }

    pub(crate) fn text(&self, css: &str) -> String {
        let Element(element) = self.element(css);
        self.command(&format!("element/{element}/text"), &Value::Null).as_str().expect(css).to_owned()
    }

    /// Presses keys.
    pub(crate) fn press(&self, keys: &str) {
        let pressed = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
        });
        let actions: Vec<Value> = pressed.collect();
        self.command("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Presses a key together with Control.
    pub(crate) fn press_control(&self, key: &str) {
        let control = "\u{e009}";
        let actions = [("keyDown", control), ("keyDown", key), ("keyUp", key), ("keyUp", control)]
            .map(|(kind, key)| json!({ "type": kind, "value": key }));
        self.command("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Returns a square of the board.
    fn square(&self, name: &str) -> Element {
        self.element(&format!("#board [data-square=\"{name}\"]"))
    }

    /// Presses the mouse button on one element and releases it on another.
    fn mouse(&self, from: &Element, to: &Element, duration: u64) {
        let over = |Element(element): &Element, duration: u64| json!({ "type": "pointerMove", "origin": { ELEMENT: element }, "x": 0, "y": 0, "duration": duration });
        let actions = [
            over(from, 0),
            json!({ "type": "pointerDown", "button": 0 }),
            over(to, duration),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.command("actions", &json!({ "actions": [mouse] }));
    }

    /// Clicks on a square.
    pub(crate) fn click_square(&self, name: &str) {
        let square = self.square(name);
        self.mouse(&square, &square, 0);
    }

    /// Rests the mouse on a square.
    pub(crate) fn hover_square(&self, name: &str) {
        let Element(element) = self.square(name);
        let over =
            json!({ "type": "pointerMove", "origin": { ELEMENT: element }, "x": 0, "y": 0, "duration": 50 });
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [over] });
        self.command("actions", &json!({ "actions": [mouse] }));
    }

    /// Presses a square with a finger for a while.
    pub(crate) fn long_press(&self, name: &str) {
        let Element(element) = self.square(name);
        let actions = [
            json!({ "type": "pointerMove", "origin": { ELEMENT: element }, "x": 0, "y": 0, "duration": 0 }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pause", "duration": 1200 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let finger = json!({ "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" }, "actions": actions });
        self.command("actions", &json!({ "actions": [finger] }));
    }

    /// Drags a piece from one square to another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        self.mouse(&self.square(from), &self.square(to), 80);
    }

    /// Drags an element, such as a piece in hand, to a square.
    pub(crate) fn drag_to_square(&self, css: &str, to: &str) {
        self.mouse(&self.element(css), &self.square(to), 80);
    }

    /// Drags an element to a square with a finger.
    pub(crate) fn touch_to_square(&self, css: &str, to: &str) {
        let over = |Element(element): &Element, duration: u64| json!({ "type": "pointerMove", "origin": { ELEMENT: element }, "x": 0, "y": 0, "duration": duration });
        let actions = [
            over(&self.element(css), 0),
            json!({ "type": "pointerDown", "button": 0 }),
            over(&self.square(to), 120),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let finger = json!({ "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" }, "actions": actions });
        self.command("actions", &json!({ "actions": [finger] }));
    }

    /// Clicks a piece and then its target.
    pub(crate) fn move_piece(&self, from: &str, to: &str) {
        self.click_square(from);
        self.click_square(to);
    }

    /// Waits until the move list has `count` moves.
    pub(crate) fn wait_for_moves(&self, count: usize) {
        self.wait_until(&format!("document.querySelectorAll('#moves [data-ply]').length >= {count}"));
    }

    /// Saves a screenshot.
    pub(crate) fn screenshot(&self, name: &str) {
        // Wait for animations.
        std::thread::sleep(Duration::from_millis(250));
        let Ok(Value::String(text)) = self.try_command("screenshot", &Value::Null) else { return };
        let folder = target().join("screenshots");
        std::fs::create_dir_all(&folder).expect("a folder");
        let png = STANDARD.decode(text).expect("base64");
        std::fs::write(folder.join(format!("{name}.png")), png).expect("a screenshot");
    }

    /// Checks that the console has no warnings and no errors.
    pub(crate) fn assert_no_console_errors(&self) {
        let log = self.command("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().expect("a list").iter();
        let bad: Vec<&Value> =
            entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING").collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}

fn script(what: &str) -> Value {
    json!({ "script": format!("return ({what})"), "args": [] })
}

/// Returns the target folder.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")
}
