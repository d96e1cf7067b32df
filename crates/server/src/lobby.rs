//! All rooms and what they share: the database, the compiled games, and the permits for CPU-heavy work.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tabiya_referee::{Event, TimeControl};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::api_error::ApiError;
use crate::game_cache::GameCache;
use crate::game_store::GameStore;
use crate::http_types::{ClockBody, OpenedRoom, Opponent, RoomBody, SeatBody, SeatKey};
use crate::keys::{Key, random_seed, random_text};
use crate::loaded_game::GameSource;
use crate::permits::Permits;
use crate::room::{Occupant, Room, RoomConfig, SeatConfig, Waits};
use crate::settings::Settings;
use crate::{limits, lock, programs};

/// Length of a room id.
const ID_LENGTH: usize = 10;

/// The state of the server.
pub(crate) struct Lobby {
    pub(crate) settings: Settings,
    pub(crate) store: GameStore,
    pub(crate) game_cache: GameCache,
    pub(crate) permits: Permits,
    /// The rooms in memory.
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Rooms that could not be saved, to be read again.
    unsaved: Mutex<Vec<String>>,
    runtime: Handle,
}

impl Lobby {
    /// Opens the database and resumes every unfinished game. Must be called within the runtime.
    pub(crate) fn open(settings: Settings) -> Result<Arc<Self>, String> {
        let store = GameStore::open(&settings.file)?;
        if let Some(days) = settings.keep_days {
            store.delete_older_than(days).map_err(|error| format!("cannot delete old games: {error}"))?;
        }
        let lobby = Arc::new(Lobby {
            store,
            game_cache: GameCache::default(),
            permits: Permits::new(),
            rooms: Mutex::default(),
            unsaved: Mutex::default(),
            runtime: Handle::current(),
            settings,
        });
        let unfinished =
            lobby.store.unfinished().map_err(|error| format!("cannot read the games: {error}"))?;
        for id in unfinished {
            // A game whose rules have changed cannot be resumed. The others can.
            let _ = lobby.room(&id);
        }
        Ok(lobby)
    }

    /// Returns the rooms in memory. Do not lock a room while holding `self.rooms`: a room that closes locks the list.
    fn rooms(&self) -> Vec<Arc<Room>> {
        lock(&self.rooms).values().cloned().collect()
    }

    /// Returns the number of rooms in memory.
    pub(crate) fn room_count(&self) -> usize {
        lock(&self.rooms).len()
    }

    /// Returns a room, from memory or from the database.
    pub(crate) fn room(self: &Arc<Self>, id: &str) -> Result<Arc<Room>, ApiError> {
        if id.len() != ID_LENGTH {
            return Err(ApiError::room_not_found());
        }
        if let Some(room) = lock(&self.rooms).get(id) {
            return Ok(Arc::clone(room));
        }
        let stored = self.store.find(id).map_err(|_| ApiError::internal())?;
        let stored = stored.ok_or_else(ApiError::room_not_found)?;
        let room = Arc::new(Room::restore(stored, &self.game_cache)?);
        // Another thread may have restored the same room meanwhile.
        let found = Arc::clone(lock(&self.rooms).entry(id.to_owned()).or_insert_with(|| Arc::clone(&room)));
        if Arc::ptr_eq(&found, &room) {
            found.ask_next(self, &mut found.lock());
        }
        Ok(found)
    }

    /// Removes a room that could not be saved. It is read from the database when it is needed again.
    pub(crate) fn evict_unsaved(&self, room: &Arc<Room>) {
        let mut rooms = lock(&self.rooms);
        if rooms.get(&room.id).is_some_and(|known| Arc::ptr_eq(known, room)) {
            rooms.remove(&room.id);
            lock(&self.unsaved).push(room.id.clone());
        }
    }

    /// Opens a room and saves it. Returns its keys.
    pub(crate) async fn open_room(
        self: &Arc<Self>,
        body: RoomBody,
        owner: Option<IpAddr>,
    ) -> Result<OpenedRoom, ApiError> {
        let lobby = Arc::clone(self);
        let room = self.permits.compile(move || lobby.new_room(body, owner)).await?;
        let config = serde_json::to_string(&room.config).unwrap_or_default();
        let (sender, receiver) = oneshot::channel();
        let (lobby, id) = (Arc::clone(self), room.id.clone());
        let then = move |is_written: bool| {
            if !is_written {
                return;
            }
            lock(&lobby.rooms).insert(room.id.clone(), Arc::clone(&room));
            let _ = sender.send(room_keys(&room));
            room.ask_next(&lobby, &mut room.lock());
        };
        self.store.create_room(&id, config, Box::new(then));
        receiver.await.map_err(|_| ApiError::internal())
    }

