import { describe, expect, test } from 'vitest';
import { canMount, mountRamDisk } from '../faults/ram-disk.ts';
import { lateProgram } from './clock-attacks.ts';
import { MESSAGES } from './message-rule.ts';
import { type Config, DAY } from './scene.ts';
import type { Suite } from './suite-base.ts';
import { endedServer } from './suite-told.ts';

const { es } = MESSAGES;
/** Shown in the table if there is no text. */
const NOTHING = '(nada: funciona)';

type Situation = {
  name: string;
  /** The text that the program's user reads. */
  text: string;
  prepare: (suite: Suite) => Promise<Config> | Config;
};

/** Situations of a program; docs/sdks.md has the table. */
export const SITUATIONS: Situation[] = [
  {
    name: 'no network, first start',
    text: es.detail_unreachable!,
    prepare: ({ scene }) => scene.program({ server: scene.nowhere }),
  },
  {
    name: 'no network, started before',
    text: NOTHING,
    prepare: ({ scene, activated, copyOf }) => copyOf(activated, { server: scene.nowhere }),
  },
  {
    name: 'a clock that stands still for more than a day without network',
    text: es.clock_back!,
    prepare: async ({ scene, activated, copyOf }) => {
      const { at, check } = lateProgram(scene, copyOf(activated));
      await check(1, 1000);
      return at(1, 1000 + DAY + 3600);
    },
  },
  {
    name: 'a full disk',
    text: es.store_full!,
    prepare: ({ activated }) => {
      const disk = mountRamDisk(1);
      disk.fillUpTo(0);
      return { ...activated, store: `${disk.directory}/store` };
    },
  },
  {
    name: 'a server that hangs, first start',
    text: es.detail_timeout!,
    prepare: ({ scene }) => scene.program({ server: scene.gateway.through(() => {}), timeout: 1 }),
  },
  {
    name: 'a certificate that ended',
    text: es.detail_tls!,
    prepare: async ({ scene }) => scene.program({ server: await endedServer() }),
  },
];

/** Tests of the text in each situation. */
export function readsTests(suite: Suite): void {
  describe('what its user reads', () => {
    const textOf = async (config: Config): Promise<string> => {
      const result = await suite.scene.ask({ do: 'check', ...config });
      return (await suite.scene.ask({ do: 'message', result, lang: 'es' })) || NOTHING;
    };
    // Not test.each, because it shortens titles, and tools/sdk-table.ts reads them.
    for (const { name, text, prepare } of SITUATIONS) {
      test.runIf(canMount || name !== 'a full disk')(`${name}: ${text}`, async () => {
        expect(await textOf(await prepare(suite))).toBe(text);
      });
    }

    test(`two processes of one program at once, on one store: ${NOTHING}`, async () => {
      const other = suite.scene.another();
      const { config } = await suite.newProgram();
      const ask = [suite.scene.ask, other.ask, suite.scene.ask, other.ask, other.ask, suite.scene.ask];
      const results = await Promise.all(ask.map((check) => check({ do: 'check', ...config })));
      for (const result of results) {
        expect(result).toMatchObject({ ok: true, offline: false, storeError: null });
        expect(await suite.scene.ask({ do: 'message', result, lang: 'es' })).toBe('');
      }
      expect(await textOf({ ...config, server: suite.scene.nowhere })).toBe(NOTHING);
    });
  });
}
