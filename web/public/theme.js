// Runs before the first paint, so that a page opened in the dark never flashes white. A file of its
// own, because the Content-Security-Policy allows no script inside the page.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('color-scheme');
  } catch {
    // Storage can be switched off; the system's scheme is as good.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
