//! All rooms and what they share: the database, the compiled games, and the permits for CPU-heavy work.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tabiya_referee::{Event, TimeControl};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::api_error::ApiError;
use crate::fair_queue::Client;
use crate::game_cache::GameCache;
use crate::game_store::GameStore;
use crate::http_types::{ClockBody, OpenedRoom, Opponent, RoomBody, SeatBody, SeatKey};
use crate::keys::{Key, random_dice, random_seed, random_text};
use crate::loaded_game::{GameSource, LoadedGame, check_first_moves};
use crate::permits::Permits;
use crate::rate_limiter::RateLimiter;
use crate::room::{Occupant, Room, RoomConfig, SeatConfig, Waits};
use crate::settings::Settings;
use crate::{limits, lock, programs, tell_operator};

/// Length of a room id.
const ID_LENGTH: usize = 10;
/// Unused rooms that leave memory at once when there is no space.
const EVICTED_AT_ONCE: usize = 16;

/// The state of the server.
pub(crate) struct Lobby {
    pub(crate) settings: Settings,
    pub(crate) store: GameStore,
    pub(crate) game_cache: GameCache,
    pub(crate) permits: Permits,
    pub(crate) rate_limiter: Arc<RateLimiter>,
    /// The rooms in memory.
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    runtime: Handle,
}

impl Lobby {
    /// Opens the database. Games continue when they are asked for. Must be called within the runtime.
    pub(crate) fn open(settings: Settings) -> Result<Arc<Self>, String> {
        let store = GameStore::open(&settings.file)?;
        if let Some(days) = settings.keep_days {
            store.delete_older_than(days).map_err(|error| format!("cannot delete old games: {error}"))?;
        }
        let rate_limiter = RateLimiter::new(&settings);
        Ok(Arc::new(Lobby {
            store,
            game_cache: GameCache::default(),
            permits: Permits::new(Arc::clone(&rate_limiter)),
            rate_limiter,
            rooms: Mutex::default(),
            runtime: Handle::current(),
            settings,
        }))
    }

    /// Returns the rooms in memory. Do not lock a room while holding `self.rooms`: a room that closes locks the list.
    fn rooms(&self) -> Vec<Arc<Room>> {
        lock(&self.rooms).values().cloned().collect()
    }

    /// Returns the number of rooms in memory.
    pub(crate) fn room_count(&self) -> usize {
        lock(&self.rooms).len()
    }

    /// Returns a room and the seat of a key, from memory or from the database.
    pub(crate) async fn join(
        self: &Arc<Self>,
        id: &str,
        key: &str,
        client: Client,
    ) -> Result<(Arc<Room>, Option<usize>), ApiError> {
        if id.len() != ID_LENGTH {
            return Err(ApiError::room_not_found());
        }
        let known = lock(&self.rooms).get(id).cloned();
        if let Some(room) = known {
            let seat = room.config.seat_of_key(key)?;
            return Ok((room, seat));
        }
        let (lobby, id, key) = (Arc::clone(self), id.to_owned(), key.to_owned());
        self.permits.run(client, move || lobby.restore(&id, &key, client)).await
    }

    /// Restores a room for the holder of a key. A wrong key costs no more than reading the configuration.
    fn restore(
        self: &Arc<Self>,
        id: &str,
        key: &str,
        client: Client,
    ) -> Result<(Arc<Room>, Option<usize>), ApiError> {
        let internal = |error| {
            tell_operator(&format!("cannot read game {id}: {error}"));
            ApiError::internal()
        };
        let config = self.store.config(id).map_err(internal)?.ok_or_else(ApiError::room_not_found)?;
        let config = RoomConfig::parse(&config)?;
        let seat = config.seat_of_key(key)?;
        // Another thread may have restored the same room meanwhile.
        if let Some(room) = lock(&self.rooms).get(id) {
            return Ok((Arc::clone(room), seat));
        }
        let loaded_game = self.game_cache.load(&config.source, &config.choice)?;
        self.make_space(client, &loaded_game)?;
        let journal = self.store.journal(id).map_err(internal)?;
        let room = Arc::new(Room::restore(id.to_owned(), config, &journal, loaded_game, client)?);
        let found = Arc::clone(lock(&self.rooms).entry(id.to_owned()).or_insert_with(|| Arc::clone(&room)));
        if Arc::ptr_eq(&found, &room) {
            found.go_on(self, &mut found.lock());
        }
        Ok((found, seat))
    }

