/** The pattern of a licence key anywhere in a text (contract/licenses.ts). */
const LICENSE_KEY = /[A-Za-z0-9]{5}(?:-[A-Za-z0-9]{5}){4}/g;

/** The path for the log: without its query, and with licence keys masked. */
export const loggedPath = (url: string): string => url.split('?', 1)[0]!.replace(LICENSE_KEY, '***');
