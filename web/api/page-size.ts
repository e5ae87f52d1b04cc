import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../contract/base/limits.ts';
import { useSession } from './session.ts';
import { readStored, writeStored } from './storage.ts';

/** One place for each person: colleagues who share a browser keep their own sizes (DESK-09). */
const keyOf = () => `license_manager_page_size_${useSession.getState().user?.id}`;

/**
 * The page size that this person last chose in this browser; 5 if none was chosen. A page size in the address takes
 * precedence.
 */
export function preferredPageSize(): (typeof PAGE_SIZES)[number] {
  return PAGE_SIZES.find((size) => String(size) === readStored(keyOf())) ?? DEFAULT_PAGE_SIZE;
}

/** Stores the chosen page size for all lists of this person. */
export const rememberPageSize = (size: number) => writeStored(keyOf(), String(size));
