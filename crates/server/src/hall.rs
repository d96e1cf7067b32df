//! All tables, and what they share: the file, the games, the threads that think.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tabiya_players::NAMES;
use tabiya_referee::TimeControl;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::book::{Shelf, Source};
use crate::keys::{Key, random, seed};
use crate::refusal::No;
use crate::settings::Settings;
use crate::store::Store;
use crate::table::{Deed, SeatTerms, Table, Terms, Who};
use crate::wire::{Opened, Opponent, SeatKey, TableBody};
use crate::{limits, programs};

/// Letters of a table's id.
const ID_LENGTH: usize = 10;

/// Everything that the server knows.
pub(crate) struct Hall {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) shelf: Shelf,
    /// Threads that think at once; whoever comes later waits in line.
    minds: Arc<Semaphore>,
    /// Those of them that think for programs among themselves: people do not wait for them all.
    shows: Arc<Semaphore>,
    /// Specs that are compiled at once.
    pub(crate) presses: Arc<Semaphore>,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    /// Tables that could not be written, to be read again.
    lost: Mutex<Vec<String>>,
    runtime: Handle,
}

impl std::fmt::Debug for Hall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Hall {
    /// Opens the file and takes up every game that is not over. It is called from within the runtime.
    pub(crate) fn open(settings: Settings) -> Result<Arc<Self>, String> {
        let store = Store::open(&settings.file)?;
        if let Some(days) = settings.keep_days {
            store.forget(days).map_err(|error| format!("old games cannot be removed: {error}"))?;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let hall = Arc::new(Hall {
            store,
            shelf: Shelf::default(),
            minds: Arc::new(Semaphore::new(cores)),
            shows: Arc::new(Semaphore::new((cores / 2).max(1))),
            presses: Arc::new(Semaphore::new(cores)),
            tables: Mutex::default(),
            lost: Mutex::default(),
            runtime: Handle::current(),
            settings,
        });
        let unfinished =
            hall.store.unfinished().map_err(|error| format!("the games cannot be read: {error}"))?;
        for id in unfinished {
            // One table that cannot be taken up, because its rules have changed, does not keep the others away.
            let _ = hall.find(&id);
        }
        Ok(hall)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All tables in memory. Whoever looks into them must not hold the list: a table that goes asks for it.
    fn all(&self) -> Vec<Arc<Table>> {
        self.lock().values().cloned().collect()
    }

    /// How many tables are in memory.
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// The table of an id, from memory or from the file.
    pub(crate) fn find(self: &Arc<Self>, id: &str) -> Result<Arc<Table>, No> {
        let unknown = || No::not_found("there is no such table, or this is not its key");
        if id.len() != ID_LENGTH {
            return Err(unknown());
        }
        if let Some(table) = self.lock().get(id) {
            return Ok(Arc::clone(table));
        }
        let kept = self.store.find(id).map_err(|_| No::broken())?.ok_or_else(unknown)?;
        let table = Arc::new(Table::restore(kept.id, &kept.body, &kept.lines, &self.shelf)?);
        // Somebody else may have been quicker: there is one table of an id.
        let found = Arc::clone(self.lock().entry(id.to_owned()).or_insert_with(|| Arc::clone(&table)));
        if Arc::ptr_eq(&found, &table) {
            found.go_on(self, &mut found.lock());
        }
        Ok(found)
    }

    /// A table that could not be written is not as it should be: it is read again, by whoever asks for it, or later.
    pub(crate) fn forget(&self, table: &Arc<Table>) {
        let mut tables = self.lock();
        if tables.get(&table.id).is_some_and(|known| Arc::ptr_eq(known, table)) {
            tables.remove(&table.id);
            self.lost.lock().unwrap_or_else(PoisonError::into_inner).push(table.id.clone());
        }
    }

    /// Opens a table, and says who may sit there once it is written down. This may take a moment.
    pub(crate) fn open_table(
        self: &Arc<Self>,
        body: TableBody,
        owner: Option<IpAddr>,
        then: impl FnOnce(Result<Opened, No>) + Send + 'static,
    ) {
        match self.set_up(body, owner) {
            Err(no) => then(Err(no)),
            Ok(table) => {
                let body = serde_json::to_string(&table.terms).unwrap_or_default();
                let (hall, id) = (Arc::clone(self), table.id.clone());
                let opened = move |is_written: bool| {
                    if !is_written {
                        return then(Err(No::broken()));
                    }
                    hall.lock().insert(table.id.clone(), Arc::clone(&table));
                    then(Ok(opened(&table)));
                    table.go_on(&hall, &mut table.lock());
                };
                self.store.open_table(&id, body, Box::new(opened));
            }
        }
    }

    fn set_up(&self, body: TableBody, owner: Option<IpAddr>) -> Result<Arc<Table>, No> {
        let with_agents = body.seats.iter().any(|seat| seat.who.starts_with("agent:"));
        self.has_room(owner, body.spec.as_ref().map_or(0, String::len), with_agents)?;
        let source = match (body.game, body.spec) {
            (Some(name), None) => Source::Library(name),
            (None, Some(text)) => Source::Spec(text),
            _ => {
                return Err(No::bad(
                    "one_game",
                    "name a game of the library as `game`, or send one as `spec`",
                ));
            }
        };
        let book = self.shelf.book(&source, &body.choice)?;
        let names: Vec<&str> = book.view.players.iter().map(|player| player.name.as_str()).collect();
        let seats = self.seats(&names, body.seats)?;
        if let Some(clock) = body.clock {
            let text = format!("{}+{}", clock.seconds, clock.increment);
            text.parse::<TimeControl>().map_err(|error| No::rule("bad_clock", error.to_string()))?;
            if clock.seconds < limits::SHORTEST_CLOCK {
                return Err(No::rule("bad_clock", "a clock has at least a tenth of a second"));
            }
        }
        let terms = Terms {
            source,
            choice: body.choice,
            hash: book.game.hash.to_string(),
            seats,
            watch: Key::draw(),
            clock: body.clock,
            start: body.start,
            seed: body.seed.unwrap_or_else(seed),
        };
        Table::new(random(ID_LENGTH), terms, book, owner).map(Arc::new)
    }

    /// Who sits where. Every player of the game sits exactly once.
    fn seats(&self, names: &[&str], wanted: Vec<crate::wire::SeatBody>) -> Result<Vec<SeatTerms>, No> {
        if wanted.is_empty() {
            let players = (0..names.len()).collect();
            return Ok(vec![SeatTerms { players, who: Who::Human(Key::draw()) }]);
        }
        let mut free: BTreeSet<usize> = (0..names.len()).collect();
        let mut seats = Vec::new();
        for seat in wanted {
            let mut players = Vec::new();
            for name in &seat.players {
                let player = names.iter().position(|known| known == name);
                let player = player.ok_or_else(|| {
                    No::rule(
                        "unknown_player",
                        format!("there is no {name:.60} in this game: there are {}", names.join(", ")),
                    )
                })?;
                if !free.remove(&player) {
                    return Err(No::rule("seat_taken", format!("{name} sits at two places")));
                }
                players.push(player);
            }
            if players.is_empty() {
                return Err(No::rule("empty_seat", "a seat is for at least one player"));
            }
            let who = self.who(&seat.who)?;
            seats.push(SeatTerms { players, who });
        }
        match free.first() {
            Some(player) => Err(No::rule("nobody_sits", format!("nobody sits at {}", names[*player]))),
            None => Ok(seats),
        }
    }

    /// Only programs that the operator named, and never a command, a URL or a path.
    fn who(&self, text: &str) -> Result<Who, No> {
        match text.split_once(':') {
            None if text == "human" => Ok(Who::Human(Key::draw())),
            Some(("player", name)) if self.settings.players.iter().any(|known| known == name) => {
                Ok(Who::Player(name.to_owned()))
            }
            Some(("agent", name)) if self.settings.agents.contains_key(name) => {
                Ok(Who::Agent(name.to_owned()))
            }
            _ => {
                Err(No::rule("unknown_opponent", "`who` is human, or one of those that /api/opponents lists"))
            }
        }
    }

    fn has_room(&self, owner: Option<IpAddr>, bytes: usize, with_agents: bool) -> Result<(), No> {
        let tables = self.all();
        if tables.len() >= self.settings.most_games {
            return Err(No::too_much("too_many_games", "there are too many games at once; come again later"));
        }
        let is_own = |table: &&Arc<Table>| owner.is_some() && table.owner == owner;
        let goes_on = |table: &&Arc<Table>| table.lock().end().is_none();
        if tables.len() >= self.settings.games_each
            && tables.iter().filter(is_own).filter(goes_on).count() >= self.settings.games_each
        {
            let most = self.settings.games_each;
            return Err(No::too_much("too_many_games", format!("one address may have {most} games at once")));
        }
        let specs = |is_counted: &dyn Fn(&&Arc<Table>) -> bool| -> usize {
            let counted = tables.iter().filter(is_counted);
            counted.map(|table| table.terms.source.bytes()).sum()
        };
        if with_agents {
            let agents = || tables.iter().filter(|table| table.has_agents()).filter(goes_on);
            let (most, each) = limits::AGENT_TABLES;
            if agents().count() >= most || agents().filter(is_own).count() >= each {
                let why = "there are too many games with agents at once; come again later";
                return Err(No::too_much("too_many_agents", why));
            }
        }
        let (most, each) = limits::ALL_SPEC_BYTES;
        if bytes > 0 && (specs(&|_| true) + bytes > most || specs(&is_own) + bytes > each) {
            let why = "there are too many games of people's own at once; come again later";
            return Err(No::too_much("too_many_specs", why));
        }
        Ok(())
    }

    /// Who can be asked to play beside people.
    pub(crate) fn opponents(&self) -> Vec<Opponent> {
        let opponent = |kind: &str, name: &String| Opponent {
            who: format!("{kind}:{name}"),
            name: name.clone(),
            kind: kind.to_owned(),
        };
        let players = self.settings.players.iter().map(|name| opponent("player", name));
        players.chain(self.settings.agents.keys().map(|name| opponent("agent", name))).collect()
    }

    /// Asks the program at a seat, when it is its turn among all that want to think.
    pub(crate) fn ask_program(self: &Arc<Self>, table: &Arc<Table>, seat: usize, epoch: u64) {
        let (hall, table) = (Arc::clone(self), Arc::clone(table));
        self.runtime.spawn(async move {
            // Programs among themselves play so that one can follow them.
            if table.is_show() {
                tokio::time::sleep(hall.settings.pause).await;
            }
            // An agent thinks elsewhere; how many there are is limited when tables are opened.
            let is_agent = matches!(table.terms.seats[seat].who, Who::Agent(_));
            let shows = Arc::clone(&hall.shows).acquire_owned();
            let show = if is_agent || !table.is_show() { None } else { shows.await.ok() };
            let minds = Arc::clone(&hall.minds).acquire_owned();
            let permit = if is_agent { None } else { minds.await.ok() };
            let (of_hall, at_table) = (Arc::clone(&hall), Arc::clone(&table));
            let work = move || {
                programs::consult(&of_hall, &at_table, seat, epoch);
                drop((permit, show));
            };
            if tokio::task::spawn_blocking(work).await.is_err() {
                // A fault of our own ends this game, and no other.
                let _ = table.program_does(&hall, epoch, Deed::Break("broken".into()), None);
            }
        });
    }

    /// Looks at the clock of a table when the flag may fall, again and again, as long as it runs.
    pub(crate) fn watch_clock(self: &Arc<Self>, table: &Arc<Table>) {
        let (hall, table) = (Arc::clone(self), Arc::downgrade(table));
        self.runtime.spawn(async move {
            while let Some(left) = table.upgrade().and_then(|table| table.look_at_clock(&hall)) {
                tokio::time::sleep(left + Duration::from_millis(1)).await;
            }
        });
    }

    /// The game at a table is over.
    pub(crate) fn is_over(&self, table: &Arc<Table>) {
        self.store.over(&table.id);
        if table.has_agents() {
            let table = Arc::clone(table);
            // Whoever is asked right now holds the agents; they leave after his answer.
            self.runtime.spawn_blocking(move || programs::dismiss(&table));
        }
    }

    /// Tables at which nobody is leave the memory, again and again.
    pub(crate) async fn sweep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(Duration::from_secs(30)).await;
            let idle: BTreeSet<String> =
                self.all().iter().filter(|table| table.is_idle()).map(|table| table.id.clone()).collect();
            self.lock().retain(|id, table| Arc::strong_count(table) > 1 || !idle.contains(id));
            let lost = std::mem::take(&mut *self.lost.lock().unwrap_or_else(PoisonError::into_inner));
            let hall = Arc::clone(&self);
            // Programs that play there go on.
            let find = move || lost.iter().for_each(|id| drop(hall.find(id)));
            let _ = tokio::task::spawn_blocking(find).await;
        }
    }
}

/// The names of our own players, from which an operator chooses.
pub(crate) fn player_names() -> Vec<String> {
    NAMES.iter().map(|name| (*name).to_owned()).collect()
}

fn opened(table: &Table) -> Opened {
    let seats = table.terms.seats.iter().filter_map(|seat| match &seat.who {
        Who::Human(key) => Some(SeatKey { players: seat.players.clone(), key: key.text().to_owned() }),
        _ => None,
    });
    Opened { id: table.id.clone(), seats: seats.collect(), watch: table.terms.watch.text().to_owned() }
}
