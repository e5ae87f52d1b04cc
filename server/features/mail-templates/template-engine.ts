import type { Context, Liquid, Template } from 'liquidjs';

/**
 * The template language: LiquidJS, reduced to what mails need: conditions, loops over given lists, and eight text
 * filters. It has no files, no other templates and no variables of templates themselves, so a template can only read
 * the values that it is given (docs/decisions/033-mail-templates.md).
 */

/** The tags, by the parser's names. */
const TAGS = ['if', 'unless', 'case', 'for', 'break', 'continue', 'comment'];

/** The filters, each with its smallest and largest number of arguments. */
export const FILTERS: Readonly<Record<string, readonly [number, number]>> = {
  append: [1, 1],
  capitalize: [0, 0],
  default: [1, 1],
  downcase: [0, 0],
  prepend: [1, 1],
  strip: [0, 0],
  truncate: [0, 2],
  upcase: [0, 0],
};

/**
 * Limits of a render: the number of characters, where each printed value counts as {@link VALUE_COST} more, and the
 * time. A loop may not contain another, and a list has at most 200 items (500 keys in a batch). So the number of
 * characters ends a render long before the time does, with the same result on every machine.
 */
const LIMITS = { memoryLimit: 2_000_000, renderLimit: 5000 };
const VALUE_COST = 40;

/** The first character of the private-use area that replaces ASCII in values: see {@link shielded}. */
const SHIELD = 0xe000;
const SHIELDS = /[\ue000-\ue07f]/g;

/** Stand around a printed text until the HTML part makes <bdi> of them (INPUT-13); everything else drops them. */
const [TEXT_BEGINS, TEXT_ENDS] = ['\ue080', '\ue081'];
const RESERVED = /[\ue000-\ue081]/g;

/**
 * A value that a template can only print, and only whole. Every filter, and every comparison that looks into a text,
 * turns its value into a text first, which throws here; so nothing of it can be cut off, compared or put elsewhere.
 */
export class Whole {
  readonly #printed: string;

  constructor(printed: string) {
    this.#printed = printed;
  }

  toString(): never {
    throw new Error('the template takes a value apart that may only be used whole');
  }

  static printedOf(value: unknown): unknown {
    return value instanceof Whole ? value.#printed : value;
  }
}

/**
 * Protects a value from the markup: each ASCII character except letters and digits is moved into Unicode's
 * private-use area. {@link unshielded} reverses this after the markup was read.
 */
function shielded(this: { context: Context }, given: unknown): string {
  const value = Whole.printedOf(given);
  const text = value === null || value === undefined ? '' : String(value);
  this.context.memoryLimit.use(VALUE_COST + text.length);
  const shown = text
    .replace(RESERVED, '')
    .replace(/\s+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are dropped here
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(/[ -/:-@[-`{-~]/g, (character) => String.fromCharCode(SHIELD + character.charCodeAt(0)));
  // Figures need no isolation, and a placeholder must stand alone.
  return given instanceof Whole || !/\p{L}/u.test(shown) ? shown : `${TEXT_BEGINS}${shown}${TEXT_ENDS}`;
}

/** The reverse of {@link shielded}. */
export const unshielded = (text: string): string =>
  text.replace(SHIELDS, (character) => String.fromCharCode(character.charCodeAt(0) - SHIELD));

/** A text of the markup without the marks around its values. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(TEXT_BEGINS, '').replaceAll(TEXT_ENDS, '');

/** An escaped text of the markup as HTML: each value is isolated from the direction of the text around it. */
export const isolated = (html: string): string =>
  html.replaceAll(TEXT_BEGINS, '<bdi>').replaceAll(TEXT_ENDS, '</bdi>');

export type Engine = {
  /** @throws LiquidError with the wrong token */
  parse: (text: string) => Template[];
  /** @throws LiquidError with the wrong token, also if the template exceeds a limit */
  render: (template: Template[], variables: Record<string, unknown>) => string;
  library: typeof import('liquidjs');
};

let loaded: Promise<Engine> | undefined;

/** The engine, loaded with the first mail, to save memory in servers that send none. */
export const templateEngine = (): Promise<Engine> => {
  loaded ??= load();
  return loaded;
};

async function load(): Promise<Engine> {
  const library = await import('liquidjs');
  const liquid: Liquid = new library.Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape: shielded,
    relativeReference: false,
    dynamicPartials: false,
    // No template includes another; the empty object prevents the engine from reading files.
    templates: {},
    parseLimit: 100_000,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!(name in FILTERS)) liquid.unregisterFilter(name);
  return {
    parse: (text) => liquid.parse(text.replace(RESERVED, '')),
    render: (template, variables) => liquid.renderSync(template, variables, LIMITS),
    library,
  };
}
