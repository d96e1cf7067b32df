// Starts the page of a player (/play) or of a spectator (/watch). Both use room.html.
const page = location.pathname === '/watch' ? 'watch' : 'play';
document.body.dataset.page = page;
for (const element of document.querySelectorAll(`[data-only]:not([data-only="${page}"])`)) element.remove();
void (page === 'watch' ? import('./watch.js') : import('./play.js'));

export {};
