import type { PropertyAccessToken, Token, Value } from 'liquidjs';
import type { FieldErrorCode, FieldFault } from '../../../contract/base/field-errors.ts';
import type { MailKind } from '../../../contract/mail/mails.ts';
import { fault } from '../../errors.ts';
import type { TemplateTexts } from './default-templates.ts';
import {
  type Described,
  type Fields,
  isWhole,
  sampleOf,
  variablesOf,
  type WholeForm,
} from './mail-variables.ts';
import { PLAIN_FRAME, renderTexts } from './render-mail.ts';
import { type Engine, FILTERS, templateEngine } from './template-engine.ts';
import { IS_ADDRESS_AFTER, IS_ADDRESS_BEFORE, MISUSED, Misused, wordBefore } from './whole-values.ts';

/** The errors in a template, by field; each message contains the line. */
type TemplateFaults = { subject?: FieldFault[]; body?: FieldFault[] };

class Fault extends Error {
  readonly token: Token;
  readonly code: FieldErrorCode;

  constructor(message: string, token: Token, code: FieldErrorCode = 'invalid') {
    super(message);
    this.token = token;
    this.code = code;
  }
}

/** The most errors in one answer. */
const FAULTS_MAX = 10;

/**
 * Checks a template before it is stored. First its syntax, and every variable and filter in every branch, also in
 * branches that sample data would not reach. Then whether it renders with complete and with minimal data.
 * @returns messages by field; empty for a valid template
 */
export async function checkTemplate(kind: MailKind, texts: TemplateTexts): Promise<TemplateFaults> {
  const engine = await templateEngine();
  const fields = variablesOf(kind);
  const faults: TemplateFaults = {};
  for (const name of ['subject', 'body'] as const) {
    const found = faultsOf(engine, texts[name], fields);
    if (found.length > 0) faults[name] = found;
  }
  if (faults.subject || faults.body) return faults;
  for (const amount of ['sample', 'least'] as const) {
    const values = sampleOf(fields, amount);
    for (const name of ['subject', 'body'] as const) {
      const tried = { subject: 'x', body: 'x', [name]: texts[name] };
      const result = await renderTexts(tried, values, { fields, frame: PLAIN_FRAME }).catch((error) =>
        error instanceof Misused ? misusedAt(texts[name], error) : at(error),
      );
      if ('code' in result) return { [name]: [result] };
      const isBlank = (name === 'subject' ? result.subject : result.text) === '';
      if (isBlank) return { [name]: [fault('required', EMPTY[name])] };
    }
  }
  return {};
}

const EMPTY = {
  subject: 'línea 1: el asunto queda vacío cuando faltan los datos opcionales',
  body: 'línea 1: el texto queda vacío cuando faltan los datos opcionales',
};

function faultsOf(engine: Engine, text: string, fields: Fields): FieldFault[] {
  try {
    const walk = new Walk(engine);
    walk.templates(engine.parse(text), fields, false);
    return [...walk.faults.values()];
  } catch (error) {
    return [at(error)];
  }
}

type Templates = ReturnType<Engine['parse']>;
type Tag<Name extends 'CaseTag' | 'ForTag' | 'IfTag' | 'UnlessTag'> = InstanceType<Engine['library'][Name]>;

/** Visits all branches of a template, with the variables that exist in each. */
class Walk {
  /** The first errors, each message once. */
  readonly faults = new Map<string, FieldFault>();
  readonly #library: Engine['library'];

  constructor({ library }: Engine) {
    this.#library = library;
  }

  templates(templates: Templates, known: Fields, isLoop: boolean): void {
    const { CaseTag, ForTag, IfTag, Output, UnlessTag } = this.#library;
    for (const node of templates) {
      if (node instanceof Output) this.#collect(() => this.#printed(node, known));
      else if (node instanceof IfTag || node instanceof UnlessTag) this.#condition(node, known, isLoop);
      else if (node instanceof CaseTag) this.#choice(node, known, isLoop);
      else if (node instanceof ForTag) this.#loop(node, known, isLoop);
    }
  }

