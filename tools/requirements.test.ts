import { expect, test } from 'vitest';
import { parseRequirements, testTitles, uncovered } from './requirements.mjs';

const requirements = parseRequirements(
  '\uFEFFid,section,area,statement,kind,check\n' +
    'SEED-2.6-01,2.6,clients,"Heading, subtitle and ""Nuevo Cliente"".",ui,Open it.\n' +
    'SEED-2.6-010,2.6,clients,A longer number.,api,Call it.\n' +
    'SEED-1-02,1,auth,Staff must sign in.,ui,Open it.\n',
);

test('a statement is read with its commas and quotes', () => {
  expect(requirements[0]?.statement).toBe('Heading, subtitle and "Nuevo Cliente".');
});

test('titles are read from every form of a test call, and from nothing else', () => {
  const source = `
    // CLI-0 in a comment
    const id = 'CLI-0';
    test('one', () => { expect(page.getByText('CLI-0')).toBe(1); });
    it.only("two", () => {});
    describe('three', { tag: '@both' }, () => {});
    test.each([['a', 1]])('four %s', () => {});
    test.each(rows)(
      \`five\`, () => {});
    test('it\\'s six', () => {});`;
  const titles = testTitles(source);
  expect(titles).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four %s', 'five', "it\\'s six"]));
  expect(titles).not.toContain('CLI-0');
});

test('tags of a test count like its title', () => {
  const source = `
    test('one', { tags: ['SEED-1-02', 'D002'] }, () => {});
    describe(
      'two',
      {
        timeout: 1000,
        tags: [
          'SEED-2.6-01',
          "SEED-2.6-010",
        ],
      },
      () => {},
    );
    test.each([1])('three', () => { save({ tags: ['D009'] }); });`;
  const titles = testTitles(source);
  expect(titles).toEqual(expect.arrayContaining(['SEED-1-02', 'D002', 'SEED-2.6-01', 'SEED-2.6-010']));
  expect(titles).not.toContain('D009');
  expect(uncovered(requirements, titles).missing).toEqual([]);
});

test('an id inside a longer id does not count', () => {
  const named = uncovered(requirements, ['opens (SEED-2.6-010)', 'SEED-1-02: must sign in']);
  expect(named.missing.map(({ id }) => id)).toEqual(['SEED-2.6-01']);
});

test('several ids in one title all count', () => {
  expect(uncovered(requirements, ['SEED-2.6-01, SEED-2.6-010 and SEED-1-02.']).missing).toEqual([]);
});

test('only the statements of the given area and kind are listed', () => {
  expect(uncovered(requirements, [], { area: 'clients' }).total).toBe(2);
  expect(uncovered(requirements, [], { area: 'clients', kind: 'api' }).missing.map(({ id }) => id)).toEqual([
    'SEED-2.6-010',
  ]);
});
