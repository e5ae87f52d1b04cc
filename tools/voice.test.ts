import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../contract/base/errors.ts';
import { CLIENT_MESSAGES } from '../contract/clients/clients.fields.ts';
import { VERDICT_MESSAGES } from '../contract/licenses/license-verdict.ts';
import { MAIL_KINDS, type MailKind } from '../contract/mail/mails.ts';
import sdkMessages from '../sdk/messages.json' with { type: 'json' };
import { DEFAULT_TEMPLATES } from '../server/features/mail-templates/default-templates.ts';
import { readSources, textsOf } from './shown-texts.ts';

/**
 * One voice (DESK-08): what a client reads speaks *usted*, what staff read speaks *tú*, and what both read speaks to
 * nobody. A word that the specification writes stands where it writes it and nowhere else.
 */

const word = (words: string) => `(?<![\\p{L}])(?:${words})(?![\\p{L}])`;
/** At the beginning of a sentence or of one of its parts, where Spanish puts what somebody is told to do. */
const printed = (words: string) =>
  `(?:^|[.:;,¿¡(«»]\\s*|\\s[yo]\\s)(?:[Nn]o\\s)?(?:${words})(?=\\s\\p{Ll}|\\s\\p{N}|\\s[«{])`;

const TU = new RegExp(
  [
    word('tú|tus?|te|ti|contigo|tuy[oa]s?'),
    word(
      'puedes|podrás|tienes|tendrás|quieres|necesitas|necesitarás|debes|eres|estás|haces|verás|sabes|hiciste|' +
        'recibirás|escribiste|pediste|crees|prefieres|cambiaste|elegiste|usas|ves',
    ),
    printed(
      'escribe|elige|indica|usa|revisa|selecciona|intenta|pide|guarda|agrega|haz|abre|espera|pulsa|entra|paga|' +
        'cambia|copia|descarga|renueva|libera|confirma|vuelve|comprueba|pon|busca|corrige|quita|cierra|conecta|' +
        'responde|ignora|llama|activa|desactiva|borra|sube|importa|crea|edita|filtra|marca|prueba|reemplaza|repite',
    ),
    word(
      '(?:escríbe|elíge|revísa|inténta|píde|guárda|ábre|cópia|cámbia|renuéva|libéra|pónl|búsca|corríge|quíta|' +
        'ciérra|actíva|bórra|súbe|pégal|dá|házl|cancéla|rótal|reemplázal|mánda|déja|edíta|márca)' +
        '(?:me|nos|lo|la|los|las|os|as|o|a)(?:lo|la|los|las)?',
    ),
  ].join('|'),
  'iu',
);

const USTED = new RegExp(
  [
    word('ustedes|usted'),
    printed(
      'escriba|elija|indique|revise|seleccione|intente|pida|guarde|agregue|haga|abra|espere|pulse|entre a|pague|' +
        'cambie|copie|descargue|renueve|libere|confirme|vuelva|compruebe|ponga|busque|corrija|quite|cierre|conecte|' +
        'responda|ignore|llame|desactive|borre|suba|importe el|cree|edite|marque|reemplace|repita|verifique|ingrese',
    ),
    word(
      '(?:escríba|elíja|indíque|revíse|inténte|pída|guárde|ábra|cópie|cámbie|renuéve|libére|corríja|quíte|ciérre|' +
        'bórre|súba|péguel|hágal|cancéle|reemplácel|déje|márque)' +
        '(?:me|nos|lo|la|los|las|os|as|o|a)(?:lo|la|los|las)?',
    ),
  ].join('|'),
  'iu',
);

/** Each text with its file. */
const shown = [...readSources()].flatMap(([path, source]) =>
  textsOf(path, source).map((text) => ({ path, text, source })),
);
const textsIn = (path: string) => shown.filter((one) => one.path === path).map(({ text }) => text);

/** Files whose texts clients read. */
const OF_CLIENTS =
  /^web\/(?:portal|verify)\/|^web\/text\/es-(?:portal|portal-licenses|pay|certificate)\.ts$|^contract\/portal\/portal-words\.ts$|^contract\/clients\/whatsapp\.ts$|^server\/features\/(?:portal\/(?!.*\.routes\.ts)|reminders\/unsubscribe-page\.ts)/;

/** The description of the API has each text in English too, and speaks to programmers, who are staff. */
const OF_THE_DOCUMENT = /^server\/http\/openapi-words\/|\.about\.ts$/;
/** What has both voices in one file; the tests below look at each text for itself. */
const OF_BOTH = new Set(['server/features/mail-templates/default-templates.ts']);

