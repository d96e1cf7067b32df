// A game in a link: the compressed text of a spec after the `#`. Browsers do not send that part to a server, so a draft is seen
// only by people who have the link.

/** The most characters that are unpacked: a short link can expand to a very long text. */
const MAX_LENGTH = 4_000_000;

/**
 * @param {string} text
 * @returns {Promise<string>} The deflated text in URL-safe Base64.
 */
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'), Infinity);
  let letters = '';
  for (let i = 0; i < bytes.length; i += 4096) letters += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * @param {string} packed
 * @returns {Promise<string>} The text. Throws if `packed` is not valid.
 */
export async function unpack(packed) {
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const text = await through(bytes, new DecompressionStream('deflate-raw'), MAX_LENGTH);
  return new TextDecoder('utf-8', { fatal: true }).decode(text);
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} most
 */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error('The text in this link is too long.');
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
