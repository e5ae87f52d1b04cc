/**
 * The position of the toasts: as near to the upper right corner as possible without covering anything (SEED-2.3-05).
 */

/** A rectangle of the window, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The minimum distance to elements beside a toast. */
const GAP = 4;
/** A distance to the left counts more than one downwards, because users look for toasts at the right edge. */
const SIDEWAYS = 1.5;

/** True if a box overlaps any of the others. */
export const covers = (box: Box, others: readonly Box[]): boolean =>
  others.some(
    (other) =>
      box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
  );

/**
 * The free position nearest to the upper right corner of `within`; null if every position covers something.
 * @param obstacles the boxes that must not be covered
 */
export function freePlace(
  { width, height }: { width: number; height: number },
  within: Box,
  obstacles: readonly Box[],
): Box | null {
  const tops = new Set([within.top, ...obstacles.map(({ bottom }) => Math.ceil(bottom) + GAP)]);
  const rights = new Set([within.right, ...obstacles.map(({ left }) => Math.floor(left) - GAP)]);
  let best: { box: Box; cost: number } | null = null;
  for (const top of tops) {
    if (top < within.top || top + height > within.bottom) continue;
    for (const right of rights) {
      if (right > within.right || right - width < within.left) continue;
      const cost = (within.right - right) * SIDEWAYS + (top - within.top);
      if (best !== null && best.cost <= cost) continue;
      const box = { left: right - width, top, right, bottom: top + height };
      if (!covers(box, obstacles)) best = { box, cost };
    }
  }
  return best?.box ?? null;
}
