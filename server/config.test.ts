import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONFIG_VARIABLES, ConfigError, readConfig } from './config.ts';

const problemsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

test('the default is demo mode on loopback with a separate data folder', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    allowRegistration: true,
    databaseUrl: null,
    smtpUrl: null,
    publicUrl: 'http://127.0.0.1:3000',
    timeZone: 'America/Mexico_City',
    trustProxy: false,
  });
  expect(config.dataDir).toMatch(/\/data\/demo$/);
});

test('OpenID Connect needs issuer, client and secret, and https outside this machine and demo mode (SIGN-02)', () => {
  const given = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
  const secure = { ...given, OIDC_ISSUER: 'https://identidad.example.com/realms/acme' };
  expect(readConfig({}).oidc).toBeNull();
  expect(readConfig({ NODE_ENV: 'production', ...secure }).oidc).toEqual({
    issuer: 'https://identidad.example.com/realms/acme',
    clientId: 'a',
    clientSecret: 'b',
    name: 'identidad.example.com',
    roleClaim: null,
    only: false,
  });
  const more = { OIDC_NAME: 'Acme ID', OIDC_ROLE_CLAIM: 'role', OIDC_ONLY: '1' };
  expect(readConfig({ ...secure, ...more }).oidc).toMatchObject({
    name: 'Acme ID',
    roleClaim: 'role',
    only: true,
  });
  const local = { ...given, OIDC_ISSUER: 'http://127.0.0.1:4000' };
  expect(readConfig(local).oidc?.issuer).toBe('http://127.0.0.1:4000');
  const wrong: Record<string, string>[] = [
    { ...local, NODE_ENV: 'production' },
    { ...local, DEMO: '0' },
    { ...given, OIDC_ISSUER: 'http://identidad.example.com' },
    { ...given, OIDC_ISSUER: 'http://localhost.example.com' },
    { ...given, OIDC_ISSUER: 'https://identidad.example.com/?a=b' },
    { ...given, OIDC_ISSUER: 'identidad' },
    given,
    { OIDC_ISSUER: 'https://identidad.example.com', OIDC_CLIENT_ID: 'a' },
    { OIDC_ONLY: '1' },
    { OIDC_ROLE_CLAIM: 'role' },
    { ...secure, OIDC_ONLY: 'yes' },
  ];
  for (const env of wrong) {
    expect([env, problemsOf(env)]).toEqual([env, expect.stringContaining('OIDC_')]);
  }
});

test('on a terminal requests are not logged, unless LOG_LEVEL asks for them', () => {
  expect(readConfig({}, true)).toMatchObject({ logLevel: 'warn', isQuiet: true });
  expect(readConfig({ LOG_LEVEL: 'info' }, true)).toMatchObject({ logLevel: 'info', isQuiet: false });
  expect(readConfig({})).toMatchObject({ logLevel: 'info', isQuiet: false });
});

test('production has no demo account, no open registration, and real data in ./data (D006, D005)', () => {
  const config = readConfig({ NODE_ENV: 'production' });
  expect(config).toMatchObject({ demo: false, allowRegistration: false });
  expect(config.dataDir).toMatch(/\/data$/);
});

test('production allows the demo account on loopback only (D006)', () => {
  for (const reached of Object.values(REACHED)) {
    expect(problemsOf({ NODE_ENV: 'production', DEMO: '1', ...reached })).toContain('DEMO');
  }
  expect(readConfig({ NODE_ENV: 'production', DEMO: '1', HOST: '127.0.0.1' }).demo).toBe(true);
});

