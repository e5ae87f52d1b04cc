import { ArrowRight, FileKey2, Monitor, Package, Tags, User } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import { foldCode } from '../../../contract/reading/search-folding.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { hasPage, type MainKind, RECORD_KINDS } from '../../record-kinds.ts';
import { expiresOn, withoutEnd } from '../../text/es-ends.ts';
import {
  activeLicenses,
  allMatches,
  installationsCount,
  kindOfOne,
  RESULT_HEADINGS,
  type ResultKind,
} from '../../text/es-palette.ts';
import { lengthInWords } from '../../text/es-terms.ts';
import { areMixed, formatDate, formatMoney } from '../../text/format.ts';
import { ActiveBadge, ClientStatusBadge, InstallationBadge, LicenseStateBadge } from '../record/badges.tsx';
import { choicesOf } from '../record/choices.ts';
import { RelativeTime } from '../record/relative-time.tsx';
import { useUi } from '../screen/ui-store.ts';
import { type NamedRecord, namedRecord } from './named-record.ts';
import type { PaletteGroup, PaletteOption, PaletteVerb } from './palette-options.ts';
import { namedCompany, type RecentRecord } from './recent-records.ts';
import { RecordCard } from './record-card.tsx';
import { renewalOption } from './use-actions.ts';
import { useMoneyOptions } from './use-money-options.ts';
import { useVerbs } from './use-verbs.ts';

const ICONS = {
  clients: User,
  licenses: FileKey2,
  software: Package,
  license_types: Tags,
  installations: Monitor,
} as const satisfies Record<ResultKind, unknown>;

/** The texts and state that the palette shows for a record. */
type Shown = Pick<PaletteOption, 'title' | 'detail' | 'isCode'> & { id: number; meta: ReactNode };

/** Joins the non-empty parts: 'a · b'. */
const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');

/** For each kind: its name, what distinguishes it, and its state. `all` has all hits of the same list. */
const SHOWN: {
  [Kind in ResultKind]: (
    hit: NonNullable<SearchAnswer[Kind]>['results'][number],
    all: NonNullable<SearchAnswer[Kind]>['results'],
  ) => Shown;
} = {
  clients: ({ id, name, company, email, email_shown = email, status, active_license_count }) => ({
    id,
    title: name,
    detail: joined(namedCompany({ name, company }), email_shown),
    meta: (
      <>
        <Quiet>{activeLicenses(active_license_count)}</Quiet>
        {status !== 'active' && <ClientStatusBadge status={status} />}
      </>
    ),
  }),
  licenses: ({ id, license_key, client, software_name, status, grace_days, ...license }) => ({
    id,
    title: license_key,
    isCode: true,
    detail: joined(client.name, software_name),
    meta: (
      <>
        <Quiet>
          {license.expiry_date === null
            ? withoutEnd(license)
            : expiresOn(formatDate(license.expiry_date), license.is_expired)}
        </Quiet>
        <LicenseStateBadge license={{ status, expiry_date: license.expiry_date, grace_days }} />
      </>
    ),
  }),
  software: ({ id, name, version, is_active, active_licenses_count }) => ({
    id,
    title: name,
    detail: version,
    meta: (
      <>
        <Quiet>{activeLicenses(active_licenses_count)}</Quiet>
        {!is_active && <ActiveBadge isActive={false} />}
      </>
    ),
  }),
  license_types: ({ name, ...type }, all) => ({
    id: type.id,
    title: name,
    detail: joined(
      formatMoney(type.base_price, type.currency, areMixed(all)),
      installationsCount(type.max_installations),
      lengthInWords(type.validity_days, type.validity_months),
    ),
    meta: !type.is_active && <ActiveBadge isActive={false} />,
  }),
  installations: ({
    id,
    machine_name,
    machine_id,
    client_name,
    software_name,
    last_heartbeat,
    is_active,
  }) => ({
    id,
    title: machine_name || machine_id,
    detail: joined(machine_name ? machine_id : '', client_name, software_name),
    meta: (
      <>
        {last_heartbeat !== null && (
          <Quiet>
            <RelativeTime value={last_heartbeat} />
          </Quiet>
        )}
        <InstallationBadge isActive={is_active} />
      </>
    ),
  }),
};

/** The texts that identify a record. If the search equals one of them, its kind is listed first. */
const NAMED_BY: {
  [Kind in ResultKind]: (hit: NonNullable<SearchAnswer[Kind]>['results'][number]) => string[];
} = {
  clients: ({ name, email, email_shown = email }) => [name, email, email_shown],
  licenses: ({ license_key }) => [license_key],
  software: ({ name }) => [name],
  license_types: ({ name }) => [name],
  installations: ({ machine_id, machine_name }) => [machine_id, machine_name],
};

const KIND_ORDER = choicesOf(RESULT_HEADINGS);

