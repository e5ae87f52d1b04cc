import { z } from 'zod';
import { done } from '../base/errors.ts';
import { PROGRAM_TEXT_MAX } from '../base/limits.ts';
import { nonce, tokenShape } from '../base/nonce.ts';
import { recordId } from '../base/numbers.ts';
import { listQuery, pageOf, queryDays, queryFlag, updatedSince } from '../base/page.ts';
import { line, optionalDay, optionalLine, optionalParagraph, requiredLine } from '../base/text.ts';
import { pendingShape } from '../licenses/start.ts';

export const INSTALLATION_MESSAGES = {
  licenseKeyRequired: 'La clave de licencia es obligatoria',
  machineIdRequired: 'El identificador del equipo es obligatorio',
  software: 'Indica el código, el nombre o el id del software',
  limit: 'Se alcanzó el máximo de instalaciones',
  notFound: 'Equipo no encontrado',
  undoRequired: 'Indica el undo que dio la liberación',
  notUndoable: 'Ya no se puede deshacer: el equipo se tiene que activar de nuevo',
} as const;

export const INSTALLATION_RESULTS = { deleted: 'Equipo liberado exitosamente' } as const;

/** Only in answers about a licence in its grace: without it neither field is there (LIFE-13). */
export const graceShape = { in_grace: z.literal(true).optional(), grace_until: z.string().optional() };

/** The code, the name or the id of a software, as a program may name its own (API-03). */
export const askedSoftware = z
  .union([requiredLine(200, INSTALLATION_MESSAGES.software), recordId], {
    error: INSTALLATION_MESSAGES.software,
  })
  .transform(String)
  .meta({ examples: ['punto-de-venta'] });

/** What a program may send with any of its calls: its software, and a nonce for a signed answer. */
export const programQuestions = { software: askedSoftware.optional(), nonce: nonce.optional() };

/** The day on which the program's build came out, AAAA-MM-DD; absent and blank ones ask nothing of updates (SELL-02). */
export const releasedOn = optionalDay.optional();

/** The two fields that identify an installed program (SEED-3-25). */
export const machineCredentials = {
  license_key: requiredLine(100, INSTALLATION_MESSAGES.licenseKeyRequired),
  machine_id: requiredLine(200, INSTALLATION_MESSAGES.machineIdRequired),
};

/** The examples use a licence and a machine of the sample data, so that they work as written. */
export const activation = z
  .object({
    ...machineCredentials,
    machine_name: optionalLine(200).prefault(''),
    mac_address: optionalLine(50).prefault(''),
    ip_address: optionalLine(50).prefault(''),
    notes: optionalParagraph(5000).prefault(''),
    /** The program's version and the machine's system (PROG-06); absent ones keep what is stored. */
    app_version: optionalLine(PROGRAM_TEXT_MAX).prefault(''),
    os: optionalLine(PROGRAM_TEXT_MAX).prefault(''),
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
    ip_address: line(50).nullish(),
    /** Absent and blank ones keep what is stored (PROG-06). */
    app_version: line(PROGRAM_TEXT_MAX).nullish(),
    os: line(PROGRAM_TEXT_MAX).nullish(),
    released_on: releasedOn,
    ...programQuestions,
  })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });

/** A program gives its own seat back (PROG-05, PROG-06). */
export const release = z
  .object({ ...machineCredentials, ...programQuestions })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });
export type Release = z.output<typeof release>;

/** The token says that the machine has no seat any more: `not_activated`. */
export const releaseResult = done.extend(tokenShape).meta({ id: 'ReleaseResult' });

/** A release of which the answer says how it is undone. */
export const releaseQuery = z.object({
  undo: queryFlag
    .optional()
    .meta({ description: 'Pide en la respuesta con qué se deshace. / Asks for what undoes it.' }),
});

/** For so many minutes a release may be undone. */
export const UNDO_RELEASE_MINUTES = 10;

/**
 * Until when the program of a released machine may still work without connection, where it may (PROG-06), and on request
 * what undoes the release.
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

/** The `undo` of a release. */
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
      /** Only of a floating seat: when it comes back unless its program is heard before (PROG-05). */
      lease_until: z.string().optional(),
    }),
    license: z.object({
      status: z.string(),
      is_expired: z.boolean(),
      /** Only where the build that the program names came out after the last day of updates (SELL-02). */
      updates_ended: z.literal(true).optional(),
      ...graceShape,
      ...pendingShape,
      days_remaining: z.number().int().nullable(),
    }),
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
    /** What its program reported (PROG-06); '' where it reported nothing. */
    app_version: z.string(),
    os: z.string(),
    /** When a floating seat comes back unless its program is heard before; null for a fixed seat (PROG-05). */
    lease_until: z.string().nullable(),
    /** Until when its last offline file holds; null without one, or where it was issued before this was noted (PORTAL-05). */
    file_until: z.string().nullable(),
    software_name: z.string(),
    software_version: z.string(),
    license_type: z.string(),
    license_key: z.string(),
    /** Additions to the specification: the licence's id, the client's name, and the result of the 24-hour rule. */
    license: z.number().int(),
    client_name: z.string(),
    is_active: z.boolean(),
    /** When it was activated, or last said other facts about itself; a heartbeat is no change (API-01). */
    updated_at: z.string(),
  })
  .meta({ id: 'Installation' });
export type Installation = z.infer<typeof installation>;

export const activationResult = installation
  .extend({ ...pendingShape, ...tokenShape })
  .meta({ id: 'ActivationResult' });

export const installationListQuery = z.object({
  ...listQuery.shape,
  /** Exactly this machine, in all licences that it has a seat of. */
  machine_id: line(200).optional(),
  license: z.coerce.number().pipe(recordId).optional(),
  client: z.coerce.number().pipe(recordId).optional(),
  software: z.coerce.number().pipe(recordId).optional(),
  is_active: queryFlag.optional(),
  /** Exactly this version of the program (REPORT-02). */
  app_version: line(PROGRAM_TEXT_MAX).optional(),
  /** Machines that sent a heartbeat within this many days. */
  active_within: queryDays.optional(),
  /** Machines that neither sent a heartbeat nor were installed within this many days. */
  silent_for: queryDays.optional(),
  /** The machines of the licence with this key, in any form of it. */
  license_key: line(100).optional(),
  updated_since: updatedSince.optional(),
});

export const installationPage = pageOf(installation).meta({ id: 'InstallationPage' });
