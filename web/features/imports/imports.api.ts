import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import {
  type ImportCheck,
  type ImportForecast,
  type ImportProgress,
  type ImportRowCells,
  type ImportUpload,
  isImportBusy,
  XLSX_TYPE,
} from '../../../contract/imports/imports.ts';
import { ApiError, isNetworkError } from '../../api/api-error.ts';
import { whenNotLost } from '../../api/connection.ts';
import { checkConnection } from '../../api/connection-watch.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { uploading } from '../../api/upload.ts';

const IMPORTS_PATH = '/licenses/api/imports/';
export const importPath = (id: number) => `${IMPORTS_PATH}${id}/`;

/** How often the progress of a running import is queried. */
const POLL_MS = 1000;
/** An upload of 20 MB over a slow connection takes minutes. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;
/** How often an upload is tried if it breaks although the server can be reached. */
const TRIES = 3;

/** The state of an import. It is polled while a job works on it, also after a failed query. */
export const importQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.imports, id],
    queryFn: ({ signal }) => request<ImportProgress>('GET', importPath(id), { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isImportBusy(data.state) ? POLL_MS : false),
  });

/**
 * Refetches the import after a refusal that means that it changed: it was deleted, or another person started or ended
 * it.
 */
const seeAgain = (queryClient: QueryClient, id: number) => (error: Error) =>
  error instanceof ApiError && (error.status === 404 || error.status === 409)
    ? queryClient.invalidateQueries({ queryKey: importQuery(id).queryKey })
    : undefined;

const keep = (queryClient: QueryClient, progress: ImportProgress) =>
  queryClient.setQueryData(importQuery(progress.id).queryKey, progress);

interface UploadHooks {
  /** The sheet of a workbook; without one the server takes the first that has the headers. */
  sheet?: string | undefined;
  signal: AbortSignal;
  onProgress: (sent: number, total: number) => void;
  /** Called with true while the upload waits for a lost connection. */
  onWaiting: (waiting: boolean) => void;
}

/**
 * Uploads a file. If the connection is lost, it waits for it and sends the file again.
 * @throws {ApiError} for a refusal, and for a connection that breaks repeatedly
 */
export async function uploadFile(kind: ImportKind, file: File, hooks: UploadHooks): Promise<ImportUpload> {
  const { sheet, signal, onProgress, onWaiting } = hooks;
  const type = /\.xlsx$/i.test(file.name) ? XLSX_TYPE : 'text/csv';
  for (let tries = 1; ; tries += 1) {
    try {
      return await request<ImportUpload>('POST', IMPORTS_PATH, {
        query: { kind, sheet },
        // Sets the content type, because with Excel installed browsers send another one for CSV files.
        body: file.slice(0, file.size, type),
        transport: uploading(onProgress),
        timeout: UPLOAD_TIMEOUT_MS,
        signal,
      });
    } catch (error) {
      if (!isNetworkError(error) || signal.aborted) throw error;
      // Throws if the file was deleted: that breaks the upload in the same way as a lost connection.
      await file.slice(0, 1).arrayBuffer();
      onWaiting(true);
      if (await checkConnection()) {
        if (tries >= TRIES) throw error;
      } else {
        tries = 0;
        await Promise.race([whenNotLost(), whenAborted(signal)]);
      }
      signal.throwIfAborted();
      onWaiting(false);
    }
  }
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Checks what the import will do. A large file is checked by a job, which `importQuery` follows. */
export function useCheckImport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: number } & ImportCheck) =>
      request<ImportForecast | ImportProgress>('POST', `${importPath(id)}check/`, { body }),
    onSuccess: async (answer, { id }) => {
      if ('state' in answer) keep(queryClient, answer);
      else await queryClient.fetchQuery(importQuery(id));
    },
    onError: (error, { id }) => seeAgain(queryClient, id)(error),
  });
}

export function useRunImport(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { notify: boolean }) =>
      request<ImportProgress>('POST', `${importPath(id)}run/`, { body }),
    onSuccess: (progress) => keep(queryClient, progress),
    onError: seeAgain(queryClient, id),
  });
}

/** Stops a check or a run. Records that are already stored stay. */
export function useCancelImport(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => request<ImportProgress>('POST', `${importPath(id)}cancel/`),
    onSuccess: (progress) => keep(queryClient, progress),
    onError: seeAgain(queryClient, id),
  });
}

/** The cells of one row, to correct one of them. */
export const fetchRow = (id: number, row: number): Promise<ImportRowCells> =>
  request<ImportRowCells>('GET', `${importPath(id)}rows/${row}/`);

/** Undoes an import, within a day of its end. */
export function useUndoImport(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => request<ImportProgress>('POST', `${importPath(id)}undo/`),
    onSuccess: (progress) => keep(queryClient, progress),
    onError: seeAgain(queryClient, id),
  });
}
