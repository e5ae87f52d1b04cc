import { BadgeCheck, HandCoins, Keyboard, LogOut, type LucideIcon, Moon, RefreshCw, Sun } from 'lucide-react';
import { useOffers } from '../../api/offers.ts';
import { type Navigate, useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { RECORD_KINDS } from '../../record-kinds.ts';
import { RENEW_VERB, renewOf } from '../../text/es.ts';
import { registerTexts } from '../../text/es-charges.ts';
import {
  CHARGE_VERB,
  CREATE_WORDS,
  GROUP_LABELS,
  goTo,
  newOf,
  paletteActions,
} from '../../text/es-palette.ts';
import { useMayRegister } from '../payment/may-register.ts';
import { choicesOf } from '../record/choices.ts';
import { CREATE_ICONS } from '../record/create-icons.ts';
import { setShortcutsOpen, setTheme, useUi } from '../screen/ui-store.ts';
import { useSignOut } from '../screen/use-sign-out.ts';
import { SCREENS_BY_KEY } from '../shortcuts/screens-by-key.ts';
import type { PaletteAction, PaletteOption } from './palette-options.ts';
import type { RecentRecord } from './recent-records.ts';

/** A screen that the palette can open. */
export interface ReachableScreen {
  path: string;
  title: string;
  icon: LucideIcon;
}

const CREATE = { nuevo: '1' } as const;

/** How many of the most recently opened licences are offered for renewal. */
const RENEWALS_MAX = 3;

/**
 * All actions of the palette that the person may use: new records, renewals, screens, theme, shortcuts, sign-out.
 * @param recent the most recently opened records
 */
export function useActions(
  screens: readonly ReachableScreen[],
  recent: readonly RecentRecord[],
): PaletteAction[] {
  const navigate = useNavigate();
  const theme = useUi((state) => state.theme);
  const isOffered = useOffers();
  const mayRegister = useMayRegister();
  const [signOut] = useSignOut();
  const other = theme === 'dark' ? 'lightTheme' : 'darkTheme';
  return [
    ...choicesOf(CREATE_WORDS)
      .filter((kind) => isOffered(`${kind}.create`))
      .map(
        (kind): PaletteAction => ({
          id: `new-${kind}`,
          group: 'create',
          title: newOf(kind),
          words: CREATE_WORDS[kind],
          icon: CREATE_ICONS[kind],
          run: () => void navigate({ to: RECORD_KINDS[kind].list, search: CREATE }),
        }),
      ),
    ...(isOffered('licenses.renew')
      ? [
          ...recent
            .filter(({ renewable }) => renewable)
            .slice(0, RENEWALS_MAX)
            .map(
              ({ id, title, detail }): PaletteAction => ({
                ...renewalOption({ id, licenseKey: title, detail }, navigate),
                group: 'renew',
                words: detail,
                byVerb: true,
              }),
            ),
          {
            id: 'renew',
            group: 'renew' as const,
            title: paletteActions.renew.label,
            words: paletteActions.renew.words,
            icon: RefreshCw,
            types: `${RENEW_VERB} `,
            run: () => {},
          },
        ]
      : []),
    ...(isOffered('payment_requests.create')
      ? [typing('charge', paletteActions.charge, `${CHARGE_VERB} `, HandCoins)]
      : []),
    ...(mayRegister ? [typing('pay', paletteActions.pay, `${registerTexts.action} `, BadgeCheck)] : []),
    ...screens.map(
      ({ path, title, icon }): PaletteAction => ({
        id: `go${path.replaceAll('/', '-')}`,
        group: 'go',
        title: goTo(title),
        words: GROUP_LABELS.go,
        icon: icon,
        keys: keysOf(path),
        run: () => void navigate({ to: path }),
      }),
    ),
    {
      id: 'theme',
      group: 'other',
      title: paletteActions[other].label,
      words: paletteActions[other].words,
      icon: theme === 'dark' ? Sun : Moon,
      run: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
    },
    {
      id: 'shortcuts',
      group: 'other',
      title: paletteActions.shortcuts.label,
      words: paletteActions.shortcuts.words,
      icon: Keyboard,
      keys: ['?'],
      run: () => setShortcutsOpen(true),
    },
    {
      id: 'sign-out',
      group: 'other',
      title: paletteActions.signOut.label,
      words: paletteActions.signOut.words,
      icon: LogOut,
      run: () => void signOut(),
    },
  ];
}

/** An action that only writes its verb into the box, after which a client or a key is typed. */
const typing = (
  id: string,
  { label, words }: { label: string; words: string },
  types: string,
  icon: LucideIcon,
): PaletteAction => ({ id, group: 'money', title: label, words, icon, types, run: () => {} });

/** The option that opens the renewal dialog of a licence. */
export const renewalOption = (
  { id, licenseKey, detail }: { id: number; licenseKey: string; detail: string },
  navigate: Navigate,
): PaletteOption => ({
  id: `renew-${id}`,
  title: renewOf(licenseKey),
  detail,
  icon: RefreshCw,
  run: () => void navigate({ to: PATHS.license, params: { id: String(id) }, search: { accion: 'renovar' } }),
});

function keysOf(path: string): string[] | undefined {
  const [key] = Object.entries(SCREENS_BY_KEY).find(([, screen]) => PATHS[screen] === path) ?? [];
  return key === undefined ? undefined : ['G', key.toUpperCase()];
}
