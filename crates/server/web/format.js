// Sets JSON as a person would: what is short stays in one line, so that a list of squares is no ladder of numbers.

/** Lines are no longer than this, if they can help it. */
const WIDTH = 100;

/**
 * @param {string} text
 * @returns {string} The same, set anew; it throws if the text is not JSON.
 */
export function formatted(text) {
  return `${set(JSON.parse(text), '', 0)}\n`;
}

/**
 * @param {unknown} value
 * @param {string} indent What stands before each of its lines.
 * @param {number} taken How much of its first line is taken already.
 * @returns {string}
 */
function set(value, indent, taken) {
  const short = line(value);
  if (typeof value !== 'object' || value === null || indent.length + taken + short.length <= WIDTH) return short;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => set(each, inner, 1))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${set(each, inner, key.length + 5)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  // Many small things, such as squares, fill their lines; larger ones have a line each.
  const between = Array.isArray(value) && parts.every((part) => part.length <= 12) ? filled(parts, inner) : parts.join(`,\n${inner}`);
  return `${open}\n${inner}${between}\n${indent}${close}`;
}

/**
 * @param {string[]} parts
 * @param {string} indent
 */
function filled(parts, indent) {
  const lines = [''];
  for (const part of parts) {
    const last = lines[lines.length - 1] ?? '';
    if (last !== '' && indent.length + last.length + part.length + 3 > WIDTH) lines.push(part);
    else lines[lines.length - 1] = last === '' ? part : `${last}, ${part}`;
  }
  return lines.join(`,\n${indent}`);
}

/**
 * A value in one line.
 * @param {unknown} value
 * @returns {string}
 */
function line(value) {
  if (Array.isArray(value)) return `[${value.map(line).join(value.every((each) => typeof each === 'number') ? ',' : ', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${line(each)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
