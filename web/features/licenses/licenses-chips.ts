import { useQuery } from '@tanstack/react-query';
import { LICENSE_CATEGORY_LABELS, LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { LICENSE_FIGURES, type LicensesSearch } from '../../components/license/licenses-search.ts';
import { type Chip, chipsOf } from '../../components/list/filter-chips.tsx';
import {
  clientNameQuery,
  licenseTypesQuery,
  softwareOptionsQuery,
} from '../../components/record/catalogue-queries.ts';
import { EMAIL_STATUS_LABELS, yesNo } from '../../text/es.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { FILTER_NAMES, filterTexts, importNumber, softwareOption } from '../../text/es-lists.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { formatDate } from '../../text/format.ts';

/** The active filters as texts. The name of a record appears once it is loaded (LIST-02). */
export function useLicenseChips(search: LicensesSearch): Chip[] {
  const isStored = useMailIsStored();
  const typeId = search.type !== undefined && /^\d+$/.test(search.type) ? Number(search.type) : null;
  const { data: types } = useQuery({ ...licenseTypesQuery(), enabled: typeId !== null });
  const { data: software } = useQuery({ ...softwareOptionsQuery, enabled: search.software !== undefined });
  const { data: client } = useQuery({
    ...clientNameQuery(search.client ?? 0),
    enabled: search.client !== undefined,
  });
  const program = software?.find(({ id }) => id === search.software);
  const days = (count: number | undefined) => (count === undefined ? undefined : filterTexts.days(count));
  const known = (id: number | undefined, name: string | undefined) =>
    id === undefined ? undefined : (name ?? String(id));
  return chipsOf(FILTER_NAMES, {
    status: search.status && LICENSE_STATUS_LABELS[search.status],
    type:
      typeId === null
        ? labelOf(LICENSE_CATEGORY_LABELS, search.type)
        : (types?.find(({ id }) => id === typeId)?.name ?? licenseTexts.unknownType),
    active: search.active && licenseTexts.active[search.active === 'true' ? 'active' : 'inactive'],
    client: known(search.client, client?.name),
    software: known(search.software, program && softwareOption(program.name, program.version)),
    expiry_from: search.expiry_from && formatDate(search.expiry_from),
    expiry_to: search.expiry_to && formatDate(search.expiry_to),
    expiring_within: days(search.expiring_within),
    email_status: search.email_status && mailStates(EMAIL_STATUS_LABELS, isStored)[search.email_status],
    unused: search.unused && '',
    seats_full: search.seats_full && '',
    complimentary: search.complimentary && (search.complimentary === 'true' ? '' : yesNo(false)),
    country: search.country,
    tag: search.tag,
    currency: search.currency,
    app_version: search.app_version,
    ...Object.fromEntries(LICENSE_FIGURES.map((name) => [name, filterTexts.dayRange(search[name])])),
    active_within: days(search.active_within),
    silent_for: days(search.silent_for),
    import: importNumber(search.import),
  });
}

const labelOf = (labels: Readonly<Record<string, string>>, key: string | undefined) =>
  key === undefined ? undefined : labels[key];
