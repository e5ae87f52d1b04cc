import { useEffect, useRef, useState } from 'react';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { IMPORT_BYTES_MAX, type ImportUpload } from '../../../contract/imports/imports.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { isClear } from './column-choices.ts';
import { uploadFile, useCheckImport } from './imports.api.ts';
import { FILE_REFUSALS, fileTexts as texts } from './imports-texts.ts';
import { type FileRefusal, HEAD_BYTES, refusalOf } from './refused-file.ts';

export const MEGABYTE = 1024 * 1024;

export type Upload =
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

/** The upload of one file: what is chosen, sent, refused, and where it leads. */
export function useUpload(kind: ImportKind) {
  const navigate = useNavigate();
  const [upload, setUpload] = useState<Upload>(() => takeKept(kind));
  const [refusal, setRefusal] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const check = useCheckImport();
  useEffect(() => () => running.current?.abort(), []);

  const refuse = (text: string) => {
    setUpload({ kind: 'none' });
    setRefusal(text);
  };

  const fail = (file: File, error: unknown) => {
    if (!(error instanceof ApiError)) return refuse(FILE_REFUSALS.unreadable);
    // The server has read the file and refused it, so another file is needed.
    if (error.status >= 400 && error.status < 500 && error.status !== 401) {
      return refuse(Object.values(error.fieldErrors).flat()[0] ?? errorMessage(error));
    }
    setUpload({ kind: 'stopped', file, why: `${texts.failed}: ${errorMessage(error)}` });
  };

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
      if (!signal.aborted) fail(file, error);
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

  const stop = () => {
    running.current?.abort();
    setUpload({ kind: 'none' });
  };
  return { upload, setUpload, refusal, refuse, choose, send, goOn, stop };
}

/**
 * Cells that are pasted anywhere on the page, or with a button, become a file.
 * @returns the function of the button
 */
export function usePastedCells(
  isBusy: boolean,
  { choose, refuse }: Pick<ReturnType<typeof useUpload>, 'choose' | 'refuse'>,
) {
  const paste = (text: string) => {
    const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    if (rows.length < 2) refuse(FILE_REFUSALS.no_cells);
    else void choose(new File([text], texts.pastedName, { type: 'text/csv' }));
  };
  useEffect(() => {
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      if (isBusy) return;
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
  return async () => {
    try {
      paste(await navigator.clipboard.readText());
    } catch {
      // The browser or the person did not allow reading the clipboard. Pasting with the keyboard still works.
      refuse(FILE_REFUSALS.no_clipboard);
    }
  };
}
