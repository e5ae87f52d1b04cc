import { queryOptions } from '@tanstack/react-query';
import type { Certificate } from '../../../contract/licenses/certificate.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';

const path = (id: number) => `/licenses/api/licenses/${id}/`;

/** The licence and its certificate, whose code the server makes at the first call (LIFE-12). */
export const certificateQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'certificate', id],
    queryFn: async ({ signal }): Promise<{ license: License; certificate: Certificate }> => {
      const [license, certificate] = await Promise.all([
        request<License>('GET', path(id), { signal }),
        request<Certificate>('POST', `${path(id)}certificate/`, { signal }),
      ]);
      return { license, certificate };
    },
    staleTime: 0,
  });
