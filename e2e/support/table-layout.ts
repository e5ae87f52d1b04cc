import type { Page } from '@playwright/test';

/** The layout faults of a page's tables at its current width, one line each; empty if there are none. */
export function tableFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** The minimum visible width of a truncated or broken text, in pixels: about eleven letters. */
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

    /** Cells that extend beyond the card or overlap another cell. */
    const placeFaults = (cells: Element[], frame: DOMRect) => {
      const places = cells.map((cell) => cell.getBoundingClientRect());
      cells.forEach((cell, position) => {
        const place = places[position]!;
        if (place.left < frame.left - 0.5 || place.right > frame.right + 0.5) {
          faults.push(`${nameOf(cell)} leaves the card`);
        }
        places.slice(position + 1).forEach((other, later) => {
          const width = Math.min(place.right, other.right) - Math.max(place.left, other.left);
          const height = Math.min(place.bottom, other.bottom) - Math.max(place.top, other.top);
          if (width > 0.5 && height > 0.5) {
            faults.push(`${nameOf(cell)} lies over ${nameOf(cells[position + 1 + later]!)}`);
          }
        });
      });
    };

    /** The block element that contains a text. */
    const blockOf = (box: HTMLElement) => {
      let block = box;
      while (getComputedStyle(block).display === 'inline' && block.parentElement) block = block.parentElement;
      return block;
    };

    /** A text that may be truncated, or broken inside a word, needs a minimum width to be readable. */
    const widthFaults = (box: HTMLElement, text: string, mayBreak: boolean, drawn: DOMRect) => {
      if (!pen) return;
      pen.font = getComputedStyle(box).font;
      if (mayBreak) {
        const { clientWidth } = blockOf(box);
        const least = Math.min(LEAST_TEXT, pen.measureText(text).width - 1);
        if (clientWidth < least) faults.push(`${nameOf(box)} has ${clientWidth} px`);
        return;
      }
      const word = Math.max(...text.split(/[\s-]+/).map((part) => pen.measureText(part).width));
      if (drawn.width < word - 1) faults.push(`${nameOf(box)} is broken inside a word`);
    };

    const textFaults = (node: Node, cell: Element) => {
      const box = node.parentElement;
      const text = node.textContent?.trim();
      if (!box || !text || box.closest('.sr-only') || !shown(box)) return;
      const style = getComputedStyle(box);
      const range = document.createRange();
      range.selectNodeContents(node);
      const drawn = range.getBoundingClientRect();
      const ellipsed = style.webkitLineClamp !== 'none' || style.textOverflow === 'ellipsis';
      const block = blockOf(box);
      widthFaults(box, text, ellipsed || getComputedStyle(block).overflowWrap === 'anywhere', drawn);
      if (ellipsed) return;
      const { left, right } = cell.getBoundingClientRect();
      if (drawn.left < left - 0.5 || drawn.right > right + 0.5) faults.push(`${nameOf(box)} leaves its cell`);
      const tooWide = block.scrollWidth - block.clientWidth;
      if (block.clientWidth > 0 && tooWide > 1) {
        faults.push(`${nameOf(box)} is ${tooWide} px too wide for its box`);
      }
    };

    const controlFaults = (control: Element, cell: Element, frame: DOMRect) => {
      // Not visible at this width, because on a phone the actions are in a menu.
      if (control.getClientRects().length === 0) return;
      const cellPlace = cell.getBoundingClientRect();
      const place = control.getBoundingClientRect();
      const name = control.getAttribute('aria-label') ?? control.textContent;
      const left = Math.max(0, frame.left, cellPlace.left);
      const right = Math.min(root.clientWidth, frame.right, cellPlace.right);
      if (place.left < left - 0.5 || place.right > right + 0.5) faults.push(`'${name}' is clipped`);
      if (control.tagName === 'BUTTON' && Math.min(place.width, place.height) < 24) {
        faults.push(`'${name}' is smaller than 24 px`);
      }
    };

    const rowFaults = (row: Element, frame: DOMRect) => {
      const cells = [...row.querySelectorAll('th, td')].filter(shown);
      placeFaults(cells, frame);
      for (const cell of cells) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) textFaults(texts.currentNode, cell);
        for (const control of cell.querySelectorAll('button, a')) controlFaults(control, cell, frame);
      }
    };

    for (const table of document.querySelectorAll('table[role=table]')) {
      const frame = table.closest('section')?.getBoundingClientRect() ?? table.getBoundingClientRect();
      const scroller = table.parentElement;
      if (scroller && scroller.scrollWidth > scroller.clientWidth) faults.push('the table scrolls sideways');
      for (const row of table.querySelectorAll('tr')) if (shown(row)) rowFaults(row, frame);
    }
    return [...new Set(faults)];
  });
}

/** For each row: the distance between the first lines of its cells, and its height, in pixels. */
export function rowLines(page: Page): Promise<{ spread: number; height: number; cells: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('table[role=table] tbody tr')].map((row) => {
      // An empty inline block has its lower edge on the baseline of its line.
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
