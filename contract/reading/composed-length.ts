/** How many UTF-16 units NFC and NFKC make one of at most, as of 'ᾎ' typed as a letter with three marks. */
const UNITS_IN_ONE = 4;

/**
 * Whether a typed text may have at most `max` units in Unicode's composed form. A longer one must not be brought into
 * that form: of a long run of accents in mixed order it takes time that grows with the square of its length
 * (decision 058).
 */
export const mayHaveLength = (typed: string, max: number): boolean => typed.length <= UNITS_IN_ONE * max;
