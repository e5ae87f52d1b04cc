import type { ApiDocument, ApiOperation } from './openapi-document.ts';
import { HEADER_WORDS, type HeaderName } from './openapi-words/calls.ts';

/** The headers of answers, added to the document by rule. */

const takes = ({ parameters = [] }: ApiOperation, header: string): boolean =>
  parameters.some((parameter) => 'in' in parameter && parameter.name === header);

/** Adds the headers of every answer, and describes each header once in the components. */
export function nameHeaders(document: ApiDocument): void {
  document.components.headers = Object.fromEntries(
    Object.entries(HEADER_WORDS).map(([name, description]) => [
      name,
      { description, schema: { type: name === 'Retry-After' ? 'integer' : 'string' } },
    ]),
  );
  for (const operations of Object.values(document.paths)) {
    const isVersioned = Object.values(operations).some((operation) => takes(operation, 'If-Match'));
    for (const [method, operation] of Object.entries(operations)) {
      const hasVersion = isVersioned && ['get', 'put', 'patch'].includes(method);
      for (const [status, response] of Object.entries(operation.responses)) {
        const names = headersOf(status, {
          isOnce: takes(operation, 'Idempotency-Key'),
          isFile: 'text/csv' in response.content,
          hasVersion,
          saysWhen: response.description?.includes('Retry-After') === true,
        });
        response.headers = Object.fromEntries(
          names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        );
      }
    }
  }
}

function headersOf(
  status: string,
  {
    isOnce,
    isFile,
    hasVersion,
    saysWhen,
  }: { isOnce: boolean; isFile: boolean; hasVersion: boolean; saysWhen: boolean },
): HeaderName[] {
  const isGood = status.startsWith('2');
  const names: [HeaderName, boolean][] = [
    ['X-Request-Id', true],
    ['WWW-Authenticate', status === '401'],
    ['Retry-After', status === '429' || status === '503' || (status === '409' && saysWhen)],
    ['Idempotency-Replayed', isGood && isOnce],
    ['Content-Disposition', isGood && isFile],
    ['ETag', status === '200' && hasVersion],
  ];
  return names.flatMap(([name, isThere]) => (isThere ? [name] : []));
}
