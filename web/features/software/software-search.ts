import { readDialogs, readFlag, readId, readText, searchReader } from '../../search-fields.ts';

export type SoftwareTab = 'resumen' | 'integracion';

export const readSoftwareSearch = searchReader((raw) => ({
  q: readText(raw.q),
  active: readFlag(raw.active),
  import: readId(raw.import),
  ...readDialogs(raw),
  /** Absent for the first tab, 'resumen'. */
  tab: raw.tab === 'integracion' ? ('integracion' as const) : undefined,
}));
export type SoftwareSearch = ReturnType<typeof readSoftwareSearch>;
