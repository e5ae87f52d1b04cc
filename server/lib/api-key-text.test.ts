import { describe, expect, test } from 'vitest';
import { createApiKeyText, isApiKeyText } from './api-key-text.ts';

describe('the text of an API key (PEOPLE-07)', () => {
  test('has the prefix, 30 random characters and a checksum', () => {
    const keys = Array.from({ length: 200 }, createApiKeyText);
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) {
      expect(key).toMatch(/^lmk_[0-9A-Za-z]{36}$/);
      expect(isApiKeyText(key)).toBe(true);
    }
  });

  test('is refused with one character changed, added or missing', () => {
    const key = createApiKeyText();
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isApiKeyText(key.slice(0, at) + other + key.slice(at + 1)), `at ${at}`).toBe(false);
    }
    expect([isApiKeyText(`${key}0`), isApiKeyText(key.slice(0, -1)), isApiKeyText('')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('has the same checksum as another program computes (zlib of Python)', () => {
    expect(isApiKeyText(`lmk_${'0'.repeat(30)}2C8GjS`)).toBe(true);
  });
});
