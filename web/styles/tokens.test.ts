import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

/** The colours in a block of tokens, by name. */
function colours(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

const light = colours(':root');
// A role without a dark value has its light value in the dark theme too.
const dark = { ...light, ...colours(':root[data-theme="dark"]') };

/** Relative luminance, as WCAG defines it. */
function luminance(hex: string | undefined): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt((hex ?? '').slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const TINTS = Object.keys(light).filter((name) => name.endsWith('-tint'));
const SURFACES = ['page', 'surface', 'raised', 'sunken', 'skeleton', ...TINTS];

test.each(SURFACES)('the colour %s is darker in the dark theme than in the light one', (name) => {
  expect(luminance(dark[name])).toBeLessThan(luminance(light[name]));
});

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_, theme) => {
  test('a sunken area is darker than the surface around it', () => {
    expect(luminance(theme.sunken)).toBeLessThan(luminance(theme.surface));
  });

  test.each(['page', 'surface', 'raised', 'sunken'])('text and muted text are readable on %s', (surface) => {
    expect(contrast(theme.text, theme[surface])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme.muted, theme[surface])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(TINTS)('the text on %s is readable', (tint) => {
    expect(contrast(theme[tint.replace('-tint', '-text')], theme[tint])).toBeGreaterThanOrEqual(4.5);
  });

  test('the text of a tooltip is readable, and its background is dark', () => {
    expect(contrast(theme['on-tip'], theme.tip)).toBeGreaterThanOrEqual(4.5);
    expect(luminance(theme.tip)).toBeLessThan(0.1);
  });
});
