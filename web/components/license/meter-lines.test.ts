import { describe, expect, it } from 'vitest';
import { meterErrors, meterLineErrors, metersOf, metersToForm, writeMeterLines } from './meter-lines.ts';

const LINE = { code: 'facturas', limit: '500', period: 'month', overage: 'refuse' } as const;

describe('the lines of meters', { tags: ['SELL-03'] }, () => {
  it('meters are converted to form lines and back unchanged', () => {
    const meters = {
      facturas: { limit: 500, period: 'month', overage: 'refuse' },
      timbres: { limit: null, period: 'never', overage: 'allow' },
    } as const;
    expect(metersOf(metersToForm(meters))).toEqual(meters);
    expect(metersToForm(undefined)).toBe('[]');
  });

  it('a wrong code, a repeated code and a limit that is no whole number show errors at their lines', () => {
    const lines = [LINE, LINE, { ...LINE, code: 'Á' }, { ...LINE, code: 'b', limit: '1.5' }];
    const errors = meterLineErrors(lines);
    expect(errors.map((line) => Object.keys(line))).toEqual([[], ['code'], ['code'], ['limit']]);
    expect(meterErrors(writeMeterLines(lines))).toEqual({ meters: ['Corrige las líneas marcadas'] });
    expect(meterErrors(writeMeterLines([LINE]))).toEqual({});
  });

  it('more than 20 meters are refused', () => {
    const lines = Array.from({ length: 21 }, (_, index) => ({ ...LINE, code: `c${index}` }));
    expect(meterErrors(writeMeterLines(lines))).toEqual({
      meters: ['Se admiten como máximo 20 contadores'],
    });
  });
});
