import { Download } from 'lucide-react';
import { REASON_REQUIRED } from '../../../contract/base/required.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { download } from '../../api/http.ts';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { useLeaveGuard } from '../../components/record/leave-guard.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { usePlainForm } from '../../components/record/use-plain-form.ts';
import { Offered } from '../../components/screen/offered.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { dataPathOf, useEraseClient } from './clients.api.ts';
import { privacyTexts as texts } from './privacy-texts.ts';

/** Privacy actions for administrators: a copy of all data of a client, and their erasure. */
export function ClientPrivacy({
  client,
  onErase,
}: {
  client: ClientDetails;
  onErase: (opener: HTMLElement) => void;
}) {
  const [save, saving] = useAction(texts.downloadFailed, async () => {
    const fileName = `cliente_${client.id}.json`;
    await download(dataPathOf(client.id), { failure: texts.downloadFailed, fileName });
  });
  return (
    <Offered what="clients.erase">
      <section className="border-t border-border pt-5" aria-label={texts.title}>
        <h3 className="mb-3 text-sm font-semibold">{texts.title}</h3>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" icon={Download} busy={saving} busyLabel={texts.downloading} onClick={save}>
            {texts.download}
          </Button>
          <Button size="sm" onClick={({ currentTarget }) => onErase(currentTarget)}>
            {texts.erase}
          </Button>
        </div>
      </section>
    </Offered>
  );
}

/**
 * The dialog that confirms an erasure: it names the client, lists what is erased and what is not, and asks for the
 * reason.
 */
export function EraseDialog({
  client,
  onClose,
  finalFocus,
}: {
  client: ClientDetails;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}) {
  const erase = useEraseClient();
  const form = usePlainForm({
    blank: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? REASON_REQUIRED : undefined }),
    send: async ({ reason }) => {
      await erase.mutateAsync({ id: client.id, reason });
      toasts.success(texts.erased);
      onClose();
    },
  });
  // `ofPath`: another tab of the data beside the form does not close it, but a link to another path does.
  const guard = useLeaveGuard(form.values.reason.trim() !== '', { ofPath: true });
  return (
    <FormDialog
      size="md"
      title={texts.eraseTitle}
      submitLabel={texts.erase}
      busyLabel={texts.erasing}
      submitVariant="danger"
      saving={form.busy}
      onSubmit={form.form.onSubmit}
      onClose={onClose}
      guard={guard.dialog}
      finalFocus={finalFocus}
    >
      <p className="font-medium">
        <bdi>{client.name}</bdi>
      </p>
      <p className="text-sm">{texts.goes}</p>
      <p className="text-sm">{texts.stays}</p>
      <p className="text-sm text-muted">{texts.copies}</p>
      <Field label={texts.reason} required error={form.error('reason')} wide>
        <TextInput {...form.field('reason')} maxLength={500} />
      </Field>
      {form.failure !== null && (
        <p role="alert" className="text-sm text-critical-text">
          {form.failure}
        </p>
      )}
    </FormDialog>
  );
}
