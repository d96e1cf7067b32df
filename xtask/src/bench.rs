//! The benchmark: ours beside others, one count after the other, on one core. It prints its tables and writes them, with
//! a plot, into `docs/performance.md`.

mod contest;
mod fairy;
mod field;
mod machine;
mod plan;
mod plot;
mod tables;
mod tensor;

use std::fs;

use crate::shell::{Done, root};
use contest::{Contest, Held};
use field::Field;
use machine::Machine;

/// Fewer rounds are for trying out; what they measure is not written down.
const ENOUGH: u32 = 5;

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
    let machine = Machine::look();
    match name {
        "perft" => perft(&machine, rounds),
        "tensor" => {
            let (text, missed) = tensor::measure(&machine, rounds)?;
            record(name, &text, rounds)?;
            if missed.is_empty() { Ok(()) } else { Err(format!("not met: {}", missed.join("; "))) }
        }
        _ => Err("there is no such benchmark; there are perft and tensor".into()),
    }
}

fn perft(machine: &Machine, rounds: u32) -> Done {
    let mut field = Field::enter(machine)?;
    let figures = measure(&mut field, rounds)?;
    let text = format!("{}{}", machine.text("perft", rounds), tables::all(&figures));
    println!("\n{text}");
    if record("perft", &text, rounds)? {
        let plot = root().join("docs/perft.svg");
        fs::write(plot, plot::svg(&figures)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Writes what was measured into the paper, if it was measured often enough.
fn record(name: &str, text: &str, rounds: u32) -> Done<bool> {
    if rounds < ENOUGH {
        println!("Fewer than {ENOUGH} rounds: nothing is written.");
        return Ok(false);
    }
    write(name, text).map(|()| true)
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
fn write(name: &str, text: &str) -> Done {
    let begin = format!("<!-- written by `cargo xtask bench {name}` -->\n");
    let path = root().join("docs/performance.md");
    let page = fs::read_to_string(&path).map_err(|error| format!("docs/performance.md: {error}"))?;
    let around = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = around.ok_or("docs/performance.md has no place for the tables")?;
    fs::write(&path, format!("{before}{begin}\n{text}\n{END}{after}")).map_err(|error| error.to_string())
}
