import { decimalsOf } from '../../../contract/base/money.ts';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { buttons } from '../../text/es-buttons.ts';
import { payTexts as texts } from '../../text/es-pay.ts';
import { formatPrice } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

const words = texts.transferTo;

interface TransferCardProps {
  transfer: NonNullable<PayPage['transfer']>;
  answer: Pick<PayPage, 'due' | 'currency' | 'concept'>;
}

/** Where to transfer, how much, and with which concept: each value with its own 'Copiar' (MONEY-11). */
export function TransferCard({ transfer, answer }: TransferCardProps) {
  const { due, currency, concept } = answer;
  return (
    <Card title={texts.transfer}>
      <dl className="divide-y divide-border border-y border-border">
        {transfer.bank !== '' && <Value label={words.bank} text={transfer.bank} />}
        {transfer.holder !== '' && <Value label={words.holder} text={transfer.holder} />}
        {transfer.accounts.map(({ label, number }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two accounts may read alike, and none changes its place
          <Value key={place} label={label || words.account} text={number} isNumber />
        ))}
        {/* A bank's form takes the plain number. */}
        <Value
          label={words.amount}
          text={due.toFixed(decimalsOf(currency))}
          shown={formatPrice(due, currency)}
        />
        <Value label={words.concept} text={concept} isNumber help={words.conceptHelp} />
      </dl>
      <p className="mt-3 text-muted">{texts.transferText}</p>
    </Card>
  );
}

interface ValueProps {
  label: string;
  /** What is copied. */
  text: string;
  shown?: string;
  isNumber?: boolean;
  help?: string;
}

const Value = ({ label, text, shown = text, isNumber = false, help }: ValueProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2.5">
    <dt className="text-muted">{label}</dt>
    <dd className="col-start-1 wrap-anywhere">
      <span translate="no" className={isNumber ? 'font-mono text-base font-medium' : 'text-base font-medium'}>
        {shown}
      </span>
      {help !== undefined && <span className="block text-muted">{help}</span>}
    </dd>
    <dd className="col-start-2 row-span-2 row-start-1">
      <CopyButton text={text} of={label} copiedLabel={buttons.copied} size="lg" />
    </dd>
  </div>
);
