// Formats JSON compactly: values that fit stay on one line, so that a list of squares does not become a column of numbers.

/** The target line length. */
const WIDTH = 100;

/**
 * @param {string} text
 * @returns {string} The formatted text. Throws if the text is not JSON.
 */
export function formatJson(text) {
  return `${write(JSON.parse(text), '', 0)}\n`;
}

/**
 * @param {unknown} value
 * @param {string} indent The indentation of its lines.
 * @param {number} taken The characters already on its first line.
 * @returns {string}
 */
function write(value, indent, taken) {
  const short = line(value);
  if (typeof value !== 'object' || value === null || indent.length + taken + short.length <= WIDTH) return short;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => write(each, inner, 1))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${write(each, inner, key.length + 5)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  // Small values such as squares fill their lines; larger ones get a line each.
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
 * Writes a value on one line.
 * @param {unknown} value
 * @returns {string}
 */
function line(value) {
  if (Array.isArray(value)) return `[${value.map(line).join(value.every((each) => typeof each === 'number') ? ',' : ', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${line(each)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
