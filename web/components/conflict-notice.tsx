import { conflictTexts } from '../text/es.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';

/** One field that the other person changed, in words as the screen shows them. */
export interface ConflictChange {
  field: string;
  label: string;
  theirs: string;
  yours: string;
}

interface ConflictNoticeProps {
  changes: readonly ConflictChange[];
  saving: boolean;
  /** Saves what is typed over what the other person saved, knowingly. */
  onSaveMine: () => void;
  /** Puts the saved values into the form; what was typed is given up. */
  onTakeTheirs: () => void;
}

/**
 * Shown in a form when someone else saved the record first (412 'stale'): what was typed stays, and what the other
 * person changed stands beside it, field by field.
 */
export function ConflictNotice({ changes, saving, onSaveMine, onTakeTheirs }: ConflictNoticeProps) {
  return (
    <Banner tone="warning" title={conflictTexts.title} announce="alert">
      <p>{conflictTexts.text}</p>
      {changes.length === 0 ? (
        <p className="mt-2">{conflictTexts.noDifferences}</p>
      ) : (
        <>
          <p className="mt-3 font-medium">{conflictTexts.fieldsTitle}</p>
          <ul className="mt-1 space-y-2">
            {changes.map(({ field, label, theirs, yours }) => (
              <li key={field} className="rounded-md bg-surface px-3 py-2">
                <p className="font-medium">{label}</p>
                <p className="break-words">{`${conflictTexts.theirs}: ${theirs || conflictTexts.empty}`}</p>
                <p className="text-muted break-words">{`${conflictTexts.yours}: ${yours || conflictTexts.empty}`}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="danger"
          busy={saving}
          busyLabel={conflictTexts.saving}
          onClick={onSaveMine}
        >
          {conflictTexts.saveMine}
        </Button>
        <Button size="sm" onClick={onTakeTheirs}>
          {conflictTexts.takeTheirs}
        </Button>
      </div>
    </Banner>
  );
}

/**
 * What the other person changed, out of three versions of the record: as it was read, as it is saved now, as it is
 * typed. Only fields whose saved value differs from the one read are named.
 * @param fields names with their Spanish labels, in the order of the form
 * @param show turns a value into words ('active' into 'Activo'); the plain text unless told
 */
export function conflictChanges(
  fields: Readonly<Record<string, string>>,
  versions: { read: Record<string, unknown>; saved: Record<string, unknown>; typed: Record<string, unknown> },
  show: (field: string, value: unknown) => string = (_field, value) => String(value ?? ''),
): ConflictChange[] {
  return Object.entries(fields)
    .filter(([field]) => show(field, versions.read[field]) !== show(field, versions.saved[field]))
    .map(([field, label]) => ({
      field,
      label,
      theirs: show(field, versions.saved[field]),
      yours: show(field, versions.typed[field]),
    }));
}
