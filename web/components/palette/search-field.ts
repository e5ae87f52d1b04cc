import { PASTED_MAX } from '../../../contract/base/limits.ts';
import { layoutTexts } from '../../text/es-layout.ts';

/** Attributes of both search boxes of the palette: in the top bar and in the dialog. */
export const SEARCH_FIELD = {
  type: 'text',
  'aria-label': layoutTexts.searchLabel,
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  enterKeyHint: 'search',
  autoComplete: 'off',
  spellCheck: false,
  maxLength: PASTED_MAX,
} as const;
