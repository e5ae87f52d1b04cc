import { useState } from 'react';
import type { FormFields } from './form-fields.ts';
import { FormInputs, type FormInputsProps } from './form-section.tsx';

interface FoldedSectionProps<Fields extends FormFields> extends FormInputsProps<Fields> {
  title: string;
  /** Whether something in it is said: it begins open then, and opens when it becomes so. */
  isUsed: boolean;
}

/**
 * A section of a form that few need: folded until it is opened, says something, or has an error. Its fields are drawn all
 * the same, so that a save reads them.
 */
export function FoldedSection<Fields extends FormFields>({
  title,
  isUsed,
  ...given
}: FoldedSectionProps<Fields>) {
  const [isOpen, setIsOpen] = useState(isUsed);
  const [wasUsed, setWasUsed] = useState(isUsed);
  if (isUsed !== wasUsed) {
    setWasUsed(isUsed);
    if (isUsed) setIsOpen(true);
  }
  const hasError = Object.keys(given.fields).some((name) => given.record.error(name) !== undefined);
  return (
    <details
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="border-b border-border pb-6 last:border-0 last:pb-0"
    >
      <summary className="min-h-6 w-fit cursor-pointer text-sm font-semibold select-none pointer-coarse:min-h-11">
        {title}
      </summary>
      <div className="mt-3 grid items-start gap-x-4 gap-y-4 sm:grid-cols-2">
        <FormInputs {...given} />
      </div>
    </details>
  );
}
