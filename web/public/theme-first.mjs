// Loaded as a classic script before the first paint, so that a saved theme never flashes the other one.
// It is a file of its own because the content security policy allows no inline script.
(function () {
  const root = document.documentElement;
  let saved = null;
  try {
    saved = localStorage.getItem('sextant.theme');
    root.dataset.palette = localStorage.getItem('sextant.palette') === 'blue-orange' ? 'blue-orange' : 'green-red';
  } catch {
    // Storage may be blocked; then the system setting is used.
  }
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  root.dataset.theme = saved === 'light' || saved === 'dark' ? saved : system;
})();
