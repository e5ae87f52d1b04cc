import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const problemsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

test('the defaults are demo mode, on loopback, with its own data folder', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    demo: true,
    allowRegistration: true,
    databaseUrl: null,
    smtpUrl: null,
    emailTransport: 'folder',
    publicUrl: 'http://127.0.0.1:3000',
    timeZone: 'America/Mexico_City',
    trustProxy: false,
  });
  expect(config.dataDir).toMatch(/\/data\/demo$/);
});

test('production has no demo account, no open registration, and real data in ./data (D006, D005)', () => {
  const config = readConfig({ NODE_ENV: 'production' });
  expect(config).toMatchObject({ demo: false, allowRegistration: false });
  expect(config.dataDir).toMatch(/\/data$/);
});

test('production allows the demo account on loopback only (D006)', () => {
  expect(problemsOf({ NODE_ENV: 'production', DEMO: '1', HOST: '0.0.0.0' })).toContain('DEMO');
  expect(readConfig({ NODE_ENV: 'production', DEMO: '1', HOST: '127.0.0.1' }).demo).toBe(true);
});

test('the first administrator needs a name and a long password (D006)', () => {
  expect(problemsOf({ ADMIN_USERNAME: 'ana' })).toContain('ADMIN_PASSWORD');
  expect(problemsOf({ ADMIN_USERNAME: 'ana', ADMIN_PASSWORD: 'catorce-letras' })).toContain('ADMIN_PASSWORD');
  expect(readConfig({ ADMIN_USERNAME: 'ana', ADMIN_PASSWORD: 'quince-letras-o' }).admin).toEqual({
    username: 'ana',
    password: 'quince-letras-o',
  });
});

test.each([
  ['PORT', 'ochenta'],
  ['PORT', '65536'],
  ['DATABASE_URL', 'mysql://localhost/licencias'],
  ['SMTP_URL', 'http://localhost'],
  ['MAIL_FROM', 'nadie'],
  ['PUBLIC_URL', 'licencias.example.com'],
  ['DEMO', 'yes'],
  ['AUTH_ERRORS', 'vague'],
  ['BUSINESS_TIMEZONE', 'America/Ninguna'],
  ['LOG_LEVEL', 'loud'],
])('a value of %s that cannot be used (%s) stops the start with its name', (name, value) => {
  expect(problemsOf({ [name]: value })).toContain(name);
});

test('all errors are reported at once, and blank counts as absent', () => {
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
])('TRUST_PROXY=%s', (value, expected) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(expected);
});

test('the public address of a server on all interfaces is localhost unless PUBLIC_URL is set', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  expect(readConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000');
  expect(readConfig({ PUBLIC_URL: 'https://licencias.example.com/' }).publicUrl).toBe(
    'https://licencias.example.com',
  );
});

test('CORS_ORIGINS is a list of origins, as browsers send them (API-06)', () => {
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

test('links in answers begin with PUBLIC_URL where it is set (API-06)', () => {
  expect(readConfig({}).linkBase).toBe('');
  expect(readConfig({ PUBLIC_URL: 'https://licencias.example.com/' }).linkBase).toBe(
    'https://licencias.example.com',
  );
});
