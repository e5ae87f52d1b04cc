import { cx } from './cx.ts';

interface ProgressBarProps {
  /** The name of the work in progress; the accessible name of the bar. */
  label: string;
  value: number;
  max: number;
  className?: string;
}

/** The progress of long work. The numbers are shown as text beside it, and the caller announces them (`aria-live`). */
export const ProgressBar = ({ label, value, max, className }: ProgressBarProps) => (
  <progress
    aria-label={label}
    value={value}
    max={Math.max(max, 1)}
    className={cx(
      'block h-2.5 w-full appearance-none overflow-hidden rounded-full border border-border-strong bg-sunken',
      '[&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand [&::-moz-progress-bar]:bg-brand',
      className,
    )}
  />
);
