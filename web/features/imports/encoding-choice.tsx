import type { Encoding, ImportUpload } from '../../../contract/imports/imports.ts';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { columnTexts as texts } from './imports-texts.ts';

interface EncodingChoiceProps {
  encodings: ImportUpload['encodings'];
  value: Encoding;
  onChange: (encoding: Encoding) => void;
}

/** The encodings in which the letters of a file may be meant, each with words of the file (INPUT-04). */
export const EncodingChoice = ({ encodings, value, onChange }: EncodingChoiceProps) => (
  <section className="space-y-1 rounded-lg border border-warning/40 bg-warning-tint px-4 py-3">
    <RadioChoices
      label={texts.encodings}
      choices={encodings.map(({ encoding, sample }) => ({
        value: encoding,
        label: encoding,
        text: sample,
      }))}
      value={value}
      onChange={onChange}
    />
    <p className="text-xs text-muted">{texts.encodingsHint}</p>
  </section>
);
