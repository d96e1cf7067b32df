//! Random games with further mechanics: teams, attackable leaders, frozen and controlled armies, shared squares, figures,
//! a die and others.
//!
//! The features are drawn first, because the moves refer to them.

use serde_json::{Value, json};

use super::RandomSpec;

const REGIONS: [&str; 2] = ["ZONE", "GOAL"];

/// The features of a game.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent features")]
pub(super) struct Features {
    /// Whether the game has any of these features.
    pub(super) any: bool,
    pub(super) teams: bool,
    pub(super) leader: bool,
    /// Whether several kinds are leaders, or the last one decides.
    pub(super) many_leaders: bool,
    pub(super) freezes: bool,
    pub(super) passes: bool,
    pub(super) sharing: bool,
    pub(super) tag: bool,
    pub(super) control: bool,
    pub(super) neutral: bool,
}

impl RandomSpec {
    /// Draws the features, once players and kinds are known.
    pub(super) fn draw_features(&mut self) {
        let (leader, kinds) = (self.chance(75), self.kinds.len());
        let any = self.chance(60);
        let mut has = |wanted: bool, percent| any && wanted && self.chance(percent);
        let teams = has(true, 70);
        let many_leaders = has(leader && kinds > 2, 40);
        let one = leader && !many_leaders;
        self.has = Features {
            any,
            teams,
            leader,
            many_leaders,
            freezes: has(one, 50),
            passes: has(true, 50),
            sharing: has(one, 45),
            tag: has(true, 40),
            control: has(one && teams, 60),
            neutral: false,
        };
    }

    /// Returns the kinds that a piece may change to. A guest must not become a leader, and a host must stay one.
    pub(super) fn open_kinds(&self) -> Vec<String> {
        let closed = |kind: &String| self.has.sharing && kind == "KING";
        self.kinds.iter().filter(|kind| !closed(kind)).cloned().collect()
    }

    /// Adds the features to the game.
    pub(super) fn add_mechanics(&mut self, game: &mut Value) {
        if self.has.leader {
            let has_rules = self.has.many_leaders || self.has.any && self.chance(80);
            game["leader"] = if has_rules { self.leader() } else { json!("KING") };
        }
        if !self.has.passes {
            self.maybe(30, game, "stuck", |it| it.one_of(&["ENDS", "LOSES", "DRAWS", "WINS"]));
        }
        if !self.has.any {
            return;
        }
        if self.has.teams {
            game["teams"] = self.teams();
        }
        if self.has.passes {
            game["stuck"] = json!("PASSES");
        }
        if self.has.sharing {
            let join = self.one_of(&["ALLOWED", "ALLOWED", "ALLOWED", "NEVER"]);
            let region = self.one_of(&REGIONS);
            game["sharing"] = json!({ "in": region, "join": join });
            self.add_guests(game, region);
        }
        if self.has.tag {
            game["tag"] = self.tag();
            self.add_values(game);
        }
        if self.has.control {
            game["control"] = json!({ "in": self.one_of(&REGIONS), "thaws": self.chance(60) });
        }
        self.maybe(40, game, "reactions", |it| -> Value {
            (0..it.between(1, 3)).map(|_| it.reaction()).collect()
        });
        self.maybe(40, game, "figures", |it| -> Value {
            (0..it.between(1, 2)).map(|_| it.figure()).collect()
        });
        if self.has.leader && self.has.teams && self.has.freezes && self.chance(60) {
            let by = self.one_of(&["PLAYER", "TEAM"]);
            game["exchange"] = json!({ "to": self.one_of(&REGIONS), "by": by, "both_took": self.chance(40) });
        }
        if self.has.teams && self.chance(25) {
            game["withdrawal"] = json!(true);
        }
        self.maybe(25, game, "restrictions", |it| -> Value {
            // A condition that often fails leaves few moves, so most are alternatives.
            (0..it.between(1, 2)).map(|_| it.combination("ANY", |it| it.game_condition(1))).collect()
        });
        self.maybe(30, game, "priority", |it| -> Value {
            let classes = it.between(1, 3);
            (0..classes)
                .map(|_| match it.dice.below(3) {
                    0 => json!([{ "condition": "EVENT", "event": "CAPTURED" }]),
                    _ => json!([it.game_condition(1)]),
                })
                .collect()
        });
        self.maybe(45, game, "hands", Self::hands);
        if game.get("hands").is_some() {
            for piece in game["pieces"].as_array_mut().expect("a list") {
                if self.chance(30) {
                    piece["reverts_to"] = json!(self.one_of(&self.kinds.clone()));
                }
            }
        }
        if self.chance(25) {
            self.add_neutral_player(game);
        }
        if self.chance(35) {
            self.add_counters(game);
        }
        if self.chance(45) {
            self.add_effects(game);
        }
        self.maybe(20, game, "chance", Self::die);
        if self.has.leader && !self.has.many_leaders && self.chance(20) {
            game["hold"] = json!({ "in": self.one_of(&REGIONS), "code": "HELD_FAST" });
        }
    }

