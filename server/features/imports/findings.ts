import {
  type COUNTED_FINDINGS,
  FINDING_SAMPLES,
  type FINDINGS_BY_FIELD,
  type FindingSort,
  type ImportFinding,
  type ImportForecast,
} from '../../../contract/imports/imports.ts';

/** What a check tells about cells that can be read: repaired, doubtful, missing (LISTS-02). */

/** What is found and stored: the sorts of an answer, and the clients that licences make, which a run counts. */
type StoredSort = FindingSort | 'new_client';

/** One cell of a row. `value` is what is stored of it, null if nothing is. */
export type CellFinding = { sort: StoredSort; field: string; text: string; value: string | null };

/** Findings of one sort and field. */
type Group = { sort: StoredSort; field: string } & ImportFinding;

/** The findings of some rows, one group for each sort and field. */
export type Findings = Group[];

/** A sample shows no more characters of a cell than this. */
const SAMPLE_MAX = 200;

function groupOf(findings: Findings, sort: StoredSort, field: string): Group {
  const known = findings.find((group) => group.sort === sort && group.field === field);
  if (known) return known;
  const group: Group = { sort, field, count: 0, samples: [] };
  findings.push(group);
  return group;
}

/** Adds what was found in the cells of a row. */
export function addFindings(findings: Findings, row: number, cells: readonly CellFinding[]): void {
  for (const { sort, field, text, value } of cells) {
    const group = groupOf(findings, sort, field);
    group.count += 1;
    if (group.samples.length < FINDING_SAMPLES)
      group.samples.push({
        row,
        field,
        text: text.slice(0, SAMPLE_MAX),
        value: value?.slice(0, SAMPLE_MAX) ?? null,
      });
  }
}

/** The findings of earlier rows and those of later ones; the earlier rows give the samples. */
export function mergeFindings(earlier: Findings, later: Findings): Findings {
  const merged = structuredClone(earlier);
  for (const { sort, field, count, samples } of later) {
    const group = groupOf(merged, sort, field);
    group.count += count;
    group.samples = [...group.samples, ...samples].slice(0, FINDING_SAMPLES);
  }
  return merged;
}

/** The findings once some of the clients that licences made are deleted again. */
export function withoutNewClients(findings: Findings, deleted: number): Findings {
  return findings.map((group) =>
    group.sort === 'new_client' ? { ...group, count: group.count - deleted } : group,
  );
}

/** How many clients the licences of a run made. */
export const newClientsIn = (findings: Findings): number =>
  findings.find(({ sort }) => sort === 'new_client')?.count ?? 0;

const toFinding = (groups: readonly Group[]): ImportFinding => ({
  count: groups.reduce((sum, { count }) => sum + count, 0),
  samples: groups
    .flatMap(({ samples }) => samples)
    .toSorted((one, other) => one.row - other.row)
    .slice(0, FINDING_SAMPLES),
});

/** The findings in the answer of a check. */
export function findingsInAnswer(
  findings: Findings,
): Pick<ImportForecast, (typeof COUNTED_FINDINGS)[number] | (typeof FINDINGS_BY_FIELD)[number]> {
  const ofSort = (requested: FindingSort) => findings.filter(({ sort }) => sort === requested);
  const byField = (requested: FindingSort) =>
    Object.fromEntries(ofSort(requested).map((group) => [group.field, toFinding([group])]));
  return {
    grouped: toFinding(ofSort('grouped')),
    suspicious: toFinding(ofSort('suspicious')),
    duplicates: toFinding(ofSort('duplicates')),
    email: toFinding(ofSort('email')),
    fixed: byField('fixed'),
    missing: byField('missing'),
  };
}
