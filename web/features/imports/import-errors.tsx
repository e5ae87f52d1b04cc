import { Download } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportError } from '../../../contract/imports/imports.ts';
import { download } from '../../api/http.ts';
import { useAction } from '../../components/record/use-action.ts';
import { actions } from '../../text/es.ts';
import { formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { importPath } from './imports.api.ts';
import { errorTexts as texts } from './imports-texts.ts';

/** The number of rows shown before 'Ver … más'. */
const FIRST = 10;

type Numbered = ImportError & { place: number };

interface ImportErrorsProps {
  id: number;
  kind: ImportKind;
  /** The first errors; the CSV has all of them. */
  errors: readonly ImportError[];
  total: number;
  /** What the errors are. Default: 'Errores'. */
  title?: string;
  /** False where the server keeps no CSV of them. */
  canDownload?: boolean;
  /** The correction of the cell of an error, where that is possible. */
  correct?: (error: ImportError) => ReactNode;
}

/** The errors of the rows, with the row numbers of the user's spreadsheet. */
export function ImportErrors({
  id,
  kind,
  errors,
  total,
  title = texts.title,
  canDownload = true,
  correct,
}: ImportErrorsProps) {
  const [all, setAll] = useState(false);
  const [save, saving] = useAction(texts.downloadFailed, async () => {
    await download(`${importPath(id)}errors/`, { failure: texts.downloadFailed, fileName: texts.fileName });
  });
  const columns = useMemo(() => columnsOf(kind, correct), [kind, correct]);
  const rows = errors.slice(0, all ? undefined : FIRST).map((error, place) => ({ ...error, place }));
  return (
    <section aria-label={title} className="space-y-3">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="text-xs text-muted">{texts.hint}</p>
        </div>
        {canDownload && (
          <Button
            size="sm"
            icon={Download}
            busy={saving}
            busyLabel={actions.exporting}
            onClick={() => void save()}
          >
            {texts.download}
          </Button>
        )}
      </div>
      <div className="overflow-hidden rounded-lg border border-border">
        <Table
          caption={title === texts.title ? texts.caption : title}
          columns={columns}
          rows={rows}
          rowKey={({ place }) => place}
        />
      </div>
      {rows.length < errors.length && (
        <TextButton onClick={() => setAll(true)}>{texts.more(errors.length - rows.length)}</TextButton>
      )}
      {total > errors.length && rows.length === errors.length && (
        <p className="text-xs text-muted">{texts.shown(errors.length, total)}</p>
      )}
    </section>
  );
}

function columnsOf(kind: ImportKind, correct: ImportErrorsProps['correct']): Column<Numbered>[] {
  const labels = new Map(IMPORT_FIELDS[kind].map(({ name, label }) => [name, label]));
  const fieldOf = ({ field }: ImportError) =>
    field === null ? texts.wholeRow : (labels.get(field) ?? field);
  return [
    {
      key: 'row',
      header: texts.row,
      min: 4.5,
      phone: 'title',
      cell: (error) => (
        <>
          <span className="@max-[36rem]/data-table:hidden">{formatNumber(error.row)}</span>
          {/* A narrow row has no headings and no column for the field. */}
          <span className="hidden font-medium @max-[36rem]/data-table:inline">
            {texts.place(formatNumber(error.row), fieldOf(error))}
          </span>
        </>
      ),
    },
    { key: 'field', header: texts.field, min: 10, phone: 'hidden', cell: fieldOf },
    {
      key: 'message',
      header: texts.message,
      min: 14,
      phone: 'last',
      cell: (error) => (
        <>
          <span className="wrap-anywhere">{error.message}</span>
          {correct?.(error)}
        </>
      ),
    },
  ];
}