    /// Draws a condition about attacks or about the result of a move.
    pub(super) fn result_test(&mut self, word: &str) -> Value {
        let mut test = json!({ "condition": word });
        match word {
            "ATTACKED" | "DEFENDED" => {
                self.maybe(40, &mut test, "position", |it| it.offset(2));
                self.maybe(40, &mut test, "anchor", |it| it.one_of(&["SOURCE", "TARGET"]));
                self.maybe(40, &mut test, "by", Self::some_kinds);
            }
            "EVENT" => {
                test["event"] = json!(self.one_of(&["CAPTURED", "CAPTURED", "PROMOTED", "MOVED", "CASTLED"]));
                self.maybe(40, &mut test, "piece", Self::some_kinds);
            }
            "IN_CHECK" => self.maybe(60, &mut test, "owner", |it| it.one_of(&["OWN", "ENEMY", "ANY"])),
            _ => {
                let clause = match self.dice.below(4) {
                    0 if self.has.leader => self.result_test("IN_CHECK"),
                    1 => self.count_on_board(),
                    2 => self.combination("NOT", Self::count_on_board),
                    _ => {
                        let mut stuck =
                            json!({ "condition": "STUCK", "owner": self.one_of(&["ENEMY", "ANY"]) });
                        if self.has.leader {
                            self.maybe(60, &mut stuck, "attacked", |it| it.chance(50));
                        }
                        stuck
                    }
                };
                test["of"] = json!([clause]);
                if self.chance(60) {
                    test = json!({ "condition": "NOT", "of": [test] });
                }
            }
        }
        test
    }

    /// Draws a combination of conditions.
    pub(super) fn combination(&mut self, word: &str, mut part: impl FnMut(&mut Self) -> Value) -> Value {
        let mut list = |it: &mut Self| -> Vec<Value> { (0..it.between(1, 2)).map(|_| part(it)).collect() };
        let first = list(self);
        match word {
            "ANY" => {
                let second = list(self);
                json!({ "condition": "ANY", "of": [first, second] })
            }
            word => json!({ "condition": word, "of": first }),
        }
    }

    /// Draws a condition of the game: of `restrictions` or `priority`.
    fn game_condition(&mut self, depth: u32) -> Value {
        let words = [
            "EVENT",
            "EVENT",
            "EVENT",
            "AFTER",
            "ATTACKED",
            "IN_CHECK",
            "COUNT",
            "FIRST_MOVE",
            "ZONE",
            "SQUARE",
            "NOT",
            "ANY",
        ];
        match self.one_of(&words) {
            "IN_CHECK" if !self.has.leader => self.count_test(),
            word @ ("NOT" | "ANY") if depth > 0 => self.combination(word, |it| it.game_condition(depth - 1)),
            "NOT" | "ANY" | "COUNT" => self.count_test(),
            "SQUARE" => self.square_test(),
            word @ ("FIRST_MOVE" | "ZONE") => json!({ "condition": word }),
            word => self.result_test(word),
        }
    }