/** Texts for clients in files of staff, by their beginning: staff pass them on, or see in a preview what a client reads. */
const FOR_CLIENTS_IN_FILES_OF_STAFF: Record<string, readonly string[]> = {
  // The answers to clients on the page to pay.
  'contract/payments/payment-words.ts': [
    'Elija con qué pagar',
    'Elija el resultado de la prueba',
    'Por ahora no es posible pagar así.',
    'Su pago está en revisión.',
    'Elija el día de la transferencia',
    'Elija un día de los últimos 30',
    'Indique el número del recibo',
  ],
  // What a client sees in the portal, shown in 'Primeros pasos' (DESK-06).
  'web/features/dashboard/setup-texts.ts': [
    'Escriba la clave de su licencia',
    'Esta es su clave de Tienda Fácil.',
  ],
  // The foot of a mail to a contact of a client (DESK-04).
  'server/features/mail-templates/mail-html.ts': ['Usted recibe este correo como contacto de'],
  // The text for the vendor's own web page, and the preview of a mail.
  'web/text/es-portal-settings.ts': ['¿Cambió de equipo', ' con el correo de su compra.'],
  'web/text/es-settings.ts': ['¿Necesita ayuda? Escriba a '],
};
const isForClients = (path: string, text: string) =>
  (FOR_CLIENTS_IN_FILES_OF_STAFF[path] ?? []).some((beginning) => text.startsWith(beginning));

/** Texts in which an expression finds something, with their files. */
const found = (voice: RegExp, of: (path: string, text: string) => boolean): string[] =>
  shown
    .filter(({ path, text }) => of(path, text) && voice.test(text))
    .map(({ path, text }) => `${path}: ${text.trim()}`);

describe('the voice', () => {
  test('is known by pronouns, verbs and requests', () => {
    for (const text of [
      'Tu licencia está lista',
      'No necesitas hacer nada',
      'Si crees que es un error, escríbenos',
      'Escribe la clave nueva',
      'La lista cambió. Revísala',
      'Espera a su fin o cancélala',
    ])
      expect([text, TU.test(text), USTED.test(text)]).toEqual([text, true, false]);
    for (const text of [
      'Escriba su correo',
      'Si usted no lo pidió, ignórelo',
      'Es un error: escríbanos',
      'Guárdela bien',
      'Puede cerrarla. Pida otra',
    ])
      expect([text, TU.test(text), USTED.test(text)]).toEqual([text, false, true]);
    for (const text of [
      'Lo que se paga',
      'Entre 1 y 60',
      'La licencia está vencida',
      'Activa',
      'Este equipo',
    ])
      expect([text, TU.test(text), USTED.test(text)]).toEqual([text, false, false]);
  });

  test('of what clients read is never *tú*', () => {
    expect(found(TU, (path, text) => OF_CLIENTS.test(path) || isForClients(path, text))).toEqual([]);
    for (const [path, beginnings] of Object.entries(FOR_CLIENTS_IN_FILES_OF_STAFF)) {
      for (const beginning of beginnings)
        expect(textsIn(path), `${path}: ${beginning}`).toContainEqual(expect.stringContaining(beginning));
    }
  });

  test('of what staff read is never *usted*', () => {
    const isOfStaff = (path: string, text: string) =>
      !OF_CLIENTS.test(path) &&
      !OF_THE_DOCUMENT.test(path) &&
      !OF_BOTH.has(path) &&
      !isForClients(path, text);
    expect(found(USTED, isOfStaff)).toEqual([]);
  });

  test('of what both read, or the user of a program, speaks to nobody', () => {
    const texts = [
      ...Object.values(VERDICT_MESSAGES),
      ...Object.values(sdkMessages.es),
      ...ANSWERS_TO_ALL.map((code) => ERROR_CODES[code]),
      CLIENT_MESSAGES.taxRegime,
      CLIENT_MESSAGES.cfdiUse,
      CLIENT_MESSAGES.taxCondition,
      CLIENT_MESSAGES.phone,
      ...textsIn('contract/clients/tax-ids.ts'),
    ];
    expect(texts.filter((text) => TU.test(text) || USTED.test(text))).toEqual([]);
  });

  test('of a mail is that of its reader', () => {
    const isOfStaff = (kind: MailKind) => KINDS_OF_STAFF.includes(kind);
    for (const kind of MAIL_KINDS) {
      const { subject, body } = DEFAULT_TEMPLATES[kind];
      // What is printed and asked is no text.
      const text = `${subject}\n${body}`.replace(/\{%.*?%\}/gs, ' ').replace(/\{\{.*?\}\}/gs, 'x');
      expect([kind, (isOfStaff(kind) ? USTED : TU).exec(text)?.[0]]).toEqual([kind, undefined]);
    }
  });
});

