import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { LIBRARY_FILES } from '../../../contract/programs/sdk-languages.ts';
import type { Software } from '../../../contract/software/software.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createSoftware } from '../../../test/factories.ts';
import { unzip } from '../../../test/unzip.ts';

const NOW = '2026-11-22T18:00:00.000Z';
const trialUrl = ({ id }: Software) => `/licenses/api/software/${id}/trial_license/`;
const kitUrl = ({ id }: Software, query = '') => `/licenses/api/software/${id}/developer_kit/${query}`;

const askTrial = (t: TestApp, software: Software) => t.call<License>('POST', trialUrl(software));

async function filesOf(t: TestApp, software: Software, query = '') {
  const answer = await t.app.inject({
    method: 'GET',
    url: kitUrl(software, query),
    headers: { authorization: `Bearer ${t.token}` },
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/zip');
  const files = unzip(answer.rawPayload);
  return {
    name: answer.headers['content-disposition'],
    files,
    paths: files.map(({ path }) => path),
    text: (path: string) => files.find((file) => file.path.endsWith(path))?.text ?? '',
  };
}

describe('POST software/{id}/trial_license/', () => {
  test('issues a working trial licence for the vendor itself, with its events and without a mail', async () => {
    const t = await createTestApp({ now: NOW });
    await t.call('PUT', '/licenses/api/settings/', {
      body: { vendor_name: 'Cajas del Sur', support_email: 'ayuda@cajas.example.com' },
    });
    const software = await createSoftware(t, { name: 'Caja Fácil' });
    const { status, body } = await askTrial(t, software);

    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'trial',
      license_type: 'trial',
      client: { name: 'Cajas del Sur', email: 'ayuda@cajas.example.com' },
      software: { id: software.id },
      max_installations: 5,
      email_status: null,
    });
    expect(body.expiry_date?.slice(0, 10)).toBe('2026-12-23');
    expect((await t.call('GET', '/licenses/api/mails/')).body.count).toBe(0);
    const history = await t.call('GET', `/licenses/api/events/?license=${body.id}`);
    expect(history.body.results.map(({ type }: { type: string }) => type)).toEqual(['license.issued']);
    const found = await t.call('GET', `/licenses/api/licenses/?search=${body.license_key}`);
    expect(found.body.count).toBe(1);

    expect((await activate(t, body.license_key, 'laptop-1')).status).toBe(201);
    const verdict = await t.call('POST', '/licenses/api/license/validate/', {
      token: null,
      body: { license_key: body.license_key, machine_id: 'laptop-1', software: software.code },
    });
    expect(verdict.body).toMatchObject({ valid: true });
  });

  test('returns the same trial while it is valid and has a free seat, with one client for all software', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const first = await askTrial(t, software);
    const again = await askTrial(t, software);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.license_key).toBe(first.body.license_key);

    const other = await askTrial(t, await createSoftware(t));
    expect(other.status).toBe(201);
    expect(other.body.client).toEqual(first.body.client);

    for (const machine of ['a', 'b', 'c', 'd', 'e']) await activate(t, first.body.license_key, machine);
    const full = await askTrial(t, software);
    expect(full.status).toBe(201);
    t.clock.set('2027-01-15T18:00:00Z');
    const token = await signInAs(t, 'admin', 'admin123');
    const later = await t.call('POST', trialUrl(other.body.software as Software), { token });
    expect(later.status).toBe(201);
  });

  test('twenty concurrent calls issue one trial for one client', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const answers = await Promise.all(Array.from({ length: 20 }, () => askTrial(t, software)));
    expect(new Set(answers.map(({ body }) => body.license_key)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('an unknown software and a call without a token are refused', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    expect((await t.call('POST', '/licenses/api/software/987654/trial_license/')).status).toBe(404);
    expect((await t.call('POST', trialUrl(software), { token: null })).status).toBe(401);
  });
});

