import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { applyTheme, readTheme, type Theme } from '../../ui/theme.ts';

/** One licence in the notifications panel. */
export interface Notification {
  id: number;
  licenseKey: string;
  clientName: string;
  expiryDate: string;
}

/** What opened the palette as a dialog: Ctrl+K, or the search box on a narrow screen. */
export type PaletteOpener = 'keys' | 'box';

/**
 * The state of the interface that is not in the URL (SEED-3-31). Only `sidebarOpen` is stored with this store (D041).
 * The theme is stored under a separate key, which is read before the first paint.
 */
interface UiState {
  sidebarOpen: boolean;
  theme: Theme;
  /** The open panels; they are not part of the URL. */
  modals: { notifications: boolean; palette: PaletteOpener | null; shortcuts: boolean };
  notifications: readonly Notification[];
  /** The number of unread entries in the bell. */
  unread: number;
  /** Loading states of the frame itself. */
  loading: { signOut: boolean };
  /** The path of the chosen screen while its code loads and the previous screen is still shown. */
  opening: string | null;
  /**
   * The last filters of the list at each path. They are restored when a record that was opened from another screen is
   * closed.
   */
  filters: Partial<Record<string, Record<string, unknown>>>;
}

const NO_MODALS: UiState['modals'] = { notifications: false, palette: null, shortcuts: false };

export const useUi = create<UiState>()(
  persist(
    (): UiState => ({
      sidebarOpen: true,
      theme: readTheme(),
      modals: NO_MODALS,
      notifications: [],
      unread: 0,
      loading: { signOut: false },
      opening: null,
      filters: {},
    }),
    { name: 'license_manager_ui', partialize: ({ sidebarOpen }) => ({ sidebarOpen }) },
  ),
);

export const setSidebarOpen = (sidebarOpen: boolean) => useUi.setState({ sidebarOpen });

export function setTheme(theme: Theme): void {
  applyTheme(theme);
  useUi.setState({ theme });
}

/** Opens one panel of the frame and closes the others, or closes it. */
const setModal = (changes: Partial<UiState['modals']>) =>
  useUi.setState({ modals: { ...NO_MODALS, ...changes } });

export const setNotificationsOpen = (notifications: boolean) => setModal({ notifications });
/** Opens the palette as a dialog; null closes it. */
export const setPaletteOpen = (palette: PaletteOpener | null) => setModal({ palette });
/** Opens or closes the list of keyboard shortcuts. */
export const setShortcutsOpen = (shortcuts: boolean) => setModal({ shortcuts });

export const setNotifications = (notifications: readonly Notification[]) => useUi.setState({ notifications });

export const setUnread = (unread: number) => useUi.setState({ unread });

export const setSigningOut = (signOut: boolean) => useUi.setState({ loading: { signOut } });

export const setOpening = (opening: string | null) => useUi.setState({ opening });

export const rememberFilters = (path: string, search: Record<string, unknown>) =>
  useUi.setState(({ filters }) => ({ filters: { ...filters, [path]: search } }));

/** Clears the state of a user, so that the next one does not see it. */
export const forgetPersonalState = () =>
  useUi.setState({
    modals: NO_MODALS,
    notifications: [],
    unread: 0,
    loading: { signOut: false },
    opening: null,
    filters: {},
  });
