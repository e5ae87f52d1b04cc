import javascriptExample from '../../../../sdk/javascript/example.js?raw';
import javascriptFile from '../../../../sdk/javascript/license.js?url';

/**
 * The SDKs: the file of each to download, and its example, which is run by the tests of the SDK and shown with the data
 * of a software in the place of its sample data.
 */

export interface Language {
  label: string;
  /** The address of the SDK's file. */
  url: string;
  /** The name of that file. */
  file: string;
  /** What a program needs besides: 'Node 18 o un navegador'. */
  needs: string;
  example: string;
}

export const LANGUAGES = {
  javascript: {
    label: 'JavaScript',
    url: javascriptFile,
    file: 'license.js',
    needs: 'Node 18 o un navegador',
    example: javascriptExample,
  },
} as const satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;
