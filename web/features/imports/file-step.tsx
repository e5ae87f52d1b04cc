import { ClipboardPaste, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { IMPORT_BYTES_MAX, IMPORT_ROWS_MAX, XLSX_TYPE } from '../../../contract/imports/imports.ts';
import { saveAs } from '../../api/http.ts';
import { KIND_NOUNS } from '../../text/es.ts';
import { formatNumber, formatsInUse } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { fileTexts as texts } from './imports-texts.ts';
import { formatBytes, spokenPercent } from './progress.ts';
import { sampleFile } from './sample-file.ts';
import { StepCard } from './step-card.tsx';
import { MEGABYTE, type Upload, usePastedCells, useUpload } from './use-upload.ts';

const bytes = (value: number) => formatBytes(value, formatNumber);

/** Step 1, 'Archivo': one file, which is uploaded as soon as it is chosen. */
export function FileStep({ kind }: { kind: ImportKind }) {
  const sent = useUpload(kind);
  const { upload, setUpload, refusal, choose, send, goOn, stop } = sent;
  const pasteHere = usePastedCells(upload.kind === 'sending', sent);
  const chooser = useRef<HTMLButtonElement>(null);
  const stopped = upload.kind === 'stopped' ? upload : null;
  const sending = upload.kind === 'sending' ? upload : null;
  const sheets = upload.kind === 'sheets' ? upload : null;
  const [chooseSheet, choosing] = useOneAtATime(async () => {
    if (sheets === null) return;
    const { file, uploaded, sheet } = sheets;
    await (sheet === uploaded.sheet ? goOn(uploaded) : send(file, sheet));
  });
  // The pressed button has disappeared, so the file chooser gets the focus.
  const wasSending = useRef(false);
  useEffect(() => {
    if (wasSending.current && sending === null) chooser.current?.focus();
    wasSending.current = sending !== null;
  }, [sending]);

  return (
    <StepCard
      title={texts.title}
      subtitle={texts.subtitle}
      footer={
        sheets && (
          <>
            <Button onClick={() => setUpload({ kind: 'none' })}>{texts.otherFile}</Button>
            <Button type="submit" variant="primary" busy={choosing}>
              {texts.goOn}
            </Button>
          </>
        )
      }
      onSubmit={sheets ? () => void chooseSheet() : undefined}
    >
      {kind === 'licenses' && <Banner tone="info">{texts.before}</Banner>}
      {refusal && (
        <Banner tone="critical" announce="alert">
          {refusal}
        </Banner>
      )}
      {stopped && (
        <Banner
          tone={stopped.isKept ? 'info' : 'critical'}
          announce="alert"
          action={
            <Button size="sm" onClick={() => void send(stopped.file)}>
              {texts.retry}
            </Button>
          }
        >
          {stopped.why}
        </Banner>
      )}
      {sheets ? (
        <SheetChoice upload={sheets} onChange={(sheet) => setUpload({ ...sheets, sheet })} />
      ) : sending ? (
        <Sending upload={sending} onStop={stop} />
      ) : (
        <FileDrop
          label={texts.choose}
          invitation={texts.drop}
          hint={texts.limits(IMPORT_BYTES_MAX / MEGABYTE, IMPORT_ROWS_MAX)}
          accept={`.xlsx,.csv,.txt,text/csv,text/plain,${XLSX_TYPE}`}
          onFile={(file) => void choose(file)}
          buttonRef={chooser}
          other={
            <Button icon={ClipboardPaste} onClick={() => void pasteHere()}>
              {texts.paste}
            </Button>
          }
        />
      )}
      {!sheets && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            icon={Download}
            onClick={() => {
              const text = sampleFile(kind, formatsInUse().locale);
              saveAs(new Blob([text], { type: 'text/csv' }), `ejemplo-${KIND_NOUNS[kind].many}.csv`);
            }}
          >
            {texts.sample}
          </Button>
          <p className="min-w-48 flex-1 text-xs text-muted">{texts.sampleHint}</p>
        </div>
      )}
    </StepCard>
  );
}

/** The sheets of a workbook, of which one is imported; the one that has the headers is chosen. */
function SheetChoice({
  upload: { file, uploaded, sheet },
  onChange,
}: {
  upload: Extract<Upload, { kind: 'sheets' }>;
  onChange: (sheet: string) => void;
}) {
  const group = useRef<HTMLDivElement>(null);
  // The chooser has disappeared with the focus in it.
  useEffect(() => group.current?.querySelector<HTMLElement>('input:checked')?.focus(), []);
  return (
    <div ref={group}>
      <RadioChoices
        label={texts.sheets(file.name)}
        choices={uploaded.sheets.map((name) => ({ value: name, label: texts.sheet, text: name }))}
        value={sheet}
        onChange={onChange}
      />
    </div>
  );
}

/** Replaces the chooser at the same height: the number of sent bytes, and a button to stop. */
function Sending({ upload, onStop }: { upload: Extract<Upload, { kind: 'sending' }>; onStop: () => void }) {
  const { file, sent, waiting } = upload;
  const isSent = sent >= file.size;
  const spoken = spokenPercent(sent, file.size);
  return (
    <div className="flex min-h-59 flex-col justify-center gap-3 rounded-xl border border-border bg-sunken px-5 py-8">
      <p className="font-medium wrap-anywhere">{texts.uploading(file.name)}</p>
      <ProgressBar label={texts.uploading(file.name)} value={sent} max={file.size} />
      <p className="text-muted tabular-nums">
        {isSent ? texts.reading : texts.sent(bytes(sent), bytes(file.size))}
      </p>
      <p role="status" className={waiting ? 'text-warning-text' : 'sr-only'}>
        {waiting ? texts.waiting : spoken > 0 && `${spoken} %`}
      </p>
      <div>
        <Button autoFocus onClick={onStop}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}
