/** The client or licence to which a mail or an event refers, from a joined row; null where there is none. */

export const clientLink = ({
  client_id,
  client_name,
}: {
  client_id: number | null;
  client_name: string | null;
}) => (client_id === null || client_name === null ? null : { id: client_id, name: client_name });

export const licenseLink = ({
  license_id,
  license_key,
}: {
  license_id: number | null;
  license_key: string | null;
}) => (license_id === null || license_key === null ? null : { id: license_id, license_key });