/** Settings with which other machines reach the server, by the variable that causes it. */
const REACHED: Record<string, Record<string, string>> = {
  HOST: { HOST: '0.0.0.0' },
  'HOST by name': { HOST: 'licencias.example.com' },
  'HOST that only begins like loopback': { HOST: '127.example.com' },
  PUBLIC_URL: { PUBLIC_URL: 'https://licencias.example.com' },
  TRUST_PROXY: { TRUST_PROXY: '1' },
  DATABASE_URL: { DATABASE_URL: 'postgres://licencias:clave@db.example.com:5432/licencias' },
  'DATABASE_URL whose host stands behind it': {
    DATABASE_URL: 'postgres://localhost/licencias?host=db.example.com',
  },
  'DATABASE_URL whose last host counts': {
    DATABASE_URL: 'postgres://localhost/licencias?host=localhost&host=db.example.com',
  },
  'DATABASE_URL with a blank host behind it': { DATABASE_URL: 'postgres://db.example.com/licencias?host=' },
  'DATABASE_URL without a host, and PGHOST': {
    DATABASE_URL: 'postgres:///licencias',
    PGHOST: 'db.example.com',
  },
};

test.each(Object.entries(REACHED))(
  'demo mode is never the default of a server that others can reach: %s (D140)',
  (what, env) => {
    const [name = ''] = what.split(' ');
    for (const said of ['', 'development']) {
      const problem = problemsOf({ ...env, NODE_ENV: said });
      expect(problem).toContain(name);
      expect(problem).toContain('NODE_ENV=production');
      expect(problem).toContain('DEMO=1');
      expect(problem).not.toContain('clave');
    }
    expect(readConfig({ ...env, NODE_ENV: 'production' })).toMatchObject({
      demo: false,
      allowRegistration: false,
      openFirstAccount: false,
    });
    expect(readConfig({ ...env, DEMO: '1' })).toMatchObject({ demo: true, openFirstAccount: true });
    expect(readConfig({ ...env, DEMO: '0' })).toMatchObject({ demo: false, openFirstAccount: false });
  },
);

test.each([
  [{}],
  [{ HOST: 'localhost' }],
  [{ HOST: '::1' }],
  [{ PUBLIC_URL: 'http://localhost:8080' }],
  [{ PUBLIC_URL: 'http://[::1]:3000' }],
  [{ TRUST_PROXY: '0' }],
  [{ DATABASE_URL: 'postgres://postgres@127.0.0.1:5433/prueba' }],
  [{ DATABASE_URL: 'postgres:///prueba' }],
  [{ DATABASE_URL: 'postgres:///prueba?host=/var/run/postgresql' }],
  [{ NODE_ENV: 'development' }],
  [{ NODE_ENV: 'test' }],
])('demo mode is the default when host, address and database are on this machine: %j (D140)', (env) => {
  expect(readConfig(env)).toMatchObject({ demo: true, openFirstAccount: true });
});

/** The variables that stand before a command, as a shell reads them; an example replaces the ellipsis. */
const variablesOf = (command: string): Record<string, string> =>
  Object.fromEntries(
    [...command.matchAll(/([A-Z_]+)=('[^']*'|\S+)/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll("'", '').replace('…', 'db.example.com/licencias'),
    ]),
  );

const page = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
/** The variables in the first column of a page's tables. */
const listedIn = (file: string): string[] =>
  [...page(file).matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? [],
  );

test.each(['docs/configuration.md', 'docs/es/configuracion.md'])(
  '%s describes each variable once',
  (file) => {
    expect(listedIn(file).sort()).toEqual([...CONFIG_VARIABLES].sort());
  },
);

test.each(['README.md', 'docs/es/LEEME.md'])('%s describes the same six variables', (file) => {
  expect(listedIn(file)).toEqual([
    'NODE_ENV',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'DATABASE_URL',
    'SMTP_URL',
    'BACKUP_DIR',
  ]);
});

