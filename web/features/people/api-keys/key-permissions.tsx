import { KEY_PERMISSIONS, PERMISSIONS, type Permission } from '../../../../contract/people/permissions.ts';
import { kindTitle } from '../../../text/es.ts';
import { PERMISSION_LABELS, keyTexts as texts } from '../../../text/es-people.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { isInMatrix, RECORDS, VERBS } from './permission-words.ts';

/** The permissions that an online shop needs: it finds or creates clients, and issues and renews licences. */
const SHOP: readonly Permission[] = [
  'clients:read',
  'clients:write',
  'licenses:read',
  'licenses:write',
  'licenses:renew',
  'license_types:read',
  'software:read',
];

interface KeyPermissionsProps {
  chosen: ReadonlySet<Permission>;
  onChange: (chosen: ReadonlySet<Permission>) => void;
  /** Whether the person who creates the key has a permission. */
  may: (permission: Permission) => boolean;
  error: string | undefined;
}

/** The permissions of a new key: only those that its creator has and that keys can have (PEOPLE-07). */
export function KeyPermissions({ chosen, onChange, may, error }: KeyPermissionsProps) {
  const possible = PERMISSIONS.filter((name) => KEY_PERMISSIONS.has(name) && may(name));
  const isPossible = (name: Permission) => possible.includes(name);
  const start = (names: readonly Permission[]) => onChange(new Set(names.filter(isPossible)));
  const tick = (name: Permission, isOn: boolean) =>
    onChange(new Set(possible.filter((one) => (one === name ? isOn : chosen.has(one)))));
  const box = (name: Permission) => ({
    checked: chosen.has(name),
    onChange: ({ target }: { target: { checked: boolean } }) => tick(name, target.checked),
  });
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-xs text-muted">{texts.presets}</span>
        <Button size="sm" onClick={() => start(possible.filter((name) => name.endsWith(':read')))}>
          {texts.readOnly}
        </Button>
        <Button size="sm" onClick={() => start(SHOP)}>
          {texts.shop}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => start([])}>
          {texts.clear}
        </Button>
      </div>
      <table className="w-full">
        <caption className="sr-only">{texts.permissions}</caption>
        <thead>
          <tr className="border-b border-border text-xs text-muted">
            <td />
            {VERBS.map((verb) => (
              <th key={verb} scope="col" className="px-1 py-1.5 text-center font-medium">
                {texts.verbs[verb]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {RECORDS.map((record) => (
            <tr key={record} className="border-b border-border last:border-0">
              <th scope="row" className="py-1.5 text-left font-medium">
                {kindTitle(record)}
              </th>
              {VERBS.map((verb) => {
                const name = `${record}:${verb}` as const;
                return (
                  <td key={verb} className="px-1 py-1.5 text-center">
                    {isPossible(name) && (
                      <input
                        {...box(name)}
                        type="checkbox"
                        aria-label={PERMISSION_LABELS[name]}
                        className="check-mark size-4.5 appearance-none rounded border border-border-strong bg-surface align-middle transition-colors checked:border-brand checked:bg-brand pointer-coarse:size-6"
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <fieldset className="min-w-0">
        <legend className="mb-1 text-xs font-semibold text-muted">{texts.others}</legend>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {possible
            .filter((name) => !isInMatrix(name))
            .map((name) => (
              <Checkbox key={name} label={PERMISSION_LABELS[name]} {...box(name)} />
            ))}
        </div>
      </fieldset>
      {error && (
        <p role="alert" className="text-xs text-critical-text">
          {error}
        </p>
      )}
    </div>
  );
}
