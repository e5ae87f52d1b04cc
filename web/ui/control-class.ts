/** The classes of all inputs and selects: the same height, border, focus ring and invalid state. */
export const CONTROL_CLASS =
  'w-full min-w-0 rounded-lg border border-border-strong bg-surface px-3 text-text shadow-edge transition-[border-color,box-shadow] ' +
  'hover:border-muted focus:border-brand-text focus:outline-2 focus:outline-offset-0 focus:outline-brand-text/35 ' +
  'aria-invalid:border-critical aria-invalid:focus:outline-critical/35 ' +
  'disabled:bg-sunken disabled:text-muted disabled:shadow-none ' +
  // 16 px on touch screens, because iOS zooms into inputs with smaller text.
  'pointer-coarse:text-base';

export const CONTROL_HEIGHT = 'h-9 pointer-coarse:h-11';
