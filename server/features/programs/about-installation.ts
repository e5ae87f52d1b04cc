import type { Installation } from '../../../contract/programs/installations.ts';
import type { About } from '../../records/record-event.ts';

/** The subject of an event about an installation, and the related client, licence and software. */
export const aboutInstallation = (
  {
    id,
    machine_name,
    license_key,
    client_name,
  }: Pick<Installation, 'id' | 'machine_name' | 'license_key' | 'client_name'>,
  license: { id: number; client_id: number; software_id: number },
): About => ({
  subject: { id, name: machine_name },
  client: { id: license.client_id, name: client_name },
  license: { id: license.id, license_key },
  software: license.software_id,
});