  #condition(node: Tag<'IfTag'> | Tag<'UnlessTag'>, known: Fields, isLoop: boolean): void {
    for (const { value, templates } of node.branches) {
      this.#collect(() => this.#value(value, known, 'condition'));
      this.templates(templates, known, isLoop);
    }
    this.templates(node.elseTemplates ?? [], known, isLoop);
  }

  #choice(node: Tag<'CaseTag'>, known: Fields, isLoop: boolean): void {
    this.#collect(() => this.#value(node.value, known, 'choice'));
    for (const { values, templates } of node.branches) {
      for (const value of values) this.#collect(() => this.#operand(value, known));
      this.templates(templates, known, isLoop);
    }
    this.templates(node.elseTemplates, known, isLoop);
  }

  #loop(node: Tag<'ForTag'>, known: Fields, isLoop: boolean): void {
    const list = this.#collect(() => {
      if (isLoop) throw new Fault('un ciclo no puede estar dentro de otro', node.token);
      const { collection } = node;
      const found = this.#isVariable(collection) ? lookUp(collection, known) : undefined;
      if (found?.is !== 'list')
        throw new Fault(`un ciclo recorre una lista: ${names(known, 'list')}`, node.token);
      for (const value of Object.values(node.hash.hash)) if (value) this.#operand(value, known);
      return found;
    });
    if (!list) return;
    const item: Described = { is: 'group', fields: list.fields };
    this.templates(node.templates, { ...known, forloop: FORLOOP, [node.variable]: item }, true);
    this.templates(node.elseTemplates, known, isLoop);
  }

  #printed({ value, token }: InstanceType<Engine['library']['Output']>, known: Fields): void {
    const [only, ...more] = value.initial.postfix;
    const isPlain = more.length === 0 && !value.filters.some(({ name }) => FILTERS[name]);
    const found = isPlain && only && this.#isVariable(only) ? lookUp(only, known) : undefined;
    if (found === undefined || !isWhole(found)) {
      this.#value(value, known, 'output');
      return;
    }
    if (!isInPlace(found.is, token))
      throw new Fault(MISUSED[found.is](only!.getText()), token, 'not_allowed');
  }

  /** Checks a value with its filters. A `choice` compares it, a `condition` may only ask if it is there. */
  #value(value: Value, known: Fields, use: 'output' | 'condition' | 'choice'): void {
    const { postfix } = value.initial;
    const asked = use === 'condition' && value.filters.length === 0 ? this.#onlyAskedFor(postfix, known) : [];
    for (const token of postfix) {
      if (token.kind === this.#library.TokenKind.Operator || asked.includes(token)) continue;
      this.#operand(token, known, use === 'output' ? undefined : 'may be a list');
    }
    for (const { name, args } of value.filters) {
      // The engine adds a filter of its own that escapes the value (see `shielded`); it is not in FILTERS.
      const count = FILTERS[name];
      if (!count) continue;
      if (args.length < count[0] || args.length > count[1])
        throw new Fault(`el filtro «${name}» ${countText(count)}`, postfix[0]!);
      for (const argument of args) {
        if (Array.isArray(argument))
          throw new Fault(`el filtro «${name}» no tiene opciones con nombre`, postfix[0]!);
        this.#operand(argument, known);
      }
    }
  }

  /**
   * The whole values of which a condition only asks if they are there: in `{% if a and b == 1 %}` it compares `b`, and
   * only asks for `a`.
   */
  #onlyAskedFor(postfix: readonly Token[], known: Fields): Token[] {
    const stack: Token[] = [];
    const compared = new Set<Token>();
    for (const token of postfix) {
      if (token.kind !== this.#library.TokenKind.Operator) {
        stack.push(token);
        continue;
      }
      const operator = token.getText();
      const operands = operator === 'not' ? [stack.pop()] : [stack.pop(), stack.pop()];
      if (!['not', 'and', 'or'].includes(operator)) for (const one of operands) if (one) compared.add(one);
      stack.push(token);
    }
    return postfix.filter(
      (token) => !compared.has(token) && this.#isVariable(token) && mayBeAskedFor(lookUp(token, known)),
    );
  }

  #operand(token: Token, known: Fields, use?: 'may be a list'): void {
    const { Literal, Number: Digits, Quoted } = this.#library.TokenKind;
    if (token.kind === Literal || token.kind === Digits || token.kind === Quoted) return;
    // Only an interval is left: it is neither a text nor a number nor a variable.
    if (!this.#isVariable(token)) throw new Fault('un intervalo (1..9) no se admite', token);
    const found = lookUp(token, known);
    if (isWhole(found)) throw new Fault(MISUSED[found.is](token.getText()), token, 'not_allowed');
    if (found.is === 'group')
      throw new Fault(
        `«${token.getText()}» tiene partes: escribe ${names(found.fields, 'any', `${token.getText()}.`)}`,
        token,
      );
    if (found.is === 'list' && use !== 'may be a list')
      throw new Fault(
        `«${token.getText()}» es una lista: recórrela con {% for … in ${token.getText()} %}`,
        token,
      );
  }

  #isVariable(token: Token): token is PropertyAccessToken {
    return token.kind === this.#library.TokenKind.PropertyAccess;
  }

  #collect<Result>(work: () => Result): Result | undefined {
    // Once there are enough errors, the rest of the template is not checked.
    if (this.faults.size === FAULTS_MAX) return undefined;
    try {
      return work();
    } catch (error) {
      const found = at(error);
      this.faults.set(found.message, found);
      return undefined;
    }
  }
}

