import {
  TRIAL_DAILY_DEFAULT,
  TRIAL_DAILY_MAX,
  TRIAL_EMAIL_LABELS,
} from '../../../contract/programs/trial-terms.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { SOFTWARE_LABELS as LABELS, type SoftwareField } from '../../../contract/software/software.fields.ts';
import { type Software, softwareCreate } from '../../../contract/software/software.ts';
import {
  checkbox,
  count,
  formOf,
  hiddenNumberOf,
  paragraph,
  select,
  special,
  text,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { activeLabel } from '../../text/es.ts';
import { softwareTexts } from '../../text/es-software.ts';

/** The inputs from top to bottom. */
export const SOFTWARE_INPUTS = {
  name: text(LABELS.name, { required: true, wide: true }),
  version: text(LABELS.version, {
    required: true,
    props: { placeholder: softwareTexts.versionPlaceholder, spellCheck: false },
  }),
  // A select with two options (SEED-5.4-04).
  is_active: select(
    LABELS.is_active,
    { true: activeLabel(true), false: activeLabel(false) },
    { blank: 'true', write: (value): unknown => value === 'true' },
  ),
  description: paragraph(LABELS.description, { wide: true }),
  // The form renders this field, because its options are the licence types.
  trial_type: special<string, number | null>(LABELS.trial_type, {
    blank: '',
    read: ({ trial_type: type }: Partial<Software>) =>
      type === null || type === undefined ? '' : String(type),
    write: (type) => (type === '' ? null : Number(type)),
    sent: 'changed',
  }),
  trial_email: select(LABELS.trial_email, TRIAL_EMAIL_LABELS, {
    blank: 'no',
    sent: 'changed',
    shownIf: ({ trial_type: type }) => type !== '',
  }),
  trial_daily_limit: count(LABELS.trial_daily_limit, {
    blank: String(TRIAL_DAILY_DEFAULT),
    props: { min: '1', max: TRIAL_DAILY_MAX },
    write: (typed, _isNew, { trial_type: type }) => (type === '' ? hiddenNumberOf : numberOf)(typed, 'count'),
    sent: 'changed',
    shownIf: ({ trial_type: type }) => type !== '',
  }),
  is_public: checkbox(LABELS.is_public, { input: 'switch', wide: true, help: softwareTexts.publicHelp }),
} satisfies Record<SoftwareField, unknown>;

export const SOFTWARE_FORM = formOf(SOFTWARE_INPUTS);
export type SoftwareForm = ValuesOf<typeof SOFTWARE_INPUTS>;

/** The schema: form texts in, request body out, checked with the contract's schema (SEED-5.4-01, SEED-7.3-06). */
export const softwareFormSchema = schemaOf(SOFTWARE_INPUTS, softwareCreate);