describe('GET software/{id}/developer_kit/', () => {
  test('contains SDK, example, keys and a page with the data of the software and the trial key', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t, { name: 'Caja Fácil' });
    const { body: trial } = await askTrial(t, software);
    const kit = await filesOf(t, software, `?languages=python,javascript&license=${trial.id}`);

    expect(kit.name).toBe('attachment; filename="caja-facil-programador.zip"');
    expect(kit.paths).toEqual(
      expect.arrayContaining(
        [
          'LEEME.md',
          'claves/actual.pem',
          'claves/siguiente.pem',
          'claves/claves.json',
          'javascript/license.js',
          'javascript/license.d.ts',
          'javascript/example.js',
          'python/license.py',
          'python/example.py',
        ].map((path) => `caja-facil-programador/${path}`),
      ),
    );
    expect(kit.paths.join('\n')).not.toMatch(/driver|\/go\/|build\.mjs|bibliotecas/);
    const page = kit.text('LEEME.md');
    expect(page).toContain('# Caja Fácil 1.0.0: licencias para el programa');
    expect(page).toContain(`node example.js ${trial.license_key}`);
    expect(page).toContain(`python3 example.py ${trial.license_key}`);
    expect(page).toContain('hasta el 22/12/2026 en 5 equipos');
    const { keys } = (await t.call('GET', `/licenses/api/software/${software.id}/integration/`)).body;
    for (const example of ['example.js', 'example.py', 'window.py']) {
      expect(kit.text(example)).toContain('caja-facil');
      expect(kit.text(example)).not.toMatch(/punto-de-venta|licencias\.example\.com/);
      for (const { public_jwk } of keys) expect(kit.text(example)).toContain(public_jwk.kid);
    }
    expect(JSON.parse(kit.text('claves.json')).keys).toHaveLength(2);
    expect(kit.text('actual.pem')).toBe(keys[0].public_pem);
  });

  test('contains all languages when none is given, and no key when no licence is given', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const kit = await filesOf(t, software);
    const folders = new Set(kit.paths.map((path) => path.split('/')[1]));
    const offered = [
      'javascript',
      'python',
      'php',
      'java',
      'go',
      'csharp',
      'c',
      'cpp',
      'delphi',
      'foxpro',
      'vb6',
    ];
    for (const folder of offered) {
      expect(folders).toContain(folder);
      for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'CHECKSUMS']) {
        expect(kit.paths).toContain(`${software.code}-programador/${folder}/${file}`);
      }
    }
    expect(kit.text('LEEME.md')).toContain('XXXXX-XXXXX-XXXXX-XXXXX-XXXXX');
    expect(kit.paths.join('\n')).not.toMatch(/driver|_test|\.gitignore/i);
  });

  test('each folder has checksums of its files, the example with its data too (CODE-06)', async () => {
    const t = await createTestApp({ now: NOW });
    const { files } = await filesOf(t, await createSoftware(t), '?languages=python,vb6');
    for (const folder of ['python', 'vb6']) {
      const inFolder = files.filter(({ path }) => path.split('/')[1] === folder);
      const sums = inFolder.find(({ path }) => path.endsWith('CHECKSUMS'))!.text;
      const others = inFolder.filter(({ path }) => !path.endsWith('CHECKSUMS'));
      expect(sums).toBe(
        others
          .map(({ path, bytes }) => {
            const sum = createHash('sha256').update(bytes).digest('hex');
            return `${sum}  ${path.split('/').slice(2).join('/')}\n`;
          })
          .join(''),
      );
    }
  });

  test('Visual Basic and Visual FoxPro get Windows-1252 with CRLF (CODE-06)', async () => {
    const t = await createTestApp({ now: NOW });
    const { files } = await filesOf(t, await createSoftware(t), '?languages=foxpro,vb6');
    for (const name of [
      'foxpro/example.prg',
      'foxpro/license.prg',
      'vb6/Example.bas',
      'vb6/LicenseManager.bas',
    ]) {
      const { bytes } = files.find(({ path }) => path.endsWith(name))!;
      const text = bytes.toString('latin1');
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      if (name.toLowerCase().includes('example')) expect(text).toContain('Licencia válida. Días restantes');
    }
  });

  test('the sample with a window keeps its folder and has the data of the software (CODE-07)', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const kit = await filesOf(t, software, '?languages=delphi');
    const of = (path: string) => `${software.code}-programador/delphi/${path}`;
    const files = ['Window.lpi', 'Window.lpr', 'MainForm.pas', 'MainForm.lfm'].map((name) =>
      of(`window/${name}`),
    );
    expect(kit.paths).toEqual(expect.arrayContaining([...files, of('LicenseManager.pas')]));
    expect(kit.text('window/MainForm.pas')).toContain(`'${software.code}'`);
    expect(kit.text('window/MainForm.pas')).not.toMatch(/punto-de-venta|licencias\.example\.com/);
    expect(kit.text('LEEME.md')).toContain('lazbuild window/Window.lpi && ./window/Window');
    const java = await filesOf(t, software, '?languages=java');
    expect(java.text('Window.java')).toContain(`"${software.code}"`);
    expect(java.text('Window.java')).not.toMatch(/punto-de-venta|licencias\.example\.com/);
    expect(java.text('LEEME.md')).toContain('java -cp salida Window');
  });

  test('the shared library comes with SDK_LIBRARIES, once, for the languages that call it (CODE-06)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lm-libraries-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of LIBRARY_FILES) writeFileSync(join(folder, name), name);
    writeFileSync(join(folder, 'otra-cosa.txt'), 'x');
    const t = await createTestApp({ now: NOW, env: { SDK_LIBRARIES: folder } });
    const software = await createSoftware(t);
    const kit = await filesOf(t, software, '?languages=c,vb6');
    const found = kit.paths.filter((path) => path.includes('/bibliotecas/'));
    expect(found.map((path) => path.split('/').at(-1)).sort()).toEqual(
      ['CHECKSUMS', ...LIBRARY_FILES].sort(),
    );
    expect(kit.text('LEEME.md')).not.toContain('npm run sdk:libraries');
    const { paths } = await filesOf(t, software, '?languages=python');
    expect(paths.join('\n')).not.toContain('bibliotecas');
  });

  test('without SDK_LIBRARIES the page says where the library is to be had (CODE-06)', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const kit = await filesOf(t, software, '?languages=delphi');
    expect(kit.text('LEEME.md')).toContain('npm run sdk:libraries');
    expect((await filesOf(t, software, '?languages=php')).text('LEEME.md')).not.toContain('sdk:libraries');
  });

  test('refuses a sold licence, one of another software, and an unknown language at their field', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const sold = await createLicense(t, { software: software.id });
    const { body: trial } = await askTrial(t, await createSoftware(t));
    for (const [query, field] of [
      [`?license=${sold.id}`, 'license'],
      [`?license=${trial.id}`, 'license'],
      ['?license=987654', 'license'],
      ['?languages=cobol', 'languages'],
    ] as const) {
      const answer = await t.call('GET', kitUrl(software, query));
      expect([query, answer.status]).toEqual([query, 400]);
      expect(answer.body.errors).toHaveProperty(field);
    }
    expect((await t.call('GET', '/licenses/api/software/987654/developer_kit/')).status).toBe(404);
    expect((await t.call('GET', kitUrl(software), { token: null })).status).toBe(401);
  });

  test('an API key that may not read licences gets the file without a licence key (PEOPLE-07)', async () => {
    const t = await createTestApp({ now: NOW });
    const software = await createSoftware(t);
    const { body: trial } = await askTrial(t, software);
    const { body: made } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Catálogo', permissions: ['software:read'] },
    });
    const asKey = (query: string) => t.call('GET', kitUrl(software, query), { token: made.key });
    expect((await asKey('?languages=php')).status).toBe(200);
    expect((await asKey(`?languages=php&license=${trial.id}`)).status).toBe(403);
  });
});
