import type { LicenseCheck } from './store-checks.ts';

/** What tells the rows of a machine of a licence apart. */
type Answer = Pick<LicenseCheck, 'call' | 'reason' | 'today'>;

/** A note, and the next one of its machine and licence. */
type Chained = LicenseCheck & { next: Chained | undefined };

/**
 * The notes of licences that wait to be stored, each found by its licence and machine: one text of all that tells them
 * apart would have to be put together, and hashed, for each call (docs/decisions/090-checks-in-memory.md).
 */
export class NotedChecks {
  readonly #byLicense = new Map<number, Map<string, Chained>>();
  size = 0;

  /** The note of a machine that was answered the same on the same day. */
  find(licenseId: number, machineId: string, { call, reason, today }: Answer): LicenseCheck | undefined {
    let noted = this.#byLicense.get(licenseId)?.get(machineId);
    while (noted && !(noted.call === call && noted.reason === reason && noted.today === today)) {
      noted = noted.next;
    }
    return noted;
  }

  /** Adds a note that {@link find} does not have. */
  add(check: LicenseCheck): void {
    let machines = this.#byLicense.get(check.license_id);
    if (!machines) {
      machines = new Map();
      this.#byLicense.set(check.license_id, machines);
    }
    machines.set(check.machine_id, { ...check, next: machines.get(check.machine_id) });
    this.size += 1;
  }

  list(): LicenseCheck[] {
    const checks: LicenseCheck[] = [];
    for (const machines of this.#byLicense.values()) {
      for (let noted of machines.values() as Iterable<Chained | undefined>) {
        for (; noted; noted = noted.next) checks.push(noted);
      }
    }
    return checks;
  }
}