    /// Removes a room that could not be saved. It is read from the database when it is needed again.
    pub(crate) fn evict_unsaved(&self, room: &Arc<Room>) {
        let mut rooms = lock(&self.rooms);
        if rooms.get(&room.id).is_some_and(|known| Arc::ptr_eq(known, room)) {
            rooms.remove(&room.id);
        }
    }

    /// Opens a room and saves it. Returns its keys.
    pub(crate) async fn open_room(
        self: &Arc<Self>,
        body: RoomBody,
        client: Client,
    ) -> Result<OpenedRoom, ApiError> {
        self.create_room(body, client).await.map(|room| room_keys(&room))
    }

    async fn create_room(self: &Arc<Self>, body: RoomBody, client: Client) -> Result<Arc<Room>, ApiError> {
        let lobby = Arc::clone(self);
        let room = self.permits.run(client, move || lobby.new_room(body, client)).await?;
        let config = serde_json::to_string(&room.config).unwrap_or_default();
        let (sender, receiver) = oneshot::channel();
        let (lobby, id) = (Arc::clone(self), room.id.clone());
        let then = move |is_written: bool| {
            if !is_written {
                return;
            }
            lock(&lobby.rooms).insert(room.id.clone(), Arc::clone(&room));
            let _ = sender.send(Arc::clone(&room));
            room.ask_next(&lobby, &mut room.lock());
        };
        self.store.create_room(&id, config, Box::new(then));
        receiver.await.map_err(|_| ApiError::internal())
    }

