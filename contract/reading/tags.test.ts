import { describe, expect, test } from 'vitest';
import { cleanTag, eachTagOnce, tagKey, tagsIn, tagsInCell, writtenTags } from './tags.ts';

describe('tags', { tags: ['DESK-03'] }, () => {
  test('fold alike without case, accents and further spaces; signs count', () => {
    for (const spelling of [
      'VIP Norte',
      'vip  norte',
      ' Víp\u00a0NORTE ',
      'Vi\u0301p Norte',
      '\u200eVIP Norte',
    ])
      expect(tagKey(spelling)).toBe('vip norte');
    expect(tagKey('C++')).not.toBe(tagKey('C#'));
    expect(tagKey('\u0301')).toBe('');
    expect(cleanTag('Cafe\u0301 \t de  olla')).toBe('Café de olla');
  });

  test('stand in one cell between semicolons, and come out of it again', () => {
    expect(tagsIn('VIP; moroso ;;\r\nNorte, centro')).toEqual(['VIP', 'moroso', 'Norte, centro']);
    expect(tagsIn(' ; ')).toEqual([]);
    expect(tagsInCell('"VIP", "Norte, centro",""')).toEqual(['VIP', 'Norte, centro']);
    expect(tagsInCell('"VIP";Norte')).toEqual(['"VIP"', 'Norte']);
    expect(tagsIn(writtenTags(['VIP', 'Norte, centro']))).toEqual(['VIP', 'Norte, centro']);
  });

  test('stand once in a list, in their first spelling and place', () => {
    expect(eachTagOnce(['vip', 'Moroso', 'VIP', 'móroso', 'Norte'])).toEqual(['vip', 'Moroso', 'Norte']);
  });
});
