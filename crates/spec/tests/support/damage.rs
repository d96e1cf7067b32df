//! Random damage to files, the same in every run.

/// Xorshift: good enough as random numbers, and reproducible.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

pub(crate) fn damage_bytes(text: &str, random: &mut Random) -> Vec<u8> {
    const SPECIAL: &[u8] = b"\"\\{}[],:-0123456789eE. \t\xc3\xff";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes.insert(at, SPECIAL[random.below(SPECIAL.len())]),
            2 => {
                bytes.remove(at);
            }
            _ => bytes[at] = bytes[random.below(bytes.len())],
        }
    }
    bytes
}

pub(crate) fn damage_tokens(tokens: &[&str], random: &mut Random) -> Vec<u8> {
    let mut tokens = tokens.to_vec();
    for _ in 0..=random.below(6) {
        let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(5) {
            0 => tokens.swap(at, other),
            1 => tokens[at] = tokens[other],
            2 => {
                tokens[at] = ["0", "-1", "7", "1000001", "null", "true", "\"\"", "[]", "{}"][random.below(9)];
            }
            3 => tokens.insert(at, tokens[other]),
            _ => {
                tokens.remove(at);
            }
        }
    }
    tokens.concat().into_bytes()
}

/// Splits a text into strings, numbers, words, brackets and whitespace.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if first.is_alphanumeric() || first == '-' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        found.push(token);
        rest = after;
    }
    found
}
