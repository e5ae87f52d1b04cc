/** The number in a text; null for a blank text. */
export const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
