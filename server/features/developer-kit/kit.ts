import type { License } from '../../../contract/licenses/licenses.ts';
import type { Integration } from '../../../contract/programs/integration.ts';
import type { LanguageName } from '../../../contract/programs/sdk-languages.ts';
import type { Software } from '../../../contract/software/software.ts';

/** The content of a kit. */
export type Kit = {
  software: Software;
  integration: Integration;
  languages: readonly LanguageName[];
  /** The trial whose key the kit contains; null for none. */
  trial: License | null;
  timeZone: string;
  /** The folder of the shared library for several systems; null where there is none (SDK_LIBRARIES). */
  libraries: string | null;
};
