import { describe, expect, test } from 'vitest';
import { readSources, textsOf } from '../../tools/shown-texts.ts';

/**
 * Checks that texts use one word for each thing, 'equipo' for a computer and 'lugar' for a seat, and that a phrase is
 * written once.
 */

/** Texts of the API's description, which uses the specification's word 'instalación'. */
const OF_THE_API = /^server\/http\/openapi-words\//;

const ANOTHER_WORD = /(?<![\p{L}/.=-])(máquinas?|computadoras?|asientos?|instalaci(?:ón|ones))(?![\p{L}-])/iu;
/** In the description of the API an installation is a record. */
const ANOTHER_WORD_OF_API = /(?<![\p{L}])(máquinas?|computadoras?|asientos?)(?![\p{L}])/iu;

/** Texts that the specification requires literally. */
const OF_THE_SPECIFICATION = new Set([
  // SEED-2.7-03, SEED-2.8-11, decisions.md: a tab, a counter, a column
  'Instalaciones',
  // SEED-2.7-27
  'No hay instalaciones',
  'Este cliente no tiene instalaciones registradas.',
  // SEED-5.5-05
  'El máximo de instalaciones debe ser mayor a 0',
  'Máximo de Instalaciones',
  // The cells of the types: '5 instalaciones'
  'instalación',
  'instalaciones',
  '5 instalaciones',
  '1 instalación',
  // D009
  'Se alcanzó el máximo de instalaciones',
  // LIST-03: the names of two ready views
  'Sin instalaciones',
  'Asientos completos',
]);

/** The names of columns in exported files, which other programs read. */
const OF_FILES = new Set(['Asientos', 'Licencias sin instalaciones']);
/** The headers that an import recognises, separated by commas. */
const isOfImports = (path: string, text: string) =>
  /^contract\/(?:imports\/|.*\.file\.ts)/.test(path) && text.includes(',');

const sources = readSources();

const faultsIn = (path: string, source: string) =>
  textsOf(path, source)
    .filter((text) => (OF_THE_API.test(path) ? ANOTHER_WORD_OF_API : ANOTHER_WORD).test(text))
    .filter(
      (text) => !OF_THE_SPECIFICATION.has(text.trim()) && !OF_FILES.has(text) && !isOfImports(path, text),
    )
    .map((text) => `${path}: ${text}`);

describe('the Spanish texts', () => {
  test('the check finds a word in a string, a template and markup', () => {
    const source = "const a = 'Una máquina'; const b = `${a} asientos`; const c = <p>La computadora</p>;";
    expect(faultsIn('web/a.tsx', source)).toHaveLength(3);
    expect(faultsIn('web/a.tsx', "const a = 'Instalaciones'; const b = 'maquinaria';")).toEqual([]);
  });

  test('use one word for one thing, except in the texts of the specification', () => {
    expect(sources.size).toBeGreaterThan(500);
    expect([...sources].flatMap(([path, source]) => faultsIn(path, source))).toEqual([]);
  });
});

/** A word or sentence as people see it: it begins with a capital letter, or has letters that only Spanish has. */
const SHOWN = /^[\p{Lu}¿¡«][\p{Ll}]{2,}|[áéíóúñ]/u;
/** The English descriptions of the API, and the groups of its calls, whose names the type `Tag` holds together. */
const OF_THE_DOCUMENT = /^server\/http\/openapi-words\/|\.about\.ts$/;
const withoutTags = (source: string) =>
  source.replace(/\b(routesOf\(|tags: \[|tag: |meta\(\{ id: )'[^']*'/g, "$1''");

/** How many files write a phrase, whatever its capitals, for those that three or more files write. */
function repeatedIn(sources: ReadonlyMap<string, string>): Map<string, number> {
  const known = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    if (OF_THE_DOCUMENT.test(path)) continue;
    for (const text of textsOf(path, withoutTags(source)).map((text) => text.trim())) {
      if (text.length < 4 || !SHOWN.test(text)) continue;
      const phrase = text.toLowerCase();
      known.set(phrase, (known.get(phrase) ?? new Set()).add(path));
    }
  }
  return new Map([...known].flatMap(([phrase, { size }]) => (size < 3 ? [] : [[phrase, size]])));
}

/**
 * The phrases that three or more files still write, by the reason. Whoever makes one of them stand once removes it here;
 * a new one belongs to what says it already: the labels of a kind, contract/base/labels.ts, KIND_NOUNS, web/text/es.ts.
 */
const WRITTEN_AGAIN: Record<string, readonly string[]> = {
  'The specification, or a name that code must write itself': [
    'unauthorized',
    'bearer',
    'idempotency-key',
    'license manager',
    'postgresql',
    'escape',
    'enter',
    'arrowdown',
  ],
  'Parts of sentences, and plain words that mean something else in each place': [
    'falta',
    'faltan',
    'quedan',
    'vence',
    'venció',
    'días',
    'más de',
    'línea',
    'se admiten como máximo',
    'desde',
    'hasta',
    'quitar',
    'ninguna',
    'cuándo',
    'total',
    'activas',
    'equipo',
    'individual',
    'prueba',
    'correo',
    'contacto',
    'resultado',
    'importe',
    'campo',
    'registro',
    'configuración',
    'sistema',
    'pago',
    'pagos',
    'usuario',
    'administrador',
    'sin límite',
  ],
  'Sample data': ['maría fernanda ríos', 'punto de venta', 'caja 2', 'tienda en línea', 'méxico'],
  'What happened to a record: its mail, its history, its action, its permission': [
    'licencia emitida',
    'licencia renovada',
    'renovación deshecha',
    'prórroga',
    'licencia suspendida',
    'licencia reactivada',
    'licencia cancelada',
    'archivo sin conexión',
    'sesión cerrada',
    'liberar equipos',
    'persona',
    'motivo',
    'cancelar',
  ],
  'Pages that load only their own words: the public certificate, the portal, the sign-in': [
    'cliente',
    'software',
    'estado',
    'tipo',
    'tipo de licencia',
    'licencia no encontrada',
    'código de verificación',
    'reintentar',
    'cargando...',
    'contraseña',
    'verificación en dos pasos',
    'avisos de vencimiento',
    'régimen fiscal',
  ],
  'Screens that load apart': ['resumen', 'base de datos', 'correos'],
  'A code of errors, and the verdict on a licence': ['se alcanzó el máximo de instalaciones'],
};

describe('a phrase', () => {
  test('is found in strings, templates and markup, whatever its capitals', () => {
    const of = (...sources: string[]) =>
      [...repeatedIn(new Map(sources.map((source, at) => [`web/${at}.tsx`, source])))].join();
    const [literal, template] = ["const a = 'Clave de licencia';", 'const a = `Clave de Licencia${b}`;'];
    expect(of(literal, template, 'const a = <p>Clave de licencia</p>;')).toBe('clave de licencia,3');
    expect(of(literal, template, literal.repeat(1))).toBe('clave de licencia,3');
    expect(of(literal, literal)).toBe('');
    expect(of("routesOf('Clientes')", "a({ tags: ['Clientes'] })", "const a = { tag: 'Clientes' };")).toBe(
      '',
    );
  });

  test('is written in one place, or in two that load apart', () => {
    const allowed = Object.values(WRITTEN_AGAIN).flat();
    const repeated = repeatedIn(sources);
    expect([...repeated.keys()].filter((phrase) => !allowed.includes(phrase))).toEqual([]);
    // A phrase that stands once now must leave the list, so that the list only becomes shorter.
    expect(allowed.filter((phrase) => !repeated.has(phrase))).toEqual([]);
  });
});
