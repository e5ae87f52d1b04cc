import { screens } from '../../text/es.ts';
import { shortcutsTitle } from '../../text/es-layout.ts';
import { goTo, shortcutTexts } from '../../text/es-palette.ts';
import { Switch } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { COMMAND_KEY } from './apple.ts';
import { SCREENS_BY_KEY } from './screens-by-key.ts';
import { setSingleKeys, useSingleKeys } from './single-keys.ts';

interface Shortcut {
  keys: readonly string[];
  /** True if the keys are pressed one after the other, not together. */
  inTurn?: boolean;
  text: string;
}

const { groups } = shortcutTexts;

/** All shortcuts of use-shortcuts.ts. */
const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: groups.general,
    shortcuts: [
      { keys: [COMMAND_KEY, 'K'], text: shortcutTexts.search },
      { keys: ['/'], text: shortcutTexts.focusSearch },
      { keys: ['N'], text: shortcutTexts.create },
      { keys: ['?'], text: shortcutTexts.help },
    ],
  },
  {
    title: groups.go,
    shortcuts: Object.entries(SCREENS_BY_KEY).map(([key, screen]) => ({
      keys: ['G', key.toUpperCase()],
      inTurn: true,
      text: goTo(screens[screen]),
    })),
  },
  {
    title: groups.lists,
    shortcuts: [
      { keys: ['J'], text: shortcutTexts.nextRow },
      { keys: ['K'], text: shortcutTexts.previousRow },
      { keys: ['X'], text: shortcutTexts.selectRow },
      { keys: ['O'], text: shortcutTexts.openRow },
    ],
  },
  {
    title: groups.forms,
    shortcuts: [
      { keys: [COMMAND_KEY, '↵'], text: shortcutTexts.save },
      { keys: ['Esc'], text: shortcutTexts.close },
    ],
  },
];

/** The dialog of '?': all shortcuts, and the switch that turns off those of a single key (WCAG 2.1.4). */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const on = useSingleKeys((state) => state.on);
  return (
    <Dialog open title={shortcutsTitle} size="lg" onClose={onClose}>
      <div className="grid items-start gap-x-8 gap-y-6 sm:grid-cols-2">
        {SHORTCUTS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="text-xs font-medium text-muted">{title}</h3>
            <dl className="mt-1">
              {shortcuts.map((shortcut) => (
                <Line key={shortcut.text} {...shortcut} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        label={shortcutTexts.single}
        help={shortcutTexts.singleHelp}
        checked={on}
        onChange={({ target }) => setSingleKeys(target.checked)}
        className="border-t border-border pt-4"
      />
    </Dialog>
  );
}

function Line({ keys, inTurn = false, text }: Shortcut) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 border-b border-border py-1.5 last:border-0">
      <dt>{text}</dt>
      <dd className="flex shrink-0 items-center gap-1">
        {keys.map((key, position) => (
          <span key={key} className="flex items-center gap-1">
            {inTurn && position > 0 && <span className="text-xs text-muted">{shortcutTexts.inTurn}</span>}
            <Kbd>{key}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
