// Helpers to build page elements. Names come from other people's game files, so pages never use markup in strings.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Creates an element. A function is a listener (`onclick`), `true` an attribute without a value; `false`, `null` and
 * `undefined` are skipped.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/**
 * Returns the element with an id. Throws if the page does not have it.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} [type]
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!found || (type && !(found instanceof type))) throw new Error(`The page has no element ${id}.`);
  return /** @type {T} */ (found);
}

/**
 * Shows a message in a notice, or hides the notice.
 * @param {HTMLElement} notice
 * @param {unknown} message An error, a text, or `null` to hide the notice.
 */
export function showNotice(notice, message) {
  notice.textContent = message === null ? '' : errorText(message);
  notice.hidden = message === null;
}

/** @param {unknown} error */
export const errorText = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Creates the options of a select from `[value, label]` pairs.
 * @param {readonly (readonly [string, string])[]} list
 * @param {string} [chosen]
 * @returns {HTMLOptionElement[]}
 */
export function options(list, chosen) {
  return list.map(([value, label]) => {
    const option = el('option', { value }, label);
    option.selected = value === chosen;
    return option;
  });
}

/**
 * Closes a dialog on a click outside it. The click must also begin there and not be the second half of a double click.
 * @param {HTMLDialogElement} dialog
 */
export function closeOnOutsideClick(dialog) {
  const isOutside = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  let beganOutside = false;
  dialog.addEventListener('pointerdown', (event) => {
    beganOutside = event.target === dialog && isOutside(event);
  });
  dialog.addEventListener('click', (event) => {
    if (beganOutside && event.target === dialog && event.detail < 2 && isOutside(event)) dialog.close();
    beganOutside = false;
  });
}

/**
 * Accepts a file dropped anywhere on the page: a file dropped outside the drop zone would otherwise replace the page.
 * @param {HTMLElement} zone Highlighted while a file is over the page.
 * @param {(file: File) => void} take
 */
export function acceptDroppedFile(zone, take) {
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    zone.classList.add('over');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) zone.classList.remove('over');
  });
  addEventListener('drop', (event) => {
    zone.classList.remove('over');
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}