/** A secondary text, shown only on wide screens. */
const Quiet = ({ children }: { children: ReactNode }) => (
  <span className="text-xs whitespace-nowrap text-muted max-sm:hidden">{children}</span>
);

/** Functions that open records of the palette and list them as options. */
export function useRecords() {
  const navigate = useNavigate();
  const filters = useUi((state) => state.filters);
  const verbs = useVerbs();
  const money = useMoneyOptions();

  const verbsOf = <Kind extends ResultKind>(
    kind: Kind,
    hit: NonNullable<SearchAnswer[Kind]>['results'][number],
    { installations }: SearchAnswer,
  ) => {
    const of: { [K in ResultKind]?: (hit: never) => PaletteVerb[] } = {
      ...verbs,
      licenses: (license: never) => verbs.licenses(license, installations?.results ?? []),
    };
    return of[kind]?.(hit as never) ?? [];
  };

  const open = (kind: MainKind, id: number) => {
    const { list, one } = RECORD_KINDS[kind];
    const search = filters[list];
    if (one === null) void navigate({ to: list, search: { ...search, ver: id } });
    else void navigate({ to: one, params: { id: String(id) }, search: hasPage(kind) ? {} : search });
  };

  /** The last option of a kind that has more matches: opens its list with the same search. */
  const rest = (
    kind: MainKind,
    text: string,
    { count, count_is_exact }: { count: number; count_is_exact: boolean },
  ) => ({
    id: `all-${kind}`,
    title: allMatches(kind, count, count_is_exact),
    icon: ArrowRight,
    run: () => void navigate({ to: RECORD_KINDS[kind].list, search: { q: text } }),
  });

  const isNamed = <Kind extends ResultKind>(kind: Kind, answer: SearchAnswer) => {
    const [first] = answer[kind]?.results ?? [];
    const named = NAMED_BY[kind] as (hit: typeof first) => string[];
    return first !== undefined && named(first).some((name) => foldCode(name) === foldCode(answer.query));
  };

  function groupOf<Kind extends ResultKind>(
    kind: Kind,
    answer: SearchAnswer,
    named: NamedRecord | null,
  ): PaletteGroup {
    const hits = answer[kind];
    if (hits === undefined) return { key: kind, options: [] };
    // The casts are needed because TypeScript does not relate the type of `results` to `kind`.
    const results = hits.results as NonNullable<SearchAnswer[Kind]>['results'][number][];
    const options = results.map((hit): PaletteOption => {
      const shown = SHOWN[kind](hit, hits.results as NonNullable<SearchAnswer[Kind]>['results']);
      const isNamed = named?.kind === kind && named.hit.id === shown.id;
      return {
        ...shown,
        id: `${kind}-${shown.id}`,
        icon: ICONS[kind],
        ...(isNamed
          ? { card: <RecordCard named={named} />, verbs: verbs.ofCard(named) }
          : { verbs: verbsOf(kind, hit, answer), verbsBeside: kind === 'installations' }),
        // The details of an installation are those of its licence.
        run: () => ('license' in hit ? open('licenses', hit.license) : open(kind as MainKind, shown.id)),
      };
    });
    const card = options.findIndex((option) => option.card !== undefined);
    if (card > 0) options.unshift(...options.splice(card, 1));
    if (kind !== 'installations' && hits.count > results.length) {
      options.push(rest(kind as MainKind, answer.query, hits));
    }
    return { key: kind, options };
  }

  return {
    groups: (answer: SearchAnswer) => {
      const named = namedRecord(answer);
      const first = [...(named ? [named.kind] : []), ...KIND_ORDER.filter((kind) => isNamed(kind, answer))];
      return [...new Set([...first, ...KIND_ORDER])].map((kind) => groupOf(kind, answer, named));
    },
    /** The renewals of the found licences that can be renewed (LIFE-05). */
    renewals: (answer: SearchAnswer): PaletteGroup[] => {
      // The card of a licence has its renewal among its buttons.
      const named = namedRecord(answer);
      const options = (answer.licenses?.results ?? [])
        .filter(
          ({ id, can }) => can.includes('renew') && !(named?.kind === 'licenses' && named.hit.id === id),
        )
        .map(({ id, license_key, client, software_name }) =>
          renewalOption(
            { id, licenseKey: license_key, detail: joined(client.name, software_name) },
            navigate,
          ),
        );
      return [{ key: 'renew', options }];
    },
    ...money,
    recent: (records: readonly RecentRecord[]) =>
      records.map(
        ({ kind, id, title, detail }): PaletteOption => ({
          id: `recent-${kind}-${id}`,
          title,
          isCode: kind === 'licenses',
          detail,
          icon: ICONS[kind],
          meta: <Quiet>{kindOfOne(kind)}</Quiet>,
          run: () => open(kind, id),
        }),
      ),
  };
}
