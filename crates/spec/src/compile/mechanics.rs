//! What a game has beyond pieces that move and capture.

use std::collections::BTreeMap;

use tabiya_engine::Kind;
use tabiya_engine::mechanics::{
    ChancePlan, ControlPlan, ExchangePlan, Exposure, FigurePlan, HoldPlan, Leadership, Mechanics,
    ReactionPlan, SharingPlan, TagPlan,
};

use super::{Names, offset, square};
use crate::model::{self, GameSpec};
use crate::place::At;

pub(super) fn mechanics(spec: &GameSpec, names: &Names) -> Mechanics {
    let (teams, team_names) = teams(spec);
    let size = *spec.board.dimensions;
    let region = |code: &At<String>| names.regions[code.as_str()];
    Mechanics {
        teams,
        team_names,
        leadership: leadership(spec),
        stuck_passes: spec.stuck.as_deref() == Some(&model::Stuck::Passes),
        sharing: spec.sharing.as_ref().map(|sharing| SharingPlan {
            region: region(&sharing.region),
            join: *sharing.join == model::Join::Allowed,
        }),
        tag: spec.tag.as_ref().map(|tag| TagPlan {
            code: tag.code.to_string(),
            values: tag.values.keys().cloned().collect(),
            kinds: names.kind_list(&tag.pieces),
            squares: tag
                .values
                .values()
                .map(|list| list.iter().map(|at| square(**at, size)).collect())
                .collect(),
        }),
        control: spec
            .control
            .as_ref()
            .map(|control| ControlPlan { region: region(&control.region), thaws: *control.thaws }),
        reactions: spec
            .reactions
            .iter()
            .map(|reaction| ReactionPlan {
                captured: names.kind_list(&reaction.captured),
                kind: names.kind(&reaction.piece),
                region: reaction.region.as_ref().map(region),
                in_any: reaction.in_any.as_ref().map(region),
                not_in_any: reaction.not_in_any.as_ref().map(region),
                to: names.kind(&reaction.to),
            })
            .collect(),
        figures: spec
            .figures
            .iter()
            .map(|figure| FigurePlan {
                kind: names.kind(&figure.piece),
                shape: figure.shape.iter().map(|at| offset(**at)).collect(),
                anchors: figure
                    .anchors
                    .as_ref()
                    .map(|list| list.iter().map(|at| square(**at, size)).collect()),
            })
            .collect(),
        exchange: spec.exchange.as_ref().map(|exchange| ExchangePlan {
            region: region(&exchange.region),
            by_team: exchange.by.as_deref() == Some(&model::Captor::Team),
            both_took: exchange.both_took.as_ref().is_some_and(|took| **took),
        }),
        withdrawal: spec.withdrawal.as_ref().is_some_and(|allowed| **allowed),
        chance: spec.chance.as_ref().map(|chance| ChancePlan {
            faces: faces(chance, names),
            throws: chance.throws.as_ref().map_or(1, |throws| **throws as u32),
        }),
        hold: spec
            .hold
            .as_ref()
            .map(|hold| HoldPlan { region: region(&hold.region), code: hold.code.to_string() }),
    }
}

/// The team of each player, and the names of the teams: those of the file first, then players who are alone.
fn teams(spec: &GameSpec) -> (Vec<u8>, Vec<String>) {
    if spec.teams.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut names: Vec<String> = spec.teams.iter().map(|team| team.name.to_string()).collect();
    let of: BTreeMap<&str, u8> = (0..)
        .zip(spec.teams.iter())
        .flat_map(|(index, team)| team.players.iter().map(move |player| (player.as_str(), index)))
        .collect();
    let teams = spec.players.iter().map(|player| {
        of.get(player.name.as_str()).copied().unwrap_or_else(|| {
            names.push(player.name.to_string());
            (names.len() - 1) as u8
        })
    });
    (teams.collect(), names)
}

/// Under a die that waives check, a leader is like any other piece that must not be lost.
fn leadership(spec: &GameSpec) -> Leadership {
    let Some(leader) = &spec.leader else { return Leadership::default() };
    let freezes = leader.captured.as_deref() == Some(&model::Captured::Freezes);
    let is_waived =
        |chance: &At<model::ChanceSpec>| chance.check.as_deref() == Some(&model::DieCheck::Waived);
    if spec.chance.as_ref().is_some_and(is_waived) {
        return Leadership { exposure: Exposure::Allowed, freezes, ..Leadership::default() };
    }
    Leadership {
        exposure: match leader.exposure.as_deref() {
            Some(model::Exposure::Illegal) | None => Exposure::Illegal,
            Some(model::Exposure::Allowed) => Exposure::Allowed,
            Some(model::Exposure::AllowedInCheck) => Exposure::AllowedInCheck,
        },
        must_move: leader.attacked.as_deref() == Some(&model::Attacked::MustMove),
        freezes,
        needs_safe_move: leader.stalemate.as_deref() == Some(&model::Stalemate::NoSafeMove),
    }
}

/// The lists of each face, from 1 on.
fn faces(chance: &model::ChanceSpec, names: &Names) -> Vec<Vec<Vec<Kind>>> {
    let lists = |face: i32| {
        let lists = chance.allow.get(&face.to_string());
        lists
            .map(|lists| lists.iter().map(|group| names.kind_list(&group.pieces)).collect())
            .unwrap_or_default()
    };
    (1..=*chance.die).map(lists).collect()
}
