/** The SQL statements of the floor server for both engines; `$1` is the first value. */

const JOINS = `from licenses
  join clients on clients.id = licenses.client_id
  join software on software.id = licenses.software_id
  left join license_types on license_types.id = licenses.license_type_id`;

const NAMES = `clients.name as client_name, clients.email as client_email, clients.company as client_company,
  software.name as software_name, software.version as software_version,
  software.description as software_description, license_types.name as license_type_name`;

const CLIENT_COUNTERS = `
  (select count(*) from licenses where client_id = clients.id) as license_count,
  (select count(*) from licenses where client_id = clients.id and status = 'active') as active_license_count`;

export const FLOOR_SQL = {
  validate: `select licenses.id, licenses.license_key, licenses.status, licenses.license_type,
    licenses.expiry_date, licenses.max_installations, licenses.current_installations,
    software.name as software_name, software.version as software_version, clients.name as client_name,
    installations.id as installation_id
    ${JOINS} left join installations on installations.license_id = licenses.id and installations.machine_key = $1
    where licenses.license_key = $2`,

  findMachine: `select installations.id, licenses.status, expiry_date, last_heartbeat from licenses
    left join installations on installations.license_id = licenses.id and machine_key = $1 where license_key = $2`,
  stamp: 'update installations set last_heartbeat = $1, ip_address = $2 where id = $3',

  findLicense: 'select id, status, expiry_date, max_installations from licenses where license_key = $1',
  takeSeat: `insert into installations
    (license_id, machine_id, machine_key, machine_name, mac_address, ip_address, installation_date, notes)
    values ($1, $2, $2, $3, '', '', $4, '') returning id, machine_id`,
  countSeat: 'update licenses set current_installations = current_installations + 1 where id = $1',

  countLicenses: 'select count(*) as n from licenses',
  listLicenses: `select licenses.*, ${NAMES} ${JOINS}
    order by licenses.created_at desc, licenses.id desc limit 5`,

  countClientsLike: 'select count(*) as n from clients where search_text like $1',
  listClientsLike: `select clients.*, ${CLIENT_COUNTERS} from clients where search_text like $1
    order by created_at desc, id desc limit 5`,

  client: `select clients.*, ${CLIENT_COUNTERS} from clients where id = $1`,
  licensesOfClient: `select licenses.*, ${NAMES} ${JOINS} where client_id = $1
    order by licenses.created_at desc`,
  installationsOfClient: `select installations.* from installations
    join licenses on licenses.id = installations.license_id where licenses.client_id = $1`,

  statistics: `select (select count(*) from licenses) as licenses, (select count(*) from clients) as clients,
    (select count(*) from software) as software,
    (select count(*) from licenses where status = 'active' and expiry_date >= $1) as active,
    (select count(*) from licenses where license_type = 'trial') as trial`,

  insertClient: `insert into clients (name, email, email_key, company, phone, phone_secondary, address, city, state,
    country, postal_code, client_type, status, contact_person, contact_position, tax_id, website, notes,
    search_text, created_at, updated_at)
    values ($1, $2, $3, 'Sin especificar', $4, '', 'Sin especificar', '', '', 'México', '00000', 'individual',
    'active', '', '', '', '', '', $5, $6, $7) returning id`,

  insertLicense: `insert into licenses (license_key, client_id, software_id, license_type_id, license_type, status,
    price_cents, discount_percentage, promotion_name, promotion_description, max_installations, expiry_days,
    issued_date, expiry_date, notes, search_text, created_at, updated_at)
    values ($1, $2, 1, 1, 'premium', 'active', 10000, 0, '', '', 5, 365, $3, $4, '', $5, $6, $7) returning id`,
  insertMessage: `insert into outbox (license_id, message_id, to_name, to_address, subject, body_text, body_html,
    status, created_at)
    values ($1, $2, 'Cliente', 'cliente@example.com', 'Tu licencia', 'Hola', '<p>Hola</p>', 'sent', $3)`,
} as const;
