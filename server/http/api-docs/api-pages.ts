import { createHash } from 'node:crypto';
import type { ApiPages } from '../../context.ts';
import type { ApiDocument } from '../openapi-document.ts';
import { renderApiPage } from './render-page.ts';

/** The paths of the API's reference: the document for programs, the page for people, and its style sheet. */
export const API_PATHS = {
  document: '/api/openapi.json',
  page: '/api/docs/',
  style: '/api/docs/style.css',
} as const;

export function renderApiPages(document: ApiDocument): ApiPages {
  return {
    document: Buffer.from(JSON.stringify(document)),
    page: Buffer.from(renderApiPage(document, { document: API_PATHS.document, style: API_PATHS.style })),
  };
}

/** The entity tag of a file. */
export const fileTag = (bytes: Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url')}"`;

/** Whether the header If-None-Match names this tag, or any (RFC 9110, 13.1.2). */
export const isKnownTag = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch?.trim() === '*' ||
  (ifNoneMatch ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
