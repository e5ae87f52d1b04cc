/**
 * Marks that turn the direction of the text around them: with them a name can show another order of letters than it
 * has (INPUT-13).
 */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The text without marks of direction. Nobody types them; they come along when a text is copied. */
export const withoutDirectionMarks = (text: string): string => text.replace(DIRECTION_MARKS, '');
