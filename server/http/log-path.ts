/** What a licence key looks like, wherever somebody may have put one (contract/licenses.ts). */
const LICENSE_KEY = /[A-Za-z0-9]{5}(?:-[A-Za-z0-9]{5}){4}/g;

/** The path of a call as the log may hold it: without its query, and without a licence key that was put into it. */
export const loggedPath = (url: string): string => url.split('?', 1)[0]!.replace(LICENSE_KEY, '***');
