//! Games on the page: by mouse, by keys, by four people, through a broken line, on a phone.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::{Page, with_browsers};
use crate::house::{House, Opened, human};

const DESK: (u32, u32) = (1280, 900);

fn sit(page: &Page, house: &House, opened: &Opened, seat: usize) {
    page.goto(&format!("http://127.0.0.1:{}/play#{}.{}", house.port, opened.id, opened.keys[seat]));
    page.until("document.body.dataset.ready === 'true'");
}

/// En passant, promotion, castling and mate.
const GAME: &str = "e2e4 a7a6 e4e5 d7d5 e5d6 h7h6 d6c7 h6h5 c7d8q e8d8 g1f3 h5h4 f1e2 h4h3 e1g1 d8d7 d1e1 g8h6 e2b5 d7d6 e1e5";

#[test]
fn a_whole_game_of_chess_by_clicks() {
    with_browsers(|browsers| {
        let house = House::open(&[]);
        let page = browsers.person(DESK);
        // From the first page on, as somebody would who has never been here.
        page.goto(&format!("http://127.0.0.1:{}/", house.port));
        page.see("[data-game=\"enochian\"]");
        page.until("document.querySelectorAll('[data-game] svg').length >= 3");
        page.picture("home");
        page.click("[data-game=\"chess\"] button, [data-game=\"chess\"] a, [data-game=\"chess\"]");
        page.click("#preset-local");
        page.picture("new-game");
        page.click("#start");
        page.until("document.body.dataset.ready === 'true'");
        for (ply, text) in GAME.split(' ').enumerate() {
            let (from, to) = (&text[..2], &text[2..4]);
            // Every third by dragging.
            if ply % 3 == 2 {
                page.drag(from, to);
            } else {
                page.moves(from, to);
            }
            if text.len() > 4 {
                page.see("#promotion");
                page.picture("promotion");
                page.click("#promotion button[data-kind=\"QUEEN\"]");
            }
            page.has_moves(ply + 1);
            if text == "e5d6" {
                page.until("!document.querySelector('#board [data-man=\"BLACK PAWN\"][data-at=\"d5\"]')");
            }
            if text == "e1g1" {
                page.until("!!document.querySelector('#board [data-man=\"WHITE ROOK\"][data-at=\"f1\"]')");
            }
        }
        let result = page.text("#result");
        assert!(result.contains("Checkmate") && result.contains("White"), "{result}");
        page.picture("chess");
        // Back to the beginning and to the end.
        page.click("#first");
        page.until("!!document.querySelector('#board [data-man=\"WHITE PAWN\"][data-at=\"e2\"]')");
        page.click("#live");
        page.until("!!document.querySelector('#board [data-man=\"WHITE QUEEN\"][data-at=\"e5\"]')");
        page.is_quiet();
    });
}

#[test]
fn four_people_at_a_table_of_enochian_chess() {
    with_browsers(|browsers| {
        let house = House::open(&[]);
        let seats: Vec<Value> = ["BLUE", "RED", "BLACK", "YELLOW"].iter().map(|name| human(name)).collect();
        let opened = house
            .table(&json!({ "game": "enochian", "choice": { "layout": "Fire of Fire" }, "seats": seats }));
        let mut pages = Vec::new();
        for seat in 0..4 {
            let page = browsers.person(DESK);
            sit(&page, &house, &opened, seat);
            pages.push(page);
        }
        // Each looks at the board from his own side: his king is in the lower half.
        for (seat, page) in pages.iter().enumerate() {
            let name = ["BLUE", "RED", "BLACK", "YELLOW"][seat];
            let is_near = format!(
                "(() => {{ const king = document.querySelector('#board [data-man=\"{name} KING\"]').getBoundingClientRect(); \
                 const board = document.querySelector('#board svg').getBoundingClientRect(); \
                 return king.top + king.height / 2 > board.top + board.height / 2; }})()"
            );
            assert_eq!(page.ask(&is_near), json!(true), "{name}");
        }
        let view = |key: &str| house.get(&format!("/api/tables/{}?key={key}", opened.id)).json();
        for ply in 0..12 {
            let actor = view(&opened.watch)["state"]["actor"].as_u64().unwrap() as usize;
            let state = view(&opened.keys[actor]);
            // Two men on one square are for another test: whoever clicks there may mean either.
            let men = state["state"]["men"].as_array().unwrap();
            let is_shared = |square: &Value| men.iter().filter(|man| man["at"] == *square).count() > 1;
            let moves = state["state"]["moves"].as_array().unwrap();
            let moves: Vec<&Value> = moves.iter().filter(|it| !is_shared(&it["from"])).collect();
            let choice = &moves[(ply * 5 + 1) % moves.len()];
            let name = |square: &Value| {
                let (x, y) = (square[0].as_u64().unwrap() as u8, square[1].as_u64().unwrap());
                format!("{}{}", char::from(b'a' + x), y + 1)
            };
            pages[actor].until("document.querySelector('#status').dataset.yours === 'true'");
            pages[actor].moves(&name(&choice["from"]), &name(&choice["to"]));
            // Everybody sees it.
            for page in &pages {
                page.has_moves(ply + 1);
            }
        }
        pages.iter().for_each(Page::is_quiet);
        pages[1].picture("enochian");
        pages[3].picture("enochian-yellow");
    });
}