    fn hands(&mut self) -> Value {
        let mut hands = json!({});
        self.maybe(80, &mut hands, "captured_to", |it| it.one_of(&["CAPTOR", "CAPTOR", "OWNER"]));
        let (players, kinds) = (self.players.clone(), self.open_kinds());
        if self.chance(60) {
            let mut start = serde_json::Map::new();
            for player in &players {
                if self.chance(30) {
                    continue;
                }
                let kind = kinds[self.dice.below(kinds.len())].clone();
                start.insert(player.clone(), json!({ kind: 1 + self.dice.below(3) }));
            }
            hands["start"] = json!(start);
        }
        if self.chance(75) {
            hands["drops"] = (0..self.between(1, 2)).map(|_| self.drop()).collect();
        }
        hands
    }

    fn drop(&mut self) -> Value {
        let mut drop = json!({ "piece": self.some_kinds() });
        self.maybe(60, &mut drop, "conditions", |it| -> Value {
            (0..it.between(1, 2)).map(|_| it.drop_condition(1)).collect()
        });
        if self.chance(25) {
            let mut modifier = json!({ "action": "TRANSFORM", "options": [self.one_of(&self.open_kinds())] });
            self.maybe(60, &mut modifier, "conditions", |it| json!([{ "condition": it.one_of(&REGIONS) }]));
            drop["modifiers"] = json!([modifier]);
        }
        drop
    }

    fn drop_condition(&mut self, depth: u32) -> Value {
        let words = [
            "EVENT",
            "AFTER",
            "ATTACKED",
            "DEFENDED",
            "IN_CHECK",
            "COUNT",
            "ZONE",
            "GOAL",
            "SQUARE",
            "NOT",
            "ANY",
            "NOT_ATTACKED",
        ];
        match self.one_of(&words) {
            "IN_CHECK" if !self.has.leader => self.count_test(),
            word @ ("NOT" | "ANY") if depth > 0 => self.combination(word, |it| it.drop_condition(depth - 1)),
            "NOT" | "ANY" | "COUNT" => self.count_test(),
            "SQUARE" => self.square_test(),
            word @ ("ZONE" | "GOAL" | "NOT_ATTACKED") => json!({ "condition": word }),
            word => self.result_test(word),
        }
    }

    /// Adds counters, triggers that change them, and an ending or restriction that compares them.
    fn add_counters(&mut self, game: &mut Value) {
        let max = self.between(1, 3);
        let mut counters = json!({ "TALLY": { "max": max } });
        self.maybe(30, &mut counters["TALLY"], "start", |it| it.between(0, max));
        self.maybe(40, &mut counters["TALLY"], "repetition", |it| it.chance(50));
        if self.chance(50) {
            counters["SHARED"] = json!({ "max": 5, "per": "GAME" });
        }
        let names: Vec<String> = counters.as_object().expect("an object").keys().cloned().collect();
        let has_hands = game.get("hands").is_some();
        let triggers: Vec<Value> = (0..self.between(1, 3))
            .map(|_| {
                let event = self.one_of(&["MOVED", "CAPTURED", "CAPTURED", "PROMOTED", "CHECK", "DROPPED"]);
                let event = match event {
                    "CHECK" if !self.has.leader => "MOVED",
                    "DROPPED" if !has_hands => "CAPTURED",
                    event => event,
                };
                let effect = match self.dice.below(3) {
                    0 => json!({ "action": "SET", "counter": self.one_of(&names), "to": self.between(0, 1) }),
                    _ => json!({ "action": "ADD", "counter": self.one_of(&names), "by": self.one_of(&[1, 1, 2, -1]) }),
                };
                let mut effect = effect;
                self.maybe(50, &mut effect, "owner", Self::owner);
                let mut trigger = json!({ "on": event, "effects": [effect] });
                self.maybe(30, &mut trigger, "piece", Self::some_kinds);
                self.maybe(30, &mut trigger, "when", |it| json!([it.region_or_event()]));
                trigger
            })
            .collect();
        game["counters"] = counters;
        game["triggers"] = json!(triggers);
        let mut compare = json!({ "condition": "COMPARE", "counter": self.one_of(&names) });
        match self.dice.below(3) {
            0 => compare["than"] = json!("ENEMY"),
            1 => compare["max"] = json!(self.between(0, 2)),
            _ => compare["min"] = json!(self.between(1, 3)),
        }
        self.maybe(40, &mut compare, "owner", Self::owner);
        if self.chance(50) {
            game["restrictions"] =
                json!([{ "condition": "NOT", "of": [{ "condition": "AFTER", "of": [compare] }] }]);
        } else {
            let ending = json!({ "code": "TALLIED", "stops": true, "result": "WIN", "when": [compare] });
            match game.get_mut("endings").and_then(Value::as_array_mut) {
                Some(endings) => endings.push(ending),
                None => game["endings"] = json!([ending]),
            }
        }
    }

