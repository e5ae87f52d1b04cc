import { useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { toastTexts } from '../../text/es.ts';
import { useSaveRecord } from './record-calls.ts';
import { useRecordForm } from './use-record-form.ts';

type Options<Values extends FieldValues, Payload, Saved extends { updated_at: string }> = Parameters<
  typeof useRecordForm<Values, Payload, Saved>
>[0];

interface QuickRecord<Saved> {
  onCreated: (record: Saved) => void;
}

/** The state of the form in a `QuickDialog`, which creates a record of a kind and hands it over. */
export function useQuickRecord<
  Values extends FieldValues,
  Payload extends object,
  Saved extends { updated_at: string },
>(
  kind: keyof typeof toastTexts,
  {
    onCreated,
    ...form
  }: QuickRecord<Saved> &
    Omit<Options<Values, Payload, Saved>, 'name' | 'record' | 'save' | 'texts' | 'onSaved'>,
) {
  const create = useSaveRecord<Payload, Saved>(kind, null);
  const created = useRef<Saved | null>(null);
  return useRecordForm<Values, Payload, Saved>({
    ...form,
    // Without `name` this form stores no draft: only one draft can be stored, and it belongs to the form below.
    name: null,
    record: null,
    save: async (values, context) => {
      created.current = await create.mutateAsync({ values, ...context });
    },
    texts: toastTexts[kind],
    onSaved: () => {
      if (created.current !== null) onCreated(created.current);
    },
  });
}
