import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormSetError,
  useForm,
} from 'react-hook-form';
import { ApiError } from '../api/api-error.ts';
import { useIdempotentAttempt } from '../api/idempotency.ts';
import { useSession } from '../api/session.ts';
import { toasts } from '../ui/toasts.ts';
import { type ConflictChange, conflictChanges } from './conflict-notice.tsx';
import { findDraft, forgetDraft, keepDraft } from './form-drafts.ts';
import { logSaveError, reportSaveError } from './form-errors.ts';
import { useLeaveGuard } from './leave-guard.tsx';

/** What every saved record carries: the version that the next save must name (D091). */
export interface Versioned {
  id: number;
  updated_at: string;
}

/** What goes with a save: the key of a creating POST, or the version that a PUT was made from. */
export interface SaveContext {
  headers: Record<string, string>;
  updatedAt: string | null;
}

/** The contract's schema behind a form: form texts in, payload out. */
type FormSchema<Values, Payload> = Parameters<
  typeof standardSchemaResolver<Values & FieldValues, unknown, Payload>
>[0];

interface RecordFormOptions<Values, Payload, Saved extends Versioned> {
  schema: FormSchema<Values, Payload>;
  /** What it edits, in a word that no other form has: a draft is found again by it. */
  name: string;
  /** The fields from top to bottom, with their Spanish labels. */
  labels: Readonly<Record<Path<Values & FieldValues>, string>>;
  /** The record that is edited; null creates one. A fresher one may follow: it shows while nothing is typed. */
  record: Saved | null;
  /** What an empty form holds. */
  blank: Values;
  toForm: (record: Saved) => Values;
  /** Sends the payload; resolves when the lists behind are fresh. */
  save: (payload: Payload, context: SaveContext) => Promise<unknown>;
  texts: { created: string; updated: string; createFailed: string; updateFailed: string };
  /** A value in words, for the list of what another person changed. */
  show?: (field: string, value: unknown) => string;
  /** Closes the dialog. */
  onSaved: () => void;
}

/**
 * The life of a form that creates or edits one record: checks on submit, and on blur once it was submitted; one save
 * at a time; server errors on their fields until those are edited; a stale save explained and kept (D091, D028); and
 * what was typed when the session ended is there again after signing in.
 *
 *     const { form, field, error, dialog } = useRecordForm({ … });
 *     <FormDialog {...dialog}><Field error={error('name')}><TextInput {...field('name')} /></Field></FormDialog>
 */
