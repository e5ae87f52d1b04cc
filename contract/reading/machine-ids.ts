import { withoutSignsAround } from './around.ts';

/**
 * How the id of a machine is read (INPUT-09). Programs take it from the system, each in its own spelling: Windows writes
 * a UUID in capitals and braces, Linux in small letters, a driver a MAC address with hyphens.
 */

/** Spaces, quotes, braces and signs without width, which programs leave around an id. */
const IS_AROUND = /^[\s\p{Cf}"'`´“”„‘’‚«»{}]|[\s\p{Cf}"'`´“”„‘’‚«»{}]$/u;
const KEPT = /[^\s\p{Cf}"'`´“”„‘’‚«»{}]/u;

/** 32 hexadecimal digits, in the five groups of a UUID or without separators. */
const UUID =
  /^(?:urn:uuid:)?([0-9a-f]{8})([-_.: ]?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})$/;
/** A MAC address in groups of two or, with points, four hexadecimal digits; without separators it is its own key. */
const MAC = /^[0-9a-f]{2}([-_.: ])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$|^[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}$/;
const SEPARATORS = /[-_.: ]/g;

const ASCII = /^[ -~]*$/;
/** A letter with its accent is one text, as one character or as two. */
const composed = (text: string) => (ASCII.test(text) ? text : text.normalize('NFC'));

/**
 * The folded form by which a machine is found: two spellings of one id have the same key. Case, and what stands around
 * the id, never count; the separators of a UUID or MAC address do not count either. Other ids keep the signs inside.
 * @param id as the program sent it
 * @returns never empty for an id that is not; folding a key again gives the same key
 */
export function machineKey(id: string): string {
  const text = composed(id);
  const bare = composed((IS_AROUND.test(text) ? withoutSignsAround(text, KEPT) : text).toLowerCase());
  if (bare === '') return text.trim().toLowerCase();
  const uuid = UUID.exec(bare);
  if (uuid) return `${uuid[1]}${uuid[3]}${uuid[4]}${uuid[5]}${uuid[6]}`;
  return MAC.test(bare) ? bare.replace(SEPARATORS, '') : bare;
}

/**
 * Keys, without their signs and spaces, that makers and systems give where they know no id, or give to many machines:
 * the placeholders of firmware, the words of programs for no value, and numbers that are known to be shared. From the
 * lists that inventory programs leave out (OCS Inventory, FusionInventory, GLPI, fwupd, systemd).
 */
const NO_MACHINE: ReadonlySet<string> = new Set([
  // No value, in the words of programs.
  ...[
    'null',
    'nullstring',
    'undefined',
    'none',
    'nil',
    'nan',
    'na',
    'unknown',
    'unknownid',
    'empty',
    'error',
  ],
  ...[
    'false',
    'true',
    'objectobject',
    'notavailable',
    'notapplicable',
    'notspecified',
    'notset',
    'notpresent',
  ],
  ...[
    'noid',
    'desconocido',
    'ninguno',
    'nulo',
    'invalid',
    'default',
    'string',
    'localhost',
    'localhostlocaldomain',
  ],
  ...['127001', 'uninitialized', 'placeholder'],
  // Firmware that its maker left as it came.
  ...[
    'tobefilledbyoem',
    'tobefilledbyoembymorestring',
    'tobefilled',
    'filledbyoem',
    'defaultstring',
    'oem',
    'oemstring',
  ],
  ...[
    'systemserialnumber',
    'systemproductname',
    'systemmanufacturer',
    'systemversion',
    'systemuuid',
    'systemsku',
  ],
  ...[
    'chassisserialnumber',
    'baseboardserialnumber',
    'boardserialnumber',
    'serialnumber',
    'serialnumberxxxxxx',
  ],
  ...[
    'serial',
    'sernumber',
    'snnumber',
    'assettag',
    'assettagnumber',
    'noassettag',
    'noassetinformation',
    'nonenone',
  ],
  ...[
    'eval',
    'iatpass',
    'tulipcomputers',
    'sn12345',
    'sn123456',
    'sn1234567890',
    'mb1234567890',
    'sys1234567890',
  ],
  ...[
    'sys9876543210',
    '0123456789',
    '1234567',
    '12345678',
    '123456789',
    '1234567890',
    '123456789000',
    '0123456789abcdef',
  ],
  ...['12345678901234567', '123456789abcdef', 'bssn0123456789', 'ssn12345678901234567', 'ec0123456789'],
  // UUIDs of boards that were sold by the thousand with the same one.
  ...[
    '03000200040005000006000700080009',
    '00020003000400050006000700080009',
    '03020100050407060809101112131415',
  ],
  ...[
    '01234567890123456789abcdefabcdef',
    '0123456789abcdef0123456789abcdef',
    '12345678123412341234123456789012',
  ],
  ...['1234567812345678123456789abcdef0', '123456781234567890abcddeefaabbcc'],
  ...[
    '4c4c454400002010802080c04f202020',
    '44454c4c00002010802080c04f202020',
    '00000000000000000000000000000001',
  ],
  ...[
    'fefefefefefefefefefefefefefefefe',
    '11111111222233334444555555555555',
    '000102030405060708090a0b0c0d0e0f',
  ],
  'deadbeefdeadbeefdeadbeefdeadbeef',
  // Addresses that systems give in place of the real one: phones, dial-up, containers, loopback.
  ...[
    '020000000000',
    '020000000100',
    '444553540000',
    '444553540001',
    '00ffffffffff',
    '001122334455',
    '0242ac110002',
  ],
  ...[
    '123456789abc',
    '000102030405',
    '005345000000',
    '2041534e0000',
    '005056c00001',
    '005056c00008',
    '0a0027000000',
  ],
  // The Android id that an error gave to all phones of some makers.
  '9774d56d682e549c',
]);

/** One sign, such as 0, F or X, all over. A single sign may be a person's own number. */
const ONE_SIGN = /^([0fx])\1{3,}$/;
const SIGNS = /[^\p{L}\p{N}]+/gu;

/**
 * Whether an id names no machine: what systems answer where they know none, and ids that thousands of machines share.
 * Two machines with such an id would take one seat.
 */
export function namesNoMachine(id: string): boolean {
  const bare = machineKey(id).replace(SIGNS, '');
  return bare === '' || ONE_SIGN.test(bare) || NO_MACHINE.has(bare);
}
