import { describe, expect, it } from 'vitest';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import { readLicense } from './read-license.ts';

describe('forms of a licence in server answers', () => {
  it('relations as ids with flat names beside them, and numbers as text, are read', () => {
    const license = readLicense({
      client: 7,
      client_name: 'Ana',
      client_email: 'ana@example.com',
      software: 8,
      software_name: 'Caja',
      software_version: '2',
      price: '80.50',
      original_price: null,
      discount_percentage: '12.50',
      max_installations: 5,
      current_installations: 2,
      days_remaining: null,
      expiry_date: null,
      // Older servers do not send these fields.
    } as unknown as LicenseAnswer);
    expect(license).toMatchObject({
      client: { id: 7, name: 'Ana', email: 'ana@example.com', company: '' },
      software: { id: 8, name: 'Caja', version: '2' },
      price: 80.5,
      discount_percentage: 12.5,
      remaining_installations: 3,
      notes: '',
      email_status: null,
      email_transport: null,
    });
  });

  it('nested relations without the flat names are read', () => {
    const license = readLicense({
      client: { id: 7, name: 'Ana', email: 'ana@example.com', company: 'Espiga' },
      software: { id: 8, name: 'Caja', version: '2', description: 'Cobra' },
    } as unknown as LicenseAnswer);
    expect(license).toMatchObject({
      client_name: 'Ana',
      client_email: 'ana@example.com',
      software_name: 'Caja',
      software_description: 'Cobra',
    });
  });
});
