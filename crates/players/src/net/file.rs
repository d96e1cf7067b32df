//! The file of a net: a header, the weights, and a checksum. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TABIYANN` |
//! | 2 | format |
//! | 32 | content hash of the game |
//! | 2, 2, 2, 4 | neurons, ranges, pieces in the last range, inputs |
//! | 2, n | length of the provenance, provenance as UTF-8 |
//! | 2 × inputs × neurons | weights of the inputs |
//! | 2 × neurons | their biases |
//! | 2 × ranges × neurons | weights of the output, a byte each |
//! | 4 × ranges | their biases |
//! | 8 | FNV-1a of all bytes before |
//!
//! Nothing is allocated before the length is known to fit the game, so a hostile file costs no more than its own size.

use tabiya_engine::Rules;

use super::{Features, Net, NetError, NetWeights};

pub(super) const MAGIC: [u8; 8] = *b"TABIYANN";
pub(super) const VERSION: u16 = 1;
/// The greatest length of the provenance in bytes.
pub(super) const MAX_PROVENANCE: usize = 4096;
const CHECKSUM: usize = 8;

/// Reads a net of a game.
pub(super) fn read(rules: &Rules, bytes: &[u8]) -> Result<Net, NetError> {
    let mut rest = Reader { bytes, length: bytes.len() };
    if rest.array::<8>() != Ok(MAGIC) {
        return Err(NetError::NotANet);
    }
    let version = rest.u16()?;
    if version != VERSION {
        return Err(NetError::Version(version));
    }
    let hash = rest.array::<32>()?;
    let game = rules.content_hash().ok_or(NetError::Unsupported("rules without a file have no net"))?;
    if hash != game {
        return Err(NetError::OtherGame { net: hash_text(&hash), game: hash_text(&game) });
    }
    let features = Features::of(rules)?;
    let hidden = usize::from(rest.u16()?);
    let buckets = usize::from(rest.u16()?);
    let most_pieces = rest.u16()?;
    let inputs = u32::from_le_bytes(rest.array()?) as usize;
    if hidden > Net::MAX_HIDDEN || buckets != Net::BUCKETS || inputs != features.inputs() {
        return Err(NetError::Invalid("its layers do not fit the game"));
    }
    let length = usize::from(rest.u16()?);
    if length > MAX_PROVENANCE {
        return Err(NetError::Invalid("its provenance is too long"));
    }
    let provenance = rest.take(length)?;
    let weights = 2 * inputs * hidden + 2 * hidden + 2 * buckets * hidden + 4 * buckets;
    let expected = bytes.len() - rest.bytes.len() + weights + CHECKSUM;
    if expected != bytes.len() {
        return Err(NetError::Length { expected, found: bytes.len() });
    }
    let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if checksum(content).to_le_bytes() != sum {
        return Err(NetError::Damaged);
    }
    let provenance =
        str::from_utf8(provenance).map_err(|_| NetError::Invalid("its provenance is not text"))?;
    let weights = NetWeights {
        hidden,
        most_pieces,
        input: numbers(rest.take(2 * inputs * hidden)?, i16::from_le_bytes),
        input_bias: numbers(rest.take(2 * hidden)?, i16::from_le_bytes),
        output: numbers(rest.take(2 * buckets * hidden)?, i8::from_le_bytes),
        output_bias: numbers(rest.take(4 * buckets)?, i32::from_le_bytes),
    };
    weights.check(&features)?;
    Ok(Net { features, weights, hash, provenance: provenance.to_owned() })
}

/// Returns the checksum of the file of a net.
pub(super) fn checksum_of(net: &Net) -> u64 {
    let bytes = write(net);
    checksum(&bytes[..bytes.len() - CHECKSUM])
}

/// Writes a net.
pub(super) fn write(net: &Net) -> Vec<u8> {
    let NetWeights { hidden, most_pieces, input, input_bias, output, output_bias } = &net.weights;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(net.hash);
    bytes.extend((*hidden as u16).to_le_bytes());
    bytes.extend((Net::BUCKETS as u16).to_le_bytes());
    bytes.extend(most_pieces.to_le_bytes());
    bytes.extend((net.features.inputs() as u32).to_le_bytes());
    bytes.extend((net.provenance.len() as u16).to_le_bytes());
    bytes.extend(net.provenance.as_bytes());
    bytes.extend(input.iter().chain(input_bias).flat_map(|weight| weight.to_le_bytes()));
    bytes.extend(output.iter().flat_map(|weight| weight.to_le_bytes()));
    bytes.extend(output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Returns the hash of the game that a net was made for, without checking the rest.
pub(super) fn game_of(bytes: &[u8]) -> Option<[u8; 32]> {
    let rest = bytes.strip_prefix(&MAGIC)?.strip_prefix(&VERSION.to_le_bytes())?;
    rest.first_chunk().copied()
}

fn hash_text(hash: &[u8; 32]) -> String {
    hash.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// FNV-1a with 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn numbers<const N: usize, T>(bytes: &[u8], number: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().copied().map(number).collect()
}

/// Takes bytes from the front, as long as there are some.
struct Reader<'b> {
    bytes: &'b [u8],
    /// The length of the whole file, for messages.
    length: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], NetError> {
        let read = self.length - self.bytes.len();
        let short = NetError::Length { expected: read + count, found: self.length };
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(short)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        let taken = self.take(N)?;
        let mut array = [0; N];
        array.copy_from_slice(taken);
        Ok(array)
    }

    fn u16(&mut self) -> Result<u16, NetError> {
        self.array().map(u16::from_le_bytes)
    }
}
