import { lifecycleTexts as texts } from '../../../text/es-license-action.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { ClientPicker } from '../../client/client-picker.tsx';
import type { PickedClient } from '../../record/catalogue-queries.ts';
import { defineFields } from './action-definition.ts';

const BLANK: { client: PickedClient | null; release_seats: boolean } = { client: null, release_seats: true };

export const transfer = defineFields({
  blank: BLANK,
  body: ({ client, release_seats }) => ({ client: client?.id, release_seats }),
  recipient: ({ client }) => client?.email ?? null,
  Fields: ({ values, errors, change }) => (
    <>
      <Field label={texts.client} required error={errors.client} wide>
        <ClientPicker value={values.client} onChange={(client) => change({ client })} />
      </Field>
      <Checkbox
        className="sm:col-span-2"
        label={texts.releaseSeats}
        help={texts.releaseSeatsHelp}
        checked={values.release_seats}
        onChange={({ target: { checked: release_seats } }) => change({ release_seats })}
      />
    </>
  ),
});
