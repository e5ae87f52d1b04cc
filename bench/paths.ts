import type { HttpRequest } from './load.ts';
import { keyOf, METERED, type Size } from './seed.ts';

/** A measured path: a request to the product, and the comparable request to the floor server. */
export type Path = {
  name: string;
  /** True: called with a session; false: with a licence key only (D009). */
  staff: boolean;
  product: () => HttpRequest;
  floor: () => HttpRequest;
  /** What the floor executes: the same statements, a full scan, or a write of one durable row. */
  against: 'same statements' | 'scan' | 'durable row';
  /** The target for the ratio. Heartbeats exceed it, because they share commits. */
  target?: number;
};

const get = (path: string): HttpRequest => ({ method: 'GET', path });
const post = (path: string, body: unknown): HttpRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});

/**
 * The measured paths for data of a given size. Counters continue across rounds, so that no machine repeats its call
 * too soon.
 */
export function pathsOn(size: Size): Path[] {
  const keys = Array.from({ length: size.licenses }, (_, index) => keyOf(index));
  const anyOf = (count: number) => Math.floor(Math.random() * count);
  const anyMachine = () => ({ license_key: keys[anyOf(size.licenses)], machine_id: `maquina-${anyOf(2)}` });
  const counter = () => {
    let value = 0;
    return () => {
      value += 1;
      return value;
    };
  };

  const run = Date.now().toString(36);
  const machines = [counter(), counter()] as const;
  const nextMachine = (next: () => number) => {
    const number = next();
    const index = Math.floor(number / 2) % size.licenses;
    return { license_key: keys[index], machine_id: `maquina-${number % 2}` };
  };
  const uses = counter();
  /** A machine with a seat of a usable licence that has a meter: from the newer half, not suspended. */
  const meteredMachine = (number: number) => {
    const first = Math.ceil((size.licenses * 0.55) / METERED);
    const slot = Math.floor(number / 2) % (Math.floor(size.licenses / METERED) - first - 1);
    const index = (first + slot) * METERED;
    return {
      license_key: keys[index % 12 === 0 ? index + METERED : index],
      machine_id: `maquina-${number % 2}`,
    };
  };
  const nextUse = () => {
    const number = uses();
    const record = { code: 'facturas', amount: 1, request_id: `${run}-uso-${number}` };
    return { ...meteredMachine(number), records: [record] };
  };
  const seats = [counter(), counter()] as const;
  /** A usable licence (from the newer half, not suspended), and a new machine without a seat. */
  const newMachine = (next: () => number, word: string) => {
    const number = next();
    const first = Math.ceil((size.licenses * 0.55) / 12);
    const dozens = Math.floor(size.licenses / 12) - first;
    const slot = number % (dozens * 11);
    const index = (first + Math.floor(slot / 11)) * 12 + 1 + (slot % 11);
    return { license_key: keys[index], machine_id: `${word}-${number}` };
  };
  const clients = [counter(), counter()] as const;
  const newClient = (next: () => number, run: string) => {
    const number = next();
    return {
      name: `Cliente de prueba ${number}`,
      email: `prueba${run}${number}@example.com`,
      phone: '+525512345678',
    };
  };
  const issued = counter();

  return [
    {
      name: 'validate',
      staff: false,
      product: () => post('/licenses/api/license/validate/', anyMachine()),
      floor: () => post('/validate', anyMachine()),
      against: 'same statements',
      target: 0.6,
    },
    {
      name: 'heartbeat (written)',
      staff: false,
      product: () => post('/licenses/api/installation/heartbeat/', nextMachine(machines[0])),
      floor: () => post('/write', {}),
      against: 'durable row',
      target: 1,
    },
    {
      name: 'usage (one record)',
      staff: false,
      product: () => post('/licenses/api/usage/', nextUse()),
      floor: () => post('/write', {}),
      against: 'durable row',
    },
    {
      name: 'activate',
      staff: false,
      product: () => post('/licenses/api/installations/', newMachine(seats[0], 'nueva')),
      floor: () => post('/activate', newMachine(seats[1], 'otra')),
      against: 'same statements',
    },
    {
      name: 'licences page with total',
      staff: true,
      product: () => get('/licenses/api/licenses/?page=1&page_size=5'),
      floor: () => get('/licenses'),
      against: 'same statements',
      target: 0.6,
    },
    {
      name: 'clients search, 1 % hits',
      staff: true,
      product: () => get('/licenses/api/clients/?search=quetzal&page=1&page_size=5'),
      floor: () => get('/clients?search=quetzal'),
      against: 'scan',
      target: 10,
    },
    {
      name: 'clients search, one hit',
      staff: true,
      product: () => get(`/licenses/api/clients/?search=cliente${anyOf(size.clients)}@&page=1&page_size=5`),
      floor: () => get(`/clients?search=cliente${anyOf(size.clients)}@`),
      against: 'scan',
      target: 10,
    },
    {
      name: 'client details',
      staff: true,
      product: () => get(`/licenses/api/clients/${1 + anyOf(size.clients)}/`),
      floor: () => get(`/clients/${1 + anyOf(size.clients)}`),
      against: 'same statements',
    },
    {
      name: 'statistics',
      staff: true,
      product: () => get('/licenses/api/statistics/'),
      floor: () => get('/statistics'),
      against: 'same statements',
    },
    {
      name: 'create a client',
      staff: true,
      product: () => post('/licenses/api/clients/', newClient(clients[0], run)),
      floor: () => post('/write', {}),
      against: 'durable row',
      target: 0.6,
    },
    {
      name: 'create a licence and its message',
      staff: true,
      product: () =>
        post('/licenses/api/licenses/', {
          client: 1 + anyOf(size.clients),
          software: 1,
          license_type_config: 1,
          license_type: 'premium',
          price: 1200,
        }),
      floor: () => post('/licenses', { client: 1 + anyOf(size.clients), key: `FLOOR-${run}-${issued()}` }),
      against: 'same statements',
    },
  ];
}
