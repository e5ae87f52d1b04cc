export type Requirement = { id: string; area: string; kind: string; statement: string };
export function parseRequirements(csv: string): Requirement[];
export function testTitles(source: string): string[];
export function uncovered(
  requirements: Requirement[],
  titles: Iterable<string>,
  only?: { area?: string; kind?: string },
): { total: number; missing: Requirement[] };
