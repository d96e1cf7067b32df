//! The benchmark: ours beside others, one count after the other, on one core. It prints its tables and writes them, with
//! a plot, into `docs/performance.md`.

mod contest;
mod fairy;
mod field;
mod machine;
mod plan;
mod plot;
mod tables;

use std::fs;

use crate::shell::{Done, root};
use contest::{Contest, Held};
use field::Field;
use machine::Machine;

/// Fewer rounds are for trying out; what they measure is not written down.
const ENOUGH: u32 = 5;

const BEGIN: &str = "<!-- written by `cargo xtask bench perft` -->\n";
const END: &str = "<!-- until here -->\n";

/// Everything that was measured.
pub(crate) struct Figures {
    pub(crate) contenders: Vec<String>,
    pub(crate) has_fairy: bool,
    pub(crate) chess: Vec<Held>,
    pub(crate) made: Vec<Held>,
    pub(crate) games: Vec<Held>,
    pub(crate) growth: Vec<(Held, field::Weight)>,
    pub(crate) renamed: Vec<Held>,
}

/// Runs the benchmark of that name.
pub(crate) fn run(name: &str, rounds: u32) -> Done {
    if name != "perft" {
        return Err("there is no such benchmark; there is perft".into());
    }
    let machine = Machine::look();
    let mut field = Field::enter(&machine)?;
    let figures = measure(&mut field, rounds)?;
    let text = format!("{}{}", machine.text(rounds), tables::all(&figures));
    println!("\n{text}");
    if rounds < ENOUGH {
        println!("Fewer than {ENOUGH} rounds: nothing is written.");
        return Ok(());
    }
    write(&text)?;
    fs::write(root().join("docs/perft.svg"), plot::svg(&figures)).map_err(|error| error.to_string())
}

fn measure(field: &mut Field, rounds: u32) -> Done<Figures> {
    let (contenders, has_fairy) = (field.paths(), field.has_fairy());
    let mut hold = |contests: Vec<Contest>| -> Done<Vec<Held>> {
        contests.into_iter().map(|contest| contest.hold(field, rounds)).collect()
    };
    let chess = hold(plan::chess(&contenders))?;
    let made = hold(plan::made())?;
    let games = hold(plan::games(&contenders)?)?;
    let renamed = hold(plan::renamed(&contenders))?;
    let grown = hold(plan::growth())?;
    let mut growth = Vec::new();
    for held in grown {
        let weight = field.weigh(&held.contest.requests[0])?;
        growth.push((held, weight));
    }
    Ok(Figures { contenders, has_fairy, chess, made, games, growth, renamed })
}

/// Puts the tables between their marks.
fn write(text: &str) -> Done {
    let path = root().join("docs/performance.md");
    let page = fs::read_to_string(&path).map_err(|error| format!("docs/performance.md: {error}"))?;
    let around = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = around.ok_or("docs/performance.md has no place for the tables")?;
    fs::write(&path, format!("{before}{BEGIN}\n{text}\n{END}{after}")).map_err(|error| error.to_string())
}