    pub(super) fn region_or_event(&mut self) -> Value {
        match self.dice.below(3) {
            0 => json!({ "condition": self.one_of(&REGIONS) }),
            1 => self.region_test(),
            _ => self.result_test("EVENT"),
        }
    }

    fn leader(&mut self) -> Value {
        let mut leader = json!({ "piece": "KING" });
        if self.has.many_leaders {
            let second = self.kinds[1].clone();
            leader["piece"] = if self.chance(60) { json!(["KING", second]) } else { json!(["KING"]) };
            self.maybe(75, &mut leader, "lost", |it| it.one_of(&["LAST", "LAST_OF_KIND"]));
            if leader.get("lost").is_some() {
                self.maybe(50, &mut leader, "check", |it| it.one_of(&["ALL", "ALL", "DECISIVE"]));
            }
            let players = self.players.clone();
            self.maybe(25, &mut leader, "players", |it| json!([it.one_of(&players)]));
        }
        let exposure =
            self.one_of(&["ILLEGAL", "ALLOWED", "ALLOWED", "ALLOWED_IN_CHECK", "ALLOWED_IN_CHECK"]);
        self.maybe(80, &mut leader, "exposure", |_| exposure);
        self.maybe(40, &mut leader, "attacked", |it| it.one_of(&["FREE", "MUST_MOVE", "MUST_MOVE"]));
        if self.has.freezes || self.chance(30) {
            leader["captured"] = json!(if self.has.freezes { "FREEZES" } else { "OUT" });
        }
        self.maybe(40, &mut leader, "stalemate", |it| {
            it.one_of(&["NO_MOVE", "NO_SAFE_MOVE", "NO_SAFE_MOVE"])
        });
        leader
    }

    fn die(&mut self) -> Value {
        let faces = self.between(1, 4);
        let mut allow = serde_json::Map::new();
        for face in 1..=faces {
            let groups: Vec<Value> =
                (0..self.between(1, 2)).map(|_| json!({ "pieces": self.some_kinds() })).collect();
            allow.insert(face.to_string(), json!(groups));
        }
        let mut die = json!({ "die": faces, "allow": allow });
        self.maybe(50, &mut die, "throws", |it| it.between(1, 3));
        self.maybe(50, &mut die, "check", |it| it.one_of(&["HOLDS", "WAIVED"]));
        die
    }

    /// Draws two teams; occasionally a player is in neither.
    fn teams(&mut self) -> Value {
        let mut teams = [vec![], vec![]];
        for (index, name) in self.players.clone().into_iter().enumerate() {
            if index < 2 {
                teams[index].push(name);
            } else if self.chance(90) {
                let team = self.dice.below(2);
                teams[team].push(name);
            }
        }
        json!([{ "name": "SKY", "players": teams[0] }, { "name": "SEA", "players": teams[1] }])
    }