/**
 * The error for a value that is in a wrong place after rendering, for example a link inside code. The line is where the
 * variable's name occurs.
 */
function misusedAt(text: string, { message, variable }: Misused): FieldFault {
  const before = text.slice(0, text.search(new RegExp(`\\{\\{-?\\s*${variable}\\b`)));
  return fault('not_allowed', `línea ${before.split('\n').length}: ${message}`);
}

/** Whether a condition may ask if there is such a value; of one that gives access it may not. */
const mayBeAskedFor = (field: Described): boolean =>
  isWhole(field) && field.is !== 'link' && field.is !== 'code';

/**
 * Whether a whole value is printed where its form allows it, as far as the template's own text shows: a link only as
 * the whole address of a link, an address also alone in a text.
 */
function isInPlace(form: WholeForm, { input, begin, end }: Token): boolean {
  if (form !== 'link' && form !== 'address') return true;
  const before = input.slice(input.lastIndexOf('\n', begin - 1) + 1, begin);
  const [after = ''] = input.slice(end).split('](');
  if (before.endsWith('](') && after.startsWith(')')) return true;
  if (form === 'link') return false;
  const word = wordBefore(withoutTags(before));
  const rest = withoutTags(after);
  // Another printed value beside it: nobody knows what that will be.
  const isPrinted = /[{}]/.test(word) || /^[^\s{]*\{\{/.test(rest);
  return !isPrinted && !IS_ADDRESS_BEFORE.test(word) && !IS_ADDRESS_AFTER.test(rest);
}

/** A part of a template without its conditions and loops. */
const withoutTags = (text: string): string =>
  text
    .split('{%')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('%}') + 2)))
    .join('');

/** The variables that the engine provides inside a loop. */
const FORLOOP: Described = {
  is: 'group',
  fields: Object.fromEntries(
    ['index', 'first', 'last', 'length'].map((name) => [
      name,
      { is: 'number', label: '', sample: 1, least: 1 },
    ]),
  ),
};

const SIZE: Described = { is: 'number', label: '', sample: 1, least: 0 };

