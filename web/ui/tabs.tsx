import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { Fragment, type ReactNode, useDeferredValue } from 'react';
import { formatNumber } from '../text/format.ts';

interface TabItem<Key extends string> {
  key: Key;
  label: string;
  /** A number shown beside the label. */
  count?: number | undefined;
  content: ReactNode;
}

interface TabsProps<Key extends string> {
  /** The accessible name of the tab list. */
  label: string;
  tabs: readonly TabItem<Key>[];
  value: Key;
  onChange: (key: Key) => void;
}

/** Tabs and their panels. The caller stores which one is open (in the URL). */
export function Tabs<Key extends string>({ label, tabs, value, onChange }: TabsProps<Key>) {
  // The tab is highlighted at once. Until its content is rendered, the content of the previous tab stays.
  const drawn = useDeferredValue(value);
  return (
    <BaseTabs.Root value={value} onValueChange={(next: Key) => onChange(next)}>
      <BaseTabs.List
        aria-label={label}
        data-print="hidden"
        className="flex gap-1 max-[22.5rem]:gap-0 overflow-x-auto overflow-y-hidden border-b border-border [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.key}
            value={tab.key}
            className="group -mb-px flex h-10 shrink-0 items-center gap-2 whitespace-nowrap rounded-t-md border-b-2 border-transparent px-3 max-[22.5rem]:gap-1 max-[22.5rem]:px-1.5 max-[22.5rem]:text-[0.8125rem] font-medium text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-active:border-brand-text data-active:text-brand-text pointer-coarse:h-11"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="min-w-5 rounded-full bg-neutral-tint px-1.5 text-center text-xs text-neutral-text group-data-active:bg-brand-tint group-data-active:text-brand-text">
                {formatNumber(tab.count)}
              </span>
            )}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={value} className="rounded-lg pt-5">
        <Fragment key={drawn}>{tabs.find(({ key }) => key === drawn)?.content}</Fragment>
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
