import { create } from 'zustand';

/**
 * Whether the server can be reached. `doubtful`: a call got no answer and nobody has looked further yet. `lost`: the
 * server was asked for its health and did not answer well (D035).
 */
export type ConnectionState = 'here' | 'doubtful' | 'lost';

export const useConnection = create<{ state: ConnectionState }>()(() => ({ state: 'here' }));

const setState = (state: ConnectionState) => {
  if (useConnection.getState().state !== state) useConnection.setState({ state });
};

export const isConnectionLost = () => useConnection.getState().state === 'lost';

/** A call got no answer. One call may fail for reasons of its own, so this alone is no loss. */
export function noteSilence(): void {
  if (useConnection.getState().state === 'here') setState('doubtful');
}

/** A call was answered well: so the server is there, whatever was thought before. */
export function noteAnswer(): void {
  if (isConnectionLost()) setState('here');
}

export const noteLost = () => setState('lost');
export const noteReached = () => setState('here');

/** Resolves once the connection is not lost: at once, or when it is back. */
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
