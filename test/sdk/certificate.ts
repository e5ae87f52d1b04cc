import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A DER value: its tag, its length and its content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const TRUE = Buffer.from('0101ff', 'hex');
const LOOPBACK = Buffer.from([127, 0, 0, 1]);

/** An instant as UTCTime, with a two-digit year, exact to the second. */
const timeOf = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));
const inDays = (days: number) => timeOf(new Date(Date.now() + days * 24 * 60 * 60 * 1000));

const nameOf = (name: string) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));

/** Who signs: a name with its key. */
type Issuer = { name: string; privateKey: KeyObject };
type Wanted = { name: string; issuer?: Issuer; isAuthority?: boolean; from?: number; until?: number };

/** A certificate as PEM, of an authority or for 127.0.0.1; signed by itself without an issuer. Times are days from now. */
function certificateOf({ name, issuer, isAuthority = false, from = -30, until = 30 }: Wanted) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const by = issuer ?? { name, privateKey };
  const extension = isAuthority
    ? sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)))
    : sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x87, LOOPBACK))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(by.name),
    sequence(inDays(from), inDays(until)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, by.privateKey));
  const body = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  const cert = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  return { name, privateKey, cert };
}

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;

/** A self-signed certificate for 127.0.0.1 that expired yesterday, and its key, both as PEM. */
export function endedCertificate(): { cert: string; key: string } {
  const { cert, privateKey } = certificateOf({ name: '127.0.0.1', until: -1 });
  return { cert, key: pemOf(privateKey) };
}

/** How much of a chain a server sends: of an authority that nobody knows, or without what leads to it. */
export type Chain = 'leaf' | 'leaf and middle' | 'all';

/** A good certificate for 127.0.0.1 with this much of its chain, and its key, both as PEM. */
export function chainOf(chain: Chain): { cert: string; key: string } {
  const root = certificateOf({ name: 'Autoridad de prueba', isAuthority: true });
  const middle = certificateOf({ name: 'Autoridad intermedia', issuer: root, isAuthority: true });
  const leaf = certificateOf({ name: '127.0.0.1', issuer: middle });
  const sent = { leaf: [leaf], 'leaf and middle': [leaf, middle], all: [leaf, middle, root] }[chain];
  return { cert: sent.map(({ cert }) => cert).join(''), key: pemOf(leaf.privateKey) };
}
