import { z } from 'zod';
import { done } from '../base/errors.ts';
import { PROGRAM_TEXT_MAX } from '../base/limits.ts';
import { nonce, tokenShape } from '../base/nonce.ts';
import { recordId, writtenId } from '../base/numbers.ts';
import { listQuery, pageOf, queryDays, queryFlag, updatedSince } from '../base/page.ts';
import { line, optionalDay, requiredLine } from '../base/text.ts';
import { requiredKey, typedKey } from '../base/typed-key.ts';
import { metersAnswered } from '../licenses/meters.ts';
import { pendingShape } from '../licenses/start.ts';
import { describedChange, describedLine, describedLines, releaseDay } from '../reading/described.ts';
import { machineWarningShape } from './machine-warning.ts';

export const INSTALLATION_MESSAGES = {
  licenseKeyRequired: 'La clave de licencia es obligatoria',
  machineIdRequired: 'El identificador del equipo es obligatorio',
  software: 'Indica el código, el nombre o el id del software',
  limit: 'Se alcanzó el máximo de instalaciones',
  notFound: 'Equipo no encontrado',
  undoRequired: 'Indica el undo que dio la liberación',
  notUndoable: 'Ya no se puede deshacer: el equipo se tiene que activar de nuevo',
} as const;

export const INSTALLATION_RESULTS = {
  deleted: 'Equipo liberado exitosamente',
  released: (count: number) =>
    count === 0 ? 'Ningún equipo calla' : count === 1 ? '1 equipo liberado' : `${count} equipos liberados`,
} as const;

/** Only in answers about a licence in its grace; otherwise both fields are absent (LIFE-13). */
export const graceShape = { in_grace: z.literal(true).optional(), grace_until: z.string().optional() };

/** The code, name or id that a program sends for its own software (API-03). */
export const askedSoftware = z
  .union([requiredLine(200, INSTALLATION_MESSAGES.software), recordId], {
    error: INSTALLATION_MESSAGES.software,
  })
  .transform(String)
  .meta({ examples: ['punto-de-venta'] });

/** Optional fields of all calls of a program: its software, and a nonce to request a signed answer. */
export const programQuestions = { software: askedSoftware.optional(), nonce: nonce.optional() };

/** The release day of the program's build, AAAA-MM-DD. If it is absent or blank, updates are not checked (SELL-02). */
export const releasedOn = z.preprocess(releaseDay, optionalDay).optional();

/** The two fields that identify an installed program (SEED-3-25). */
export const machineCredentials = {
  license_key: requiredKey(INSTALLATION_MESSAGES.licenseKeyRequired),
  machine_id: requiredLine(200, INSTALLATION_MESSAGES.machineIdRequired),
};

/** The examples use a licence and a machine of the sample data, so that they work as written. */
export const activation = z
  .object({
    ...machineCredentials,
    machine_name: describedLine(200),
    mac_address: describedLine(50),
    ip_address: describedLine(50),
    notes: describedLines(5000),
    /** The version of the program and the machine's operating system (PROG-06). If absent, the stored values stay. */
    app_version: describedLine(PROGRAM_TEXT_MAX),
    os: describedLine(PROGRAM_TEXT_MAX),
    released_on: releasedOn,
    ...programQuestions,
  })
  .meta({
    examples: [
      {
        license_key: 'DEMAA-22222-33333-44444-55555',
        machine_id: 'caja-01',
        machine_name: 'Caja 1',
        mac_address: '02:00:5E:10:00:01',
        ip_address: '192.0.2.10',
        app_version: '4.2.1',
        os: 'Windows 11',
      },
    ],
  });
export type Activation = z.output<typeof activation>;

export const heartbeat = z
  .object({
    ...machineCredentials,
    /** The machine's present name; if absent or blank, the stored one stays (CODE-04). */
    machine_name: describedChange(200),
    ip_address: describedChange(50),
    /** If absent or blank, the stored values stay (PROG-06). */
    app_version: describedChange(PROGRAM_TEXT_MAX),
    os: describedChange(PROGRAM_TEXT_MAX),
    released_on: releasedOn,
    ...programQuestions,
  })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });

/** A program releases its own seat (PROG-05, PROG-06). */
export const release = z
  .object({ ...machineCredentials, ...programQuestions })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });
export type Release = z.output<typeof release>;