    /// Adds guests beside some leaders to the starting position.
    fn add_guests(&mut self, game: &mut Value, region: &str) {
        let lists = list(&game["conditions"]).iter().find(|it| it["code"] == *region);
        let lists = lists.and_then(|it| it["check"].as_object()).expect("a list for each player");
        let shared: Vec<Value> = lists.values().flat_map(list).cloned().collect();
        let players = list(&game["players"]).clone();
        for host in &players {
            let name = &host["name"];
            let team = list(&game["teams"]).iter().find(|team| list(&team["players"]).contains(name));
            let team = team.map_or_else(|| vec![name.clone()], |team| list(&team["players"]).clone());
            let groups = list(&host["starting_positions"]).iter().filter(|group| group["piece"] == "KING");
            let thrones: Vec<Value> = groups
                .flat_map(|group| list(&group["positions"]))
                .filter(|at| shared.contains(at))
                .cloned()
                .collect();
            for throne in thrones {
                if self.chance(40) {
                    let guest = self.one_of(&team);
                    let kind = self.one_of(&self.open_kinds());
                    let entry = json!({ "piece": kind, "positions": [throne] });
                    let index = players.iter().position(|player| player["name"] == guest);
                    let army =
                        &mut game["players"][index.expect("a player of the game")]["starting_positions"];
                    army.as_array_mut().expect("a list").push(entry);
                }
            }
        }
    }

    /// Gives some pieces a tag that differs from that of their square.
    fn add_values(&mut self, game: &mut Value) {
        let carriers = list(&game["tag"]["pieces"]).clone();
        let values: Vec<String> =
            game["tag"]["values"].as_object().expect("lists by value").keys().cloned().collect();
        for player in game["players"].as_array_mut().expect("a list") {
            for group in player["starting_positions"].as_array_mut().expect("a list") {
                if carriers.contains(&group["piece"]) && self.chance(20) {
                    group["tag"] = json!(self.one_of(&values));
                }
            }
        }
    }

    fn tag(&mut self) -> Value {
        let values = ["RAM", "CRAB", "GOAT"];
        let mut lists: Vec<Vec<[i32; 2]>> = vec![Vec::new(); self.between(1, 3) as usize];
        for square in self.squares() {
            let list = self.dice.below(lists.len() + 1);
            if let Some(list) = lists.get_mut(list) {
                list.push(square);
            }
        }
        let named: serde_json::Map<String, Value> =
            values.iter().zip(lists).map(|(value, list)| ((*value).to_owned(), json!(list))).collect();
        // Leaders have no tag. They are the first kinds.
        let leaders = usize::from(self.has.leader) + usize::from(self.has.many_leaders);
        let followers = self.kinds[leaders.min(self.kinds.len() - 1)..].to_vec();
        let kinds: Vec<String> = followers.iter().filter(|_| self.chance(70)).cloned().collect();
        let kinds = if kinds.is_empty() { vec![followers[0].clone()] } else { kinds };
        json!({ "code": "SIGN", "pieces": kinds, "values": named })
    }

    fn reaction(&mut self) -> Value {
        let open = self.open_kinds();
        let (piece, to) = (self.one_of(&open), self.one_of(&open));
        let mut reaction = json!({ "captured": self.some_kinds(), "piece": piece, "to": to });
        for key in ["in", "in_any", "not_in_any"] {
            self.maybe(25, &mut reaction, key, |it| it.one_of(&REGIONS));
        }
        reaction
    }

