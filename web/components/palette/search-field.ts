import { SEARCH_MAX } from '../../../contract/base/limits.ts';
import { layoutTexts } from '../../text/es-layout.ts';

/** What the search boxes of the palette have in common: the one of the top bar and the one of the window. */
export const SEARCH_FIELD = {
  type: 'text',
  'aria-label': layoutTexts.searchLabel,
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  enterKeyHint: 'search',
  autoComplete: 'off',
  spellCheck: false,
  maxLength: SEARCH_MAX,
} as const;
