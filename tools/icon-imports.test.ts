import { expect, test } from 'vitest';
import { importIconsByFile } from './icon-imports.ts';

const files = new Map([
  ['Sun', 'icons/sun.mjs'],
  ['Moon', 'icons/moon.mjs'],
]);

test('an icon import is rewritten to the file of the icon, type imports are not', () => {
  expect(
    importIconsByFile("import { type LucideIcon, Moon,\n  Sun } from 'lucide-react';\nuse(Sun);", files),
  ).toBe(
    "import Moon from 'lucide-react/dist/esm/icons/moon.mjs'; import Sun from 'lucide-react/dist/esm/icons/sun.mjs';\nuse(Sun);",
  );
});

test('an icon that the package does not have is reported as an error', () => {
  expect(() => importIconsByFile("import { Nube } from 'lucide-react';", files)).toThrow('Nube');
});