/** Mails to people of the console. */
const KINDS_OF_STAFF: readonly MailKind[] = [
  'invitation',
  'password_reset',
  'api_key_expiring',
  'webhook_disabled',
  'client_request',
  'digest',
];

/** Refusals that programs, the portal and the page to pay get as they are. */
const ANSWERS_TO_ALL: readonly ErrorCode[] = [
  'inactive',
  'suspended',
  'cancelled',
  'expired',
  'wrong_software',
  'not_found',
  'license_not_found',
  'installation_limit',
  'release_not_allowed',
  'release_limit',
  'file_issued',
  'not_available',
  'updates_ended',
  'trial_converted',
  'trial_limit',
  'invalid_transition',
  'not_renewable',
  'conflict',
  'already_requested',
  'server_error',
  'not_allowed',
];

/**
 * Words that the console has another word for, and the texts with them that the specification or another program
 * needs. A new one needs a statement that writes it.
 */
const OTHER_WORDS = /(?<![\p{L}.])(?:[Ee]xpirad[oa]s?|[Ee]xpiró|Válidas?|Heartbeats?|Consultas?)(?![\p{L}])/u;
const WRITTEN_BY_THE_SPECIFICATION: Record<string, Record<string, string>> = {
  Expirada: {
    'web/text/es.ts': 'SEED-2.7-20, the badge beside a day',
    'contract/licenses/license-words.ts': 'D065, the stored status: in form, filter, files and history',
  },
  Válida: { 'web/text/es.ts': 'SEED-2.7-20, the badge beside a day' },
  'Activa, Expirada, Suspendida, Cancelada, Inactiva o Trial.': {
    'contract/licenses/licenses.file.ts': 'D065, what a cell may say',
  },
  Consultas: { 'contract/figures/report-columns.ts': 'a column of files that other programs read' },
  'Consulta el estado de tu catálogo al momento': { 'web/text/es-auth.ts': 'a verb' },
};

/** Where the word 'Instalaciones' is shown; the console calls them 'equipos' and 'lugares' elsewhere. */
const INSTALLATIONS: Record<string, string> = {
  'contract/base/labels.ts': 'the label itself',
  'web/text/es-clients.ts': 'SEED-2.7-03 the tab, SEED-2.7-10 the counter',
  'web/text/es-licenses.ts': 'SEED-2.8-11 the column',
  'web/text/es.ts': 'SEED-2.8-11 the order by that column',
  'contract/licenses/licenses.fields.ts': "SEED-5.5-05, 'Máximo de Instalaciones'",
  'contract/license-types/license-types.fields.ts': "SEED-5.5-05, 'Máximo de Instalaciones'",
  'contract/figures/report-columns.ts': 'a column of files that other programs read',
  'contract/clients/clients.file.ts': 'a column of files that other programs read',
  'contract/licenses/licenses.file.ts': 'a column of files that other programs read',
};
/** In the API an installation is a record, and its calls are a group. */
const OF_THE_API = /^server\/(?:http\/openapi-words\/|features\/\w+\/.*\.routes\.ts$)/;

describe('a word that the console has another word for', () => {
  test('stands only where the specification writes it', () => {
    const wrong = shown
      .filter(({ path, text }) => OTHER_WORDS.test(text) && !OF_THE_DOCUMENT.test(path))
      .filter(({ path, text }) => WRITTEN_BY_THE_SPECIFICATION[text]?.[path] === undefined)
      // The words by which an import knows a column or a value.
      .filter(({ path, text }) => !(/^contract\/(?:imports\/|.*\.file\.ts)/.test(path) && text.includes(',')))
      .map(({ path, text }) => `${path}: ${text}`);
    expect(wrong).toEqual([]);
  });

  test('is removed from the list with the last text that has it', () => {
    for (const [text, paths] of Object.entries(WRITTEN_BY_THE_SPECIFICATION))
      for (const path of Object.keys(paths)) expect(textsIn(path), path).toContain(text);
  });

  test("'Instalaciones' is shown where the specification shows it", () => {
    const showing = shown
      .filter(({ path }) => !OF_THE_API.test(path))
      .filter(
        ({ text, source }) =>
          /\bLABELS\.installations\b/.test(source) ||
          /(?<![\p{L}])Instalaci(?:ón|ones)(?![\p{L}])/u.test(text),
      )
      .map(({ path }) => path);
    expect([...new Set(showing)].sort()).toEqual(Object.keys(INSTALLATIONS).sort());
  });
});
