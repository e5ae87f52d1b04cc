/**
 * How a text stands in a cell of a workbook. A cell of the type text is never a formula, so no apostrophe is needed
 * (D014). Only '-' alone, which an import reads as 'clear this field', gets one where it is meant as text.
 */

const DASH = /^'*-$/;

/** The text of a cell that an export writes. */
export const workbookText = (text: string): string => (DASH.test(text) ? `'${text}` : text);

/** Reverses {@link workbookText}; imports use it. */
export const readWorkbookText = (text: string): string =>
  text !== '-' && DASH.test(text) ? text.slice(1) : text;
