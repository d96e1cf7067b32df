//! The table of keys: what each means for a game, or which mechanic it needs that the language does not have yet.
//!
//! Keys apply in the order of the table, not of the file, as in Fairy-Stockfish: pieces first, because later values name them
//! by letter.

use crate::pieces::{self, KING, TYPES};
use crate::variant::{ByPlayer, Counting, Region, Value, Variant};

/// What a key does. An error says why a value is wrong.
pub(crate) enum Meaning {
    /// Changes the rules.
    Rule(fn(&mut Variant, &str) -> Result<(), String>),
    /// Needs a mechanic that games cannot express, unless it has one of these values.
    Missing { without: &'static [&'static str], needs: &'static str },
    /// Does not concern the rules.
    NoRule(&'static str),
}

use Meaning::{Missing, NoRule, Rule};

const INTERFACE: &str = "it is a setting of graphical interfaces";
const EVALUATION: &str = "it is a setting of the engine; `tabiya tune` finds values of pieces";
const OFF: &[&str] = &["false"];
const NONE: &[&str] = &["none", "-", "0", ""];

/// Every key except those of pieces, which [`piece`] reads, and of their regions, which [`mobility`] reads.
pub(crate) const KEYS: &[(&str, Meaning)] = &[
    ("maxRank", Rule(|it, text| set(&mut it.ranks, size(text, 16)))),
    ("maxFile", Rule(|it, text| set(&mut it.files, file(text).map(|file| file + 1)))),
    ("variantTemplate", NoRule(INTERFACE)),
    ("pieceToCharTable", NoRule(INTERFACE)),
    ("pocketSize", NoRule(INTERFACE)),
    ("pieceValueMg", NoRule(EVALUATION)),
    ("pieceValueEg", NoRule(EVALUATION)),
    ("chess960", NoRule("castling works from every array")),
    ("startFen", Rule(|it, text| set(&mut it.start_fen, Ok(text.to_owned())))),
    // Old names.
    ("promotionRank", Rule(promotion_rank)),
    ("doubleStepRank", Rule(double_step_rank)),
    ("doubleStepRankMin", Missing { without: &[], needs: "a range of ranks: write doubleStepRegionWhite" }),
    ("whiteFlag", Rule(|it, text| set(&mut it.flag_region[0], region(text)))),
    ("blackFlag", Rule(|it, text| set(&mut it.flag_region[1], region(text)))),
    ("castlingRookPiece", Rule(|it, text| both(it, text, |it| &mut it.castling_rooks))),
    // Promotion.
    ("pawnTypes", Rule(pawn_types)),
    ("promotionRegionWhite", Rule(|it, text| set(&mut it.promotion_region[0], region(text)))),
    ("promotionRegionBlack", Rule(|it, text| set(&mut it.promotion_region[1], region(text)))),
    ("promotionPawnTypes", Rule(|it, text| both(it, text, |it| &mut it.promotion_pawns))),
    ("promotionPawnTypesWhite", Rule(|it, text| one(it, text, 0, |it| &mut it.promotion_pawns))),
    ("promotionPawnTypesBlack", Rule(|it, text| one(it, text, 1, |it| &mut it.promotion_pawns))),
    ("promotionPieceTypes", Rule(|it, text| both(it, text, |it| &mut it.promotion_pieces))),
    ("promotionPieceTypesWhite", Rule(|it, text| one(it, text, 0, |it| &mut it.promotion_pieces))),
    ("promotionPieceTypesBlack", Rule(|it, text| one(it, text, 1, |it| &mut it.promotion_pieces))),
    ("sittuyinPromotion", Rule(|it, text| set(&mut it.quiet_promotion, boolean(text)))),
    ("promotionLimit", Rule(promotion_limit)),
    ("promotedPieceType", Rule(promoted)),
    ("piecePromotionOnCapture", Rule(|it, text| set(&mut it.promotion_on_capture, boolean(text)))),
    ("mandatoryPawnPromotion", Rule(|it, text| set(&mut it.mandatory_pawn_promotion, boolean(text)))),
    ("mandatoryPiecePromotion", Rule(|it, text| set(&mut it.mandatory_piece_promotion, boolean(text)))),
    ("pieceDemotion", Rule(|it, text| set(&mut it.demotion, boolean(text)))),
    // Effects of captures.
    ("blastOnCapture", Missing { without: OFF, needs: "explosions" }),
    ("blastImmuneTypes", Missing { without: NONE, needs: "explosions" }),
    ("mutuallyImmuneTypes", Rule(mutually_immune)),
    ("petrifyOnCaptureTypes", Missing { without: NONE, needs: "pieces that become walls" }),
    ("petrifyBlastPieces", Missing { without: OFF, needs: "pieces that become walls" }),
    // Pawns.
    ("doubleStep", Rule(|it, text| set(&mut it.double_step, boolean(text)))),
    ("doubleStepRegionWhite", Rule(|it, text| set(&mut it.double_step_region[0], region(text)))),
    ("doubleStepRegionBlack", Rule(|it, text| set(&mut it.double_step_region[1], region(text)))),
    ("tripleStepRegionWhite", Missing { without: NONE, needs: "triple steps" }),
    ("tripleStepRegionBlack", Missing { without: NONE, needs: "triple steps" }),
    ("enPassantRegion", Rule(en_passant_region)),
    ("enPassantRegionWhite", Rule(|it, text| set(&mut it.en_passant_region[0], region(text)))),
    ("enPassantRegionBlack", Rule(|it, text| set(&mut it.en_passant_region[1], region(text)))),
    ("enPassantTypes", Rule(|it, text| both(it, text, |it| &mut it.en_passant_types))),
    ("enPassantTypesWhite", Rule(|it, text| one(it, text, 0, |it| &mut it.en_passant_types))),
    ("enPassantTypesBlack", Rule(|it, text| one(it, text, 1, |it| &mut it.en_passant_types))),
    // Castling.
    ("castling", Rule(|it, text| set(&mut it.castling, boolean(text)))),
    ("castlingDroppedPiece", Rule(|it, text| set(&mut it.drops.castle, boolean(text)))),
    ("castlingKingsideFile", Rule(|it, text| set(&mut it.castling_files.0, file(text)))),
    ("castlingQueensideFile", Rule(|it, text| set(&mut it.castling_files.1, file(text)))),
    ("castlingRank", Rule(|it, text| set(&mut it.castling_rank, size(text, 16)))),
    ("castlingKingFile", Rule(|it, text| set(&mut it.castling_king_file, file(text)))),
    ("castlingKingPiece", Rule(|it, text| castling_king(it, text, &[0, 1]))),
    ("castlingKingPieceWhite", Rule(|it, text| castling_king(it, text, &[0]))),
    ("castlingKingPieceBlack", Rule(|it, text| castling_king(it, text, &[1]))),
    ("castlingRookKingsideFile", Rule(|it, text| set(&mut it.castling_rook_files.0, file(text).map(Some)))),
    ("castlingRookQueensideFile", Rule(|it, text| set(&mut it.castling_rook_files.1, file(text).map(Some)))),
    ("castlingRookPieces", Rule(|it, text| both(it, text, |it| &mut it.castling_rooks))),
    ("castlingRookPiecesWhite", Rule(|it, text| one(it, text, 0, |it| &mut it.castling_rooks))),
    ("castlingRookPiecesBlack", Rule(|it, text| one(it, text, 1, |it| &mut it.castling_rooks))),
    ("oppositeCastling", Missing { without: OFF, needs: "castling that depends on the opponent's" }),
    // Which moves are allowed.
    ("checking", Rule(|it, text| set(&mut it.checking, boolean(text)))),
    ("dropChecks", Rule(|it, text| set(&mut it.drops.checks, boolean(text)))),
    ("mustCapture", Rule(|it, text| set(&mut it.must_capture, boolean(text)))),
    ("mustDrop", Rule(|it, text| set(&mut it.drops.must, boolean(text)))),
    ("mustDropType", Rule(must_drop_type)),
    ("pieceDrops", Rule(|it, text| set(&mut it.drops.allowed, boolean(text)))),
    ("dropLoop", Rule(|it, text| set(&mut it.drops.keep_promotion, boolean(text)))),
    ("capturesToHand", Rule(|it, text| set(&mut it.drops.captures, boolean(text)))),
    ("firstRankPawnDrops", Rule(|it, text| set(&mut it.drops.pawns_on_first_rank, boolean(text)))),
    ("promotionZonePawnDrops", Rule(|it, text| set(&mut it.drops.pawns_in_zone, boolean(text)))),
    ("enclosingDrop", Missing { without: NONE, needs: "drops that enclose pieces" }),
    ("enclosingDropStart", Missing { without: NONE, needs: "drops that enclose pieces" }),
    ("whiteDropRegion", Rule(|it, text| set(&mut it.drops.region[0], region(text)))),
    ("blackDropRegion", Rule(|it, text| set(&mut it.drops.region[1], region(text)))),
    ("dropRegionWhite", Rule(|it, text| set(&mut it.drops.region[0], region(text)))),
    ("dropRegionBlack", Rule(|it, text| set(&mut it.drops.region[1], region(text)))),
    ("dropOnTop", Missing { without: OFF, needs: "drops on the top of a file" }),
    ("sittuyinRookDrop", Rule(|it, text| set(&mut it.drops.rooks_on_first_rank, boolean(text)))),
    ("dropOppositeColoredBishop", Rule(|it, text| set(&mut it.drops.opposite_bishops, boolean(text)))),
    ("dropPromoted", Rule(|it, text| set(&mut it.drops.promoted, boolean(text)))),
    ("dropNoDoubled", Rule(not_doubled)),
    ("dropNoDoubledCount", Rule(|it, text| set(&mut it.drops.per_file, number(text)))),
    ("immobilityIllegal", Rule(|it, text| set(&mut it.immobility_illegal, boolean(text)))),
    ("gating", NoRule("`seirawanGating` and `cambodianMoves` say what the rights are for")),
    ("wallingRule", Missing { without: NONE, needs: "walls that players place" }),
    ("wallingRegion", Missing { without: NONE, needs: "walls that players place" }),
    ("wallingRegionWhite", Missing { without: NONE, needs: "walls that players place" }),
    ("wallingRegionBlack", Missing { without: NONE, needs: "walls that players place" }),
    ("wallOrMove", Missing { without: OFF, needs: "walls that players place" }),
    ("seirawanGating", Rule(|it, text| set(&mut it.gating, boolean(text)))),
    ("cambodianMoves", Rule(|it, text| set(&mut it.cambodian_moves, boolean(text)))),
    ("diagonalLines", Rule(|it, text| set(&mut it.diagonal_lines, region(text)))),
    ("pass", Rule(|it, text| set(&mut it.pass, boolean(text).map(|passes| [passes, passes])))),
    ("passWhite", Rule(|it, text| set(&mut it.pass[0], boolean(text)))),
    ("passBlack", Rule(|it, text| set(&mut it.pass[1], boolean(text)))),
    ("passOnStalemate", Missing { without: OFF, needs: "passing" }),
    ("passOnStalemateWhite", Missing { without: OFF, needs: "passing" }),
    ("passOnStalemateBlack", Missing { without: OFF, needs: "passing" }),
    ("makpongRule", Missing { without: OFF, needs: "kings that cannot step out of check" }),
    ("flyingGeneral", Rule(|it, text| set(&mut it.flying_general, boolean(text)))),
    ("soldierPromotionRank", Rule(|it, text| set(&mut it.soldier_rank, size(text, 16)))),
    ("flipEnclosedPieces", Missing { without: NONE, needs: "pieces that change their owner" }),
    ("freeDrops", Missing { without: OFF, needs: "drops of pieces that are not in hand" }),
    ("twoBoards", Missing { without: OFF, needs: "a second board" }),
    // How the game ends.
    ("nMoveRuleTypes", Rule(|it, text| both(it, text, |it| &mut it.move_rule_types))),
    ("nMoveRuleTypesWhite", Rule(|it, text| one(it, text, 0, |it| &mut it.move_rule_types))),
    ("nMoveRuleTypesBlack", Rule(|it, text| one(it, text, 1, |it| &mut it.move_rule_types))),
    ("nMoveRule", Rule(|it, text| set(&mut it.move_rule, number(text)))),
    ("nFoldRule", Rule(|it, text| set(&mut it.fold_rule, number(text)))),
    ("nFoldValue", Rule(|it, text| set(&mut it.fold_value, value(text)))),
    ("nFoldValueAbsolute", Rule(|it, text| set(&mut it.fold_value_absolute, boolean(text)))),
    ("perpetualCheckIllegal", Rule(|it, text| set(&mut it.perpetual_check_loses, boolean(text)))),
    ("moveRepetitionIllegal", Missing { without: OFF, needs: "moves that must not be repeated" }),
    ("chasingRule", Missing { without: NONE, needs: "perpetual chase" }),
    ("stalemateValue", Rule(|it, text| set(&mut it.stalemate, value(text)))),
    ("stalematePieceCount", Rule(|it, text| set(&mut it.stalemate_count, boolean(text)))),
    ("checkmateValue", Rule(|it, text| set(&mut it.checkmate, value(text)))),
    ("shogiPawnDropMateIllegal", Rule(|it, text| set(&mut it.drops.pawn_mates, boolean(text).map(|it| !it)))),
    ("shatarMateRule", Missing { without: OFF, needs: "mates by certain checks only" }),
    ("bikjangRule", Rule(|it, text| set(&mut it.bikjang, boolean(text)))),
    ("extinctionValue", Rule(extinction_value)),
    ("extinctionClaim", Rule(|it, text| set(&mut it.extinction_claim, boolean(text)))),
    ("extinctionPseudoRoyal", Rule(|it, text| set(&mut it.pseudo_royal, boolean(text)))),
    ("dupleCheck", Rule(|it, text| set(&mut it.duple_check, boolean(text)))),
    ("extinctionPieceTypes", Rule(extinction_types)),
    ("extinctionPieceCount", Rule(|it, text| set(&mut it.extinction_count, number(text)))),
    ("extinctionOpponentPieceCount", Rule(|it, text| set(&mut it.extinction_opponent_count, number(text)))),
    ("flagPiece", Rule(|it, text| flag_piece(it, text, &[0, 1]))),
    ("flagPieceWhite", Rule(|it, text| flag_piece(it, text, &[0]))),
    ("flagPieceBlack", Rule(|it, text| flag_piece(it, text, &[1]))),
    ("flagRegion", Rule(flag_region)),
    ("flagRegionWhite", Rule(|it, text| set(&mut it.flag_region[0], region(text)))),
    ("flagRegionBlack", Rule(|it, text| set(&mut it.flag_region[1], region(text)))),
    ("flagPieceCount", Rule(|it, text| set(&mut it.flag_count, number(text)))),
    ("flagPieceBlockedWin", Missing { without: OFF, needs: "wins by blocked squares" }),
    ("flagMove", Rule(|it, text| set(&mut it.flag_move, boolean(text)))),
    ("flagPieceSafe", Rule(|it, text| set(&mut it.flag_safe, boolean(text)))),
    ("checkCounting", Rule(|it, text| set(&mut it.check_counting, boolean(text)))),
    ("connectN", Missing { without: NONE, needs: "lines of pieces" }),
    ("connectPieceTypes", Missing { without: &["*"], needs: "lines of pieces" }),
    ("connectHorizontal", Missing { without: &["true"], needs: "lines of pieces" }),
    ("connectVertical", Missing { without: &["true"], needs: "lines of pieces" }),
    ("connectDiagonal", Missing { without: &["true"], needs: "lines of pieces" }),
    ("connectRegion1White", Missing { without: NONE, needs: "lines of pieces" }),
    ("connectRegion2White", Missing { without: NONE, needs: "lines of pieces" }),
    ("connectRegion1Black", Missing { without: NONE, needs: "lines of pieces" }),
    ("connectRegion2Black", Missing { without: NONE, needs: "lines of pieces" }),
    ("connectNxN", Missing { without: NONE, needs: "lines of pieces" }),
    ("collinearN", Missing { without: NONE, needs: "lines of pieces" }),
    ("connectValue", Missing { without: &["win"], needs: "lines of pieces" }),
    ("materialCounting", Rule(|it, text| set(&mut it.material_counting, Ok(text.to_owned())))),
    ("adjudicateFullBoard", Missing { without: OFF, needs: "results by counting" }),
    ("countingRule", Rule(|it, text| set(&mut it.counting, counting(text)))),
    (
        "castlingWins",
        Missing { without: NONE, needs: "endings by castling, or by losing the right to castle" },
    ),
];

/// Reads the key of a piece: a letter, `-` to remove it, or a letter and moves. `None` if it is another key.
pub(crate) fn piece(variant: &mut Variant, key: &str, text: &str) -> Option<Result<(), String>> {
    let known = TYPES.iter().find(|it| it.key == key);
    if known.is_none() && pieces::custom(key).is_none() {
        return None;
    }
    let mut characters = text.chars();
    let letter = match characters.next() {
        Some('-') => {
            variant.remove(key);
            return Some(Ok(()));
        }
        Some(letter) if letter.is_ascii_alphabetic() => letter,
        _ => return Some(Err("It is a letter, or `-` for none.".into())),
    };
    let moves = characters.as_str().strip_prefix(':').map(str::trim);
    if moves.is_some_and(str::is_empty) {
        return Some(Err("The moves after `:` are missing.".into()));
    }
    if known.is_some_and(|it| it.key != KING) && moves.is_some() {
        return Some(Err("Only custom pieces and the king define their moves.".into()));
    }
    let betza = match (known, moves) {
        (Some(it), moves) if it.key == KING => moves.unwrap_or(it.betza),
        (Some(it), _) => it.betza,
        (None, Some(moves)) => moves,
        (None, None) => return Some(Err("A custom piece is a letter and its moves: `a:BN`.".into())),
    };
    variant.add(key, letter, betza);
    if known.is_none() && betza.contains('e') {
        for types in &mut variant.en_passant_types {
            if !types.iter().any(|it| it == key) {
                types.push(key.to_owned());
            }
        }
    }
    Some(Ok(()))
}

/// Reads the squares to which a piece is confined. `None` if it is another key.
pub(crate) fn mobility(variant: &mut Variant, key: &str, text: &str) -> Option<Result<(), String>> {
    let rest = key.strip_prefix("mobilityRegion")?;
    let (player, name) = match (rest.strip_prefix("White"), rest.strip_prefix("Black")) {
        (Some(name), _) => (0, name),
        (_, Some(name)) => (1, name),
        _ => return Some(Err("It names a player and a piece: `mobilityRegionWhiteRook`.".into())),
    };
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    let name: String = first.into_iter().chain(letters).collect();
    if !TYPES.iter().any(|it| it.key == name) && pieces::custom(&name).is_none() {
        return Some(Err(format!("There is no piece type `{name}`.")));
    }
    Some(region(text).map(|squares| variant.mobility.entry(name).or_default()[player] = Some(squares)))
}

fn set<T>(field: &mut T, read: Result<T, String>) -> Result<(), String> {
    *field = read?;
    Ok(())
}

fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("It is `true` or `false`.".into()),
    }
}

