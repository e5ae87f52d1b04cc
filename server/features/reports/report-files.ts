import type { FileColumn } from '../../../contract/base/file-columns.ts';
import { columnsOf, REPORT_COLUMNS } from '../../../contract/figures/report-columns.ts';
import type { ReportRows } from '../../../contract/figures/report-description.ts';
import type { ReportAnswers, ReportKind } from '../../../contract/figures/reports.ts';

/** A report as a file: its name, columns and rows. The last column is the moment of the figures. */
export function fileOf<Kind extends ReportKind>(kind: Kind, report: ReportAnswers[Kind]) {
  const { name, rows } = REPORT_COLUMNS[kind];
  const columns = columnsOf(kind)
    .filter(({ only = 'file' }) => only === 'file')
    .map(
      ({ label, header = label, type, value }): FileColumn<ReportRows[Kind]> => ({
        header,
        type: type === 'month' ? 'text' : type,
        value: (row) => value(row, report),
        currency: (row) => ('currency' in row && row.currency) || '',
      }),
    );
  return {
    name: name.replaceAll(' ', '-'),
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    columns: [...columns, { header: 'Datos al', type: 'moment' as const, value: () => report.as_of }],
    rows: rows(report),
  };
}
