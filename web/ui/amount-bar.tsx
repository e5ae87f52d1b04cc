import { cx } from './cx.ts';

interface AmountBarProps {
  /** What is measured; the bar's accessible name. */
  label: string;
  value: number;
  /** The whole bar. */
  max: number;
  /** Amber: little is left. The words beside it say the same. */
  high: boolean;
}

/** How much of something is taken. The numbers stand beside it as text. */
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
