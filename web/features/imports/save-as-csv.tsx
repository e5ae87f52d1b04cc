import { saveAsTexts as texts } from './imports-texts.ts';

/** Instructions to save a spreadsheet as CSV. They are opened if the user chose the spreadsheet itself. */
export const SaveAsCsv = ({ isOpen }: { isOpen: boolean }) => (
  <details open={isOpen} className="rounded-lg border border-border">
    <summary className="min-h-6 cursor-pointer px-4 py-3 font-medium select-none">{texts.title}</summary>
    <div className="grid gap-5 px-4 pb-4 sm:grid-cols-2">
      {texts.programs.map(({ name, steps }) => (
        <div key={name}>
          <h3 className="font-medium">{name}</h3>
          <ol className="mt-1 list-decimal space-y-1 pl-5 text-muted">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      ))}
      <p className="text-muted sm:col-span-2">{texts.phones}</p>
    </div>
  </details>
);
