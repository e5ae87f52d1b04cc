import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  PaymentAccountTest,
  PaymentSettings,
  PaymentSettingsUpdate,
} from '../../../contract/payments/payment-settings.ts';
import { type AccountProvider, PAYMENT_SETTINGS_PATH } from '../../../contract/payments/payment-words.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { SaveContext } from '../../components/record/use-record-form.ts';

/** The stored accounts. No answer contains a token. */
export const paymentSettingsQuery = queryOptions({
  queryKey: [KEYS.settings, 'payments'],
  queryFn: ({ signal }) => request<PaymentSettings>('GET', PAYMENT_SETTINGS_PATH, { signal }),
  staleTime: 0,
});

/** Saves changed fields. The server asks for the password first (PAY-03). */
export function useSavePaymentSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ values, updatedAt, headers }: SaveContext & { values: PaymentSettingsUpdate }) =>
      request<PaymentSettings>('PUT', PAYMENT_SETTINGS_PATH, {
        body: { ...values, updated_at: updatedAt },
        headers,
      }),
    // Not cached, because the request contains tokens.
    gcTime: 0,
    onSuccess: (saved) => {
      queryClient.setQueryData(paymentSettingsQuery.queryKey, saved);
      // The first steps tick this one when one comes back to them (DESK-06).
      return queryClient.invalidateQueries({ queryKey: [KEYS.statistics] });
    },
  });
}

/** 'Probar conexión': queries the provider for the account of the stored token. */
export const testAccount = (provider: AccountProvider) =>
  request<PaymentAccountTest>('POST', `${PAYMENT_SETTINGS_PATH}${provider}/test/`);
