import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

interface CheckProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
}

interface LabelledCheckProps extends CheckProps {
  control: (attributes: ComponentProps<'input'>) => ReactNode;
}

function LabelledCheck({ label, help, error, className, control, ...input }: LabelledCheckProps) {
  const generatedId = useId();
  const id = input.id ?? generatedId;
  const describedBy = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={cx('flex items-start gap-3', className)}>
      <span className="flex h-6 items-center pointer-coarse:h-11">
        {control({ ...input, id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      </span>
      <div className="min-w-0">
        <label
          htmlFor={id}
          className="flex min-h-6 items-center font-medium has-disabled:text-muted pointer-coarse:min-h-11"
        >
          {label}
        </label>
        {help && (
          <p id={`${id}-help`} className="text-xs text-muted">
            {help}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} className="text-xs text-critical-text">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

/** A checkbox with its label. */
export function Checkbox(props: CheckProps) {
  return (
    <LabelledCheck
      {...props}
      control={(attributes) => (
        <input
          {...attributes}
          type="checkbox"
          className="check-mark size-4.5 appearance-none rounded border border-border-strong bg-surface transition-colors checked:border-brand checked:bg-brand disabled:opacity-50"
        />
      )}
    />
  );
}

/**
 * A switch, for settings that take effect at once. It is a checkbox with the role switch, so that forms treat both
 * alike.
 */
export function Switch(props: CheckProps) {
  return (
    <LabelledCheck
      {...props}
      control={(attributes) => (
        <input
          {...attributes}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox itself tells its state
          role="switch"
          className={cx(
            'relative h-5 w-9 appearance-none rounded-full border border-border-strong bg-border-strong transition-colors',
            'after:absolute after:top-px after:left-px after:size-4 after:rounded-full after:bg-on-brand after:shadow-edge after:transition-transform',
            'checked:border-brand checked:bg-brand checked:after:translate-x-4 disabled:opacity-50',
          )}
        />
      )}
    />
  );
}
