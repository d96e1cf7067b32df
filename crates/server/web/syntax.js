// Tokens of JSON for colors and for the place of the cursor. A string of JSON cannot span lines, so each line is read alone; only
// the key before a value may stand on an earlier line.

/** @typedef {'key' | 'string' | 'word' | 'betza' | 'number' | 'literal' | 'sign' | 'wrong'} TokenKind */
/** A part of a line, in UTF-16 units. @typedef {{ kind: TokenKind, from: number, to: number }} Token */

/** Strings, numbers, literals and signs. The last alternative is text that JSON does not have. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*("?)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[{}[\],:]|[^\s"{}[\],:]+/gy;
/** A name in capitals, as keywords and codes are written: `MOVE`, `LAST_RANK`. */
const WORD = /^"[A-Z][A-Z0-9_]*"$/;

/**
 * Splits a line into its tokens; white space is left out.
 * @param {string} line
 * @param {string} key The last key before the line, if its value is still to come; otherwise empty.
 * @param {string} [after] The text after the line, which may have the colon of a key.
 * @returns {{ tokens: Token[], key: string }} The tokens, and the last key whose value is still to come.
 */
export function tokenize(line, key, after = '') {
  /** @type {Token[]} */
  const tokens = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? '')) {
      at += 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(line);
    const text = found?.[0] ?? line[at] ?? '';
    const to = at + text.length;
    const isKey = text.startsWith('"') && isBeforeColon(line, to, after);
    const kind = kindOf(text, found?.[1] === '"', isKey, key);
    tokens.push({ kind, from: at, to });
    if (isKey) key = text.slice(1, -1);
    else if (text !== ':') key = '';
    at = to;
  }
  return { tokens, key };
}

/**
 * @param {string} text
 * @param {boolean} isClosed
 * @param {boolean} isKey
 * @param {string} key
 * @returns {TokenKind}
 */
function kindOf(text, isClosed, isKey, key) {
  const first = text[0] ?? '';
  if (first === '"') {
    if (!isClosed) return 'wrong';
    if (isKey) return 'key';
    return key === 'betza' ? 'betza' : WORD.test(text) ? 'word' : 'string';
  }
  if ('{}[],:'.includes(first)) return 'sign';
  if (/^(true|false|null)$/.test(text)) return 'literal';
  return /^-?\d/.test(text) ? 'number' : 'wrong';
}

/**
 * @param {string} line
 * @param {number} from
 * @param {string} after
 */
function isBeforeColon(line, from, after) {
  for (let at = from; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (letter === ':') return true;
    if (!/\s/.test(letter)) return false;
  }
  return /^\s*:/.test(after);
}

/**
 * Returns the string at an offset and the key that it is the value of.
 * @param {string} text
 * @param {number} offset
 * @returns {{ key: string, from: number, to: number } | null} The key and the range of the contents, without the quotes.
 */
export function stringAt(text, offset) {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const line = text.slice(start, end < 0 ? text.length : end);
  let key = keyBefore(text.slice(Math.max(0, start - 200), start));
  for (const { kind, from, to } of tokenize(line, key).tokens) {
    if (line[from] === '"' && kind !== 'key') {
      const inner = start + from + 1;
      // A string without its end is being typed: its first word counts.
      const contents = kind === 'wrong' ? (/^\w*/.exec(line.slice(from + 1))?.[0] ?? '') : line.slice(from + 1, to - 1);
      if (offset >= inner && offset <= inner + contents.length) return { key, from: inner, to: inner + contents.length };
    }
    if (kind === 'key') key = line.slice(from + 1, to - 1);
    else if (line[from] !== ':') key = '';
  }
  return null;
}

/**
 * Returns the key at the end of a text, if its value is still to come.
 * @param {string} before
 */
export function keyBefore(before) {
  return /"((?:[^"\\\n]|\\.)*)"\s*:\s*$/.exec(before)?.[1] ?? '';
}
