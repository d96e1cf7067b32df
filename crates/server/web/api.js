// Requests to the HTTP API.

/** An error response of the server. */
export class ApiError extends Error {
  /** @param {import('./types.js').ErrorBody} body @param {number} [status] 0 if there was no response. */
  constructor(body, status = 0) {
    super(body.why);
    this.name = 'ApiError';
    this.rule = body.rule;
    this.diagnostics = body.diagnostics ?? [];
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>}
 */
async function request(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError({ rule: 'no_answer', why: 'The server does not respond. Check your network connection.' });
  }
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) {
    const why = typeof body?.why === 'string' ? body.why : `The server responded with status ${response.status}.`;
    throw new ApiError({ rule: body?.rule ?? 'no_answer', why, diagnostics: body?.diagnostics }, response.status);
  }
  return body;
}

/** @param {string} path @param {unknown} body */
const post = (path, body) =>
  request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** @returns {Promise<import('./types.js').LibraryGame[]>} */
export const games = () => request('/api/games');

/** @param {string} name @returns {Promise<import('./types.js').LibraryText>} */
export const gameText = (name) => request(`/api/games/${encodeURIComponent(name)}`);

/** @param {string} name @param {string | null} [layout] @returns {Promise<import('./types.js').LibraryBoard>} */
export const gameBoard = (name, layout) =>
  request(`/api/games/${encodeURIComponent(name)}/board${layout ? `?layout=${encodeURIComponent(layout)}` : ''}`);

/** The addresses at which others can reach the server. @returns {Promise<string[]>} */
export const addresses = () => request('/api/addresses');

/** @returns {Promise<import('./types.js').Opponent[]>} */
export const opponents = () => request('/api/opponents');

/** @param {import('./types.js').SpecBody} body @returns {Promise<import('./types.js').CheckResult>} */
export const check = (body) => post('/api/check', body);

/** @param {import('./types.js').SpecBody} body @returns {Promise<import('./types.js').SpecText>} */
export const expand = (body) => post('/api/specs/expand', body);

/** @param {import('./types.js').FormatBody} body @returns {Promise<import('./types.js').SpecText>} */
export const format = (body) => post('/api/specs/format', body);

/** @param {import('./types.js').BetzaBody} body @returns {Promise<import('./types.js').BetzaResult>} */
export const betza = (body) => post('/api/specs/betza', body);

/** @param {import('./types.js').CompleteBody} body @returns {Promise<import('./types.js').CompleteResult>} */
export const complete = (body) => post('/api/specs/complete', body);

/** @param {import('./types.js').RoomBody} body @returns {Promise<import('./types.js').OpenedRoom>} */
export const openRoom = (body) => post('/api/tables', body);

/** @param {string} id @param {string} key @returns {Promise<import('./types.js').RulesView>} */
export const roomRules = (id, key) => request(`/api/tables/${encodeURIComponent(id)}/rules?key=${encodeURIComponent(key)}`);

/** @param {string} id @param {string} key @param {'pgn' | 'json'} format */
export const recordLink = (id, key, format) =>
  `/api/tables/${encodeURIComponent(id)}/record?key=${encodeURIComponent(key)}&format=${format}`;