/// Reads how moves are counted.
fn counting(text: &str) -> Result<Counting, String> {
    match text {
        "none" => Ok(Counting::None),
        "makruk" => Ok(Counting::Makruk),
        "asean" => Ok(Counting::Asean),
        "cambodian" => Ok(Counting::Cambodian),
        _ => Err("It is `makruk`, `cambodian`, `asean` or `none`.".into()),
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|it| *it <= 1000).ok_or_else(|| "It is a number from 0 to 1000.".into())
}

fn size(text: &str, most: i32) -> Result<i32, String> {
    let read = text.parse().ok().filter(|it| (1..=most).contains(it));
    read.ok_or_else(|| format!("It is a number from 1 to {most}."))
}

/// Reads a file: a letter, or a number counted from 1.
fn file(text: &str) -> Result<i32, String> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter @ 'a'..='p'), None) => Ok(letter as i32 - 'a' as i32),
        _ => size(text, 16).map(|it| it - 1).map_err(|_| "It is a file, `a` to `p` or 1 to 16.".into()),
    }
}

fn value(text: &str) -> Result<Value, String> {
    match text {
        "win" => Ok(Value::Win),
        "loss" => Ok(Value::Loss),
        "draw" => Ok(Value::Draw),
        _ => Err("It is `win`, `loss` or `draw`.".into()),
    }
}

