import { z } from 'zod';
import {
  type Webhook,
  type WebhookValues,
  type WebhookWithSecret,
  webhookCreate,
} from '../../../contract/system/webhooks.ts';
import { EditRecord } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { yesNo } from '../../text/es.ts';
import { WEBHOOK_LABELS as LABELS, webhookTexts as texts } from '../../text/es-webhooks.ts';
import { Switch } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { EventChoices } from './event-choices.tsx';
import { readTypes, typesInWords, writeTypes } from './webhook-types.ts';
import { useSaveWebhook, webhookQuery } from './webhooks.api.ts';

/** The form: the types as one text (webhook-types.ts). */
type WebhookForm = Record<'url' | 'description' | 'types', string> & { is_active: boolean };

const BLANK: WebhookForm = { url: '', description: '', types: '', is_active: true };

const toForm = ({ url, description, types, is_active }: Webhook): WebhookForm => ({
  url,
  description,
  types: writeTypes(types),
  is_active,
});

const schema = z
  .custom<WebhookForm>()
  .transform((form): unknown => ({ ...form, types: readTypes(form.types) }))
  .pipe(webhookCreate);

function show(field: string, value: unknown): string {
  if (field === 'types') return typesInWords(readTypes(String(value))).join(', ');
  return typeof value === 'boolean' ? yesNo(value) : String(value ?? '');
}

interface WebhookFormDialogProps {
  /** Null creates one. */
  webhook: Webhook | null;
  onClose: () => void;
  /** Called with a new webhook, whose secret is shown once. */
  onCreated: (created: WebhookWithSecret) => void;
}

/** 'Nuevo webhook' and 'Editar webhook' (HOOK-01). */
export function WebhookFormDialog({ webhook, onClose, onCreated }: WebhookFormDialogProps) {
  const save = useSaveWebhook(webhook?.id ?? null);
  const { form, field, change, error, dialog } = useRecordForm<WebhookForm, WebhookValues, Webhook>({
    schema: () => schema,
    name: 'webhooks',
    labels: LABELS,
    record: webhook,
    blank: BLANK,
    toForm,
    save: async (values, context) => {
      const saved = await save.mutateAsync({ values, ...context });
      if ('secret' in saved) onCreated(saved);
    },
    texts: texts.toasts,
    show,
    onSaved: onClose,
  });
  const types = form.watch('types');
  return (
    <FormDialog
      {...dialog}
      title={webhook === null ? texts.create : texts.edit}
      submitLabel={webhook === null ? texts.submit : texts.save}
      busyLabel={webhook === null ? texts.creating : texts.saving}
      onClose={onClose}
    >
      <DialogSection title={texts.sections.where}>
        <Field label={LABELS.url} required error={error('url')} help={texts.urlHelp} wide>
          <TextInput
            {...field('url')}
            type="url"
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={LABELS.description} error={error('description')} help={texts.descriptionHelp} wide>
          <TextInput {...field('description')} autoComplete="off" />
        </Field>
        <Switch
          {...field('is_active')}
          label={LABELS.is_active}
          help={texts.activeHelp}
          error={error('is_active')}
          className="sm:col-span-2"
        />
      </DialogSection>
      <DialogSection title={texts.sections.what} columns={1}>
        <EventChoices value={types} onChange={(next) => change('types', next)} error={error('types')} />
      </DialogSection>
    </FormDialog>
  );
}

interface WebhookEditDialogProps {
  id: number;
  /** The row of the list: the form opens at once with its data. */
  row: Webhook | undefined;
  onClose: () => void;
}

/** 'Editar webhook' for an id. */
export const WebhookEditDialog = ({ id, row, onClose }: WebhookEditDialogProps) => (
  <EditRecord
    query={webhookQuery(id)}
    row={row}
    title={texts.edit}
    size="lg"
    texts={texts.record}
    onClose={onClose}
  >
    {(webhook: Webhook) => <WebhookFormDialog webhook={webhook} onClose={onClose} onCreated={() => {}} />}
  </EditRecord>
);
