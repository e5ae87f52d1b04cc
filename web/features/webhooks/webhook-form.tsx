import {
  type Webhook,
  type WebhookValues,
  type WebhookWithSecret,
  webhookCreate,
} from '../../../contract/system/webhooks.ts';
import { editDialog } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { checkbox, formOf, special, text } from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { FormSection } from '../../components/record/form-section.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { WEBHOOK_LABELS as LABELS, webhookTexts as texts } from '../../text/es-webhooks.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { EventChoices } from './event-choices.tsx';
import { readTypes, typesInWords, wildcardOf, writeTypes } from './webhook-types.ts';
import { useSaveWebhook, webhookQuery } from './webhooks.api.ts';

const FIELDS = {
  url: text(LABELS.url, {
    required: true,
    wide: true,
    help: texts.urlHelp,
    props: {
      type: 'url',
      inputMode: 'url',
      placeholder: 'https://',
      autoCapitalize: 'none',
      spellCheck: false,
    },
  }),
  description: text(LABELS.description, { wide: true, help: texts.descriptionHelp }),
  is_active: checkbox(LABELS.is_active, {
    input: 'switch',
    blank: true,
    wide: true,
    help: texts.activeHelp,
  }),
  // The form's value is one text (webhook-types.ts).
  types: special<string, readonly string[]>(LABELS.types, {
    // Events about licences are what most systems need, so they are preselected.
    blank: wildcardOf('license'),
    read: ({ types }: Webhook) => writeTypes(types),
    write: readTypes,
    words: (value) => typesInWords(readTypes(value)).join(', '),
  }),
};
const FORM = formOf(FIELDS);
const SCHEMA = schemaOf(FIELDS, webhookCreate);

interface WebhookFormDialogProps {
  /** The webhook to edit; null creates one. */
  webhook: Webhook | null;
  onClose: () => void;
  /** Called with a new webhook, whose secret is shown only once. */
  onCreated: (created: WebhookWithSecret) => void;
}

/** 'Nuevo webhook' and 'Editar webhook' (HOOK-01). */
export function WebhookFormDialog({ webhook, onClose, onCreated }: WebhookFormDialogProps) {
  const save = useSaveWebhook(webhook?.id ?? null);
  const record = useRecordForm<typeof FORM.blank, WebhookValues, Webhook>({
    ...FORM,
    schema: () => SCHEMA,
    name: 'webhooks',
    record: webhook,
    save: async (values, context) => {
      const saved = await save.mutateAsync({ values, ...context });
      if ('secret' in saved) onCreated(saved);
    },
    texts: texts.toasts,
    onSaved: onClose,
  });
  return (
    <FormDialog
      {...record.dialog}
      title={webhook === null ? texts.create : texts.edit}
      submitLabel={webhook === null ? texts.submit : texts.save}
      busyLabel={webhook === null ? texts.creating : texts.saving}
      onClose={onClose}
    >
      <FormSection title={texts.sections.where} fields={FIELDS} record={record} />
      <DialogSection title={texts.sections.what} columns={1}>
        <EventChoices
          value={record.form.watch('types')}
          onChange={(next) => record.change('types', next)}
          error={record.error('types')}
        />
      </DialogSection>
    </FormDialog>
  );
}

/** The dialog 'Editar webhook'. */
export const WebhookEditDialog = editDialog({
  query: webhookQuery,
  texts: texts,
  size: 'lg',
  form: (webhook: Webhook, onClose) => (
    <WebhookFormDialog webhook={webhook} onClose={onClose} onCreated={() => {}} />
  ),
});