/// Reads squares: `d4 e4`, `*8` for a rank, `a*` for a file, `-` for none.
fn region(text: &str) -> Result<Region, String> {
    let mut squares = Vec::new();
    for word in text.split_ascii_whitespace().filter(|word| *word != "-") {
        let mut letters = word.chars();
        let first = letters.next().unwrap_or_default();
        let (file, rank) = (file(&first.to_string()), size(letters.as_str(), 16));
        let file = if first == '*' { None } else { Some(file.map_err(|_| wrong_square(word))?) };
        let rank =
            if letters.as_str() == "*" { None } else { Some(rank.map_err(|_| wrong_square(word))? - 1) };
        squares.push((file, rank));
    }
    Ok(Region(squares))
}

fn wrong_square(word: &str) -> String {
    format!("`{word}` is not a square, `*8` for a rank or `a*` for a file.")
}

/// Reads letters of pieces, each once; `-` is none.
fn keys(variant: &Variant, text: &str) -> Result<Vec<String>, String> {
    let mut keys = Vec::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-') {
        let key = variant.key_of(letter);
        let key = key.ok_or_else(|| format!("There is no piece with the letter `{letter}`."))?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

type Lists = fn(&mut Variant) -> &mut ByPlayer<Vec<String>>;

fn both(variant: &mut Variant, text: &str, lists: Lists) -> Result<(), String> {
    let read = keys(variant, text)?;
    *lists(variant) = [read.clone(), read];
    Ok(())
}

fn one(variant: &mut Variant, text: &str, player: usize, lists: Lists) -> Result<(), String> {
    let read = keys(variant, text)?;
    lists(variant)[player] = read;
    Ok(())
}

fn pawn_types(variant: &mut Variant, text: &str) -> Result<(), String> {
    both(variant, text, |it| &mut it.promotion_pawns)?;
    both(variant, text, |it| &mut it.en_passant_types)?;
    both(variant, text, |it| &mut it.move_rule_types)
}

fn castling_king(variant: &mut Variant, text: &str, players: &[usize]) -> Result<(), String> {
    let key = keys(variant, text)?.into_iter().next().ok_or("It is the letter of a piece.")?;
    for player in players {
        variant.castling_king[*player].clone_from(&key);
    }
    Ok(())
}

fn promotion_rank(variant: &mut Variant, text: &str) -> Result<(), String> {
    let rank = size(text, 16)?;
    let from = |ranks: std::ops::RangeInclusive<i32>| Region(ranks.map(|y| (None, Some(y - 1))).collect());
    variant.promotion_region = [from(rank..=variant.ranks), from(1..=variant.ranks + 1 - rank)];
    Ok(())
}

fn double_step_rank(variant: &mut Variant, text: &str) -> Result<(), String> {
    let rank = size(text, 16)?;
    variant.double_step_region = [Region::rank(rank), Region::rank(variant.ranks + 1 - rank)];
    Ok(())
}

fn en_passant_region(variant: &mut Variant, text: &str) -> Result<(), String> {
    let squares = region(text)?;
    variant.en_passant_region = [squares.clone(), squares];
    Ok(())
}

fn flag_region(variant: &mut Variant, text: &str) -> Result<(), String> {
    let squares = region(text)?;
    variant.flag_region = [squares.clone(), squares];
    Ok(())
}

fn flag_piece(variant: &mut Variant, text: &str, players: &[usize]) -> Result<(), String> {
    let key = piece_or_all(variant, text)?;
    for player in players {
        variant.flag_piece[*player].clone_from(&key);
    }
    Ok(())
}

/// Reads the letter of a piece; `None` for `*`, which is every piece.
fn piece_or_all(variant: &Variant, text: &str) -> Result<Option<String>, String> {
    Ok(if text == "*" { None } else { keys(variant, text)?.into_iter().next() })
}

fn must_drop_type(variant: &mut Variant, text: &str) -> Result<(), String> {
    variant.drops.must_type = piece_or_all(variant, text)?;
    Ok(())
}

fn not_doubled(variant: &mut Variant, text: &str) -> Result<(), String> {
    variant.drops.not_doubled = keys(variant, text)?.into_iter().next();
    Ok(())
}

fn mutually_immune(variant: &mut Variant, text: &str) -> Result<(), String> {
    variant.mutually_immune = keys(variant, text)?;
    Ok(())
}

fn extinction_value(variant: &mut Variant, text: &str) -> Result<(), String> {
    variant.extinction = if text == "none" { None } else { Some(value(text)?) };
    Ok(())
}

fn extinction_types(variant: &mut Variant, text: &str) -> Result<(), String> {
    variant.extinction_types = if text == "*" { None } else { Some(keys(variant, text)?) };
    Ok(())
}

/// Reads pairs of letters: `p:g s:g`, with `-` for none.
fn promoted(variant: &mut Variant, text: &str) -> Result<(), String> {
    for pair in text.split_ascii_whitespace() {
        let letters: Vec<char> = pair.chars().collect();
        let [from, ':', to] = letters[..] else {
            return Err(format!("`{pair}` is not a pair of letters such as `p:g`."));
        };
        let key = |letter: char| {
            variant.key_of(letter).ok_or_else(|| format!("There is no piece with the letter `{letter}`."))
        };
        let from = key(from)?;
        if to == '-' {
            variant.promoted.remove(&from);
        } else {
            let to = key(to)?;
            variant.promoted.insert(from, to);
        }
    }
    Ok(())
}

/// Reads pairs of a letter and a number: `q:1 r:2`, with 0 for no limit.
fn promotion_limit(variant: &mut Variant, text: &str) -> Result<(), String> {
    for pair in text.split_ascii_whitespace() {
        let read = || {
            let (letter, most) = pair.split_once(':')?;
            let mut letters = letter.chars();
            let key = variant.key_of(letters.next()?).filter(|_| letters.next().is_none())?;
            Some((key, most.parse::<u32>().ok()?))
        };
        let (key, most) = read()
            .ok_or_else(|| format!("`{pair}` is not the letter of a piece and a number, such as `q:1`."))?;
        if most == 0 {
            variant.promotion_limit.remove(&key);
        } else {
            variant.promotion_limit.insert(key, most);
        }
    }
    Ok(())
}
