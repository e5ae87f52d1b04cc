import { useState } from 'react';
import { layoutTexts } from '../../text/es-layout.ts';
import { SearchInput } from '../../ui/search-input.tsx';

/** The search box of the top bar: as specified, its text has no effect (SEED-2.2-07, D017). */
export function InertSearch() {
  const [text, setText] = useState('');
  return (
    <SearchInput
      label={layoutTexts.searchLabel}
      placeholder={layoutTexts.search}
      value={text}
      onChange={setText}
      className="max-w-xs"
    />
  );
}
