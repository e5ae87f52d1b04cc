// Shifts the clock of a process, to simulate a machine with a wrong clock: NODE_OPTIONS=--import=…/shifted-clock.mjs
// with CLOCK_SHIFT_MS.
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const Real = Date;

globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [Real.now() + shift] : given));
  }

  static now() {
    return Real.now() + shift;
  }
};