    fn new_room(&self, body: RoomBody, client: Client) -> Result<Arc<Room>, ApiError> {
        self.check_agents(&body, client)?;
        let source = match (body.game, body.spec) {
            (Some(name), None) => GameSource::Library(name),
            (None, Some(text)) => GameSource::Spec(text),
            _ => {
                let why = "give either `game`, the name of a library game, or `spec`, the text of a game";
                return Err(ApiError::bad_request("one_game", why));
            }
        };
        let loaded_game = self.game_cache.load(&source, &body.choice)?;
        self.make_space(client, &loaded_game)?;
        let names: Vec<&str> = loaded_game.view.players.iter().map(|player| player.name.as_str()).collect();
        let seats = self.seats(&names, body.seats)?;
        if !seats.iter().all(SeatConfig::is_human) && !loaded_game.may_be_valued() {
            let why = "the pieces have too many moves for a program to value them; seat people instead";
            return Err(ApiError::rejected("too_complex", why));
        }
        body.clock.map_or(Ok(()), check_clock)?;
        // Only the operator can choose the throws, for a local game that can be repeated.
        let has_chosen_dice = client.is_none() && body.seed.is_some();
        let has_dice = loaded_game.game.rules.faces().is_some();
        let config = RoomConfig {
            source,
            choice: body.choice,
            hash: loaded_game.game.hash.to_string(),
            seats,
            watch: Key::random(),
            clock: body.clock,
            start: body.start,
            seed: body.seed.unwrap_or_else(random_seed),
            dice: (has_dice && !has_chosen_dice).then(|| random_dice().reveal()),
            opened: SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs()),
            waits: Waits::new(self.settings.join_time, self.settings.leave_time),
        };
        let has_other_start = config.start.is_some();
        let room = Room::new(random_text(ID_LENGTH), config, loaded_game, client)?;
        if has_other_start {
            check_first_moves(room.lock().session.game())?;
        }
        self.rate_limiter.new_game(client)?;
        Ok(Arc::new(room))
    }

    /// Checks that every player of the game has exactly one seat, and creates the keys of human seats.
    fn seats(&self, names: &[&str], wanted: Vec<SeatBody>) -> Result<Vec<SeatConfig>, ApiError> {
        if wanted.is_empty() {
            let players = (0..names.len()).collect();
            return Ok(vec![SeatConfig { players, occupant: Occupant::Human(Key::random()) }]);
        }
        let mut free: BTreeSet<usize> = (0..names.len()).collect();
        let mut seats = Vec::new();
        for seat in wanted {
            let mut players = Vec::new();
            for name in &seat.players {
                let player = names.iter().position(|known| known == name).ok_or_else(|| {
                    let why = format!("unknown player `{name:.60}`; the players are {}", names.join(", "));
                    ApiError::rejected("unknown_player", why)
                })?;
                if !free.remove(&player) {
                    return Err(ApiError::rejected("seat_taken", format!("{name} has two seats")));
                }
                players.push(player);
            }
            if players.is_empty() {
                return Err(ApiError::rejected("empty_seat", "a seat needs at least one player"));
            }
            seats.push(SeatConfig { players, occupant: self.occupant(&seat.who)? });
        }
        match free.first() {
            Some(player) => Err(ApiError::rejected("nobody_sits", format!("{} has no seat", names[*player]))),
            None => Ok(seats),
        }
    }

    /// Parses the occupant of a seat: a person or a program that the operator has listed, never a command or a URL.
    fn occupant(&self, text: &str) -> Result<Occupant, ApiError> {
        match text.split_once(':') {
            None if text == "human" => Ok(Occupant::Human(Key::random())),
            Some(("player", name)) if self.settings.players.iter().any(|known| known == name) => {
                Ok(Occupant::Player(name.to_owned()))
            }
            Some(("agent", name)) if self.settings.agents.contains_key(name) => {
                Ok(Occupant::Agent(name.to_owned()))
            }
            _ => {
                let why = "`who` must be `human` or an opponent listed by /api/opponents";
                Err(ApiError::rejected("unknown_opponent", why))
            }
        }
    }

    /// Checks the limits on games with agents.
    fn check_agents(&self, body: &RoomBody, client: Client) -> Result<(), ApiError> {
        if !body.seats.iter().any(|seat| seat.who.starts_with("agent:")) {
            return Ok(());
        }
        let rooms = self.rooms();
        let games = || rooms.iter().filter(|room| room.has_agents() && room.lock().session.end().is_none());
        let own = games().filter(|room| client.is_some() && room.owner == client).count();
        if games().count() >= limits::MAX_AGENT_GAMES || own >= limits::MAX_AGENT_GAMES_EACH {
            let why = "too many games with agents; try again later";
            return Err(ApiError::too_many("too_many_agents", why));
        }
        Ok(())
    }

    /// Makes space in memory for one more room of a client. Unused rooms leave memory, those of the client for its own limits.
    fn make_space(&self, client: Client, loaded_game: &Arc<LoadedGame>) -> Result<(), ApiError> {
        let is_within = |rooms: &[Arc<Room>], most_rooms: usize, most_bytes: usize| {
            rooms.len() < most_rooms && bytes(rooms, loaded_game) <= most_bytes
        };
        let (each, all) = (self.settings.max_games_each, self.settings.max_games);
        let has_space = self.evict_until(&|| self.rooms_of(client), &|rooms| {
            is_within(rooms, each, limits::MAX_GAME_BYTES_EACH)
        }) && self
            .evict_until(&|| self.rooms(), &|rooms| is_within(rooms, all, limits::MAX_GAME_BYTES));
        let why = "too many or too large games in progress; try again later";
        has_space.then_some(()).ok_or_else(|| ApiError::too_many("too_many_games", why))
    }

    /// Returns whether the owner of a room, which has grown to this size, is within its limit of memory. Its unused rooms leave
    /// memory first.
    pub(crate) fn has_space_for(&self, room: &Room, grown: usize) -> bool {
        let is_within =
            |rooms: &[Arc<Room>]| bytes(rooms, &room.loaded_game) + grown <= limits::MAX_GAME_BYTES_EACH;
        self.evict_until(&|| self.rooms_of(room.owner), &is_within)
    }

    /// Returns the rooms of a client; none for the operator, who has no limits.
    fn rooms_of(&self, client: Client) -> Vec<Arc<Room>> {
        let mut rooms = self.rooms();
        rooms.retain(|room| client.is_some() && room.owner == client);
        rooms
    }

    /// Evicts unused rooms, those first that were used longest ago, until the others are within a limit. Returns whether they
    /// are.
    fn evict_until(
        &self,
        rooms: &dyn Fn() -> Vec<Arc<Room>>,
        is_within: &dyn Fn(&[Arc<Room>]) -> bool,
    ) -> bool {
        let known = rooms();
        if is_within(&known) {
            return true;
        }
        let mut unused: Vec<_> =
            known.into_iter().filter_map(|room| Some((room.unused_for()?, room))).collect();
        unused.sort_by_key(|(time, _)| *time);
        while !unused.is_empty() {
            let longest = unused.split_off(unused.len().saturating_sub(EVICTED_AT_ONCE));
            self.evict(longest.into_iter().map(|(_, room)| room).collect());
            if is_within(&rooms()) {
                return true;
            }
        }
        false
    }

    /// Removes rooms from memory, except those that are in use.
    fn evict(&self, unused: Vec<Arc<Room>>) {
        let mut rooms = lock(&self.rooms);
        for room in &unused {
            // The list and this function hold a reference; a third one is a socket, a search or an unsaved event.
            if Arc::strong_count(room) == 2 {
                rooms.remove(&room.id);
            }
        }
        // Unlock the list before the rooms are dropped, which may take time.
        drop(rooms);
        drop(unused);
    }

    /// Returns the programs that can take a seat.
    pub(crate) fn opponents(&self) -> Vec<Opponent> {
        let opponent = |kind: &str, name: &String| Opponent {
            who: format!("{kind}:{name}"),
            name: name.clone(),
            kind: kind.to_owned(),
        };
        let players = self.settings.players.iter().map(|name| opponent("player", name));
        players.chain(self.settings.agents.keys().map(|name| opponent("agent", name))).collect()
    }

    /// Asks the program at a seat for an action, as soon as it gets an engine permit.
    pub(crate) fn ask_program(self: &Arc<Self>, room: &Arc<Room>, seat: usize, epoch: u64) {
        let (lobby, room) = (Arc::clone(self), Arc::clone(room));
        self.runtime.spawn(async move {
            let is_unattended = !room.has_humans();
            if is_unattended {
                tokio::time::sleep(lobby.settings.pause).await;
            }
            // Agents run in their own processes. Their number is limited when rooms are opened.
            let is_agent = matches!(room.config.seats[seat].occupant, Occupant::Agent(_));
            let permit =
                if is_agent { None } else { Some(lobby.permits.engine(room.owner, is_unattended).await) };
            let (lobby_of, room_of) = (Arc::clone(&lobby), Arc::clone(&room));
            let work = move || {
                programs::consult(&lobby_of, &room_of, seat, epoch);
                drop(permit);
            };
            if tokio::task::spawn_blocking(work).await.is_err() {
                // A panic of a built-in player aborts this game only.
                room.program_acts(&lobby, epoch, Event::Abort("broken".into()), None);
            }
        });
    }

    /// Starts a task that ends the game when a flag falls.
    pub(crate) fn watch_clock(self: &Arc<Self>, room: &Arc<Room>) {
        let (lobby, room) = (Arc::clone(self), Arc::downgrade(room));
        self.runtime.spawn(async move {
            while let Some(left) = room.upgrade().and_then(|room| room.check_clock(&lobby)) {
                tokio::time::sleep(left + Duration::from_millis(1)).await;
            }
        });
    }

    /// Starts a task that aborts the game after this time, unless every person has come.
    pub(crate) fn abort_later(self: &Arc<Self>, room: &Arc<Room>, after: Duration) {
        let (lobby, room) = (Arc::clone(self), Arc::downgrade(room));
        self.runtime.spawn(async move {
            tokio::time::sleep(after).await;
            if let Some(room) = room.upgrade() {
                room.abort_if_missing(&lobby);
            }
        });
    }

    /// Starts a task that notes that a client has disconnected. It waits while a thread works on the room.
    pub(crate) fn leave(self: &Arc<Self>, room: &Arc<Room>, seat: Option<usize>) {
        let (lobby, room) = (Arc::clone(self), Arc::clone(room));
        self.runtime.spawn_blocking(move || room.leave(&lobby, seat));
    }

    /// Opens a room in which the people of another play again. It counts for a client.
    pub(crate) fn open_rematch(self: &Arc<Self>, room: &Arc<Room>, body: RoomBody, client: Client) {
        let (lobby, room) = (Arc::clone(self), Arc::clone(room));
        self.runtime.spawn(async move {
            match lobby.create_room(body, client).await {
                Ok(next) => room.rematch_opened(&lobby, &next),
                Err(error) => room.rematch_failed(error),
            }
        });
    }

    /// Dismisses the agents of a room whose game is over.
    pub(crate) fn game_over(&self, room: &Arc<Room>) {
        if room.has_agents() {
            let room = Arc::clone(room);
            // This blocks while an agent is asked.
            self.runtime.spawn_blocking(move || programs::dismiss(&room));
        }
    }

    /// Removes finished games and idle rooms from memory, every 30 seconds.
    pub(crate) async fn evict_idle_rooms(self: Arc<Self>) {
        loop {
            tokio::time::sleep(Duration::from_secs(30)).await;
            let is_idle =
                |room: &Arc<Room>| room.unused_for().is_some_and(|time| time > limits::IDLE_ROOM_TIME);
            let idle: Vec<_> = self.rooms().into_iter().filter(is_idle).collect();
            self.evict(idle);
        }
    }
}

