import {
  BULK_MESSAGES,
  type BulkActionResult,
  type BulkFailure,
  type BulkFields,
  type FieldsOf,
} from '../../contract/licenses/bulk.ts';
import type { Permission } from '../../contract/people/permissions.ts';
import type { EventType } from '../../contract/system/events.ts';
import { inSavepoint } from '../db/savepoint.ts';
import type { Db } from '../db/tables.ts';
import { type AppError, fault, invalid } from '../errors.ts';
import { toAppError } from '../http/error-handler.ts';
import { faultsIn } from '../http/validation.ts';
import type { JobLog } from '../jobs/define-job.ts';
import { mustExist } from '../lib/must-exist.ts';
import type { List } from '../lists/define-list.ts';
import type { Moment } from '../lists/filters.ts';
import { followMerged } from '../rules/merged-clients.ts';
import type { Scope } from '../scope.ts';

/** One action of a bulk call. */
export type BulkVerb<Fields> = {
  permission: Permission;
  writes: readonly EventType[];
  /**
   * Changes one record.
   * @throws AppError for a record that cannot be changed
   */
  run: (scope: Scope, id: number, fields: Fields) => Promise<unknown>;
};

/** A verb for each action in the contract; a missing verb is a compile error. */
type BulkVerbs<Actions extends BulkFields> = {
  [Action in keyof Actions]: BulkVerb<FieldsOf<Actions[Action]>>;
};

type Definition<Actions extends BulkFields, Query> = {
  /**
   * The list of the records, as in its path. It must not change after a release, because jobs with it may be waiting.
   */
  name: string;
  /** The permission to read the list. A call that chooses records by filters needs it too. */
  read: Permission;
  list: Pick<List<Query, unknown>, 'query' | 'filterNames' | 'ids'>;
  actions: Actions;
  verbs: BulkVerbs<Actions>;
};

/**
 * The filters of a call: like the query parameters of the list, but numbers and booleans are also valid. A list of texts
 * is a repeated parameter.
 */
export type BulkFilters = Record<string, string | number | boolean | string[]>;

type AskedAction = { action: string; fields: Record<string, unknown> };

export type Bulk = {
  name: string;
  /** All events of its actions. */
  writes: readonly EventType[];
  /**
   * The permissions that a call needs: the permission of the action for one record, and, if filters choose the
   * records, the permission to read the list, because the resulting count reveals what the list contains.
   */
  needs: (action: string, byFilters: boolean) => Permission[];
  /** Takes the action and its fields from the body of a call. */
  askedIn: (body: { action: string }) => AskedAction;
  /**
   * The ids of the records that match the filters, in ascending order.
   * @throws invalid (400) with `errors.filters`, which contains each unknown or unreadable filter
   */
  find: (db: Db, filters: BulkFilters, moment: Moment) => Promise<number[]>;
  /**
   * Runs an action on each record. If it fails for a record, that record stays unchanged and the others are still
   * processed.
   * @throws the database's error if it cannot be reached
   */
  runEach: (
    scope: Scope,
    ids: number[],
    verb: AskedAction,
    log: Pick<JobLog, 'error'>,
  ) => Promise<Pick<BulkActionResult, 'done' | 'failed'>>;
};

/** Defines the bulk call of a list: the actions for many of its records (LIST-01). */
export function defineBulk<Actions extends BulkFields, Query>(definition: Definition<Actions, Query>): Bulk {
  const { name, list, actions, verbs } = definition;

  const verbOf = (action: string): BulkVerbs<Actions>[string] =>
    mustExist(verbs[action], `action ${action} of the bulk call of ${name}`);

  function readFilters(filters: BulkFilters): Query {
    const texts = Object.fromEntries(
      Object.entries(filters).map(([key, value]) => [key, Array.isArray(value) ? value : String(value)]),
    );
    const names = Object.keys(texts);
    const unknown = names.filter((filter) => !list.filterNames.includes(filter));
    // In the query of a list an empty filter counts as absent. Here it is refused, because it would select every
    // record.
    const empty = names.filter((filter) => [texts[filter]].flat().every((text) => text?.trim() === ''));
    const result = list.query.safeParse(texts);
    const unreadable = Object.entries(faultsIn(result.error?.issues ?? [], texts)).filter(
      ([filter]) => !unknown.includes(filter) && !empty.includes(filter),
    );
    const errors = [
      ...unknown.map((filter) => fault('unknown_field', BULK_MESSAGES.unknownFilter(filter))),
      ...empty.map((filter) => fault('required', BULK_MESSAGES.emptyFilter(filter))),
      ...unreadable.flatMap(([filter, found]) =>
        found.map(({ code, message }) => fault(code, `${filter}: ${message}`)),
      ),
    ];
    if (!result.success || errors.length > 0) throw invalid({ filters: errors });
    return result.data;
  }

  return {
    name,
    writes: [...new Set(Object.values(verbs).flatMap(({ writes }) => writes))],
    needs: (action, byFilters) => [verbOf(action).permission, ...(byFilters ? [definition.read] : [])],
    askedIn: (body) => {
      const names = Object.keys(mustExist(actions[body.action], `action ${body.action} of the list ${name}`));
      const fields = Object.entries(body).filter(([field]) => names.includes(field));
      return { action: body.action, fields: Object.fromEntries(fields) };
    },
    find: async (db, filters, moment) => {
      const ids: number[] = [];
      const query = readFilters(filters);
      await followMerged(db, query);
      for await (const batch of list.ids(db, query, moment)) ids.push(...batch);
      return ids;
    },
    runEach: async (scope, ids, { action, fields }, log) => {
      const verb = verbOf(action);
      const done: number[] = [];
      const failed: BulkFailure[] = [];
      // Records are locked in the order of their ids, so that two calls with the same records cannot deadlock.
      for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
        try {
          // The cast is safe: the schema of the call has checked the fields of this action.
          await inSavepoint(scope.tx, () => verb.run(scope, id, fields as FieldsOf<Actions[string]>));
          done.push(id);
        } catch (error) {
          const known = toAppError(error);
          if (known.status === 503) throw error;
          if (known.status >= 500) log.error({ err: error, list: name, action, id }, 'un registro falló');
          const { code, errors, error_codes } = known.toBody();
          failed.push({ id, code, message: messageOf(known), ...(errors && { errors, error_codes }) });
        }
      }
      return { done, failed };
    },
  };
}

/** The message of an error for people: the message of the first invalid field if there is one. */
const messageOf = ({ message, faults = {} }: AppError) => Object.values(faults).flat()[0]?.message ?? message;
