import { describe, expect, it } from 'vitest';
import { featureErrors, featuresOf, featuresToForm, lineErrors, writeLines } from './feature-lines.ts';

describe('the lines of features', { tags: ['PROG-04'] }, () => {
  it('features are converted to form lines and back without losing their types', () => {
    const features = { modulo_nomina: true, demo: false, usuarios: 25, plan: 'Oro', vacio: '' };
    expect(featuresOf(featuresToForm(features))).toEqual(features);
    expect(featuresToForm(undefined)).toBe('[]');
  });

  it('an invalid line shows its error', () => {
    const lines = [
      { code: 'usuarios', kind: 'integer', value: '2.5' },
      { code: 'usuarios', kind: 'text', value: 'a'.repeat(201) },
      { code: 'Módulo', kind: 'boolean', value: 'true' },
      { code: ' bien ', kind: 'integer', value: ' -3 ' },
      { code: 'constructor', kind: 'integer', value: '' },
    ] as const;
    const code = 'El código lleva de 1 a 50 letras minúsculas sin acento, números o guiones bajos';
    expect(lineErrors(lines)).toEqual([
      { value: 'Escribe un número entero' },
      { code: 'Este código ya está en la lista', value: 'No puede exceder 200 caracteres' },
      { code },
      {},
      { code, value: 'Escribe un número entero' },
    ]);
    expect(featureErrors(writeLines(lines))).toEqual({ features: ['Corrige las líneas marcadas'] });
    expect(featuresOf(writeLines([lines[3]]))).toEqual({ bien: -3 });
  });

  it('more than 100 features are refused', () => {
    const lines = Array.from({ length: 101 }, (_, index) => ({
      code: `f${index}`,
      kind: 'boolean' as const,
      value: 'true',
    }));
    expect(featureErrors(writeLines(lines))).toEqual({
      features: ['Se admiten como máximo 100 características'],
    });
    expect(featureErrors(writeLines(lines.slice(1)))).toEqual({});
  });
});
