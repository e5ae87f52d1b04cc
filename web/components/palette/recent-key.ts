import { writeStored } from '../../api/storage.ts';

/** Where recent-records.ts keeps its records. */
export const RECENT_KEY = 'license_manager_recent';

/** Forgets the records: a user who signs out leaves no names behind. */
export const forgetRecentRecords = () => writeStored(RECENT_KEY, null);
