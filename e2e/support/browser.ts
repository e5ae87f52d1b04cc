import { findChromium } from '../../tools/chromium.ts';

/** The browser with its window at full size, for files whose tests measure what is drawn. */
export const fullSize = {
  executablePath: findChromium(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/**
 * The browser whose window is drawn at half the size, which costs a quarter of the time. Pages see the size that the
 * configuration says, but no line is thinner than 2 px, odd sizes of a window become even, and texts are some pixels
 * wider or narrower.
 */
export const halfSize = { ...fullSize, args: [...fullSize.args, '--force-device-scale-factor=0.5'] };
