import type { Automation, InputSource } from './automation.ts';

/** What is looked for by its name, as a person or a screen reader would. */
export type Kind = 'button' | 'link' | 'tab' | 'option' | 'field' | 'heading' | 'row';

/** How long something may take to be seen, in milliseconds: a busy machine in a slow engine. */
const PATIENCE = 30_000;
const PAUSE = 100;

/**
 * Runs in the page: finds what is visible and has the name, in the topmost dialog if one is open. Scrolls to it.
 * @returns the middle of it; null if there is none, or something else lies over it
 */
const FIND = `(kind, wanted) => {
  const selectors = {
    button: 'button, [role=button]', link: 'a[href]', tab: '[role=tab]', option: '[role=option]',
    field: 'input, textarea, select', heading: 'h1, h2, h3', row: 'tr, li',
  };
  const plain = (text) => (text ?? '').replace(/\\s+/g, ' ').trim();
  const nameOf = (element) => {
    const labelledBy = element.getAttribute('aria-labelledby');
    if (element.getAttribute('aria-label')) return element.getAttribute('aria-label');
    if (labelledBy) return labelledBy.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ');
    if (element.labels?.length) return [...element.labels].map((label) => label.textContent).join(' ');
    return element.placeholder || element.textContent;
  };
  const dialog = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
  const inside = kind === 'option' || !dialog ? document : dialog;
  const isMet = (name) => (['row', 'option', 'tab'].includes(kind) ? name.includes(wanted) : name === wanted);
  for (const element of inside.querySelectorAll(selectors[kind])) {
    if (element.closest('[aria-hidden=true], [inert]')) continue;
    if (!isMet(plain(nameOf(element)).replace(/ \\*$/, ''))) continue;
    element.scrollIntoView({ block: 'center', inline: 'center' });
    const box = element.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(element).visibility === 'hidden') continue;
    const x = Math.round(box.x + box.width / 2);
    const y = Math.round(box.y + box.height / 2);
    const top = document.elementFromPoint(x, y);
    if (!top || !(element.contains(top) || top.contains(element))) continue;
    return { x, y };
  }
  return null;
}`;

/** Runs in the page: chooses in the native list, whose popup belongs to the system and not to the page. */
const CHOOSE = `(label, wanted) => {
  for (const select of document.querySelectorAll('select')) {
    const name = [...select.labels].map((one) => one.textContent).join(' ').replace(/[\\s*]+$/, '').trim();
    const option = [...select.options].find((one) => one.textContent.includes(wanted));
    if (name !== label || !option) continue;
    select.focus();
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, option.value);
    select.dispatchEvent(new Event('input', { bubbles: true }));
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return 'chosen';
  }
  return null;
}`;

type Point = { x: number; y: number };

/** A page in any browser, used by names and with real presses. */
export function pageOf(automation: Automation, base: string) {
  const until = async <T>(what: string, ask: () => Promise<T | null>): Promise<T> => {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const found = await ask();
      if (found !== null) return found;
      if (Date.now() > end) {
        const text = await automation.call('() => location.pathname + "\\n" + document.body.innerText');
        throw new Error(`${automation.browser} does not show ${what}:\n${text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  };

  // What still moves is not pressed: a line may appear above it.
  const find = (kind: Kind, name: string): Promise<Point> => {
    let before: Point | null = null;
    return until(`the ${kind} '${name}'`, async () => {
      const now = (await automation.call(FIND, kind, name)) as Point | null;
      const rests = now !== null && before !== null && now.x === before.x && now.y === before.y;
      before = now;
      return rests ? now : null;
    });
  };

  const press = async (kind: Kind, name: string): Promise<void> => {
    const { x, y } = await find(kind, name);
    await automation.act([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  };

  const keys = (text: string): InputSource => ({
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  });

  return {
    find,
    press,
    open: (path: string) => automation.navigate(new URL(path, base).href),
    /** Presses the field and types into it. */
    fill: async (label: string, text: string): Promise<void> => {
      await press('field', label);
      await automation.act([keys(text)]);
    },
    choose: (label: string, option: string) =>
      until(`'${option}' in '${label}'`, () => automation.call(CHOOSE, label, option)),
    /** Waits for a text that is visible. */
    sees: (text: string) =>
      until(`'${text}'`, () =>
        automation.call('(text) => (document.body.innerText.includes(text) ? text : null)', text),
      ),
    /** Waits until a text is not visible any more. */
    misses: (text: string) =>
      until(`that '${text}' is gone`, () =>
        automation.call('(text) => (document.body.innerText.includes(text) ? null : text)', text),
      ),
    /** @returns the first text in the page that a pattern matches */
    reads: (pattern: RegExp) =>
      until(String(pattern), async () => {
        const text = await automation.call('() => document.body.innerText');
        return pattern.exec(String(text))?.[0] ?? null;
      }),
    /** @returns what the page is wider than its window, in CSS pixels */
    overflow: () =>
      automation.call('() => document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  };
}
