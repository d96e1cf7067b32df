// Form fields for the choices of a game: layout, preset and options. Used for a new game and in the workshop.
import { el, options } from './dom.js';
import { count, displayName, optionValue } from './names.js';

/** @typedef {import('./types.js').OfferView} OfferView */
/** @typedef {import('./types.js').ChoiceBody} ChoiceBody */
/** @typedef {import('./types.js').LayoutView} LayoutView */

/** The number of layouts from which the list is grouped. */
const MIN_GROUPED = 12;

export class Choices {
  /** @type {HTMLElement} */ #host;
  /** @type {() => void} */ #changed;
  /** @type {OfferView} */ #offer = { layouts: [], presets: [], options: [] };
  /** @type {HTMLSelectElement | null} */ #layout = null;
  /** @type {HTMLSelectElement | null} */ #preset = null;
  /** @type {Map<string, HTMLSelectElement>} */ #options = new Map();
  #shown = '';

  /**
   * @param {HTMLElement} host
   * @param {() => void} changed Called when a choice changes.
   * @param {string} [prefix] The prefix of ids, where a page has two such forms.
   */
  constructor(host, changed, prefix = '') {
    this.#host = host;
    this.#changed = changed;
    this.prefix = prefix;
  }

  /**
   * Shows an offer. Choices that still exist are kept.
   * @param {OfferView} offer
   * @param {ChoiceBody} [chosen] What is chosen at first.
   */
  show(offer, chosen) {
    const text = JSON.stringify(offer);
    if (text === this.#shown) return;
    const before = { ...this.choice(), ...chosen };
    this.#shown = text;
    this.#offer = offer;
    this.#layout = this.#preset = null;
    this.#options.clear();
    this.#host.replaceChildren();
    this.#host.hidden = offer.layouts.length + offer.presets.length + offer.options.length === 0;
    if (offer.layouts.length > 0) this.#showLayouts(before.layout);
    if (offer.presets.length > 0) this.#showPresets(before.preset);
    if (offer.options.length > 0) this.#showOptions(new Map(before.options));
  }

  /** Resets all choices. */
  clear() {
    this.#shown = '';
    this.show({ layouts: [], presets: [], options: [] });
  }

  /** @returns {Required<ChoiceBody>} The choices, without options that have their default value. */
  choice() {
    const defaults = this.#defaults();
    return {
      layout: this.#layout?.value || null,
      preset: this.#preset?.value || null,
      options: [...this.#options].flatMap(([name, field]) =>
        field.value === defaults.get(name) ? [] : [/** @type {[string, string]} */ ([name, field.value])],
      ),
    };
  }

  /** @param {string | null} chosen */
  #showLayouts(chosen) {
    const id = `${this.prefix}layout`;
    const about = el('p', { class: 'muted small about', id: `${id}-about` });
    const field = el('select', { id, 'aria-describedby': `${id}-about` }, el('option', { value: '' }, 'Default'));
    for (const [name, layouts] of grouped(this.#offer.layouts)) {
      const list = options(layouts.map((layout) => [layout.name, layout.name]), chosen ?? '');
      if (name === '') field.append(...list);
      else field.append(el('optgroup', { label: name }, ...list));
    }
    const showAbout = () => {
      about.textContent = this.#offer.layouts.find((layout) => layout.name === field.value)?.about ?? '';
    };
    field.addEventListener('change', () => {
      showAbout();
      this.#changed();
    });
    showAbout();
    this.#layout = field;
    this.#host.append(el('div', { class: 'field' }, el('label', { for: id }, 'Array'), field, about));
  }

  /** @param {string | null} chosen */
  #showPresets(chosen) {
    const field = el(
      'select',
      { id: `${this.prefix}rule-set` },
      el('option', { value: '' }, 'Default'),
      ...options(this.#offer.presets.map((preset) => [preset.name, displayName(preset.name)]), chosen ?? ''),
    );
    field.addEventListener('change', () => {
      const defaults = this.#defaults();
      for (const [name, option] of this.#options) option.value = defaults.get(name) ?? option.value;
      this.#showCount();
      this.#changed();
    });
    this.#preset = field;
    this.#host.append(el('div', { class: 'field' }, el('label', { for: `${this.prefix}rule-set` }, 'Rule set'), field));
  }

  /** @param {Map<string, string>} chosen */
  #showOptions(chosen) {
    const list = el('div', { class: 'option-list' });
    const defaults = this.#defaults();
    this.#offer.options.forEach((option, i) => {
      const id = `${this.prefix}option-${i}`;
      const before = chosen.get(option.name);
      const value = before !== undefined && option.values.includes(before) ? before : defaults.get(option.name);
      const field = el(
        'select',
        { id, 'data-option': option.name, 'aria-describedby': option.about ? `${id}-about` : null },
        ...options(option.values.map((each) => [each, optionValue(each)]), value),
      );
      field.addEventListener('change', () => {
        this.#showCount();
        this.#changed();
      });
      this.#options.set(option.name, field);
      list.append(
        el(
          'div',
          { class: 'field option-field' },
          el('label', { for: id }, displayName(option.name)),
          field,
          option.about ? el('p', { class: 'muted small about', id: `${id}-about` }, option.about) : null,
        ),
      );
    });
    this.#host.append(el('details', { class: 'options' }, el('summary', {}, el('span', { 'data-count': true })), list));
    this.#showCount();
  }

  /** Shows the number of options and how many are changed. */
  #showCount() {
    const place = this.#host.querySelector('[data-count]');
    if (!place) return;
    const changed = this.choice().options.length;
    place.textContent = `${count(this.#offer.options.length, 'option')}${changed > 0 ? `, ${changed} changed` : ''}`;
  }

  /** @returns {Map<string, string>} The values without a choice: those of the preset, or else the defaults. */
  #defaults() {
    const values = new Map(this.#offer.options.map((option) => [option.name, option.default]));
    const preset = this.#offer.presets.find((each) => each.name === this.#preset?.value);
    for (const [name, value] of preset?.options ?? []) values.set(name, value);
    return values;
  }
}

/**
 * Groups long lists of layouts by the word after `of`, as in `Water of Fire`.
 * @param {readonly LayoutView[]} layouts
 * @returns {Map<string, LayoutView[]>}
 */
function grouped(layouts) {
  /** @type {Map<string, LayoutView[]>} */
  const groups = new Map();
  for (const layout of layouts) {
    const of = / of (.+)$/.exec(layout.name.replace(/ \(.*\)$/, ''));
    const group = layouts.length >= MIN_GROUPED && of?.[1] ? displayName(of[1]) : '';
    groups.set(group, [...(groups.get(group) ?? []), layout]);
  }
  // Single layouts are not grouped.
  const single = [...groups].filter(([, list]) => list.length === 1);
  for (const [name, list] of single) {
    if (name === '') continue;
    groups.delete(name);
    groups.set('', [...(groups.get('') ?? []), ...list]);
  }
  return groups;
}
