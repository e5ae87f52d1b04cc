import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { cx } from '../../ui/cx.ts';
import { tabTexts as texts } from './payments-texts.ts';

const TABS = [
  { key: 'requests', path: PATHS.payments, label: texts.requests },
  { key: 'received', path: PATHS.paymentsReceived, label: texts.received },
] as const;

/** The two lists of 'Cobros', each with an address: payment requests, and received payments. */
export const PaymentTabs = ({ current }: { current: (typeof TABS)[number]['key'] }) => (
  <nav aria-label={texts.label} data-print="hidden" className="flex gap-1 border-b border-border">
    {TABS.map(({ key, path, label }) => (
      <Link
        key={key}
        to={path}
        aria-current={key === current ? 'page' : undefined}
        className={cx(
          '-mb-px inline-flex min-h-10 items-center border-b-2 px-4 font-medium pointer-coarse:min-h-11',
          key === current
            ? 'border-brand text-brand-text'
            : 'border-transparent text-muted hover:border-border-strong hover:text-text',
        )}
      >
        {label}
      </Link>
    ))}
  </nav>
);
