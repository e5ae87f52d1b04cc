/**
 * Stores the width of the window's scrollbar in `--scrollbar-width`. The page reserves this width while a dialog hides
 * the scrollbar. It is 0 for overlay scrollbars. It is measured again on resize, because zooming changes it.
 */
export function followScrollbarWidth(): () => void {
  const root = document.documentElement;
  const measure = () => {
    const probe = document.createElement('div');
    probe.className = 'invisible absolute size-12 overflow-y-scroll';
    document.body.append(probe);
    root.style.setProperty('--scrollbar-width', `${probe.offsetWidth - probe.clientWidth}px`);
    probe.remove();
  };
  measure();
  window.addEventListener('resize', measure);
  return () => window.removeEventListener('resize', measure);
}
