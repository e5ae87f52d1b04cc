import type { LicenseCheck } from './store-checks.ts';

/** The fields that distinguish the checks of the same machine and licence. */
type Answer = Pick<LicenseCheck, 'call' | 'reason' | 'today'>;

/** A check, linked to the next one of the same machine and licence. */
type Chained = LicenseCheck & { next: Chained | undefined };

/**
 * The checks in memory, found by licence and machine. A single text as a key would have to be built and hashed for
 * each call (docs/decisions/090-checks-in-memory.md).
 */
export class CollectedChecks {
  readonly #byLicense = new Map<number, Map<string, Chained>>();
  size = 0;

  /** The check of a machine with the same answer on the same day. */
  find(licenseId: number, machineId: string, { call, reason, today }: Answer): LicenseCheck | undefined {
    let candidate = this.#byLicense.get(licenseId)?.get(machineId);
    while (
      candidate &&
      !(candidate.call === call && candidate.reason === reason && candidate.today === today)
    ) {
      candidate = candidate.next;
    }
    return candidate;
  }

  /** Adds a check that {@link find} does not find. */
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
      for (let candidate of machines.values() as Iterable<Chained | undefined>) {
        for (; candidate; candidate = candidate.next) checks.push(candidate);
      }
    }
    return checks;
  }
}
