import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { LicenseType } from '../../../contract/licenses/license-types.ts';
import type { Software } from '../../../contract/licenses/software.ts';
import { useSession } from '../../api/session.ts';
import { readStored, writeStored } from '../../api/storage.ts';
import { vendorCurrency } from '../../text/format.ts';
import type { LicenseFormValues } from './license-form-fields.tsx';

/** Which software and which type a person chose last for a new licence, kept in the browser: the next one begins with them. */

const KEY = 'license_manager_last_license';

interface LastChoices {
  software: number;
  type: number | null;
}

const userId = () => useSession.getState().user?.id;

/** Keeps what a new licence has. */
export function rememberChoices({ software, type }: LastChoices): void {
  const user = userId();
  if (user !== undefined) writeStored(KEY, JSON.stringify({ user, software, type }));
}

/** What this person chose last; another one's is not given. */
function lastChoices(): LastChoices | null {
  try {
    const { user, software, type } = JSON.parse(readStored(KEY) ?? '{}');
    return user !== undefined && user === userId() ? { software, type } : null;
  } catch {
    return null;
  }
}

/** What choosing a type fills in: its price with the currency, seats and days, and nothing else (SEED-4-21 to -23, D064). */
export const termsOfType = (type: LicenseType) => ({
  price: String(type.base_price),
  // A server of the specification has no currencies.
  currency: type.currency ?? vendorCurrency(),
  max_installations: String(type.max_installations),
  expiry_days: String(type.validity_days),
  no_expiry: false,
});

/**
 * Begins a new licence with the last software and type, once the catalogues are there: as if it had been blank so, so
 * closing asks nothing. Where something was typed meanwhile nothing changes, and what is inactive or gone is not chosen.
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
