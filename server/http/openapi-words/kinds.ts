import { CLIENT_ABOUT } from '../../../contract/clients/clients.about.ts';
import { CLIENT_LABELS } from '../../../contract/clients/clients.fields.ts';
import { LICENSE_TYPE_ABOUT } from '../../../contract/license-types/license-types.about.ts';
import { LICENSE_TYPE_LABELS } from '../../../contract/license-types/license-types.fields.ts';
import { LICENSE_ABOUT } from '../../../contract/licenses/licenses.about.ts';
import { LICENSE_LABELS } from '../../../contract/licenses/licenses.fields.ts';
import { SETTINGS_ABOUT } from '../../../contract/settings/settings.about.ts';
import { SETTINGS_LABELS } from '../../../contract/settings/settings.fields.ts';
import { SOFTWARE_ABOUT } from '../../../contract/software/software.about.ts';
import { SOFTWARE_LABELS } from '../../../contract/software/software.fields.ts';

/** The kinds of records whose fields are described in contract/, with the schemas of the document that have them. */
const KINDS: readonly {
  schemas: readonly string[];
  labels: Readonly<Record<string, string>>;
  about: Readonly<Record<string, string>>;
}[] = [
  {
    schemas: [
      'Software',
      'SoftwareHit',
      'CreateSoftwareRequest',
      'RegisterSoftwareRequest',
      'UpdateSoftwareRequest',
    ],
    labels: SOFTWARE_LABELS,
    about: SOFTWARE_ABOUT,
  },
  {
    schemas: ['Settings', 'UpdateSettingsRequest'],
    labels: SETTINGS_LABELS,
    about: SETTINGS_ABOUT,
  },
  {
    schemas: [
      'Client',
      'ClientDetails',
      'SavedClient',
      'MergedClient',
      'ClientHit',
      'CreateClientRequest',
      'UpdateClientRequest',
      'BulkUpdateClientsRequest',
    ],
    labels: CLIENT_LABELS,
    about: CLIENT_ABOUT,
  },
  {
    schemas: ['LicenseType', 'LicenseTypeHit', 'CreateLicenseTypeRequest', 'UpdateLicenseTypeRequest'],
    labels: LICENSE_TYPE_LABELS,
    about: LICENSE_TYPE_ABOUT,
  },
  {
    schemas: [
      'License',
      'LicenseRow',
      'ClientLicense',
      'LicenseHit',
      'CreateLicenseRequest',
      'IssueLicenseBatchRequest',
      'GenerateLicenseRequest',
      'UpdateLicenseRequest',
      'BulkUpdateLicensesRequest',
    ],
    labels: LICENSE_LABELS,
    about: LICENSE_ABOUT,
  },
];

/** The meaning of their properties: the label in Spanish, and the description in English; used like RECORD_WORDS. */
export const KIND_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  KINDS.flatMap(({ schemas, labels, about }) =>
    Object.entries(about).flatMap(([name, text]) =>
      // A field without a label is described like those of all records.
      labels[name] === undefined
        ? []
        : schemas.map((schema) => [`${schema}.${name}`, `${labels[name]} / ${text}`]),
    ),
  ),
);
