import { ChevronDown, Download } from 'lucide-react';
import type { ExportValues, FileKind } from '../../../contract/base/file-columns.ts';
import type { QueryValues } from '../../api/answer.ts';
import { download } from '../../api/http.ts';
import { actions, exportTexts } from '../../text/es.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useAction } from '../record/use-action.ts';
import { plainMenu, RowMenu } from './row-menu.tsx';

interface ExportButtonProps {
  path: string;
  /** The filters of the list on the screen. */
  query?: QueryValues;
  /** For example 'Failed to export clients': the detail under the Spanish title (SEED-8.1-08 to -10, D034). */
  failure: string;
  /** Used if the server sends no file name. */
  fileName: string;
  /** Default: 'Exportar'. */
  label?: string;
  /** Describes for screen readers what is exported, if a page has several of these buttons. */
  of?: string;
  /** True if the server exports it only as CSV. */
  onlyCsv?: boolean;
}

/** What people open says days, local times and words; programs leave it out (INPUT-15). */
export const IN_WORDS: { values: ExportValues } = { values: 'words' };

const FORMATS: readonly [label: string, file?: FileKind][] = [[exportTexts.excel, 'xlsx'], [exportTexts.csv]];

/** 'Exportar': downloads the rows that match the filters, as CSV or in the format of the menu beside it (INPUT-06). */
export function ExportButton({
  path,
  query,
  failure,
  fileName,
  label = actions.export,
  of,
  onlyCsv,
}: ExportButtonProps) {
  const [run, busy] = useAction(exportTexts.title, (file?: FileKind) =>
    download(path, { query: { ...query, ...IN_WORDS, file }, failure, fileName }),
  );
  const formats = FORMATS.map(([name, file]) => ({ label: name, icon: Download, onChoose: () => run(file) }));
  const named = (text: string) => (of ? `${text}: ${of}` : text);
  const button = (
    <Button
      compact
      icon={Download}
      busy={busy}
      busyLabel={actions.exporting}
      aria-label={of && named(label)}
      onClick={() => run()}
    >
      {label}
    </Button>
  );
  if (onlyCsv) return button;
  return (
    <span className="inline-flex gap-1">
      {button}
      <RowMenu
        button={
          <button
            type="button"
            aria-label={named(exportTexts.format)}
            className={buttonClass('secondary', 'md')}
          >
            <ChevronDown aria-hidden className="size-4" />
          </button>
        }
      >
        {plainMenu(formats)}
      </RowMenu>
    </span>
  );
}
