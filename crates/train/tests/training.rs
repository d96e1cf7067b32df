//! Trainings of a few seconds: the same seed gives the same net, on any number of threads and after any interruption.

use std::path::Path;
use std::sync::Arc;

use tabiya_engine::Rules;
use tabiya_notation::State;
use tabiya_players::Net;
use tabiya_train::{Budget, Progress, TrainError, Trained, Training, export};

fn rules(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).expect("a game of the library").rules
}

fn training(name: &str, folder: &Path) -> Training {
    let rules = rules(name);
    Training {
        start: State::new(rules.start()),
        rules,
        budget: Budget::Positions(400),
        generations: 2,
        nodes: 30,
        hidden: 32,
        seed: 3,
        threads: 1,
        folder: folder.join("training"),
        resume: false,
        provenance: "a test".to_owned(),
    }
}

fn run(training: &Training) -> Result<Trained, TrainError> {
    training.run(&|| 0.0, &mut |_, _| {})
}

fn generations(trained: &Trained) -> String {
    format!("{:?}", trained.generations)
}

#[test]
fn a_seed_gives_one_result_whatever_the_threads_and_interruptions() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a folder"));
    let whole = training("gardner", folders[0].path());
    let expected = run(&whole).expect("a training");
    assert_eq!(expected.generations.len(), 2);
    assert!(
        expected.generations.iter().all(|it| it.positions >= 400 && it.loss > 0.0 && it.score.games() > 0)
    );

    let threads = Training { threads: 3, ..training("gardner", folders[1].path()) };
    assert_eq!(generations(&run(&threads).expect("a training")), generations(&expected));

    // The first part ends after one generation, and leaves positions behind that it did not count.
    let first = Training { generations: 1, ..training("gardner", folders[2].path()) };
    run(&first).expect("a training");
    std::fs::write(first.folder.join("positions-2.bin"), [1; 100]).expect("a file");
    let second = Training { generations: 2, resume: true, ..first.clone() };
    let resumed = run(&second).expect("a training");
    assert_eq!(generations(&resumed), generations(&expected));
    assert_eq!(resumed.net.map(|net| net.to_bytes()), expected.net.map(|net| net.to_bytes()));

    assert!(matches!(run(&first), Err(TrainError::Exists(_))), "a new training needs a new folder");
    let other = Training { nodes: 31, ..second };
    assert!(matches!(run(&other), Err(TrainError::Different(..))), "another training");
}

#[test]
fn exported_positions_describe_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let training = Training { generations: 1, ..training("minishogi", folder.path()) };
    let trained = run(&training).expect("a training");
    let to = folder.path().join("data");
    let exported = export(&training.rules, &training.folder, &to).expect("an export");
    assert_eq!(exported.positions, trained.generations[0].positions);
    let text = std::fs::read_to_string(to.join("positions.json")).expect("a description");
    assert!(text.contains("\"inputs_of\"") && text.contains("sha256:"));
    let positions = std::fs::metadata(to.join("positions.bin")).expect("positions");
    assert!(positions.len() > 14 * exported.positions);
    assert!(matches!(export(&rules("chess"), &training.folder, &to), Err(TrainError::Different(..))));
}

#[test]
fn damaged_positions_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let training = Training { generations: 1, ..training("losalamos", folder.path()) };
    run(&training).expect("a training");
    let path = training.folder.join("positions-1.bin");
    let mut bytes = std::fs::read(&path).expect("positions");
    bytes[11] = 200;
    std::fs::write(&path, bytes).expect("a file");
    let to = folder.path().join("data");
    assert!(matches!(export(&training.rules, &training.folder, &to), Err(TrainError::Different(..))));
}

#[test]
fn learning_lowers_the_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let training =
        Training { generations: 1, budget: Budget::Positions(2000), ..training("gardner", folder.path()) };
    let mut errors = Vec::new();
    let watch = &mut |progress, _| {
        if let Progress::Learning { loss, .. } = progress {
            errors.push(loss);
        }
    };
    training.run(&|| 0.0, watch).expect("a training");
    let (first, last) = (errors.first().expect("epochs"), errors.last().expect("epochs"));
    assert!(last * 2.0 < *first, "{first} {last}");
}

#[test]
fn games_with_more_sides_are_refused_before_any_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let training = training("fourplayer", folder.path());
    assert!(matches!(run(&training), Err(TrainError::Net(_))));
    assert!(!training.folder.exists());
}

#[test]
fn a_net_survives_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let training = training("gardner", folder.path());
    if let Some(net) = run(&training).expect("a training").net {
        let read = Net::read(&training.rules, &net.to_bytes()).expect("the same net");
        assert_eq!(read, net);
        assert!(read.provenance().starts_with("a test; generation"));
    }
}
