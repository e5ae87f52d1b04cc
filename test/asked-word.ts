import type { AskedWord } from '../server/rules/text-search.ts';

/** A word of a search that folding does not change. */
export const askedWord = (text: string): AskedWord => ({ text, written: text, former: null });
