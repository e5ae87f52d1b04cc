import type { LicenseCategory } from '../../../contract/licenses/licenses.fields.ts';

/** One step in the life of a sample licence, `days` days ago. */
export type SampleStep = { days: number } & (
  | { did: 'renew'; reason?: string; type?: number; category?: LicenseCategory }
  | { did: 'extend'; by: number; reason: string }
  | { did: 'suspend'; reason: string }
  | { did: 'reinstate'; extend: boolean }
  | { did: 'cancel'; reason: string }
  | { did: 'transfer'; client: number; reason: string }
  | { did: 'change'; values: { status?: 'expired'; max_installations?: number; notes?: string } }
  | { did: 'install'; machine: string }
  | { did: 'release'; machine: string }
);

export type SampleLicense = {
  key: string;
  /** Positions in the lists of sample-records.ts. */
  client: number;
  software: number;
  type: number;
  category: LicenseCategory;
  /** How many days ago it was issued. */
  days: number;
  /** Installed on the day after the issue. */
  machines: string[];
  /** The later steps, oldest first. */
  since?: SampleStep[];
};

/**
 * The sample licences and their steps: renewed early and late, a trial that was bought, extended, suspended,
 * reinstated, cancelled, transferred, ended, and in its grace period.
 */
// biome-ignore format: the columns are aligned
export const LICENSES: SampleLicense[] = [
  { key: 'DEMAA-22222-33333-44444-55555', client: 0, software: 0, type: 1, category: 'premium', days: 300, machines: ['caja-01', 'caja-02'] },
  { key: 'K7QMW-3XH9D-PV4TB-8RFCN-2YJ6L', client: 1, software: 2, type: 1, category: 'premium', days: 382, machines: ['mostrador-1', 'bodega'], since: [
    { days: 90, did: 'change', values: { max_installations: 8, notes: 'Abrieron una sucursal en Zapopan.' } },
    { days: 84, did: 'install', machine: 'zapopan-1' },
    { days: 26, did: 'renew', reason: 'Pagó por transferencia' },
  ] },
  { key: 'T9BXC-6WNPD-4HQ7K-VMR3F-Y2J8G', client: 2, software: 0, type: 1, category: 'premium', days: 255, machines: ['tienda-caja'] },
  { key: 'M4FZJ-8KTRW-C6VYH-3QPXN-9DB7S', client: 3, software: 1, type: 2, category: 'enterprise', days: 398, machines: ['rh-01', 'rh-02', 'rh-03', 'planta-00', 'planta-02'], since: [
    { days: 45, did: 'release', machine: 'planta-00' },
    { days: 44, did: 'install', machine: 'planta-01' },
    { days: 31, did: 'renew', reason: 'Contrato marco, segundo año' },
  ] },
  { key: 'W2HDG-7PXMK-N9QTC-5BVFR-J8Y4L', client: 3, software: 2, type: 2, category: 'enterprise', days: 230, machines: ['bodega-a', 'bodega-b', 'bodega-c'] },
  { key: 'Q8VNB-4JYKT-X7MRD-2HWCP-6FG9Z', client: 4, software: 3, type: 1, category: 'premium', days: 200, machines: ['mostrador', 'consultorio-1', 'consultorio-2'], since: [
    { days: 60, did: 'suspend', reason: 'Remodelan el consultorio y piden una pausa' },
    { days: 46, did: 'reinstate', extend: true },
  ] },
  { key: 'F5TKP-9RWXJ-3DBQM-7NHVC-Y4G8S', client: 5, software: 2, type: 4, category: 'trial', days: 6, machines: ['oficina-campo'] },
  { key: 'Z3CXH-6QPMV-8KTNW-4YJDR-B7F9G', client: 6, software: 1, type: 0, category: 'basic', days: 140, machines: ['laptop-ana'], since: [
    { days: 111, did: 'extend', by: 7, reason: 'Espera la transferencia de su cliente' },
    { days: 101, did: 'change', values: { status: 'expired' } },
  ] },
  { key: 'R7JWD-2NVKF-5XQHB-9MTPC-G6Y4L', client: 7, software: 2, type: 1, category: 'premium', days: 132, machines: ['mostrador'], since: [
    { days: 14, did: 'suspend', reason: 'Dos facturas vencidas' },
  ] },
  { key: 'H9PQM-4BTXC-7WKRV-3FNJD-8YG6Z', client: 8, software: 4, type: 2, category: 'enterprise', days: 115, machines: ['central', 'sucursal', 'despacho-1', 'despacho-2'] },
  { key: 'L6GXW-3RNTB-9KDQV-4HMJF-7YC2P', client: 1, software: 0, type: 0, category: 'basic', days: 100, machines: ['caja-ruta'], since: [
    { days: 73, did: 'renew' },
    { days: 41, did: 'renew', reason: 'Pagó en efectivo' },
    { days: 12, did: 'renew' },
  ] },
  { key: 'B6YKN-8DHVT-2PXWJ-5QCRM-F9G4S', client: 9, software: 1, type: 5, category: 'abono', days: 84, machines: ['gerencia'] },
  { key: 'X4RFC-7MJQP-9TBKD-6WHVN-3YG8L', client: 8, software: 2, type: 1, category: 'pack', days: 80, machines: [], since: [
    { days: 76, did: 'transfer', client: 9, reason: 'Se emitió al cliente equivocado' },
  ] },
  { key: 'N2WTH-5VKXB-8QJMP-4CRDF-7YG9Z', client: 10, software: 5, type: 0, category: 'basic', days: 58, machines: ['mostrador-pan'], since: [
    { days: 34, did: 'release', machine: 'mostrador-pan' },
    { days: 33, did: 'cancel', reason: 'Cerró el local' },
  ] },
  { key: 'J8DVQ-3PNKW-6HXTM-9BFCR-2YG4S', client: 11, software: 1, type: 4, category: 'trial', days: 39, machines: ['estudio'], since: [
    { days: 27, did: 'renew', type: 1, category: 'individual', reason: 'Compró antes de terminar la prueba' },
  ] },
  { key: 'S5WMK-8QTCX-2NRHB-6DVPJ-4FY9G', client: 12, software: 2, type: 0, category: 'basic', days: 32, machines: ['bodega-hotel'] },
  { key: 'G3HTV-7KXND-5MWRQ-9BJCP-2YF8L', client: 4, software: 1, type: 0, category: 'basic', days: 26, machines: ['gerencia-2'] },
  { key: 'V5MBX-9CTJH-2WKQN-7RPDF-4YG6L', client: 0, software: 1, type: 3, category: 'promocional', days: 24, machines: ['oficina'] },
  { key: 'C7KPD-4XWVM-8NQHT-3JFBR-6YG9Z', client: 12, software: 0, type: 3, category: 'promocional', days: 16, machines: ['mostrador', 'bar'] },
  { key: 'P3QXJ-6TBWK-9MVND-2HCRF-8YG4S', client: 8, software: 2, type: 0, category: 'basic', days: 9, machines: ['taller'] },
  { key: 'D9NHW-7KRPX-4QTMB-6VJCF-3YG8L', client: 13, software: 0, type: 4, category: 'trial', days: 2, machines: ['boutique'] },
  // Sales and trials of earlier months, so that each month of the year has figures.
  { key: 'EC54T-NQ2LE-3FBJ6-TDZNV-HSRRY', client: 3, software: 1, type: 4, category: 'trial', days: 352, machines: ['rh-prueba'], since: [
    { days: 340, did: 'renew', type: 5, category: 'abono', reason: 'Compró antes de terminar la prueba' },
    { days: 165, did: 'renew' },
    { days: 20, did: 'renew', reason: 'Pagó por transferencia' },
  ] },
  { key: '2WP8M-XD9H2-KK6NQ-8KU5A-SH33X', client: 1, software: 1, type: 1, category: 'premium', days: 341, machines: ['pagos-1', 'pagos-2'], since: [
    { days: 24, did: 'renew', reason: 'Segundo año' },
  ] },
  { key: 'QFE9G-HCH3V-MTFG6-GUFM4-EK92V', client: 0, software: 2, type: 4, category: 'trial', days: 283, machines: ['patio'], since: [
    { days: 267, did: 'release', machine: 'patio' },
  ] },
  { key: 'ZUV9J-V4QHZ-6TBCW-PARJ4-ECTDX', client: 0, software: 1, type: 5, category: 'abono', days: 276, machines: ['oficina-esperanza'], since: [
    { days: 100, did: 'renew' },
  ] },
  { key: '6KHCA-FJ4G9-JYD2F-M7SCK-8374P', client: 2, software: 1, type: 4, category: 'trial', days: 190, machines: ['tienda-oficina'], since: [
    { days: 178, did: 'renew', type: 1, category: 'individual' },
  ] },
  { key: 'CHPNL-6QG86-WQ84V-9WU3S-3GYKT', client: 4, software: 2, type: 4, category: 'trial', days: 170, machines: ['consultorio-bodega'], since: [
    { days: 154, did: 'release', machine: 'consultorio-bodega' },
  ] },
  { key: 'TM34V-M6HQW-AJPBP-FSRKN-H5XC8', client: 5, software: 2, type: 1, category: 'premium', days: 161, machines: ['granero', 'oficina-teros'] },
  { key: 'XJZ7X-SSTGF-NJ68Z-X8GSB-XTAYM', client: 6, software: 2, type: 4, category: 'trial', days: 96, machines: ['laptop-bodega'], since: [
    { days: 85, did: 'renew', type: 0, category: 'basic' },
    { days: 55, did: 'renew' },
    { days: 20, did: 'release', machine: 'laptop-bodega' },
    { days: 10, did: 'change', values: { status: 'expired' } },
  ] },
];
