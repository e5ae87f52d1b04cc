import { codeTexts } from '../../../text/es-auth.ts';

export type CodeKind = 'app' | 'recovery';

/** The error of a typed code, found before it is sent. Spaces and hyphens are ignored, as on the server. */
export function checkCode(kind: CodeKind, typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '');
  if (code === '') return codeTexts.required;
  return kind === 'app' && !/^\d{6}$/.test(code) ? codeTexts.sixDigits : undefined;
}
