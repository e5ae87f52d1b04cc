import type { Generated } from 'kysely';

/** The spellings of tags, which clients and licences share (DESK-03). */
type TagsTable = {
  id: Generated<number>;
  /** What all spellings of the tag have in common (contract/reading/tags.ts), unique. */
  tag_key: string;
  /** The spelling that is used, unique. */
  tag: string;
};

/** Which records have which tags. Only triggers write here, by the columns `tags` of the records. */
type ClientTagsTable = { client_id: number; tag_id: number };
type LicenseTagsTable = { license_id: number; tag_id: number };

export type TagTables = {
  tags: TagsTable;
  client_tags: ClientTagsTable;
  license_tags: LicenseTagsTable;
};