test.each(['README.md', 'docs/es/LEEME.md', 'docs/es/operar.md', 'docs/operating.md'])(
  'each command in %s has a valid configuration',
  (file) => {
    const text = page(file);
    const commands = text.match(/(?:[A-Z_]+=(?:'[^']*'|\S+) )+npm (?:start|run \w+)/g) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands)
      expect([command, problemsOf(variablesOf(command))]).toEqual([command, '']);
  },
);

test('the container image and the systemd unit run in production mode', () => {
  for (const file of ['Dockerfile', 'deploy/systemd/license-manager.service']) {
    const text = page(file);
    const lines = text.match(/^(?:ENV |Environment=).+$/gm) ?? [];
    const env = Object.assign({}, ...lines.map((line) => variablesOf(line.replace('Environment=', ''))));
    expect(readConfig({ ...env, TRUST_PROXY: '1' })).toMatchObject({ demo: false, openFirstAccount: false });
  }
});

test.each(['prod', 'Production', 'staging', 'produccion'])('NODE_ENV=%s is refused', (value) => {
  const problem = problemsOf({ NODE_ENV: value });
  expect(problem).toContain('NODE_ENV');
  expect(problem).toContain('production');
});

test('the first administrator needs a name and a long password (D006)', () => {
  expect(problemsOf({ ADMIN_USERNAME: 'ana' })).toContain('ADMIN_PASSWORD');
  expect(problemsOf({ ADMIN_USERNAME: 'ana', ADMIN_PASSWORD: 'catorce-letras' })).toContain('ADMIN_PASSWORD');
  expect(readConfig({ ADMIN_USERNAME: 'ana', ADMIN_PASSWORD: 'quince-letras-o' }).admin).toEqual({
    username: 'ana',
    password: 'quince-letras-o',
  });
});

test.each(['soy-ana-y-esta-es-mi-clave', 'Password1234567', 'anaanaanaanaana', 'aaaaaaaaaaaaaaaaaa'])(
  'a guessable password of the first administrator is refused: %s',
  (password) => {
    const problem = problemsOf({ ADMIN_USERNAME: 'ana', ADMIN_PASSWORD: password });
    expect(problem).toContain('ADMIN_PASSWORD');
    expect(problem).not.toContain(password);
  },
);

test.each([
  ['PORT', 'ochenta'],
  ['PORT', '65536'],
  ['PORT', '0x50'],
  ['DATABASE_POOL', '1e1'],
  ['SESSION_IDLE_HOURS', '0x8'],
  ['DRAIN_SECONDS', '1e1'],
  ['DRAIN_SECONDS', ' '],
  ['BACKUP_ROWS_MAX', '9007199254740993'],
  ['METRICS_PORT', '9_090'],
  ['DATABASE_URL', 'mysql://localhost/licencias'],
  ['SMTP_URL', 'http://localhost'],
  ['MAIL_FROM', 'nadie'],
  ['PUBLIC_URL', 'licencias.example.com'],
  ['DEMO', 'yes'],
  ['AUTH_ERRORS', 'vague'],
  ['BUSINESS_TIMEZONE', 'America/Ninguna'],
  ['LOG_LEVEL', 'loud'],
])('an unusable value of %s (%s) stops the start, and the error contains its name', (name, value) => {
  expect(problemsOf({ [name]: value })).toContain(name);
});

test('all errors are reported at once, and a blank variable counts as absent', () => {
  const problems = problemsOf({ PORT: 'x', SMTP_URL: 'y', DATA_DIR: '' });
  expect(problems).toContain('PORT');
  expect(problems).toContain('SMTP_URL');
  expect(problems).not.toContain('DATA_DIR');
});

test.each([
  ['1', 1],
  ['true', 1],
  ['2', 2],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0', false],
  ['false', false],
])('TRUST_PROXY=%s is read as %j', (value, expected) => {
  expect(readConfig({ DEMO: '1', TRUST_PROXY: value }).trustProxy).toBe(expected);
});

test('the public address of a server that listens on all interfaces is localhost unless PUBLIC_URL is set', () => {
  expect(readConfig({ DEMO: '1', HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  expect(readConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000');
  expect(readConfig({ DEMO: '1', PUBLIC_URL: 'https://licencias.example.com/' }).publicUrl).toBe(
    'https://licencias.example.com',
  );
});

test('CORS_ORIGINS is a list of origins, written as browsers send them (API-06)', () => {
  expect(readConfig({}).corsOrigins).toEqual([]);
  const list = ' https://Panel.Example.com, http://localhost:5173/,https://a.example:443,, ';
  expect(readConfig({ CORS_ORIGINS: list }).corsOrigins).toEqual([
    'https://panel.example.com',
    'http://localhost:5173',
    'https://a.example',
  ]);
  for (const wrong of [
    '*',
    'https://*.example.com',
    'panel.example.com',
    'https://a.example/ruta',
    'null',
    'ftp://a',
  ]) {
    expect(problemsOf({ CORS_ORIGINS: `https://a.example,${wrong}` })).toContain(
      `CORS_ORIGINS: «${wrong}» no es un origen`,
    );
  }
});

test('links in answers begin with PUBLIC_URL when it is set (API-06)', () => {
  expect(readConfig({}).linkBase).toBe('');
  expect(readConfig({ DEMO: '1', PUBLIC_URL: 'https://licencias.example.com/' }).linkBase).toBe(
    'https://licencias.example.com',
  );
});

test('BACKUP_DIR needs a BACKUP_KEY_DIR outside of it (OPS-03)', () => {
  const at = (env: Record<string, string>) => problemsOf({ DATA_DIR: '/srv/data', ...env });
  const refused: [Record<string, string>, RegExp][] = [
    [{ BACKUP_DIR: '/srv/copies' }, /BACKUP_KEY_DIR: falta/],
    [{ BACKUP_DIR: '/srv/data', BACKUP_KEY_DIR: '/srv/keys' }, /BACKUP_DIR: es DATA_DIR/],
    [{ BACKUP_DIR: '/srv/copies', BACKUP_KEY_DIR: '/srv/copies/' }, /está en BACKUP_DIR/],
    [{ BACKUP_DIR: '/srv/copies', BACKUP_KEY_DIR: '/srv/copies/keys' }, /está en BACKUP_DIR/],
    [{ BACKUP_DIR: '/srv/copies', BACKUP_KEY_DIR: '/srv/keys', BACKUP_AT: '3am' }, /BACKUP_AT: debe ser/],
    [{ OUTBOUND: 'no' }, /OUTBOUND/],
  ];
  for (const [env, problem] of refused) expect(at(env)).toMatch(problem);
  expect(readConfig({ BACKUP_DIR: '/srv/copies', BACKUP_KEY_DIR: '/srv/copies-keys' })).toMatchObject({
    backup: { dir: '/srv/copies', at: '03:00', keyDir: '/srv/copies-keys' },
    backupRowsMax: 20_000_000,
    outbound: true,
  });
  const secret = {
    BACKUP_DIR: '/srv/data',
    DATA_DIR: '/srv/data',
    SECRET_KEY: 'q0Vf7yXn2LsT9cWmB4hKdR1uJ6gZpE3a',
  };
  expect(readConfig({ ...secret, OUTBOUND: '0' })).toMatchObject({
    backup: { keyDir: null },
    outbound: false,
  });
  expect(readConfig({})).toMatchObject({ backup: null });
});

test('a reporting standby can be configured only with PostgreSQL (OPS-05)', () => {
  const DATABASE_READ_URL = 'postgres://lm@replica:5432/lm';
  expect(problemsOf({ DATABASE_READ_URL })).toContain('DATABASE_READ_URL: es de una réplica de PostgreSQL');
  expect(problemsOf({ DATABASE_READ_URL: 'replica' })).toContain('DATABASE_READ_URL');
  const config = readConfig({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://lm@db:5432/lm',
    DATABASE_READ_URL,
  });
  expect(config.databaseReadUrl).toBe(DATABASE_READ_URL);
});
