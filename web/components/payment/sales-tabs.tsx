import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { screens } from '../../text/es.ts';

const TABS = ['licenses', 'payments'] as const;

/**
 * The tabs 'Licencias' and 'Cobros' on top of both pages, for who may see both (MONEY-13). Each is a link to its page;
 * the arrow keys move between them.
 */
export const SalesTabs = ({ current }: { current: (typeof TABS)[number] }) => {
  const may = useMay();
  if (!may('payments:read') || !may('licenses:read')) return null;
  return (
    <div
      role="tablist"
      aria-label={screens.licenses}
      data-print="hidden"
      className="mb-5 flex gap-1 border-b border-border"
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'ArrowRight' || key === 'ArrowLeft')
          currentTarget.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
      }}
    >
      {TABS.map((tab) => (
        <Link
          key={tab}
          role="tab"
          to={PATHS[tab]}
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          className="-mb-px flex h-10 items-center border-b-2 border-transparent px-3 font-medium text-muted hover:text-text aria-selected:border-brand-text aria-selected:text-brand-text pointer-coarse:h-11"
        >
          {screens[tab]}
        </Link>
      ))}
    </div>
  );
};
