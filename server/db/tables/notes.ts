import type { Generated } from 'kysely';
import type { ActorKind } from '../../../contract/system/events.ts';

/** Notes of staff about a client or a licence (DESK-02). */
export type NotesTable = {
  id: Generated<number>;
  /** Of a licence's note the client of the licence; a trigger keeps it. */
  client_id: number;
  license_id: number | null;
  text: string;
  /** 1 for a pinned note, else 0: a number, because lists order by it. */
  pinned: number;
  /** The local day on which it is due. */
  remind_on: string | null;
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  created_at: string;
  updated_at: string;
};

export type NoteTables = { notes: NotesTable };