    fn figure(&mut self) -> Value {
        let mut shape = vec![[0, 0]];
        for _ in 0..self.one_of(&[1, 1, 1, 2]).min(self.players.len() - 1) {
            let square = self.offset(1);
            if !shape.contains(&square) {
                shape.push(square);
            }
        }
        if shape.len() == 1 {
            shape.push([1, 0]);
        }
        let mut figure = json!({ "piece": self.one_of(&self.kinds.clone()), "shape": shape });
        if self.chance(25) {
            let (files, ranks) = (0..self.files, 0..self.ranks);
            let fits = |[x, y]: &[i32; 2]| {
                shape.iter().all(|[dx, dy]| files.contains(&(x + dx)) && ranks.contains(&(y + dy)))
            };
            let anchors: Vec<[i32; 2]> = self.squares().filter(fits).filter(|_| self.chance(60)).collect();
            if !anchors.is_empty() {
                figure["at"] = json!(anchors);
            }
        }
        figure
    }

    /// Restricts what an action captures.
    pub(super) fn add_filters(&mut self, action: &mut Value) {
        if !self.has.any {
            return;
        }
        // At least one kind must remain that the action can capture.
        let some = self.some_kinds();
        let several = some.as_array().is_some_and(|kinds| kinds.len() > 1);
        let is_picky = self.chance(12);
        if is_picky {
            action["piece"] = some;
        }
        if self.chance(12) && (several || !is_picky) {
            action["not_piece"] = json!([self.one_of(&self.kinds.clone())]);
        }
        if self.has.tag && self.chance(50) {
            action["same_tag"] = json!(self.chance(90));
        }
    }

    /// Adds replacements of other pieces to a promotion.
    pub(super) fn add_replaces(&mut self, modifier: &mut Value, options: &[String]) {
        if !self.has.any || self.chance(70) {
            return;
        }
        let open = self.open_kinds();
        let chosen: Vec<&String> = options.iter().filter(|_| self.chance(70)).collect();
        let pairs: serde_json::Map<String, Value> =
            chosen.into_iter().map(|kind| (kind.clone(), json!(self.one_of(&open)))).collect();
        if !pairs.is_empty() {
            modifier["replaces"] = Value::Object(pairs);
        }
    }

    pub(super) fn region_test(&mut self) -> Value {
        let mut test = json!({ "condition": "IN_REGION", "region": self.one_of(&REGIONS) });
        if self.chance(70) {
            let whose: &[&str] =
                if self.has.teams { &["OWN", "PARTNER", "ENEMY", "ANY"] } else { &["OWN", "ENEMY", "ANY"] };
            test["of"] = json!(self.one_of(whose));
        }
        self.maybe(60, &mut test, "at", |it| it.one_of(&["SOURCE", "TARGET"]));
        test
    }

    /// Draws a count condition of a move.
    pub(super) fn count_test(&mut self) -> Value {
        if self.chance(60) {
            return self.count_on_board();
        }
        let mut test = self.count();
        let area = self.one_of(&["FILE", "RANK", "ADJACENT", "BETWEEN", "HAND"]);
        test["area"] = json!(area);
        if area == "HAND" {
            test.as_object_mut().expect("an object").remove("in");
        } else if area != "BETWEEN" {
            self.maybe(50, &mut test, "anchor", |it| it.one_of(&["SOURCE", "TARGET"]));
        }
        test
    }

    /// Draws a count of pieces on the whole board.
    fn count_on_board(&mut self) -> Value {
        let mut test = self.count();
        self.maybe(40, &mut test, "lost", |it| it.between(1, 2));
        test
    }

    /// Draws an owner.
    pub(super) fn owner(&mut self) -> &'static str {
        if self.has.teams {
            self.one_of(&["OWN", "ENEMY", "ANY", "PARTNER", "TEAM"])
        } else {
            self.one_of(&["OWN", "ENEMY", "ANY"])
        }
    }

    pub(super) fn some_kinds(&mut self) -> Value {
        let kinds: Vec<String> = self.kinds.clone().into_iter().filter(|_| self.chance(50)).collect();
        if kinds.is_empty() { json!([self.kinds[0]]) } else { json!(kinds) }
    }
}

/// Returns the elements of a list, or none if it is not a list.
fn list(value: &Value) -> &Vec<Value> {
    const NONE: &Vec<Value> = &Vec::new();
    value.as_array().unwrap_or(NONE)
}