/** The token confirms that the machine has no seat any more: reason `not_activated`. */
export const releaseResult = done
  .extend({ ...metersAnswered, ...machineWarningShape, ...tokenShape })
  .meta({ id: 'ReleaseResult' });

/** The query of a release by staff. With `undo` the answer contains what is needed to undo the release. */
export const releaseQuery = z.object({
  undo: queryFlag
    .optional()
    .meta({ description: 'Pide en la respuesta con qué se deshace. / Asks for what undoes it.' }),
});

/** For how many minutes a release can be undone. */
export const UNDO_RELEASE_MINUTES = 10;

/**
 * Until when the program of a released machine can still work offline, if it can (PROG-06); and `undo`, if requested.
 */
export const releasedByStaff = done
  .extend({
    works_until: z.string().optional(),
    undo: z
      .string()
      .optional()
      .meta({
        description: `Con undo=1: deshace la liberación durante ${UNDO_RELEASE_MINUTES} minutos. / Undoes the release for so long.`,
      }),
  })
  .meta({ id: 'ReleasedByStaff' });
export type ReleasedByStaff = z.infer<typeof releasedByStaff>;

/** The body that undoes a release: its `undo`. */
export const undoRelease = z.object({
  undo: requiredLine(20_000, INSTALLATION_MESSAGES.undoRequired).meta({
    description: 'El undo que dio la liberación. / The undo of the release.',
  }),
});

export const heartbeatResult = z
  .object({
    success: z.literal(true),
    installation: z.object({
      id: z.number().int(),
      machine_id: z.string(),
      last_heartbeat: z.string().nullable(),
      is_active: z.boolean(),
      /** Only for a floating seat: when its lease ends if no heartbeat arrives before (PROG-05). */
      lease_until: z.string().optional(),
    }),
    license: z.object({
      status: z.string(),
      is_expired: z.boolean(),
      /** Only if the program's build was released after the last day of updates (SELL-02). */
      updates_ended: z.literal(true).optional(),
      ...graceShape,
      ...pendingShape,
      days_remaining: z.number().int().nullable(),
    }),
    ...metersAnswered,
    ...machineWarningShape,
    ...tokenShape,
  })
  .meta({ id: 'HeartbeatResult' });

export const installation = z
  .object({
    id: z.number().int(),
    machine_name: z.string(),
    machine_id: z.string(),
    mac_address: z.string(),
    ip_address: z.string(),
    installation_date: z.string(),
    last_heartbeat: z.string().nullable(),
    notes: z.string(),
    /** Reported by the program (PROG-06); '' if it did not report them. */
    app_version: z.string(),
    os: z.string(),
    /** When the lease of a floating seat ends if no heartbeat arrives before; null for a fixed seat (PROG-05). */
    lease_until: z.string().nullable(),
    /**
     * Until when its last license file is valid; null if there is none, or if it was issued before this was stored
     * (PORTAL-05).
     */
    file_until: z.string().nullable(),
    software_name: z.string(),
    software_version: z.string(),
    license_type: z.string(),
    license_key: z.string(),
    /**
     * Fields that are not in the specification: the licence's id, the client's name, and the result of the 24-hour
     * rule.
     */
    license: z.number().int(),
    client_name: z.string(),
    is_active: z.boolean(),
    /** The last activation or change of reported data. A heartbeat alone does not change it (API-01). */
    updated_at: z.string(),
  })
  .meta({ id: 'Installation' });
export type Installation = z.infer<typeof installation>;

export const activationResult = installation
  .extend({ ...pendingShape, ...metersAnswered, ...machineWarningShape, ...tokenShape })
  .meta({ id: 'ActivationResult' });

export const installationListQuery = z.object({
  ...listQuery.shape,
  /** Installations with exactly this machine id, in all licences. */
  machine_id: line(200).optional(),
  license: writtenId.optional(),
  client: writtenId.optional(),
  software: writtenId.optional(),
  is_active: queryFlag.optional(),
  /** Installations with exactly this version of the program (REPORT-02). */
  app_version: line(PROGRAM_TEXT_MAX).optional(),
  /** Installations that sent a heartbeat within this number of days. */
  active_within: queryDays.optional(),
  /** Installations that neither sent a heartbeat nor were installed within this number of days. */
  silent_for: queryDays.optional(),
  /** The installations of the licence with this key, however the key is written. */
  license_key: typedKey.optional(),
  updated_since: updatedSince.optional(),
});

export const installationPage = pageOf(installation).meta({ id: 'InstallationPage' });
