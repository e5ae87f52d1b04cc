import { Download } from 'lucide-react';
import type { QueryValues } from '../../api/answer.ts';
import { download } from '../../api/http.ts';
import { actions, exportTexts } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { useAction } from '../record/use-action.ts';

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
}

/** 'Exportar': downloads the rows that match the filters. */
export function ExportButton({
  path,
  query,
  failure,
  fileName,
  label = actions.export,
  of,
}: ExportButtonProps) {
  const [run, busy] = useAction(exportTexts.title, async () => {
    await download(path, { query, failure, fileName });
  });
  return (
    <Button
      compact
      icon={Download}
      busy={busy}
      busyLabel={actions.exporting}
      aria-label={of && `${label}: ${of}`}
      onClick={run}
    >
      {label}
    </Button>
  );
}