export function useRecordForm<Values extends FieldValues, Payload, Saved extends Versioned>({
  schema,
  name,
  labels,
  record,
  blank,
  toForm,
  save,
  texts,
  show,
  onSaved,
}: RecordFormOptions<Values, Payload, Saved>) {
  const draftName = `${name}/${record?.id ?? 'new'}`;
  const [draft] = useState(() => findDraft<Saved>(useSession.getState().user?.id, draftName));
  /** The version that the form stands on: as it was read, as a draft was typed over it, or as another person saved it. */
  const [base, setBase] = useState(draft === null ? record : draft.base);
  const [changes, setChanges] = useState<ConflictChange[] | null>(null);
  // Apart from the form's own errors: those are worked out again on blur, and a server's verdict would vanish there.
  const [serverErrors, setServerErrors] = useState<Partial<Record<string, string>>>({});
  const [saving, setSaving] = useState(false);
  const underWay = useRef(false);
  const createOnce = useIdempotentAttempt();
  const queryClient = useQueryClient();

  const form = useForm<Values, unknown, Payload>({
    // A form always starts complete; the library's type is about partial ones.
    defaultValues: (base === null ? blank : toForm(base)) as DefaultValues<Values>,
    resolver: standardSchemaResolver<Values, unknown, Payload>(schema),
    mode: 'onSubmit',
    reValidateMode: 'onBlur',
  });
  // `dirtyFields` is read so that the form keeps count of them.
  const { errors, isDirty, dirtyFields: _counted } = form.formState;
  const guard = useLeaveGuard(isDirty);
  // Object.keys gives back the names that the type of `labels` demands.
  const fields = Object.keys(labels) as Path<Values>[];
  const failed = record === null ? texts.createFailed : texts.updateFailed;

  /** The fields that differ from the version the form stands on, as of now and not of the last drawing. */
  const typedFields = () => fields.filter((field) => form.getFieldState(field).isDirty);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens.
  useEffect(() => {
    if (draft === null) return;
    forgetDraft();
    for (const field of fields) {
      // A value of this very field, as this form gave it away.
      const value = draft.typed[field] as PathValue<Values, Path<Values>> | undefined;
      if (value !== undefined) form.setValue(field, value, { shouldDirty: true });
    }
  }, []);

  useEffect(() =>
    useSession.subscribe((now, before) => {
      if (before.user === null || now.isAuthenticated || now.ended !== 'expired') return;
      const typed = typedFields().map((field) => [field, form.getValues(field)] as const);
      if (typed.length === 0) return;
      keepDraft({ userId: before.user.id, form: draftName, base, typed: Object.fromEntries(typed) });
    }),
  );

  // The row of a list opens the form at once; the record itself, asked for meanwhile, may be newer.
  useEffect(() => {
    if (record === null || base === null) return;
    if (Date.parse(record.updated_at) <= Date.parse(base.updated_at)) return;
    // Nor is a draft taken off the version that it was typed over: the save will tell what else has changed.
    if (isDirty || changes !== null || draft !== null) return;
    setBase(record);
    form.reset(toForm(record));
  }, [record, base, isDirty, changes, draft, form, toForm]);

  const setServerError: UseFormSetError<Values> = (name, { message = '' }, options) => {
    setServerErrors((before) => ({ ...before, [name]: message }));
    if (options?.shouldFocus) form.setFocus(name as Path<Values>);
  };

  /** Another person was faster: fields that were not touched take their values, typed ones stay (experience 2). */
  const explainConflict = (current: Saved) => {
    if (base === null) return;
    const saved = toForm(current);
    const typed = form.getValues();
    const touched = typedFields();
    const merged = { ...saved };
    for (const field of touched) merged[field] = typed[field];
    setChanges(conflictChanges(labels, { read: toForm(base), saved, typed: merged }, show));
    setBase(current);
    form.reset(saved, { keepSubmitCount: true });
    for (const field of touched) form.setValue(field, merged[field], { shouldDirty: true });
  };

  const send = form.handleSubmit(async (payload) => {
    // Two fast clicks come before the button knows that it is busy.
    if (underWay.current) return;
    underWay.current = true;
    setSaving(true);
    setServerErrors({});
    try {
      if (base === null) await createOnce((headers) => save(payload, { headers, updatedAt: null }));
      else await save(payload, { headers: {}, updatedAt: base.updated_at });
      guard.release();
      toasts.success(record === null ? texts.created : texts.updated);
      onSaved();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        // The sign-in screen says what happened, and that nothing is lost.
        logSaveError(failed, error);
      } else if (error instanceof ApiError && error.code === 'stale' && error.current !== null) {
        logSaveError(failed, error);
        // The server answers a stale save with the record itself (D091).
        explainConflict(error.current as unknown as Saved);
      } else {
        // The message sends people to the list, where the record of the attempt before must be seen.
        if (error instanceof ApiError && error.code === 'idempotency_conflict') {
          void queryClient.invalidateQueries();
        }
        reportSaveError(error, { title: failed, fields, setError: setServerError });
      }
    } finally {
      underWay.current = false;
      setSaving(false);
    }
  });

  const edited = (name: Path<Values>) => {
    form.clearErrors(name);
    setServerErrors(({ [name]: _edited, ...others }) => others);
  };

  return {
    form,
    /** What a control of the kit needs; editing it clears its error (SEED-5.2-10). */
    field: (name: Path<Values>) => form.register(name, { onChange: () => edited(name) }),
    /** Puts a value into a field as if it had been typed: for a picker, and for values that follow from a choice. */
    change: <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) => {
      form.setValue(name, value, { shouldDirty: true });
      edited(name);
    },
    /** The message under a field: the server's until it is edited, else the form's own. */
    error: (name: Path<Values>): string | undefined => {
      const own: unknown = errors[name]?.message;
      return serverErrors[name] ?? (typeof own === 'string' ? own : undefined);
    },
    /** Everything that `FormDialog` asks for about saving. */
    dialog: {
      recovered: draft !== null,
      saving,
      onSubmit: send,
      guard: guard.dialog,
      conflict:
        changes === null
          ? null
          : {
              changes,
              saving,
              onSaveMine: () => void send(),
              onTakeTheirs: () => {
                form.reset();
                setChanges(null);
                setServerErrors({});
              },
            },
    },
  };
}
