import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { Software } from '../../../contract/software/software.ts';
import { useSession } from '../../api/session.ts';
import { readStored, writeStored } from '../../api/storage.ts';
import { lengthText, unitOf } from '../../components/license/term-length.ts';
import { vendorCurrency } from '../../text/format.ts';
import type { LicenseFormValues } from './licenses.form.tsx';

/**
 * The software and type that a person last chose for a new licence, stored in the browser. The next new licence begins
 * with them.
 */

const KEY = 'license_manager_last_license';

interface LastChoices {
  software: number;
  type: number | null;
}

const userId = () => useSession.getState().user?.id;

/** Stores the choices of a new licence. */
export function rememberChoices({ software, type }: LastChoices): void {
  const user = userId();
  if (user !== undefined) writeStored(KEY, JSON.stringify({ user, software, type }));
}

/** The last choices of this person, not those of another user of this browser. */
function lastChoices(): LastChoices | null {
  try {
    const { user, software, type } = JSON.parse(readStored(KEY) ?? '{}');
    return user !== undefined && user === userId() ? { software, type } : null;
  } catch {
    return null;
  }
}

/**
 * The fields that choosing a type fills in: price with currency, seats and length, and no others (SEED-4-21 to -23,
 * D064, MONEY-10).
 */
export const termsOfType = (type: LicenseType) => ({
  price: String(type.base_price),
  // A server that implements only the specification sends no currency.
  currency: type.currency ?? vendorCurrency(),
  max_installations: String(type.max_installations),
  expiry_days: lengthText(type.validity_days, type.validity_months),
  expiry_months: unitOf(type.validity_months),
  no_expiry: false,
});

/**
 * Sets software and type of a new licence to the last choices once the lists are loaded. They become the form's
 * initial values, so that closing it does not ask about unsaved changes. If the user has typed something, nothing is
 * set. Inactive or deleted records are not chosen.
 */
export function useLastChoices(
  form: Pick<UseFormReturn<LicenseFormValues>, 'getValues' | 'reset' | 'formState'>,
  {
    isNew,
    software,
    types,
  }: { isNew: boolean; software: readonly Software[] | undefined; types: readonly LicenseType[] | undefined },
): void {
  const { isDirty } = form.formState;
  useEffect(() => {
    const last = isNew && !isDirty ? lastChoices() : null;
    if (last === null || software === undefined || types === undefined) return;
    const product = software.find(({ id, is_active }) => id === last.software && is_active);
    const type = types.find(({ id, is_active }) => id === last.type && is_active);
    form.reset({
      ...form.getValues(),
      ...(product && { software: String(product.id) }),
      ...(type && { license_type_config: String(type.id), ...termsOfType(type) }),
    });
  }, [form, isNew, isDirty, software, types]);
}
