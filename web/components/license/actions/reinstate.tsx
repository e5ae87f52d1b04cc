import { lifecycleTexts as texts } from '../../../text/es-license-action.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { defineFields } from './action-definition.ts';

export const reinstate = defineFields({
  blank: { extend: false },
  body: (values) => values,
  Fields: ({ license, values, change }) =>
    license?.expiry_date === null ? null : (
      <Checkbox
        className="sm:col-span-2"
        label={texts.giveBack}
        help={texts.giveBackHelp}
        checked={values.extend}
        onChange={({ target: { checked: extend } }) => change({ extend })}
      />
    ),
});
