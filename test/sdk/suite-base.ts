import { copyFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { License } from '../../contract/licenses/licenses.ts';
import type { Language } from '../../tools/toolchains.ts';
import { type Config, type Scene, startScene } from './scene.ts';

/** The expected result while all is well. */
export const good = {
  ok: true,
  reason: null,
  offline: false,
  daysLeft: null,
  features: { modulo_nomina: true, usuarios: 25, modulo_web: false },
};

/** The expected result of a refusal. */
export const refusal = (reason: string, offline: boolean) => ({
  ...{ ok: false, reason, offline, daysLeft: 0, features: {} },
});

/** The data that the tests of one language share. `scene` is set after `start` has ended. */
export class Suite {
  scene!: Scene;
  readonly language: Language;
  /**
   * A program that was checked once successfully. Tests share its licence, so only few may call the real server with
   * it.
   */
  activated!: Config;
  /** The same for a licence that was suspended afterwards; the program has the refusal in its store. */
  suspended!: Config;

  constructor(language: Language) {
    this.language = language;
  }

  async start(tool: string): Promise<void> {
    this.scene = await startScene(this.language, tool);
    this.activated = await this.scene.program();
    expect(await this.scene.check(this.activated)).toEqual(good);
    const { config, license } = await this.newProgram();
    this.suspended = config;
    await this.suspend(license.id);
    expect(await this.scene.check(this.suspended)).toEqual(refusal('suspended', false));
  }

  /**
   * A new program with a new licence, checked once, for tests that call the real server. The server accepts 60 calls a
   * minute from a machine of a licence, so with one licence for all tests a fast computer would get 429.
   */
  newProgram = async (): Promise<{ config: Config; license: License }> => {
    const license = await this.scene.newLicense();
    const config = await this.scene.program({ key: license.license_key });
    expect(await this.scene.check(config)).toEqual(good);
    return { config, license };
  };

  suspend = (id: number) =>
    this.scene.testApp.call('POST', `/licenses/api/licenses/${id}/suspend/`, { body: {} });

  machinesOf = async (id: number) =>
    (await this.scene.testApp.call('GET', `/licenses/api/installations/?license=${id}`)).body.results;

  /** The program with a copy of its store, so that tests do not influence each other. */
  copyOf = (config: Config, changes: Partial<Config> = {}): Config => {
    const store = this.scene.newPath();
    copyFileSync(config.store, store);
    return { ...config, store, ...changes };
  };

  /** The result of a copy of the program if nobody listens on its server's address. */
  offline = (config: Config, changes: Partial<Config> = {}) =>
    this.scene.check(this.copyOf(config, { server: this.scene.nowhere, ...changes }));
}
