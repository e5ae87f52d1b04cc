import { z } from 'zod';
import type { Permission } from '../people/permissions.ts';
import { NAME_REQUIRED } from './required.ts';
import { line, requiredLine, whenMissing } from './text.ts';

/** Saved views: named filters of a list, private or shared (LIST-03). */

/** The lists that have saved views, each with the permission to read it. */
export const VIEW_SCREENS = {
  clients: 'clients:read',
  licenses: 'licenses:read',
  'license-types': 'license_types:read',
  software: 'software:read',
  installations: 'licenses:read',
} as const satisfies Record<string, Permission>;
export type ViewScreen = keyof typeof VIEW_SCREENS;

const VIEW_NAME_MAX = 60;
const VIEW_QUERY_MAX = 500;

export const VIEW_MESSAGES = {
  screen: 'Selecciona una lista válida',
  taken: 'Ya tienes una vista con este nombre',
  notFound: 'Vista no encontrada',
} as const;

export const VIEW_RESULTS = { deleted: 'Vista eliminada exitosamente' } as const;

const screen = z.enum(Object.keys(VIEW_SCREENS) as [ViewScreen, ...ViewScreen[]], VIEW_MESSAGES.screen);

/** The filters as in the list's address, without '?'. The empty text means no filter. */
const query = z
  .string({ error: whenMissing('Los filtros son obligatorios') })
  .transform((text) => text.trim().replace(/^\?/, ''))
  .pipe(line(VIEW_QUERY_MAX));

export const viewCreate = z
  .object({
    screen,
    name: requiredLine(VIEW_NAME_MAX, NAME_REQUIRED),
    query,
    shared: z.boolean().default(false),
  })
  .meta({
    examples: [
      { screen: 'licenses', name: 'Suspendidas por pago', query: 'status=suspended', shared: false },
    ],
  });
export type ViewInput = z.input<typeof viewCreate>;
export type ViewValues = z.output<typeof viewCreate>;

export const viewListQuery = z.object({ screen: screen.optional() });

export const view = z
  .object({
    id: z.number().int(),
    screen,
    name: z.string(),
    query: z.string(),
    shared: z.boolean(),
    /** True for the caller's own view. */
    own: z.boolean(),
    created_at: z.string(),
  })
  .meta({ id: 'View' });
export type View = z.infer<typeof view>;

/** The caller's views and the shared views of others, sorted by name. */
export const viewList = z.object({ results: z.array(view) }).meta({ id: 'ViewList' });