    fn new_room(&self, body: RoomBody, owner: Option<IpAddr>) -> Result<Arc<Room>, ApiError> {
        self.check_capacity(&body, owner)?;
        let source = match (body.game, body.spec) {
            (Some(name), None) => GameSource::Library(name),
            (None, Some(text)) => GameSource::Spec(text),
            _ => {
                let why = "give either `game`, the name of a library game, or `spec`, the text of a game";
                return Err(ApiError::bad_request("one_game", why));
            }
        };
        let loaded_game = self.game_cache.load(&source, &body.choice)?;
        let names: Vec<&str> = loaded_game.view.players.iter().map(|player| player.name.as_str()).collect();
        let seats = self.seats(&names, body.seats)?;
        body.clock.map_or(Ok(()), check_clock)?;
        let config = RoomConfig {
            source,
            choice: body.choice,
            hash: loaded_game.game.hash.to_string(),
            seats,
            watch: Key::random(),
            clock: body.clock,
            start: body.start,
            seed: body.seed.unwrap_or_else(random_seed),
            opened: SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs()),
            waits: Waits::new(self.settings.join_time, self.settings.leave_time),
        };
        Room::new(random_text(ID_LENGTH), config, loaded_game, owner).map(Arc::new)
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

    /// Checks the limits on the number of games, games with agents, and specs.
    fn check_capacity(&self, body: &RoomBody, owner: Option<IpAddr>) -> Result<(), ApiError> {
        let rooms = self.rooms();
        if rooms.len() >= self.settings.max_games {
            return Err(ApiError::too_many("too_many_games", "too many games; try again later"));
        }
        let is_own = |room: &&Arc<Room>| owner.is_some() && room.owner == owner;
        let is_unfinished = |room: &&Arc<Room>| room.lock().session.end().is_none();
        let most = self.settings.max_games_each;
        if rooms.len() >= most && rooms.iter().filter(is_own).filter(is_unfinished).count() >= most {
            let why = format!("too many games; one address may have {most} games");
            return Err(ApiError::too_many("too_many_games", why));
        }
        if body.seats.iter().any(|seat| seat.who.starts_with("agent:")) {
            let games = || rooms.iter().filter(|room| room.has_agents()).filter(is_unfinished);
            if games().count() >= limits::MAX_AGENT_GAMES
                || games().filter(is_own).count() >= limits::MAX_AGENT_GAMES_EACH
            {
                let why = "too many games with agents; try again later";
                return Err(ApiError::too_many("too_many_agents", why));
            }
        }
        if let Some(spec) = &body.spec {
            let total = |is_counted: &dyn Fn(&&Arc<Room>) -> bool| -> usize {
                let specs = rooms.iter().filter(is_counted).map(|room| room.config.source.spec_bytes());
                specs.sum::<usize>() + spec.len()
            };
            if total(&|_| true) > limits::MAX_ALL_SPEC_BYTES || total(&is_own) > limits::MAX_SPEC_BYTES_EACH {
                let why = "too many games with their own rules; try again later";
                return Err(ApiError::too_many("too_many_specs", why));
            }
        }
        Ok(())
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
            let permit = if is_agent { None } else { Some(lobby.permits.engine(is_unattended).await) };
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

    /// Opens a room in which the people of another play again.
    pub(crate) fn open_rematch(self: &Arc<Self>, room: &Arc<Room>, body: RoomBody, address: IpAddr) {
        let (lobby, room) = (Arc::clone(self), Arc::clone(room));
        self.runtime.spawn(async move {
            let opened = lobby.open_room(body, Some(address)).await;
            match opened.and_then(|opened| lobby.room(&opened.id)) {
                Ok(next) => room.rematch_opened(&lobby, &next),
                Err(error) => room.rematch_failed(error),
            }
        });
    }

    /// Saves that the game of a room is over, and dismisses its agents.
    pub(crate) fn game_over(&self, room: &Arc<Room>) {
        self.store.finish(&room.id);
        if room.has_agents() {
            let room = Arc::clone(room);
            // This blocks while an agent is asked.
            self.runtime.spawn_blocking(move || programs::dismiss(&room));
        }
    }

    /// Removes idle rooms from memory, and reads unsaved rooms again, every 30 seconds.
    pub(crate) async fn evict_idle_rooms(self: Arc<Self>) {
        loop {
            tokio::time::sleep(Duration::from_secs(30)).await;
            let idle: BTreeSet<String> =
                self.rooms().iter().filter(|room| room.is_idle()).map(|room| room.id.clone()).collect();
            lock(&self.rooms).retain(|id, room| Arc::strong_count(room) > 1 || !idle.contains(id));
            let unsaved = std::mem::take(&mut *lock(&self.unsaved));
            let lobby = Arc::clone(&self);
            // This resumes the programs that play there.
            let restore = move || unsaved.iter().for_each(|id| drop(lobby.room(id)));
            let _ = tokio::task::spawn_blocking(restore).await;
        }
    }
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
