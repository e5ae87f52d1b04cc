/** Inserts text into a field at its caret as if it was typed: the form gets the change, and Ctrl+Z undoes it. */
export function insertAtCaret(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.focus();
  // The only call that supports undo in the field. setRangeText is the fallback for browsers without it.
  if (document.execCommand('insertText', false, text)) return;
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Selects a line of a text, counted from 1. */
export function selectLine(field: HTMLTextAreaElement, line: number): void {
  const lines = field.value.split('\n');
  const requested = Math.min(line, lines.length);
  const start = lines.slice(0, requested - 1).reduce((sum, one) => sum + one.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[requested - 1]?.length ?? 0));
}
