// Runs before the first paint, so that dark mode never flashes white. A separate file, because the
// Content-Security-Policy forbids inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('color-scheme');
  } catch {
    // Storage may be disabled; fall back to the system's scheme.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
