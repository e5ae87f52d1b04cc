import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.ts';
import { PRODUCT } from '../../text/es.ts';
import { vendorNameTexts as texts } from '../../text/es-charges.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { settingsQuery, useSaveSettings } from '../settings/settings.api.ts';

const NAME_MAX = 100;

/**
 * The vendor's name, as long as it is still the program's: a client should not get a request of 'License Manager'
 * (MONEY-13). It is asked for in the form of the request, and stored before the request is made.
 */
export function useVendorName() {
  const may = useMay();
  const { data } = useQuery({ ...settingsQuery, enabled: may('settings:read') });
  const save = useSaveSettings();
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const isUnnamed = data?.vendor_name === PRODUCT;
  const isAsked = isUnnamed && may('settings:manage');
  return {
    name,
    change: (typed: string) => {
      setName(typed);
      setError(undefined);
    },
    error,
    isUnnamed,
    isAsked,
    /**
     * Says what is wrong with the name, if it is asked for.
     * @returns whether the request may be made
     */
    check: (): boolean => {
      const isMissing = isAsked && name.trim() === '';
      setError(isMissing ? texts.required : undefined);
      return !isMissing;
    },
    /** Stores the typed name; nothing if it is not asked for. */
    store: async () => {
      if (!isAsked || data === undefined) return;
      await save.mutateAsync({
        values: { vendor_name: name.trim() },
        headers: {},
        updatedAt: data.updated_at,
      });
    },
  };
}

/** The field for the vendor's name, or for those who may not store it, what the client will read. */
export function VendorNameField({ of }: { of: ReturnType<typeof useVendorName> }) {
  if (!of.isUnnamed) return null;
  if (!of.isAsked) return <Banner tone="warning">{texts.others}</Banner>;
  return (
    <Field label={texts.label} help={texts.help} required error={of.error}>
      <TextInput
        autoComplete="organization"
        maxLength={NAME_MAX}
        value={of.name}
        onChange={({ target }) => of.change(target.value)}
      />
    </Field>
  );
}
