import type { Page } from '@playwright/test';

/** The layout faults of a page's tables at its current width, one line each; empty when there are none. */
export function tableFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** The least visible width of a truncated or broken text, in pixels: about eleven letters. */
    const LEAST_TEXT = 80;
    const faults: string[] = [];
    const root = document.documentElement;
    const pen = document.createElement('canvas').getContext('2d');
    const shown = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
    };
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} '${element.textContent?.trim().slice(0, 30)}'`;

    if (root.scrollWidth > root.clientWidth) {
      faults.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    }

    for (const table of document.querySelectorAll('table[role=table]')) {
      const frame = table.closest('section')?.getBoundingClientRect() ?? table.getBoundingClientRect();
      const scroller = table.parentElement;
      if (scroller && scroller.scrollWidth > scroller.clientWidth) faults.push('the table scrolls sideways');
      const rows = [...table.querySelectorAll('tr')].filter(shown);

      for (const row of rows) {
        const cells = [...row.querySelectorAll('th, td')].filter(shown);
        const places = cells.map((cell) => cell.getBoundingClientRect());
        cells.forEach((cell, position) => {
          const place = places[position];
          if (!place) return;
          if (place.left < frame.left - 0.5 || place.right > frame.right + 0.5) {
            faults.push(`${nameOf(cell)} leaves the card`);
          }
          places.slice(position + 1).forEach((other, later) => {
            const width = Math.min(place.right, other.right) - Math.max(place.left, other.left);
            const height = Math.min(place.bottom, other.bottom) - Math.max(place.top, other.top);
            const neighbour = cells[position + 1 + later];
            if (width > 0.5 && height > 0.5 && neighbour) {
              faults.push(`${nameOf(cell)} lies over ${nameOf(neighbour)}`);
            }
          });
        });

        for (const cell of cells) {
          const cellPlace = cell.getBoundingClientRect();
          const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
          while (texts.nextNode()) {
            const box = texts.currentNode.parentElement;
            const text = texts.currentNode.textContent?.trim();
            if (!box || !text || !pen || box.closest('.sr-only') || !shown(box)) continue;
            const style = getComputedStyle(box);
            const range = document.createRange();
            range.selectNodeContents(texts.currentNode);
            const drawn = range.getBoundingClientRect();
            const clamped = style.webkitLineClamp !== 'none';
            const ellipsed = clamped || style.textOverflow === 'ellipsis';
            pen.font = style.font;
            // A text that may be truncated, or broken inside a word, needs a minimum width to be readable.
            let block = box;
            while (getComputedStyle(block).display === 'inline' && block.parentElement) {
              block = block.parentElement;
            }
            if (ellipsed || getComputedStyle(block).overflowWrap === 'anywhere') {
              const least = Math.min(LEAST_TEXT, pen.measureText(text).width - 1);
              if (block.clientWidth < least) faults.push(`${nameOf(box)} has ${block.clientWidth} px`);
            } else {
              const word = Math.max(...text.split(/[\s-]+/).map((part) => pen.measureText(part).width));
              if (drawn.width < word - 1) faults.push(`${nameOf(box)} is broken inside a word`);
            }
            if (!ellipsed && (drawn.left < cellPlace.left - 0.5 || drawn.right > cellPlace.right + 0.5)) {
              faults.push(`${nameOf(box)} leaves its cell`);
            }
            if (!ellipsed && block.clientWidth > 0 && block.scrollWidth > block.clientWidth + 1) {
              faults.push(
                `${nameOf(box)} is ${block.scrollWidth - block.clientWidth} px too wide for its box`,
              );
            }
          }
          for (const control of cell.querySelectorAll('button, a')) {
            // Not drawn at this width: on a phone the actions are in a menu.
            if (control.getClientRects().length === 0) continue;
            const place = control.getBoundingClientRect();
            const name = control.getAttribute('aria-label') ?? control.textContent;
            const left = Math.max(0, frame.left, cellPlace.left);
            const right = Math.min(root.clientWidth, frame.right, cellPlace.right);
            if (place.left < left - 0.5 || place.right > right + 0.5) faults.push(`'${name}' is clipped`);
            if (control.tagName === 'BUTTON' && Math.min(place.width, place.height) < 24) {
              faults.push(`'${name}' is smaller than 24 px`);
            }
          }
        }
      }
    }
    return [...new Set(faults)];
  });
}

/** Per row: the distance between the first lines of its cells, and its height, in pixels. */
export function rowLines(page: Page): Promise<{ spread: number; height: number; cells: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('table[role=table] tbody tr')].map((row) => {
      // An empty inline block lies on the baseline of its line.
      const marks = [...row.querySelectorAll('td')].flatMap((cell) => {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const box = texts.currentNode.parentElement;
          if (!texts.currentNode.textContent?.trim() || !box) continue;
          if (box.closest('.sr-only, [aria-hidden]')) continue;
          const mark = document.createElement('i');
          mark.style.display = 'inline-block';
          box.insertBefore(mark, texts.currentNode);
          return [mark];
        }
        return [];
      });
      const lines = marks.map((mark) => mark.getBoundingClientRect().bottom);
      const { height } = row.getBoundingClientRect();
      for (const mark of marks) mark.remove();
      return { spread: Math.max(...lines) - Math.min(...lines), height, cells: lines.length };
    }),
  );
}
