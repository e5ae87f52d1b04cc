import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { isAtOrBelow, PATHS } from '../../paths.ts';
import { placeholderTexts } from '../../text/es-placeholders.ts';
import { settingsTexts } from '../../text/es-settings.ts';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SECTION_LOOKS, type SectionSlug } from './section-looks.ts';

/** The data of a section in the list. */
interface ListedSection {
  slug: SectionSlug;
  title: string;
}

/** How much of the section before the current one can be seen, in pixels: it shows that the row scrolls. */
const PEEK = 48;

const pathOf = ({ slug }: ListedSection): string => `${PATHS.settings}/${slug}`;

/** /settings (SEED-2.1-13): the list of sections, and beside it the section in the address, else the first. */
export function SettingsPage() {
  // The sections come from the router, because features must not import each other.
  const allSections = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.sections)?.staticData.sections,
  });
  const may = useMay();
  const sections = allSections?.filter(({ permission }) => may(permission));
  const address = useLocation({ select: ({ pathname }) => pathname.replace(/(?<!\/)\/+$/, '') });
  const [first] = sections ?? [];
  const current = sections?.find((section) => address && isAtOrBelow(address, pathOf(section))) ?? first;
  if (!sections || !current) return null;
  return (
    <div className="space-y-6">
      <PageHeader title={settingsTexts.title} subtitle={settingsTexts.subtitle} />
      <div className="grid gap-6 min-[75rem]:grid-cols-[13rem_minmax(0,1fr)]">
        <SectionList sections={sections} current={current} />
        <section aria-labelledby="seccion" className="min-w-0 space-y-4">
          <header>
            <h2 id="seccion" className="text-lg font-semibold">
              {current.title}
            </h2>
            <p className="text-sm text-muted">{SECTION_LOOKS[current.slug].description}</p>
          </header>
          <Outlet />
        </section>
      </div>
      {/* Once, in the section that opens first. */}
      {current === first && (
        <p className="text-xs text-muted">
          {placeholderTexts.underDevelopment} {placeholderTexts.settings.planned}
        </p>
      )}
    </div>
  );
}

/** Links beside the section; above it below 1200 px, in one row on a phone, which scrolls to the current one. */
function SectionList({ sections, current }: { sections: readonly ListedSection[]; current: ListedSection }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const link = current && list.current?.querySelector<HTMLElement>('[aria-current]');
    // Not scrollIntoView, which may also move the page.
    if (link && list.current) list.current.scrollLeft = link.offsetLeft - PEEK;
  }, [current]);
  return (
    <nav aria-label={settingsTexts.sections} data-print="hidden" className="min-w-0">
      <ul
        ref={list}
        className="relative flex gap-1 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap min-[75rem]:sticky min-[75rem]:top-24 min-[75rem]:flex-col"
      >
        {sections.map((section) => {
          const Icon = SECTION_LOOKS[section.slug].icon;
          const isCurrent = section === current;
          return (
            <li key={section.slug} className="shrink-0">
              <Link
                to={pathOf(section)}
                aria-current={isCurrent ? 'page' : undefined}
                className={cx(
                  'flex min-h-9 items-center gap-2 rounded-lg px-3 font-medium whitespace-nowrap transition-colors pointer-coarse:min-h-11 min-[75rem]:gap-2.5',
                  isCurrent ? 'bg-brand-tint text-brand-text' : 'text-muted hover:bg-sunken hover:text-text',
                )}
              >
                <Icon aria-hidden className="size-4.5 shrink-0" />
                {section.title}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
