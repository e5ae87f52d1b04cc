import type { z } from 'zod';
import type { LicenseAction } from '../../../contract/licenses/license-lifecycle.ts';
import {
  licenseCancellation,
  licenseExtension,
  licenseKeyReplacement,
  licenseReinstatement,
  licenseRenewal,
  licenseSuspension,
  licenseTransfer,
} from '../../../contract/licenses/license-lifecycle.ts';
import type { PickedClient } from '../../components/record/catalogue-queries.ts';
import { numberOf } from '../../components/record/typed-number.ts';

/** The values of an action's form, as typed; each action uses some of them. */
export type ActionValues = {
  license_type_config: string;
  price: string;
  expiry_days: string;
  days: string;
  extend: boolean;
  client: PickedClient | null;
  release_seats: boolean;
  notify: boolean;
  reason: string;
};

const SCHEMAS: Record<LicenseAction, z.ZodType> = {
  renew: licenseRenewal,
  extend: licenseExtension,
  suspend: licenseSuspension,
  reinstate: licenseReinstatement,
  cancel: licenseCancellation,
  transfer: licenseTransfer,
  replace_key: licenseKeyReplacement,
};

/** The actions of which the client gets a mail unless the person says otherwise (LIFE-02 to LIFE-04). */
const TELLS: readonly LicenseAction[] = ['renew', 'extend', 'transfer', 'replace_key'];

export const blankAction = (action: LicenseAction): ActionValues => ({
  license_type_config: '',
  price: '',
  expiry_days: '',
  days: '7',
  extend: false,
  client: null,
  release_seats: true,
  notify: TELLS.includes(action),
  reason: '',
});

/** A blank number is not sent; text that is no number is sent as it is, so that the schema names the field. */
const number = (text: string) => (text.trim() === '' ? undefined : (numberOf(text) ?? text));

/** The terms of a renewal that are filled in. */
export const renewalBody = ({ license_type_config, price, expiry_days }: ActionValues) => ({
  license_type_config: number(license_type_config),
  price: number(price),
  expiry_days: number(expiry_days),
});

/** The body of an action's call. */
export function actionBody(action: LicenseAction, values: ActionValues): Record<string, unknown> {
  const { notify, reason, days, extend, client, release_seats } = values;
  switch (action) {
    case 'renew':
      return { ...renewalBody(values), notify, reason };
    case 'extend':
      return { days: number(days), notify, reason };
    case 'reinstate':
      return { extend, notify };
    case 'transfer':
      return { client: client?.id, release_seats, notify, reason };
    case 'suspend':
    case 'cancel':
    case 'replace_key':
      return { notify, reason };
  }
}

/** The messages of invalid fields, by field; empty when the body may be sent. */
export function actionErrors(action: LicenseAction, body: Record<string, unknown>): Record<string, string> {
  const result = SCHEMAS[action].safeParse(body);
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[String(path[0])] ??= message;
  return errors;
}
