import { useState } from 'react';
import type { FormFields } from './form-fields.ts';
import { FormInputs, type FormInputsProps } from './form-section.tsx';

interface FoldedSectionProps<Fields extends FormFields> extends FormInputsProps<Fields> {
  title: string;
  /** True if a field in the section has a value: then the section is open. */
  isUsed: boolean;
}

/**
 * A section of a form that few people need. It is collapsed unless it was opened, has a value, or has an error. Its
 * fields are rendered in any case, so that a save includes them.
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
