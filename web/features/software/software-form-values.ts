import { z } from 'zod';
import { type Software, softwareCreate } from '../../../contract/licenses/software.ts';
import { activeLabel } from '../../text/es.ts';
import { SOFTWARE_FIELD_LABELS as LABELS } from '../../text/es-software.ts';

/** The fields of the form from top to bottom. */
export const SOFTWARE_FORM_LABELS = {
  name: LABELS.name,
  version: LABELS.version,
  description: LABELS.description,
  is_active: LABELS.is_active,
} as const;

/** The form's values; the status is a select with two options (SEED-5.4-04). */
export interface SoftwareForm {
  name: string;
  version: string;
  description: string;
  is_active: 'true' | 'false';
}

export const BLANK_SOFTWARE: SoftwareForm = { name: '', version: '', description: '', is_active: 'true' };

export const softwareToForm = (software: Software): SoftwareForm => ({
  name: software.name,
  version: software.version,
  description: software.description ?? '',
  is_active: software.is_active ? 'true' : 'false',
});

/** Form texts in, payload out, by the contract's own rules (SEED-5.4-01, SEED-7.3-06). */
export const softwareFormSchema = z
  .custom<SoftwareForm>()
  .transform((form): unknown => ({ ...form, is_active: form.is_active === 'true' }))
  .pipe(softwareCreate);

/** A form value as text, for the questions about conflicts. */
export const showSoftwareValue = (field: string, value: unknown): string =>
  field === 'is_active' ? activeLabel(value === 'true') : String(value ?? '');
