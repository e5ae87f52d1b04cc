import { queryOptions } from '@tanstack/react-query';
import type { Certificate } from '../../../contract/licenses/certificate.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';

/** The licence and its certificate. The server creates the code at the first call (LIFE-12). */
export const certificateQuery = (id: number) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'certificate', id],
    queryFn: async ({ signal }): Promise<{ license: License; certificate: Certificate }> => {
      const [license, certificate] = await Promise.all([
        request<License>('GET', apiOf('licenses', id), { signal }),
        request<Certificate>('POST', `${apiOf('licenses', id)}certificate/`, { signal }),
      ]);
      return { license, certificate };
    },
    staleTime: 0,
  });
