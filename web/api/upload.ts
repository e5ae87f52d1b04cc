/**
 * A replacement of `fetch` for large files that reports how many bytes were sent, which `fetch` cannot do. `request`
 * gets it as `transport`, so that uploads have the token, the renewal and the errors of every other call.
 */

/** If no byte and no answer arrives for this time, the connection counts as broken. */
const SILENCE_MS = 60_000;

/**
 * Creates the transport of one upload.
 *
 *     await request('POST', path, { body: file, transport: uploading(onProgress), timeout: UPLOAD_TIMEOUT_MS, signal });
 *
 * @param onProgress called with the number of bytes sent and the size of the file
 */
export const uploading =
  (onProgress: (sent: number, total: number) => void): typeof fetch =>
  (address, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      const call = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const watch = () => {
        clearTimeout(timer);
        timer = setTimeout(() => call.abort(), SILENCE_MS);
      };
      const abort = () => call.abort();
      call.onloadend = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (call.status !== 0) resolve(answerOf(call));
        else reject(signal?.aborted ? signal.reason : new TypeError('Failed to fetch'));
      };
      call.upload.onprogress = ({ loaded, total }) => {
        watch();
        onProgress(loaded, total);
      };
      signal?.addEventListener('abort', abort);
      call.open(init.method ?? 'GET', String(address));
      for (const [name, value] of new Headers(init.headers)) call.setRequestHeader(name, value);
      watch();
      if (signal?.aborted) call.onloadend(new ProgressEvent('loadend'));
      else call.send(init.body as XMLHttpRequestBodyInit);
    });

/** Converts the answer to a `Response`. */
function answerOf(call: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of call.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const [name = '', ...value] = line.split(':');
    if (name !== '') headers.append(name, value.join(':').trim());
  }
  return new Response(call.responseText === '' ? null : call.responseText, { status: call.status, headers });
}
