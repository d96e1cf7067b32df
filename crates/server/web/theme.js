// The dark and light switch: as the system, light, or dark. A classic script, so that the choice holds before the first paint.

(() => {
  const KEY = 'tabiya-theme';
  const THEMES = /** @type {const} */ (['system', 'light', 'dark']);
  const LABELS = { system: 'Colors: as the system', light: 'Colors: light', dark: 'Colors: dark' };
  const PATHS = {
    system: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM10 2.5v15M10 7l5.8-1.5M10 11.5l7.4-1.8M10 15.6l5.8-1.3',
    light: 'M10 6.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M16 4l-1.4 1.4M5.4 14.6L4 16',
    dark: 'M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z',
  };

  /** @returns {'system' | 'light' | 'dark'} */
  const chosen = () => {
    try {
      const saved = localStorage.getItem(KEY);
      return saved === 'light' || saved === 'dark' ? saved : 'system';
    } catch {
      return 'system';
    }
  };

  /** @param {'system' | 'light' | 'dark'} theme */
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    const button = document.getElementById('theme');
    if (!button) return;
    button.setAttribute('aria-label', LABELS[theme]);
    button.title = LABELS[theme];
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    picture.setAttribute('viewBox', '0 0 20 20');
    picture.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', PATHS[theme]);
    picture.append(path);
    button.replaceChildren(picture);
  };

  apply(chosen());
  document.addEventListener('DOMContentLoaded', () => {
    apply(chosen());
    document.getElementById('theme')?.addEventListener('click', () => {
      const now = THEMES.findIndex((theme) => theme === document.documentElement.dataset.theme);
      const next = THEMES[(now + 1) % THEMES.length] ?? 'system';
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // Without storage the choice holds for this page only.
      }
      apply(next);
    });
  });
  // Another tab has changed it.
  addEventListener('storage', () => apply(chosen()));
})();
