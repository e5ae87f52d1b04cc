import type { Features, FeatureValue } from '../../contract/licenses/features.ts';

/** The texts of features: codes with values that the vendor's program reads (PROG-04). */
export const featureTexts = {
  help: 'Lo que el programa puede ofrecer, por código: módulos, límites o textos',
  helpNew: 'Lo que el programa puede ofrecer, por código. Sin ninguna: las del tipo',
  none: 'Sin características',
  add: 'Agregar característica',
  code: 'Código',
  kind: 'Clase',
  value: 'Valor',
  kinds: { boolean: 'Sí o no', integer: 'Número entero', text: 'Texto' },
  /** The number of the line, from 1, makes the names of its inputs unique. */
  ofLine: (label: string, number: number) => `${label} de la característica ${number}`,
  remove: (code: string, number: number) => `Quitar ${code === '' ? `la característica ${number}` : code}`,
  integer: 'Escribe un número entero',
  fix: 'Corrige las líneas marcadas',
} as const;

/** 'Sí', '25', 'anual'. */
export const featureInWords = (value: FeatureValue): string =>
  typeof value === 'boolean' ? (value ? 'Sí' : 'No') : String(value);

/** 'modulo_nomina: Sí, usuarios: 25'; empty if there are no features. */
export const featuresInWords = (features: Features): string =>
  Object.entries(features)
    .map(([code, value]) => `${code}: ${featureInWords(value)}`)
    .join(', ');
