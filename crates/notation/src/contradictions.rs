//! What two parts of a state say against each other about whole armies, whichever form it is written in. No game comes to
//! such a state, and if it were read, one of the two would be passed over without a word.
//!
//! Only what the rules exclude is refused: where a game lets its players take pieces of partners, or make leaders of other
//! pieces, less is.

use tabiya_engine::blueprint::{Effect, MovePlan, Occupancy};
use tabiya_engine::{Kind, Player, Rules, Setup, Square};

/// Every contradiction, a sentence each that names the rule.
pub(crate) fn of(rules: &Rules, setup: &Setup) -> Vec<String> {
    let found = Found { rules, setup };
    let captives = setup.captives.iter().flat_map(|(player, captor)| found.captive(*player, *captor));
    let controlled =
        setup.controlled.iter().filter_map(|(player, controller)| found.control(*player, *controller));
    captives.chain(controlled).collect()
}

struct Found<'s> {
    rules: &'s Rules,
    setup: &'s Setup,
}

impl Found<'_> {
    fn name(&self, player: Player) -> &str {
        &self.rules.player(player).name
    }

    fn captive(&self, player: Player, captor: Player) -> Vec<String> {
        let (mut found, name) = (Vec::new(), self.name(player));
        if self.rules.team(player).contains(captor) && !takes_partners(self.rules) {
            let who = if captor == player { "itself" } else { self.name(captor) };
            found.push(format!("captive: {name} cannot be captive of {who}: nobody captures his own side"));
        }
        let Some(leader) = self.rules.leader() else { return found };
        let at_start = self.rules.blueprint().start().iter();
        let expected = at_start.filter(|placed| (placed.player, placed.kind) == (player, leader)).count();
        let standing: Vec<String> = self
            .setup
            .pieces
            .iter()
            .filter(|(_, piece)| (piece.player, piece.kind) == (player, leader))
            .map(|(square, _)| self.square(*square))
            .collect();
        if !standing.is_empty() && standing.len() >= expected && !makes(self.rules, leader) {
            let (code, squares) = (&self.rules.kind(leader).code, standing.join(", "));
            found.push(format!("captive: {name} has its {code} on {squares}: who is captive has lost it"));
        }
        found
    }

    /// An army is controlled by a partner, through its square or because it was handed over.
    fn control(&self, player: Player, controller: Player) -> Option<String> {
        let (name, other) = (self.name(player), self.name(controller));
        if controller == player {
            Some(format!("control: {name} cannot be controlled by itself: only a partner controls an army"))
        } else if !self.rules.team(player).contains(controller) {
            Some(format!(
                "control: {name} cannot be controlled by {other}, an enemy: only a partner controls an army"
            ))
        } else {
            None
        }
    }

    fn square(&self, square: Square) -> String {
        self.rules.board().name(square)
    }
}

fn plans(rules: &Rules) -> impl Iterator<Item = &MovePlan> {
    rules.kinds().flat_map(|kind| &rules.kind(kind).moves)
}

/// Whether some move may take a piece of the own side.
fn takes_partners(rules: &Rules) -> bool {
    let takes = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Capture(_)));
    plans(rules).any(|plan| {
        let own = |on: Occupancy| !matches!(on, Occupancy::Empty | Occupancy::Enemy);
        let mut actions = plan.actions.iter();
        takes(&plan.effects) || actions.any(|it| it.captures && own(it.on) || takes(&it.effects))
    })
}

/// Whether pieces may become of that kind, or change hands.
fn makes(rules: &Rules, kind: Kind) -> bool {
    let mechanics = rules.mechanics();
    mechanics.figures.iter().any(|figure| figure.kind == kind)
        || mechanics.reactions.iter().any(|reaction| reaction.to == kind)
        || plans(rules)
            .flat_map(|plan| &plan.modifiers)
            .any(|it| it.options.contains(&kind) || it.replaces.iter().any(|(_, becomes)| *becomes == kind))
}
