import { expect, test } from 'vitest';
import type { FileColumn } from '../../../contract/base/file-columns.ts';
import { unzip } from '../../../test/unzip.ts';
import { columnName, workbookOf } from './write-workbook.ts';
