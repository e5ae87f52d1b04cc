import { call, connections, type HttpAnswer, newClient } from './http.ts';

/** Writers that create clients. Each makes its next call right after the previous answer. */
export type Writers = {
  /** The ids of the acknowledged records. */
  acknowledged: Set<number>;
  /** All other answers, and calls without an answer, with their time and duration. */
  others: { answer: HttpAnswer | null; error: unknown; at: number; ms: number }[];
  /** The time of the last acknowledged record, in milliseconds of performance.now(). */
  lastAt: () => number;
  /** Resolves when `count` more records have been acknowledged. */
  more: (count: number, timeoutMs?: number) => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * @param pauseMs the pause in milliseconds after an answer other than 201
 */
export function startWriters(
  server: { url: string },
  token: string,
  { count, pauseMs = 20, notes = '' }: { count: number; pauseMs?: number; notes?: string },
): Writers {
  const agent = connections(count);
  const acknowledged = new Set<number>();
  const others: Writers['others'] = [];
  let stopped = false;
  let lastAt = 0;
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  const writer = async () => {
    while (!stopped) {
      const began = performance.now();
      const ended = () => ({ at: performance.now(), ms: performance.now() - began });
      try {
        const body = { ...newClient(), notes };
        const answer = await call(server, 'POST', '/licenses/api/clients/', { token, agent, body });
        if (answer.status === 201) {
          acknowledged.add(answer.body.id);
          lastAt = performance.now();
          continue;
        }
        others.push({ answer, error: null, ...ended() });
      } catch (error) {
        others.push({ answer: null, error, ...ended() });
      }
      await pause(pauseMs);
    }
  };
  const writers = Array.from({ length: count }, writer);
  return {
    acknowledged,
    others,
    lastAt: () => lastAt,
    more: async (expected, timeoutMs = 30_000) => {
      const goal = acknowledged.size + expected;
      const deadline = performance.now() + timeoutMs;
      while (acknowledged.size < goal) {
        if (performance.now() > deadline) {
          const last = others.at(-1);
          throw new Error(
            `No ${expected} more records in ${timeoutMs} ms. Last: ${last?.answer?.text ?? last?.error}`,
          );
        }
        await pause(5);
      }
    },
    stop: async () => {
      stopped = true;
      await Promise.all(writers);
      agent.destroy();
    },
  };
}
