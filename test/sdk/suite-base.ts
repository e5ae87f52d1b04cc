import { copyFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { License } from '../../contract/licenses/licenses.ts';
import type { Language } from '../../tools/toolchains.ts';
import { type Config, type Scene, startScene } from './scene.ts';

/** What a program of these tests gets while all is well. */
export const good = {
  ok: true,
  reason: null,
  offline: false,
  daysLeft: null,
  features: { modulo_nomina: true, usuarios: 25, modulo_web: false },
};

/** What it gets otherwise. */
export const refusal = (reason: string, offline: boolean) => ({
  ...{ ok: false, reason, offline, daysLeft: 0, features: {} },
});

/** What the tests of one language share. Its scene is there once `start` has ended. */
export class Suite {
  scene!: Scene;
  readonly language: Language;
  /** A program that was checked once while all was well. Tests share its licence, so only few of them may ask the real server with it. */
  activated!: Config;
  /** The same for a licence that was suspended afterwards, which the program knows. */
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
   * A program with a licence of its own that was checked once, for tests that ask the real server: it answers a machine of
   * a licence 60 times a minute, so with one licence for all a fast computer would see 429.
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

  /** The same program with a copy of its store, so that tests do not disturb each other. */
  copyOf = (config: Config, changes: Partial<Config> = {}): Config => {
    const store = this.scene.newPath();
    copyFileSync(config.store, store);
    return { ...config, store, ...changes };
  };

  /** What a copy of the program gets where nobody listens. */
  offline = (config: Config, changes: Partial<Config> = {}) =>
    this.scene.check(this.copyOf(config, { server: this.scene.nowhere, ...changes }));
}
