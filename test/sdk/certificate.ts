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
const LOOPBACK = Buffer.from([127, 0, 0, 1]);

/** An instant as UTCTime, with a two-digit year, exact to the second. */
const timeOf = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const KEY_USAGE = Buffer.from('0603551d0f', 'hex');
const SUBJECT_KEY = Buffer.from('0603551d0e', 'hex');
const AUTHORITY_KEY = Buffer.from('0603551d23', 'hex');
const TRUE = Buffer.from('0101ff', 'hex');
const DAY = 24 * 60 * 60 * 1000;
/** A name that no DNS knows: only a proxy that knows it leads there. */
export const COMPANY_HOST = 'licencias.test';
const NAMES = sequence(
  ...['localhost', COMPANY_HOST].map((name) => der(0x82, Buffer.from(name))),
  der(0x87, LOOPBACK),
);

/** Who a certificate is for, with the key that signs what it issues. */
type Holder = { name: string; id: Buffer; privateKey: KeyObject; publicKey: KeyObject };

function holderOf(name: string): Holder {
  return { name, id: randomBytes(20), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

const nameOf = ({ name }: Holder) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
const extension = (id: Buffer, ...parts: Buffer[]) => sequence(id, ...parts);
const inside = (content: Buffer) => der(0x04, content);

/** A certificate as PEM, valid between these days from now. `isAuthority`: it may sign others. */
function certificateOf(
  subject: Holder,
  issuer: Holder,
  { isAuthority, days }: { isAuthority: boolean; days: [number, number] },
): string {
  const [begin, end] = days.map((day) => timeOf(new Date(Date.now() + day * DAY)));
  const extensions = [
    isAuthority
      ? extension(BASIC_CONSTRAINTS, TRUE, inside(sequence(TRUE)))
      : extension(SUBJECT_ALT_NAME, inside(NAMES)),
    // keyCertSign; digitalSignature
    extension(KEY_USAGE, TRUE, inside(Buffer.from(isAuthority ? '03020204' : '03020780', 'hex'))),
    extension(SUBJECT_KEY, inside(der(0x04, subject.id))),
    extension(AUTHORITY_KEY, inside(sequence(der(0x80, issuer.id)))),
  ];
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(begin!, end!),
    nameOf(subject),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, issuer.privateKey));
  const body = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
}

const inPem = ({ privateKey }: Holder) => privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** A self-signed certificate for 127.0.0.1 that expired yesterday, and its key, both as PEM. */
export function endedCertificate(): { cert: string; key: string } {
  const holder = holderOf('127.0.0.1');
  return { cert: certificateOf(holder, holder, { isAuthority: false, days: [-30, -1] }), key: inPem(holder) };
}

/**
 * A certificate for localhost, 127.0.0.1 and COMPANY_HOST as an authority of a company issues it, all as PEM: `ca` is the authority,
 * `middle` the one between, `cert` the leaf alone, with its `key`.
 */
export function issuedCertificate(): { ca: string; middle: string; cert: string; key: string } {
  const [root, between, leaf] = ['Autoridad de la empresa', 'Autoridad emisora', 'localhost'].map(holderOf);
  const ofAuthority = { isAuthority: true, days: [-1, 30] as [number, number] };
  return {
    ca: certificateOf(root!, root!, ofAuthority),
    middle: certificateOf(between!, root!, ofAuthority),
    cert: certificateOf(leaf!, between!, { isAuthority: false, days: [-1, 30] }),
    key: inPem(leaf!),
  };
}

/** How much of a chain a server sends: of an authority that nobody knows, or without what leads to it. */
export type Chain = 'leaf' | 'leaf and middle' | 'all';

/** A good certificate with this much of its chain, and its key, both as PEM. */
export function chainOf(chain: Chain): { cert: string; key: string } {
  const { ca, middle, cert, key } = issuedCertificate();
  const sent = { leaf: [cert], 'leaf and middle': [cert, middle], all: [cert, middle, ca] }[chain];
  return { cert: sent.join(''), key };
}
