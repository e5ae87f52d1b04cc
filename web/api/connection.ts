import { create } from 'zustand';

/**
 * Whether the server can be reached. `doubtful`: a call got no answer and the health check is not done yet. `lost`:
 * the health check failed (D035).
 */
type ConnectionState = 'here' | 'doubtful' | 'lost';

export const useConnection = create<{ state: ConnectionState }>()(() => ({ state: 'here' }));

const setState = (state: ConnectionState) => {
  if (useConnection.getState().state !== state) useConnection.setState({ state });
};

const isConnectionLost = () => useConnection.getState().state === 'lost';

/** Call it when a call got no answer. One failed call alone does not mean that the connection is lost. */
export function reportSilence(): void {
  if (useConnection.getState().state === 'here') setState('doubtful');
}

/** Call it when a call was answered with 2xx: the server is reachable. */
export function reportAnswer(): void {
  if (isConnectionLost()) setState('here');
}

export const reportLost = () => setState('lost');
export const reportReached = () => setState('here');

/** Resolves when the connection is not lost: at once, or when it is restored. */
export function whenNotLost(): Promise<void> {
  if (!isConnectionLost()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useConnection.subscribe(({ state }) => {
      if (state === 'lost') return;
      stop();
      resolve();
    });
  });
}
