import type { Settings } from '../../../contract/settings/settings.ts';

/** The form of amounts in mails: '$4,800.00 MXN'. */
export const moneyText =
  ({ locale }: Pick<Settings, 'locale'>) =>
  (amount: number, currency: string): string => {
    const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
    return `${new Intl.NumberFormat(locale, style).format(amount)} ${currency}`;
  };
