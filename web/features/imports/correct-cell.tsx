import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../components/record/use-action.ts';
import { formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { fetchRow } from './imports.api.ts';
import { cellTexts as texts } from './imports-texts.ts';

/** Corrected cells, by the number of their row and the name of their column, as a check takes them. */
export type Corrections = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const correctionOf = (corrections: Corrections, row: number, column: string): string | undefined =>
  corrections[row]?.[column];

/** @param text undefined takes the correction back */
export function withCorrection(
  corrections: Corrections,
  row: number,
  column: string,
  text: string | undefined,
): Corrections {
  const { [column]: _before, ...others } = corrections[row] ?? {};
  const cells = text === undefined ? others : { ...others, [column]: text };
  const { [String(row)]: _row, ...rest } = corrections;
  return Object.keys(cells).length === 0 ? rest : { ...rest, [row]: cells };
}

export const correctionsIn = (corrections: Corrections): number =>
  Object.values(corrections).reduce((sum, cells) => sum + Object.keys(cells).length, 0);

interface CorrectCellProps {
  id: number;
  row: number;
  column: string;
  /** The name of the field, for the input's label. */
  field: string;
  /** The correction that was typed; undefined without one. */
  correction: string | undefined;
  onCorrect: (text: string | undefined) => void;
}

/** 'Corregir': the cell as it is in the file, to be changed in place (INPUT-06). */
export function CorrectCell({ id, row, column, field, correction, onCorrect }: CorrectCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The input has disappeared with the focus in it, so the button that opened it gets it back.
  useEffect(() => {
    if (wasOpen.current && typed === null) opener.current?.focus();
    wasOpen.current = typed !== null;
  }, [typed]);
  const [open, opening] = useAction(texts.failed, async () => {
    setTyped(correction ?? (await fetchRow(id, row)).cells[column] ?? '');
  });
  const label = texts.label(formatNumber(row), field);
  if (typed !== null) {
    const finish = () => {
      onCorrect(typed);
      setTyped(null);
    };
    return (
      <div className="mt-1.5 flex flex-wrap items-center gap-2">
        <TextInput
          autoFocus
          aria-label={label}
          value={typed}
          autoComplete="off"
          className="min-w-40 flex-1"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              // The form around would start the import.
              event.preventDefault();
              finish();
            } else if (event.key === 'Escape') setTyped(null);
          }}
        />
        <Button size="sm" onClick={finish}>
          {texts.done}
        </Button>
      </div>
    );
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      {correction !== undefined && (
        <span className="font-medium wrap-anywhere">{texts.corrected(correction)}</span>
      )}
      <TextButton
        ref={opener}
        aria-label={`${texts.correct}: ${label}`}
        aria-busy={opening}
        onClick={() => void open()}
      >
        {texts.correct}
      </TextButton>
      {correction !== undefined && (
        <TextButton aria-label={`${texts.undo}: ${label}`} onClick={() => onCorrect(undefined)}>
          {texts.undo}
        </TextButton>
      )}
    </div>
  );
}