/// Returns the approximate memory of rooms and of one more game. Rooms with the same rules share them.
fn bytes(rooms: &[Arc<Room>], loaded_game: &Arc<LoadedGame>) -> usize {
    let games = rooms.iter().map(|room| &room.loaded_game).chain([loaded_game]);
    let sizes: HashMap<_, usize> = games.map(|game| (Arc::as_ptr(game), game.bytes)).collect();
    sizes.values().sum::<usize>() + rooms.iter().map(|room| room.bytes()).sum::<usize>()
}

fn check_clock(clock: ClockBody) -> Result<(), ApiError> {
    let text = format!("{}+{}", clock.seconds, clock.increment);
    text.parse::<TimeControl>().map_err(|error| ApiError::rejected("bad_clock", error.to_string()))?;
    if clock.seconds < limits::MIN_CLOCK_SECONDS {
        let why = format!("a clock needs at least {} seconds", limits::MIN_CLOCK_SECONDS);
        return Err(ApiError::rejected("bad_clock", why));
    }
    Ok(())
}

fn room_keys(room: &Room) -> OpenedRoom {
    let seats = room.config.seats.iter().filter_map(|seat| match &seat.occupant {
        Occupant::Human(key) => Some(SeatKey { players: seat.players.clone(), key: key.text().to_owned() }),
        _ => None,
    });
    OpenedRoom { id: room.id.clone(), seats: seats.collect(), watch: room.config.watch.text().to_owned() }
}
