import { expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress, lookUpName } from './network-address.ts';

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.0.192', '198.18.0.1'],
  ...['203.0.113.9', '224.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['192.175.48.1', '192.175.48.255', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.0.0.9'],
  ...['2001:4:112::1', '2620:4f:8000::1', '2001:20::1', '100::1', '100:0:0:1::1', '5f00::1', '64:ff9b:1::1'],
  ...['fec0::1', '3fff::1'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:c0a8:101', '64:ff9b::a9fe:a9fe', '2002:7f00:1::'],
  ...['::127.0.0.1', '2001::1', '4000::1', 'no address', ''],
])('%s is recognised as not public (HOOK-03)', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ...['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '169.253.0.1', '192.167.0.1'],
  ...['192.175.47.255', '192.175.49.0', '192.31.197.0', '2620:4f:8001::1', '2620:4f:7fff::1'],
  ...['2606:4700::1111', '2001:4860:4860::8888', '::ffff:8.8.8.8', '64:ff9b::808:808'],
])('%s is recognised as public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('addresses of this machine are recognised in every form', () => {
  const forms = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'];
  expect(forms.map(isLoopbackAddress)).toEqual(forms.map(() => true));
  const others = ['10.0.0.1', '::2', '128.0.0.1', '169.254.169.254', '::ffff:10.0.0.1'];
  expect(others.map(isLoopbackAddress)).toEqual(others.map(() => false));
});

test('looking up an IP address returns that address', async () => {
  expect(await lookUpName('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
});
