import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../contract/base/limits.ts';
import { readStored, writeStored } from './storage.ts';

const KEY = 'license_manager_page_size';

/** The page size last chosen in this browser; 5 if none was chosen. A page size in the address takes precedence. */
export function preferredPageSize(): (typeof PAGE_SIZES)[number] {
  return PAGE_SIZES.find((size) => String(size) === readStored(KEY)) ?? DEFAULT_PAGE_SIZE;
}

/** Stores the chosen page size for all lists. */
export const rememberPageSize = (size: number) => writeStored(KEY, String(size));
