import { describe, expect, test } from 'vitest';
import { KIND_NOUNS } from '../../text/es.ts';
import { columnTexts, importTexts, resultTexts, reviewTexts } from './imports-texts.ts';

const { clients, licenses, software } = KIND_NOUNS;

describe('texts of an import agree in number and gender (IMPORT-03)', () => {
  test('the result of an import agrees in number and gender', () => {
    expect(resultTexts.done({ created: 98, updated: 2 }, clients)).toBe(
      'Se crearon 98 clientes y se actualizaron 2.',
    );
    expect(resultTexts.done({ created: 1, updated: 1 }, licenses)).toBe(
      'Se creó 1 licencia y se actualizó 1.',
    );
    expect(resultTexts.done({ created: 0, updated: 1 }, licenses)).toBe('Se actualizó 1 licencia.');
    expect(resultTexts.done({ created: 0, updated: 3 }, software)).toBe('Se actualizaron 3 software.');
    expect(resultTexts.done({ created: 1200, updated: 0 }, clients)).toBe('Se crearon 1,200 clientes.');
    expect(resultTexts.done({ created: 0, updated: 0 }, clients)).toBe('No se guardó ningún cambio.');
  });

  test('titles, modes and buttons contain the kind of record and agree with it', () => {
    expect(importTexts.title(licenses)).toBe('Importar licencias');
    expect(columnTexts.modeLabel('create', licenses)).toBe('Crear nuevas');
    expect(columnTexts.modeLabel('create', clients)).toBe('Crear nuevos');
    expect(columnTexts.modeHelp('create', 'licenses')).toBe(
      'Si ya hay una licencia con la misma clave de licencia, la fila se marca como error.',
    );
    expect(columnTexts.modeHelp('update', 'clients')).toContain('un cliente con ese email');
    expect(reviewTexts.run(1, licenses)).toBe('Importar 1 licencia');
    expect(reviewTexts.run(1212, clients)).toBe('Importar 1,212 clientes');
    expect(resultTexts.cancelText(licenses)).toContain('Las licencias que ya se guardaron');
    expect(resultTexts.cancelText(clients)).toContain('Los clientes que ya se guardaron');
  });
});
