import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { VALIDITY_DAYS_MAX } from '../../../contract/base/limits.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { FILE_DAYS_DEFAULT, licenseFileRequest } from '../../../contract/programs/license-file.ts';
import { tokenEnd } from '../../../contract/programs/license-token.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { requestFile } from '../../api/http.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { ActionDialog, messagesOf } from '../../components/record/action-dialog.tsx';
import type { FormDialog } from '../../components/record/form-dialog.tsx';
import { apiOf } from '../../record-kinds.ts';
import { fileTexts as texts } from '../../text/es-license.ts';
import { businessTimeZoneInUse, formatDate } from '../../text/format.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';

interface LicenseFileDialogProps {
  license: LicenseRow;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

const BLANK = { machine_id: '', machine_name: '', ttl_days: String(FILE_DAYS_DEFAULT) };

const daysIn = ({ ttl_days }: typeof BLANK) => numberOf(ttl_days, 'count') ?? undefined;
const bodyOf = (values: typeof BLANK) =>
  licenseFileRequest.safeParse({ ...values, ttl_days: daysIn(values) });

/** 'Archivo sin conexión': downloads a license file for the machine id of a computer without network (PROG-02). */
export function LicenseFileDialog({ license, ...frame }: LicenseFileDialogProps) {
  const once = useIdempotentAttempt();
  const queryClient = useQueryClient();
  return (
    <ActionDialog
      {...frame}
      size="md"
      words={texts}
      blank={BLANK}
      check={(values) => messagesOf(bodyOf(values).error)}
      send={async (values) => {
        const { data: body } = bodyOf(values);
        if (body === undefined) return;
        const address = `${apiOf('licenses', license.id)}file/`;
        await once((headers) => requestFile(address, { body, headers, fileName: 'licencia.lic' }));
        frame.onClose();
        toasts.success(texts.done, license.license_key);
        void refreshAfterChange(queryClient, 'licenses');
      }}
      preview={(values) => <Until license={license} days={daysIn(values) ?? FILE_DAYS_DEFAULT} />}
    >
      {({ errors, field }) => (
        <>
          <p className="text-muted">{texts.lead}</p>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field label={texts.machineId} required error={errors.machine_id} wide>
              <TextInput
                {...field('machine_id')}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
            <Field label={texts.machineName} error={errors.machine_name}>
              <TextInput {...field('machine_name')} autoComplete="off" />
            </Field>
            <Field label={texts.days} error={errors.ttl_days} help={texts.daysHelp}>
              <NumberInput {...field('ttl_days')} unit="count" min="1" />
            </Field>
          </div>
        </>
      )}
    </ActionDialog>
  );
}

/** When the file expires: after the days, at the latest with the licence and its grace. */
function Until({ license, days }: { license: LicenseRow; days: number }) {
  const isKnown = Number.isInteger(days) && days >= 1;
  const end = tokenEnd(
    license,
    isKnown ? Math.min(days, VALIDITY_DAYS_MAX) : 1,
    new Date(),
    businessTimeZoneInUse(),
  );
  return (
    <dl aria-label={texts.summary}>
      <dt className="text-xs text-muted">{texts.until}</dt>
      <dd className="font-medium">
        {isKnown ? formatDate(new Date(end * 1000).toISOString()) : texts.unknown}
      </dd>
    </dl>
  );
}