#[test]
fn a_broken_line_is_mended_and_nothing_is_lost() {
    with_browsers(|browsers| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.db");
        let mut house = House::on(&file, &[]);
        let opened = house.table(&json!({ "game": "chess", "seats": [human("WHITE"), human("BLACK")] }));
        let (white, black) = (browsers.person(DESK), browsers.person(DESK));
        sit(&white, &house, &opened, 0);
        sit(&black, &house, &opened, 1);
        white.moves("e2", "e4");
        black.has_moves(1);
        house.kill();
        white.see("#connection");
        white.picture("reconnecting");
        std::thread::sleep(Duration::from_millis(500));
        let _house = House::at(&file, house.port, &[]);
        white.until("document.querySelector('#connection').hidden");
        black.until("document.querySelector('#connection').hidden");
        black.moves("e7", "e5");
        white.has_moves(2);
        white.moves("g1", "f3");
        black.has_moves(3);
        black.picture("reconnected");
    });
}

#[test]
fn a_game_with_keys_alone() {
    with_browsers(|browsers| {
        let house = House::open(&[]);
        let opened = house.table(&json!({ "game": "chess" }));
        let page = browsers.person(DESK);
        sit(&page, &house, &opened, 0);
        for _ in 0..30 {
            page.press("\u{e004}"); // Tab
            if page.ask("!!document.activeElement.dataset.square") == json!(true) {
                break;
            }
        }
        assert_eq!(
            page.ask("!!document.activeElement.dataset.square"),
            json!(true),
            "Tab leads to the board"
        );
        for (ply, text) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
            walk(&page, &text[..2]);
            page.press("\u{e007}"); // Enter
            walk(&page, &text[2..]);
            if ply == 1 {
                page.picture("keyboard");
            }
            page.press("\u{e007}");
            page.has_moves(ply + 1);
        }
        assert!(page.text("#result").contains("Black wins"));
        page.is_quiet();
    });
}

/// Moves the cursor of the board to a square with the arrow keys.
fn walk(page: &Page, square: &str) {
    let here = "document.activeElement.dataset.square";
    for _ in 0..20 {
        let at = page.ask(here);
        let at = at.as_str().unwrap_or_else(|| panic!("the cursor is nowhere")).as_bytes().to_vec();
        let to = square.as_bytes();
        let key = match (at[0].cmp(&to[0]), at[1].cmp(&to[1])) {
            (std::cmp::Ordering::Less, _) => "\u{e014}",
            (std::cmp::Ordering::Greater, _) => "\u{e012}",
            (_, std::cmp::Ordering::Less) => "\u{e013}",
            (_, std::cmp::Ordering::Greater) => "\u{e015}",
            _ => return,
        };
        page.press(key);
    }
    panic!("the cursor never came to {square}");
}

#[test]
fn a_phone_is_wide_enough() {
    with_browsers(|browsers| {
        let house = House::open(&[]);
        let seats = json!([human("WHITE"), { "players": ["BLACK"], "who": "player:level2" }]);
        let opened = house
            .table(&json!({ "game": "chess", "seats": seats, "clock": { "seconds": 300, "increment": 3 } }));
        let page = browsers.person((360, 740));
        let fits = "document.documentElement.scrollWidth <= 360";
        for path in ["", "workshop"] {
            page.goto(&format!("http://127.0.0.1:{}/{path}", house.port));
            page.see("h1");
            assert_eq!(page.ask(fits), json!(true), "/{path}");
            page.picture(if path.is_empty() { "phone-home" } else { "phone-workshop" });
        }
        sit(&page, &house, &opened, 0);
        page.moves("e2", "e4");
        page.has_moves(2);
        page.until("document.querySelector('#status').dataset.yours === 'true'");
        page.moves("d2", "d4");
        page.has_moves(4);
        assert_eq!(page.ask(fits), json!(true));
        page.picture("phone");
        page.is_quiet();
    });
}

#[test]
fn agents_are_watched() {
    with_browsers(|browsers| {
        use assert_cmd::cargo::CommandCargoExt as _;
        let command = std::process::Command::cargo_bin("tabiya").unwrap();
        let good = format!("greedy=process:{} agent --player greedy", command.get_program().display());
        let house = House::open(&["--agent", &good, "--agent", "echo=process:cat", "--pause", "0.1"]);
        let seat = |player: &str, who: &str| json!({ "players": [player], "who": who });
        let body = json!({ "game": "chess", "seats": [seat("WHITE", "agent:greedy"), seat("BLACK", "player:level2")] });
        let opened = house.table(&body);
        let page = browsers.person(DESK);
        page.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", house.port, opened.id, opened.watch));
        page.until("document.querySelectorAll('#exchanges [data-verdict=\"move\"]').length >= 4");
        page.picture("watch");
        page.is_quiet();
        let bad = house.table(&json!({ "game": "chess", "seats": [seat("WHITE", "agent:echo"), seat("BLACK", "agent:greedy")] }));
        page.goto(&format!("http://127.0.0.1:{}/watch#{}.{}", house.port, bad.id, bad.watch));
        page.refresh();
        page.until("document.querySelectorAll('#exchanges [data-verdict=\"malformed\"]').length === 3");
        assert!(page.text("#result").contains("Black wins"));
    });
}
