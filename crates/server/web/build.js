// Builds elements in few words. It exists so that no page ever needs markup in a string: names come from the files of
// strangers, and here they can only become text.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element with attributes and children. `on…` are listeners; `true` is an attribute without a value; `false` and `null`
 * are left away.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  add(made, ...children);
  return made;
}

/**
 * Adds children; what is empty is left away.
 * @param {Element} parent
 * @param {...Child} children
 */
export function add(parent, ...children) {
  for (const child of children) if (child !== null && child !== undefined && child !== false) parent.append(child);
}

/**
 * The element with this id, which the page is known to have.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} [type]
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!found || (type && !(found instanceof type))) throw new Error(`The page has no ${id}.`);
  return /** @type {T} */ (found);
}

/**
 * Options of a select: `[value, label]`.
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
 * A click beside a dialogue closes it, as everywhere: one that began there, too, and not the second half of a double click.
 * @param {HTMLDialogElement} dialog
 */
export function closesBeside(dialog) {
  const isBeside = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  let began = false;
  dialog.addEventListener('pointerdown', (event) => {
    began = event.target === dialog && isBeside(event);
  });
  dialog.addEventListener('click', (event) => {
    if (began && event.target === dialog && event.detail < 2 && isBeside(event)) dialog.close();
    began = false;
  });
}
