import { expect, type Locator } from '@playwright/test';

/**
 * Waits until a dialog or menu that has opened has the focus. It takes it a moment after it can be seen, from whatever a
 * test has focused by then.
 */
export async function hasFocus(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}
