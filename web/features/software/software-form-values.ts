import { softwareCreate } from '../../../contract/licenses/software.ts';
import { formOf, paragraph, select, text, type ValuesOf } from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { activeLabel } from '../../text/es.ts';
import { SOFTWARE_FIELD_LABELS as LABELS, softwareTexts } from '../../text/es-software.ts';

/** The fields from top to bottom. */
export const SOFTWARE_FIELDS = {
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
};

export const SOFTWARE_FORM = formOf(SOFTWARE_FIELDS);
export type SoftwareForm = ValuesOf<typeof SOFTWARE_FIELDS>;

/** Form texts in, payload out, by the contract's own rules (SEED-5.4-01, SEED-7.3-06). */
export const softwareFormSchema = schemaOf(SOFTWARE_FIELDS, softwareCreate);
