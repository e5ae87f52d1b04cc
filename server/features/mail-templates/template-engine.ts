import type { Context, Liquid, Template } from 'liquidjs';

/**
 * The language of templates: LiquidJS, reduced to what a mail needs. There are conditions and loops over lists that
 * are given, and eight filters for texts. There are no files, no other templates and no own variables, so nothing in
 * a template can read what it is not given (docs/decisions/033-mail-templates.md).
 */

/** The tags, as the parser names them. */
const TAGS = ['if', 'unless', 'case', 'for', 'break', 'continue', 'comment'];

/** The filters, each with its least and greatest number of arguments. */
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
 * What a render may cost: so many characters, where each value that is printed counts as forty more. A loop may not
 * contain another and a list has at most 200 items (500 keys of one batch), so this ends a render long before the time does, and the same on
 * every machine.
 */
const LIMITS = { memoryLimit: 2_000_000, renderLimit: 5000 };
const VALUE_COST = 40;

/** Where values begin in Unicode's private area: see {@link shielded}. */
const SHIELD = 0xe000;
const SHIELDS = /[\ue000-\ue07f]/g;

/**
 * A value in which no character means anything to the markup: each ASCII character but letters and digits is moved
 * into Unicode's private area. {@link unshielded} moves it back after the markup is read.
 */
function shielded(this: { context: Context }, value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  this.context.memoryLimit.use(VALUE_COST + text.length);
  return (
    text
      .replace(SHIELDS, '')
      .replace(/\s+/g, ' ')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are dropped here
      .replace(/[\u0000-\u001f\u007f]/g, '')
      .replace(/[ -/:-@[-`{-~]/g, (character) => String.fromCharCode(SHIELD + character.charCodeAt(0)))
  );
}

/** Ends what {@link shielded} did. */
export const unshielded = (text: string): string =>
  text.replace(SHIELDS, (character) => String.fromCharCode(character.charCodeAt(0) - SHIELD));

export type Engine = {
  /** @throws LiquidError with the token at fault */
  parse: (text: string) => Template[];
  /** @throws LiquidError with the token at fault, also where the template costs too much */
  render: (template: Template[], variables: Record<string, unknown>) => string;
  library: typeof import('liquidjs');
};

let loaded: Promise<Engine> | undefined;

/** The engine; it is loaded with the first mail, to save memory in servers that send none. */
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
    // No template names another; this keeps the engine from the file system.
    templates: {},
    parseLimit: 100_000,
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!(name in FILTERS)) liquid.unregisterFilter(name);
  return {
    parse: (text) => liquid.parse(text.replace(SHIELDS, '')),
    render: (template, variables) => liquid.renderSync(template, variables, LIMITS),
    library,
  };
}
