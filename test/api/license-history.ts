/**
 * The history of a licence, derived from each state in which it was observed. For the independent computation of the
 * reports.
 */

/** The observed state of a licence from an instant on. */
export type Observed = { at: string; status: string; license_type: string; expiry_date: string | null };

export const isTrial = ({ status, license_type }: Pick<Observed, 'status' | 'license_type'>) =>
  status === 'trial' || license_type === 'trial';

/** The periods in which a licence was active. A change that leaves it active does not end a period. */
export function activeTimes(observed: Observed[]): { from: number; to: number }[] {
  const times: { from: number; to: number }[] = [];
  observed.forEach(({ at, status, expiry_date }, index) => {
    const from = Date.parse(at);
    const next = observed[index + 1];
    const until = next ? Date.parse(next.at) : Number.POSITIVE_INFINITY;
    const ends = expiry_date === null ? Number.POSITIVE_INFINITY : Date.parse(expiry_date);
    if (status !== 'active' || ends < from) return;
    const last = times.at(-1);
    const to = Math.min(ends, until);
    if (last && last.to === from) last.to = to;
    else times.push({ from, to });
  });
  return times;
}

/** When a licence issued as a trial was converted, or else when it ended. */
export function endOfTrial(observed: Observed[]): { converted: string | null; lost: string | null } {
  const after = observed.slice(observed.findLastIndex(isTrial) + 1);
  const converted = after.find(({ status }) => status === 'active')?.at ?? null;
  const last = observed.at(-1)!;
  if (last.status !== 'cancelled') return { converted, lost: last.expiry_date };
  const { at, expiry_date } = observed[observed.findLastIndex(({ status }) => status !== 'cancelled') + 1]!;
  return { converted, lost: expiry_date !== null && expiry_date < at ? expiry_date : at };
}
