import { expect, test } from './support/staff.ts';

/** A search typed without leaving the box is one entry in the history, at any typing speed. */

for (const { screen, placeholder, filter } of [
  { screen: '/clients', placeholder: 'Buscar clientes...', filter: 'Filtrar por estado' },
  { screen: '/licenses', placeholder: 'Buscar licencias...', filter: 'Filtrar por estado' },
  { screen: '/license-types', placeholder: 'Buscar tipos de licencia...', filter: null },
  { screen: '/software', placeholder: 'Buscar software...', filter: null },
]) {
  test(`${screen}: one Back undoes a whole search, also one that was typed slowly`, async ({ page }) => {
    await page.goto('/reports');
    await page.goto(screen);
    const box = page.getByPlaceholder(placeholder);
    let typed = '';
    for (const letter of 'zapa') {
      typed += letter;
      await box.pressSequentially(letter);
      await expect(page).toHaveURL(new RegExp(`q=${typed}$`));
    }
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${screen}$`));
    await expect(box).toHaveValue('');
    await page.goForward();
    await expect(box).toHaveValue('zapa');

    if (filter === null) return;
    // Typing again after leaving the box is another entry.
    await page.getByLabel(filter).selectOption({ index: 1 });
    await expect(page).toHaveURL(/status=/);
    await box.press('End');
    await box.pressSequentially('to');
    await expect(page).toHaveURL(/q=zapato/);
    await page.goBack();
    await expect(page).toHaveURL(/q=zapa&status=/);
    await expect(box).toHaveValue('zapa');
    await page.goBack();
    await expect(page).toHaveURL(/q=zapa$/);
  });
}
