import { type LucideIcon, PanelLeft } from 'lucide-react';
import { type ComponentType, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import type { SidebarDrawerProps } from './sidebar-drawer.tsx';

/** From this width on the sidebar is beside the page. On narrower windows it opens over the page. */
const WIDE = '(width >= 64rem)';

interface NavItem {
  key: string;
  label: string;
  icon: LucideIcon;
}

/** The props of a sidebar link. The link of the current page also has aria-current="page". */
interface NavLinkProps {
  className: string;
  onClick: () => void;
  'aria-label': string | undefined;
  'data-tooltip': string | undefined;
  'data-tooltip-side': 'right';
  children: ReactNode;
}

interface AppShellProps<Item extends NavItem> {
  brand: { name: string; mark: ReactNode };
  items: readonly Item[];
  /** Renders the router's link: `(item, props) => <Link to={item.to} {...props} />`. */
  renderLink: (item: Item, props: NavLinkProps) => ReactElement;
  /** True if the sidebar shows labels; on wide screens false shows only icons. The caller stores the state. */
  sidebarOpen: boolean;
  onSidebarOpenChange: (open: boolean) => void;
  sidebarFooter?: ReactNode;
  /** The component `SidebarDrawer`. Its code can be loaded on first use, because wide screens never need it. */
  drawer: ComponentType<SidebarDrawerProps>;
  /** In the top bar: the search, then elements at its right end. */
  search?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Sidebar, top bar and the page between them. It depends neither on the router nor on the session. */
export function AppShell<Item extends NavItem>({
  brand,
  items,
  renderLink,
  sidebarOpen,
  onSidebarOpenChange,
  sidebarFooter,
  drawer: Drawer,
  search,
  actions,
  children,
}: AppShellProps<Item>) {
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [drawerAsked, setDrawerAsked] = useState(false);
  const toggle = () => {
    if (window.matchMedia(WIDE).matches) onSidebarOpenChange(!sidebarOpen);
    else {
      setDrawerAsked(true);
      setDrawerOpen(!drawerOpen);
    }
  };
  const navigation = (collapsed: boolean) => (
    <SidebarContent
      brand={brand}
      items={items}
      renderLink={renderLink}
      collapsed={collapsed}
      footer={sidebarFooter}
      onNavigate={() => setDrawerOpen(false)}
    />
  );
  return (
    <div className="clear-of-scrollbar flex min-h-dvh">
      <a
        href="#contenido"
        data-print="hidden"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-brand px-4 py-2 font-medium text-on-brand focus:translate-y-0"
      >
        Saltar al contenido
      </a>
      <aside
        data-print="hidden"
        data-collapsed={sidebarOpen ? undefined : ''}
        className={cx(
          'group/sidebar sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-border bg-surface transition-[width] lg:flex',
          sidebarOpen ? 'w-60' : 'w-16',
        )}
      >
        {navigation(!sidebarOpen)}
      </aside>
      {drawerAsked && (
        <Suspense fallback={drawerOpen && <DrawerPending />}>
          <Drawer open={drawerOpen} title={brand.name} onClose={() => setDrawerOpen(false)}>
            {navigation(false)}
          </Drawer>
        </Suspense>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header
          data-print="hidden"
          className="clear-of-scrollbar over-scrollbar sticky top-0 z-30 flex h-14 items-center border-b border-border bg-surface"
        >
          <div className="flex min-w-0 flex-1 items-center gap-1 px-4 max-[22.5rem]:px-2 sm:gap-3 sm:px-6">
            <IconButton
              label="Alternar menú"
              icon={PanelLeft}
              onClick={toggle}
              aria-expanded={sidebarOpen}
              className="-ml-2"
            />
            <div className="min-w-0 flex-1">{search}</div>
            <div className="flex shrink-0 items-center sm:gap-3">{actions}</div>
          </div>
        </header>
        <main id="contenido" tabIndex={-1} className="mx-auto w-full max-w-[90rem] flex-1 px-4 py-6 sm:px-6">
          {children}
        </main>
      </div>
    </div>
  );
}

/** Shown after a press on the menu button while the drawer's code loads. */
function DrawerPending() {
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-40 h-0.5 animate-pulse-soft bg-brand">
      <span className="sr-only">Abriendo menú...</span>
    </div>
  );
}

interface SidebarContentProps<Item extends NavItem>
  extends Pick<AppShellProps<Item>, 'brand' | 'items' | 'renderLink'> {
  collapsed: boolean;
  footer: ReactNode;
  onNavigate: () => void;
}

function SidebarContent<Item extends NavItem>({
  brand,
  items,
  renderLink,
  collapsed,
  footer,
  onNavigate,
}: SidebarContentProps<Item>) {
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-2.5 overflow-hidden px-4 font-semibold">
        {brand.mark}
        <span className={collapsed ? 'sr-only' : 'truncate'}>{brand.name}</span>
      </div>
      <nav aria-label="Principal" className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3 py-2">
        <ul className="space-y-0.5">
          {items.map((item) => (
            <li key={item.key}>
              {renderLink(item, {
                className: cx(
                  'flex h-9 items-center gap-3 rounded-lg px-2.5 font-medium text-muted transition-colors hover:bg-sunken hover:text-text',
                  'aria-[current=page]:bg-brand-tint aria-[current=page]:text-brand-text pointer-coarse:h-11',
                ),
                onClick: onNavigate,
                // In a collapsed sidebar the label is not visible, but is still the accessible name of the link
                // (SEED-2.2-02).
                'aria-label': collapsed ? item.label : undefined,
                'data-tooltip': collapsed ? item.label : undefined,
                'data-tooltip-side': 'right',
                children: (
                  <>
                    <item.icon aria-hidden className="size-4.5 shrink-0" />
                    {!collapsed && <span className="truncate">{item.label}</span>}
                  </>
                ),
              })}
            </li>
          ))}
        </ul>
      </nav>
      {footer && <div className="shrink-0 border-t border-border p-3">{footer}</div>}
    </>
  );
}

interface SidebarProfileProps {
  name: string;
  detail: string;
  avatar: ReactNode;
}

/** Two lines and an avatar at the bottom of the sidebar; only the avatar while it is collapsed. */
export function SidebarProfile({ name, detail, avatar }: SidebarProfileProps) {
  return (
    <div className="flex items-center gap-2.5 overflow-hidden px-0.5">
      {avatar}
      <div className="min-w-0 group-data-collapsed/sidebar:sr-only">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-xs text-muted">{detail}</p>
      </div>
    </div>
  );
}
