import type { z } from 'zod';

/**
 * Messages for values whose schema defines none. The texts of zod name its own types ('se esperaba registro, recibido
 * indefinido'), which users do not understand.
 */

const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  string: 'Escribe un texto',
  number: 'Escribe un número',
  int: 'Escribe un número entero',
  boolean: 'Indica true o false',
  array: 'Indica una lista',
  object: 'Indica un objeto con sus campos',
  record: 'Indica un objeto con sus campos',
};

const SCHEMA_MESSAGES = {
  missing: 'Falta este dato',
  invalid: 'El valor no es válido',
  format: 'El formato no es válido',
  choice: (values: readonly string[]) => `Elige una de estas opciones: ${values.join(', ')}`,
  unknown: (names: readonly string[]) =>
    names.length === 1 ? `No existe el campo «${names[0]}»` : `No existen los campos «${names.join('», «')}»`,
  tooLong: (most: string) => `No puede exceder ${most} caracteres`,
  tooShort: (least: string) => `Escribe al menos ${least} caracteres`,
  tooMany: (most: string) => `Indica como máximo ${most} elementos`,
  tooFew: (least: string) => `Indica al menos ${least} elementos`,
  tooLarge: (most: string, inclusive: boolean) =>
    `El número debe ser ${inclusive ? 'como máximo' : 'menor que'} ${most}`,
  tooSmall: (least: string, inclusive: boolean) =>
    `El número debe ser ${inclusive ? 'como mínimo' : 'mayor que'} ${least}`,
} as const;

/**
 * The message of an issue for which the schema has no message.
 * @returns a sentence in Spanish
 */
export function schemaMessage(issue: z.core.$ZodRawIssue): string {
  const texts = SCHEMA_MESSAGES;
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return texts.missing;
      return TYPE_MESSAGES[issue.expected] ?? texts.invalid;
    case 'invalid_value':
      return texts.choice(issue.values.map(String));
    case 'too_big': {
      const most = String(issue.maximum);
      if (issue.origin === 'string') return texts.tooLong(most);
      if (issue.origin === 'array' || issue.origin === 'set') return texts.tooMany(most);
      return texts.tooLarge(most, issue.inclusive !== false);
    }
    case 'too_small': {
      const least = String(issue.minimum);
      if (issue.origin === 'string') return texts.tooShort(least);
      if (issue.origin === 'array' || issue.origin === 'set') return texts.tooFew(least);
      return texts.tooSmall(least, issue.inclusive !== false);
    }
    case 'invalid_format':
      return texts.format;
    case 'unrecognized_keys':
      return texts.unknown(issue.keys);
    default:
      return issue.input === undefined || issue.input === null ? texts.missing : texts.invalid;
  }
}