/**
 * The description of a variable that a template uses.
 * @throws Fault if the variable does not exist
 */
function lookUp(token: PropertyAccessToken, known: Fields): Described {
  // Created only when it is thrown: a stack trace for each variable would take most of the check's time.
  const unknown = () => new Fault(`la variable «${token.getText()}» no existe`, token, 'unknown_reference');
  if (token.variable) throw unknown();
  let found: Described = { is: 'group', fields: known };
  for (const prop of token.props) {
    // A computed name, as in `client[vendor]`, cannot be checked here.
    if (!('content' in prop)) throw unknown();
    const name = String(prop.content);
    if (found.is === 'list' && name === 'size') found = SIZE;
    else if (found.is === 'group' && Object.hasOwn(found.fields, name)) found = found.fields[name]!;
    else throw unknown();
  }
  return found;
}

/** The list of variables, for a message. */
function names(fields: Fields, kind: 'list' | 'any', prefix = ''): string {
  const found = Object.entries(fields).filter(([, { is }]) => kind === 'any' || is === kind);
  if (found.length === 0) return 'este correo no tiene ninguna';
  return found.map(([name]) => `${prefix}${name}`).join(', ');
}

const countText = ([least, most]: readonly [number, number]): string => {
  if (most === 0) return 'no lleva ningún valor';
  if (least === most) return 'lleva un valor';
  return `lleva de ${least} a ${most} valores`;
};

/**
 * The line of a token. The engine's own function goes through the text letter by letter, which is slow with two
 * thousand errors.
 */
function lineOf({ input, begin }: Token): number {
  let line = 1;
  for (let at = input.indexOf('\n'); at >= 0 && at < begin; at = input.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** An error as a message with its line. */
function at(error: unknown): FieldFault {
  // The cast is safe: the engine and the walk throw only errors; errors about the engine's limits may have no token.
  const thrown = error as Error & { token?: Token };
  const { token } = thrown;
  const line = token ? lineOf(token) : 1;
  return thrown instanceof Fault
    ? fault(thrown.code, `línea ${line}: ${thrown.message}`)
    : fault('invalid', `línea ${line}: ${translated(thrown, token)}`);
}

/** Translations of the engine's messages, by their beginning. */
const TRANSLATIONS: [pattern: RegExp, text: (name: string) => string][] = [
  [/^tag "(?:end(\w+))" not found/, (name) => `sobra {% end${name} %}: no hay ningún {% ${name} %} abierto`],
  [/^tag "(else|elsif|when)" not found/, (name) => `{% ${name} %} está fuera de una condición`],
  [/^tag "([^"]*)" not found/, (name) => `la instrucción «${name}» no existe`],
  [/^undefined filter: (\S+?),?(?: |$)/, (name) => `el filtro «${name}» no existe; existen ${FILTER_NAMES}`],
  [/^undefined variable: (\S+?),?(?: |$)/, (name) => `la variable «${name}» no existe`],
  [/^output "([^"]*)/, (name) => `falta cerrar «${name}» con }}`],
  [/^tag "([^"]*)/, (name) => `falta cerrar «${name}» con %}`],
  [/^tag \{%-?\s*(\w+)/, (name) => `falta cerrar {% ${name} %} con {% end${name} %}`],
  [/limit exceeded/, () => 'la plantilla pide demasiado trabajo: acórtala'],
];

const FILTER_NAMES = Object.keys(FILTERS).join(', ');

function translated({ message }: Error, token: Token | undefined): string {
  for (const [pattern, text] of TRANSLATIONS) {
    const match = pattern.exec(message);
    if (match) return text(match[1] ?? '');
  }
  const part = token?.getText().replace(/\s+/g, ' ').slice(0, 60) ?? '';
  return part === '' ? 'la sintaxis no es correcta' : `la sintaxis no es correcta: «${part}»`;
}
