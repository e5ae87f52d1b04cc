/** The number in a text, null when there is none. */
export const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
