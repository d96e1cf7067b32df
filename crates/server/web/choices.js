// What a game leaves open: its layout, its set of rules, its options. The same fields stand at a new table and in the
// workshop; this makes them from what the server says of the game.

import { el, options } from './build.js';
import { called } from './names.js';
import { niceValue } from './words.js';

/** @typedef {import('./types.js').OfferView} OfferView */
/** @typedef {import('./types.js').ChoiceBody} ChoiceBody */
/** @typedef {import('./types.js').LayoutView} LayoutView */

/** From so many layouts on a list is easier to read in groups. */
const MANY = 12;

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
   * @param {() => void} changed Called whenever something else is chosen.
   */
  constructor(host, changed) {
    this.#host = host;
    this.#changed = changed;
  }

  /**
   * Shows an offer. What was chosen stays, as far as the offer still has it.
   * @param {OfferView} offer
   */
  show(offer) {
    const text = JSON.stringify(offer);
    if (text === this.#shown) return;
    const before = this.choice();
    this.#shown = text;
    this.#offer = offer;
    this.#layout = this.#preset = null;
    this.#options.clear();
    this.#host.replaceChildren();
    this.#host.hidden = offer.layouts.length + offer.presets.length + offer.options.length === 0;
    if (offer.layouts.length > 0) this.#layouts(before.layout);
    if (offer.presets.length > 0) this.#presets(before.preset);
    if (offer.options.length > 0) this.#all(new Map(before.options));
  }

  /** Forgets what was chosen. */
  clear() {
    this.#shown = '';
    this.show({ layouts: [], presets: [], options: [] });
  }

  /** @returns {Required<ChoiceBody>} What is chosen; options only where they are not as they would be anyway. */
  choice() {
    const usual = this.#usual();
    return {
      layout: this.#layout?.value || null,
      preset: this.#preset?.value || null,
      options: [...this.#options].flatMap(([name, field]) =>
        field.value === usual.get(name) ? [] : [/** @type {[string, string]} */ ([name, field.value])],
      ),
    };
  }

  /** @param {string | null} chosen */
  #layouts(chosen) {
    const about = el('p', { class: 'muted small about', id: 'layout-about' });
    const field = el('select', { id: 'layout', 'aria-describedby': 'layout-about' }, el('option', { value: '' }, 'As the game has it'));
    for (const [name, layouts] of grouped(this.#offer.layouts)) {
      const list = options(layouts.map((layout) => [layout.name, layout.name]), chosen ?? '');
      if (name === '') field.append(...list);
      else field.append(el('optgroup', { label: name }, ...list));
    }
    const tell = () => {
      about.textContent = this.#offer.layouts.find((layout) => layout.name === field.value)?.about ?? '';
    };
    field.addEventListener('change', () => {
      tell();
      this.#changed();
    });
    tell();
    this.#layout = field;
    this.#host.append(el('div', { class: 'field' }, el('label', { for: 'layout' }, 'Array'), field, about));
  }

  /** @param {string | null} chosen */
  #presets(chosen) {
    const field = el(
      'select',
      { id: 'rule-set' },
      el('option', { value: '' }, 'As the game has it'),
      ...options(this.#offer.presets.map((preset) => [preset.name, called(preset.name)]), chosen ?? ''),
    );
    field.addEventListener('change', () => {
      const usual = this.#usual();
      for (const [name, option] of this.#options) option.value = usual.get(name) ?? option.value;
      this.#tell();
      this.#changed();
    });
    this.#preset = field;
    this.#host.append(el('div', { class: 'field' }, el('label', { for: 'rule-set' }, 'Set of rules'), field));
  }

  /** @param {Map<string, string>} chosen */
  #all(chosen) {
    const list = el('div', { class: 'option-list' });
    const usual = this.#usual();
    this.#offer.options.forEach((option, i) => {
      const id = `option-${i}`;
      const kept = chosen.get(option.name);
      const value = kept !== undefined && option.values.includes(kept) ? kept : usual.get(option.name);
      const field = el(
        'select',
        { id, 'data-option': option.name, 'aria-describedby': option.about ? `${id}-about` : null },
        ...options(option.values.map((each) => [each, niceValue(each)]), value),
      );
      field.addEventListener('change', () => {
        this.#tell();
        this.#changed();
      });
      this.#options.set(option.name, field);
      list.append(
        el(
          'div',
          { class: 'field option-field' },
          el('label', { for: id }, called(option.name)),
          field,
          option.about ? el('p', { class: 'muted small about', id: `${id}-about` }, option.about) : null,
        ),
      );
    });
    this.#host.append(el('details', { class: 'options' }, el('summary', {}, el('span', { 'data-count': true })), list));
    this.#tell();
  }

  /** Says how many options are not as usual, so that nobody must open them to know. */
  #tell() {
    const place = this.#host.querySelector('[data-count]');
    if (!place) return;
    const changed = this.choice().options.length;
    const all = this.#offer.options.length;
    place.textContent = `${all} ${all === 1 ? 'option' : 'options'}${changed > 0 ? `, ${changed} of them changed` : ''}`;
  }

  /** @returns {Map<string, string>} The options as they are if nobody chooses any: those of the preset, then the defaults. */
  #usual() {
    const values = new Map(this.#offer.options.map((option) => [option.name, option.default]));
    const preset = this.#offer.presets.find((each) => each.name === this.#preset?.value);
    for (const [name, value] of preset?.options ?? []) values.set(name, value);
    return values;
  }
}

/**
 * Many layouts in groups: those called `… of Water` are for the board of Water.
 * @param {readonly LayoutView[]} layouts
 * @returns {Map<string, LayoutView[]>}
 */
function grouped(layouts) {
  /** @type {Map<string, LayoutView[]>} */
  const groups = new Map();
  for (const layout of layouts) {
    const of = / of (.+)$/.exec(layout.name.replace(/ \(.*\)$/, ''));
    const group = layouts.length >= MANY && of?.[1] ? called(of[1]) : '';
    groups.set(group, [...(groups.get(group) ?? []), layout]);
  }
  // A group of one is none.
  const single = [...groups].filter(([, list]) => list.length === 1);
  for (const [name, list] of single) {
    if (name === '') continue;
    groups.delete(name);
    groups.set('', [...(groups.get('') ?? []), ...list]);
  }
  return groups;
}
