import { SalesTabs } from '../../components/payment/sales-tabs.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { cx } from '../../ui/cx.ts';
import { tabTexts as texts } from './payments-texts.ts';

const LISTS = [
  { key: 'requests', path: PATHS.payments, label: texts.requests },
  { key: 'received', path: PATHS.paymentsReceived, label: texts.received },
] as const;

/** On top of both lists of 'Cobros': the tabs that they share with the licences (MONEY-13). */
export const PaymentTabs = () => <SalesTabs current="payments" />;

/** The two lists of 'Cobros', each with an address: payment requests, and received payments. */
export const PaymentLists = ({ current }: { current: (typeof LISTS)[number]['key'] }) => (
  <nav aria-label={texts.label} data-print="hidden" className="flex gap-1">
    {LISTS.map(({ key, path, label }) => (
      <Link
        key={key}
        to={path}
        aria-current={key === current ? 'page' : undefined}
        className={cx(
          'inline-flex min-h-8 items-center rounded-full border px-3 font-medium pointer-coarse:min-h-11',
          key === current
            ? 'border-brand bg-brand-tint text-brand-text'
            : 'border-border text-muted hover:border-border-strong hover:text-text',
        )}
      >
        {label}
      </Link>
    ))}
  </nav>
);
