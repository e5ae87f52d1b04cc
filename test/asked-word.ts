import type { SearchWord } from '../contract/reading/search-folding.ts';

/** A word of a search that folding does not change. */
export const askedWord = (text: string): SearchWord => ({ text, written: text });
