import { useState } from 'react';
import { isLanguage, type LanguageName } from '../../../../contract/programs/sdk-languages.ts';
import { readStored, writeStored } from '../../../api/storage.ts';

/** The key of the language that was last chosen in this browser. */
const STORED = 'license_manager_language';

/** The programming language of the example, and a function to choose another. */
export function useLanguage(): [LanguageName, (name: LanguageName) => void] {
  const [name, setName] = useState<LanguageName>(() => {
    const stored = readStored(STORED);
    return isLanguage(stored) ? stored : 'javascript';
  });
  const choose = (chosen: LanguageName) => {
    setName(chosen);
    writeStored(STORED, chosen);
  };
  return [name, choose];
}
