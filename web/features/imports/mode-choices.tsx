import { useId } from 'react';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { IMPORT_MODES, type ImportMode } from '../../../contract/imports/imports.ts';
import { KIND_NOUNS } from '../../text/es.ts';
import { columnTexts as texts } from './imports-texts.ts';

interface ModeChoicesProps {
  kind: ImportKind;
  value: ImportMode;
  onChange: (mode: ImportMode) => void;
}

/**
 * The choice what to do with the rows: create records, change existing ones, or both. Each choice explains what
 * happens to the other rows.
 */
export function ModeChoices({ kind, value, onChange }: ModeChoicesProps) {
  const id = useId();
  return (
    <fieldset>
      <legend className="font-medium">{texts.modes}</legend>
      <div className="mt-2 grid gap-2 sm:grid-cols-3">
        {IMPORT_MODES.map((mode) => (
          <label
            key={mode}
            className="flex cursor-pointer items-start gap-2.5 rounded-lg border border-border px-3 py-2.5 has-checked:border-brand has-checked:bg-brand-tint"
          >
            <input
              type="radio"
              name={id}
              checked={mode === value}
              onChange={() => onChange(mode)}
              aria-describedby={`${id}-${mode}`}
              aria-label={texts.modeLabel(mode, KIND_NOUNS[kind])}
              className="mt-0.5 size-4 shrink-0 accent-brand"
            />
            <span className="min-w-0">
              <span className="block font-medium">{texts.modeLabel(mode, KIND_NOUNS[kind])}</span>
              <span id={`${id}-${mode}`} className="block text-xs text-muted">
                {texts.modeHelp(mode, kind)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
