import { ArrowUpRight } from 'lucide-react';
import { Link } from '../../navigation/link.tsx';
import { RECORD_KINDS } from '../../record-kinds.ts';
import { recordPageTexts as texts } from '../../text/es-record.ts';
import { buttonClass } from '../../ui/button.tsx';

/** 'Abrir': from the dialog over the list to the page of the same record, on the same tab (DESK-05). */
export const OpenPageLink = ({
  kind,
  id,
  tab,
}: {
  kind: 'clients' | 'licenses';
  id: number;
  tab: string;
}) => (
  <Link
    to={RECORD_KINDS[kind].one}
    params={{ id: String(id) }}
    // The cast is safe: both pages have the tabs of their dialog.
    search={{ tab: tab === 'resumen' ? undefined : tab } as object}
    className={buttonClass('secondary', 'sm', 'gap-2')}
  >
    <ArrowUpRight aria-hidden className="size-4 shrink-0" />
    {texts.open}
  </Link>
);
