import fc from 'fast-check';

/**
 * Settings of fast-check for this project. The gate always tries the same cases, so that a result depends only on the
 * change. PROPERTY_SEED=random tries other cases, and PROPERTY_SEED=<number> repeats those of a report.
 */
const asked = process.env.PROPERTY_SEED;
const seed = asked === 'random' ? Date.now() % 2 ** 31 : Number(asked ?? 20_261_122);

fc.configureGlobal({ seed });

/** Fewer cases show nothing that an example would not. */
const TRIES_MIN = 3;

/**
 * How many cases of a property are tried whose cases take long: all of them at night, a third with every change
 * (docs/decisions/109-a-gate-of-thirteen-minutes.md).
 */
export const triesOf = (all: number): number =>
  process.env.LM_NIGHT ? all : Math.max(TRIES_MIN, Math.ceil(all / 3));

/**
 * The values to try at one of many places, such as the fields of all calls: all of them at night, with every change a
 * third, other ones at the next place.
 */
export const valuesAt = <Value>(place: number, all: readonly Value[]): readonly Value[] =>
  process.env.LM_NIGHT ? all : all.filter((_, at) => (at + place) % 3 === 0);

export default fc;
