import { cx } from './cx.ts';

interface AmountBarProps {
  /** The measured amount; the accessible name of the bar. */
  label: string;
  value: number;
  /** The value of a full bar. */
  max: number;
  /** Shown in amber, because little is left. The text beside the bar gives the same information. */
  high: boolean;
}

/**
 * A bar for the used part of an amount. The numbers are shown as text beside it. No `<meter>`: each browser draws its
 * own bar there, in its own colours (DESK-08).
 */
export function AmountBar({ label, value, max, high }: AmountBarProps) {
  const most = Math.max(max, 1);
  const shown = Math.min(value, most);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a meter is drawn by the browser
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={shown}
      data-high={high || undefined}
      className="h-2.5 overflow-hidden rounded-full border border-border-strong bg-sunken forced-color-adjust-none"
    >
      <div
        className={cx('h-full', high ? 'bg-warning' : 'bg-brand')}
        style={{ width: `${(100 * shown) / most}%` }}
      />
    </div>
  );
}
