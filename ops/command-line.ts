/** What commands need for changes that write events. */

/** Commands send no links and need no encryption key, so they work even if the key is lost. */
export const NO_SECRETS = {
  seal: () => {
    throw new Error('The command line seals nothing.');
  },
  open: () => {
    throw new Error('The command line opens nothing.');
  },
  digest: () => {
    throw new Error('The command line hashes nothing.');
  },
  codeOf: () => {
    throw new Error('The command line makes no codes.');
  },
};

export const COMMAND_LINE = { kind: 'system', id: null, name: 'Línea de comandos' } as const;
