import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../contract/base/limits.ts';
import { readStored, writeStored } from './storage.ts';

const KEY = 'license_manager_page_size';

/** The page size that was last chosen in this browser, 5 until then. An address that names one has its own. */
export function preferredPageSize(): (typeof PAGE_SIZES)[number] {
  return PAGE_SIZES.find((size) => String(size) === readStored(KEY)) ?? DEFAULT_PAGE_SIZE;
}

/** Remembers a chosen page size for all lists. */
export const rememberPageSize = (size: number) => writeStored(KEY, String(size));
