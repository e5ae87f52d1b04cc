import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { usageAdjustment } from '../../../contract/programs/usage.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { ActionDialog, messagesOf } from '../../components/record/action-dialog.tsx';
import type { FormDialog } from '../../components/record/form-dialog.tsx';
import { adjustTexts as texts, usageNote, usedInWords } from '../../text/es-meters.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { usageQuery, useAdjustUsage } from './usage.api.ts';

interface AdjustUsageDialogProps {
  license: LicenseRow;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

const bodyOf = ({ used, reason }: { used: string; reason: string }) =>
  usageAdjustment.safeParse({ used: numberOf(used, 'count'), reason });

/** 'Corregir consumo': sets the used amount of a meter, with a reason (SELL-03). */
export function AdjustUsageDialog({ license, ...frame }: AdjustUsageDialogProps) {
  const { data: rows = [] } = useQuery(usageQuery(license.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const code = chosen ?? Object.keys(license.meters)[0];
  const adjust = useAdjustUsage(license.id);
  return (
    <ActionDialog
      {...frame}
      size="md"
      words={texts}
      blank={{ used: '', reason: '' }}
      check={(values) => messagesOf(bodyOf(values).error)}
      send={async (values) => {
        const { data } = bodyOf(values);
        if (data === undefined || code === undefined) return;
        await adjust.mutateAsync({ code, ...data });
        frame.onClose();
        toasts.success(texts.done, code);
      }}
    >
      {({ errors, field }) => (
        <>
          {rows.length > 0 && code !== undefined && (
            <RadioChoices
              label={texts.which}
              choices={rows.map((row) => ({
                value: row.code,
                label: `${row.code}: ${usedInWords(row)}`,
                text: usageNote(row),
              }))}
              value={code}
              onChange={setChosen}
            />
          )}
          <Field label={texts.used} required error={errors.used}>
            <NumberInput {...field('used')} unit="count" min="0" />
          </Field>
          <Field label={texts.reason} required error={errors.reason} help={texts.help}>
            <TextInput {...field('reason')} autoComplete="off" />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
