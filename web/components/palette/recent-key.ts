import { writeStored } from '../../api/storage.ts';

/** The key under which recent-records.ts stores its records. */
export const RECENT_KEY = 'license_manager_recent';

/** Removes the stored records at sign-out, so that no names stay in the browser. */
export const forgetRecentRecords = () => writeStored(RECENT_KEY, null);
