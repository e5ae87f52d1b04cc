/** Copies `text` to the clipboard. Returns false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // `navigator.clipboard` does not exist without HTTPS, for example on an office network.
    if (!navigator.clipboard) return copyThroughSelection(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

function copyThroughSelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // Appended to the open dialog, if there is one, because its focus trap would take the focus back.
  (before?.closest('[role=dialog], [role=alertdialog]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
