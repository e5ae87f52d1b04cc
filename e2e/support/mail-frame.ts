import { expect, type Page } from '@playwright/test';
import { drawn } from './drawn.ts';

/**
 * The text of the mail in a frame. No script runs in the frame, not even Playwright's, so the page around reads it.
 */
export const framed = (page: Page, title: string): Promise<string> =>
  page
    .locator(`iframe[title="${title}"]`)
    .evaluate((frame: HTMLIFrameElement) => frame.contentDocument?.body.innerText ?? '');

/**
 * Waits until the preview of a template shows a text, and has its height. Until then the buttons below it move, and a
 * press whose button moves away before it is released is none.
 */
export async function previewShows(page: Page, text: string): Promise<void> {
  await expect.poll(() => framed(page, 'Vista previa del correo')).toContain(text);
  await drawn(page);
}
