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

/** A bar for the used part of an amount. The numbers are shown as text beside it. */
export const AmountBar = ({ label, value, max, high }: AmountBarProps) => (
  <meter
    aria-label={label}
    min={0}
    value={Math.min(value, max)}
    max={Math.max(max, 1)}
    data-high={high || undefined}
    className={cx(
      'block h-2.5 w-full appearance-none overflow-hidden rounded-full border border-border-strong bg-sunken',
      '[&::-webkit-meter-inner-element]:block [&::-webkit-meter-inner-element]:h-full',
      '[&::-webkit-meter-bar]:h-full [&::-webkit-meter-bar]:rounded-none [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-sunken',
      high
        ? '[&::-webkit-meter-optimum-value]:bg-warning [&::-moz-meter-bar]:bg-warning'
        : '[&::-webkit-meter-optimum-value]:bg-brand [&::-moz-meter-bar]:bg-brand',
    )}
  />
);
