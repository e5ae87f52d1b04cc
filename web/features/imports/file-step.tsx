import { ClipboardPaste, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import {
  IMPORT_BYTES_MAX,
  IMPORT_ROWS_MAX,
  type ImportUpload,
  XLSX_TYPE,
} from '../../../contract/imports/imports.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { saveAs } from '../../api/http.ts';
import { useSession } from '../../api/session.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { KIND_NOUNS } from '../../text/es.ts';
import { formatNumber, formatsInUse } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { FileDrop } from '../../ui/file-drop.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RadioChoices } from '../../ui/radio-choices.tsx';
import { isClear } from './column-choices.ts';
import { uploadFile, useCheckImport } from './imports.api.ts';
import { FILE_REFUSALS, fileTexts as texts } from './imports-texts.ts';
import { formatBytes, spokenPercent } from './progress.ts';
import { type FileRefusal, HEAD_BYTES, refusalOf } from './refused-file.ts';
import { sampleFile } from './sample-file.ts';
import { StepCard } from './step-card.tsx';

const MEGABYTE = 1024 * 1024;
const bytes = (value: number) => formatBytes(value, formatNumber);

type Upload =
  | { kind: 'none' }
  | { kind: 'sending'; file: File; sent: number; waiting: boolean }
  /** The workbook was uploaded and has several sheets. */
  | { kind: 'sheets'; file: File; uploaded: ImportUpload; sheet: string }
  /** The upload stopped. The file stays chosen, so it can be sent again. */
  | { kind: 'stopped'; file: File; why: string; isKept?: true };

/** The upload that was running when the session ended, for the same person in the same tab. */
let kept: { file: File; kind: ImportKind; userId: number | undefined } | null = null;

function takeKept(kind: ImportKind): Upload {
  const mine = kept?.kind === kind && kept.userId === useSession.getState().user?.id ? kept : null;
  if (mine === null) return { kind: 'none' };
  return { kind: 'stopped', file: mine.file, why: texts.kept(mine.file.name), isKept: true };
}

const wordsOf = (refusal: FileRefusal): string =>
  refusal === 'too_large' ? FILE_REFUSALS.too_large(IMPORT_BYTES_MAX / MEGABYTE) : FILE_REFUSALS[refusal];

/**
 * Checks the first bytes of a file.
 * @throws the browser's error for a file that is locked or was deleted
 */
async function checkFile(file: File): Promise<FileRefusal | null> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return refusalOf(file, head, IMPORT_BYTES_MAX);
}

/** Step 1, 'Archivo': one file, which is uploaded as soon as it is chosen. */
export function FileStep({ kind }: { kind: ImportKind }) {
  const navigate = useNavigate();
  const [upload, setUpload] = useState<Upload>(() => takeKept(kind));
  const [refusal, setRefusal] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const check = useCheckImport();
  useEffect(() => () => running.current?.abort(), []);

  const send = async (file: File, sheet?: string) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const userId = useSession.getState().user?.id;
    const change = (changes: { sent?: number; waiting?: boolean }) => {
      if (signal.aborted) return;
      setUpload((now) => (now.kind === 'sending' ? { ...now, ...changes } : now));
    };
    setUpload({ kind: 'sending', file, sent: 0, waiting: false });
    kept = null;
    try {
      const uploaded = await uploadFile(kind, file, {
        sheet,
        signal,
        onProgress: (sent) => change({ sent }),
        onWaiting: (waiting) => change({ waiting }),
      });
      if (signal.aborted) return;
      // Its sheet was asked for.
      if (sheet !== undefined || uploaded.sheets.length < 2) return await goOn(uploaded);
      setUpload({ kind: 'sheets', file, uploaded, sheet: uploaded.sheet ?? uploaded.sheets[0]! });
    } catch (error) {
      if (useSession.getState().ended === 'expired') kept = { file, kind, userId };
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) return refuse(FILE_REFUSALS.unreadable);
      // The server has read the file and refused it, so another file is needed.
      if (error.status >= 400 && error.status < 500 && error.status !== 401) {
        return refuse(Object.values(error.fieldErrors).flat()[0] ?? errorMessage(error));
      }
      setUpload({ kind: 'stopped', file, why: `${texts.failed}: ${errorMessage(error)}` });
    }
  };

  /** Opens the step of the columns, or the one after it if there is nothing to choose. */
  const goOn = async ({ id, ...read }: ImportUpload) => {
    const isChecked =
      isClear(kind, read) &&
      (await check.mutateAsync({ id, mapping: read.mapping, mode: 'create' }).then(
        () => true,
        // A failure here is not shown: the step of the columns shows it at the next attempt.
        () => false,
      ));
    const to = { to: PATHS.import, params: { id: String(id) } };
    await navigate(isChecked ? to : { ...to, search: { paso: 'columnas' as const } });
  };

  const refuse = (text: string) => {
    setUpload({ kind: 'none' });
    setRefusal(text);
  };

  const choose = async (file: File) => {
    setRefusal(null);
    try {
      const reason = await checkFile(file);
      if (reason === null) void send(file);
      else refuse(wordsOf(reason));
    } catch {
      refuse(FILE_REFUSALS.unreadable);
    }
  };

  const paste = (text: string) => {
    const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    if (rows.length < 2) refuse(FILE_REFUSALS.no_cells);
    else void choose(new File([text], texts.pastedName, { type: 'text/csv' }));
  };
  useEffect(() => {
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      if (upload.kind === 'sending') return;
      const isTyping =
        target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;
      if (clipboardData === null || isTyping) return;
      const [file] = clipboardData.files;
      if (file) void choose(file);
      else paste(clipboardData.getData('text/plain'));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  });
  const pasteHere = async () => {
    try {
      paste(await navigator.clipboard.readText());
    } catch {
      // The browser or the person did not allow reading the clipboard. Pasting with the keyboard still works.
      refuse(FILE_REFUSALS.no_clipboard);
    }
  };

  const stop = () => {
    running.current?.abort();
    setUpload({ kind: 'none' });
  };
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
