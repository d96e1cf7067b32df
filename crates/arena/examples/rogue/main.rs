//! Misbehaving agents for the tests: `rogue MODE TAG`. The tag only marks the process, so that a test can find what was
//! left behind. Every mode ends within a minute.

#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}
