import fc from 'fast-check';

/**
 * Settings of fast-check for this project. The gate always tries the same cases, so that a result depends only on the
 * change. PROPERTY_SEED=random tries other cases, and PROPERTY_SEED=<number> repeats those of a report.
 */
const asked = process.env.PROPERTY_SEED;
const seed = asked === 'random' ? Date.now() % 2 ** 31 : Number(asked ?? 20_261_122);

fc.configureGlobal({ seed });

export default fc;
