import autocannon from 'autocannon';
import type { Running } from './processes.ts';

export type HttpRequest = { method: 'GET' | 'POST'; path: string; body?: string };

/** The results of a server in one round. */
export type Round = {
  /** Successful answers per second. */
  rate: number;
  p50: number;
  p99: number;
  /** The server's processor time for each answer, in microseconds. */
  cpuMicros: number;
};

export const CONNECTIONS = 16;

export type LoadOptions = { seconds: number; token?: string; connections?: number };

/**
 * Sends requests over sixteen connections; each connection sends its next request after the previous answer.
 * @param next creates the next request
 * @throws if any answer is not a 2xx, because a fast failure must not count
 */
export async function drive(
  target: Running,
  next: () => HttpRequest,
  { seconds, token, connections = CONNECTIONS }: LoadOptions,
): Promise<Round> {
  const times: number[] = [];
  const cpuBefore = target.cpuMs();
  const run = autocannon({
    url: target.origin,
    connections,
    duration: seconds,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    requests: [{ setupRequest: (request) => Object.assign(request, next()) }],
  });
  run.on('response', (_client, _status, _bytes, milliseconds) => {
    times.push(milliseconds);
  });
  const result = await run;
  const cpu = target.cpuMs() - cpuBefore;
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${next().path}: ${result.errors} errors, ${result.non2xx} refusals.`);
  }
  times.sort((a, b) => a - b);
  return {
    rate: times.length / result.duration,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpuMicros: (cpu * 1000) / times.length,
  };
}

const quantile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const medianRound = (rounds: Round[]): Round => ({
  rate: median(rounds.map((round) => round.rate)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
  cpuMicros: median(rounds.map((round) => round.cpuMicros)),
});

/** The minimum number of rounds for a ratio: with two, a difference may be chance. */
export const ROUNDS_MIN = 3;

/**
 * The ratio of two servers that were measured alternately: the median of the ratios of all pairs of rounds. Other load
 * on the machine then slows both rounds of a pair.
 * @throws RangeError with fewer than three rounds
 */
export function ratioOf(product: Round[], floor: Round[]): number {
  if (product.length < ROUNDS_MIN || floor.length !== product.length) {
    throw new RangeError(`A ratio needs at least ${ROUNDS_MIN} rounds of both, measured in turns.`);
  }
  return median(product.map((round, index) => round.rate / floor[index]!.rate));
}

/** The spread of the rates of equal rounds as a fraction of their median: 0.1 is ten percent. */
export function spreadOf(rounds: Round[]): number {
  const rates = rounds.map((round) => round.rate);
  return (Math.max(...rates) - Math.min(...rates)) / median(rates);
}
