import { expect, test } from 'vitest';
import { sharesOf } from './address-limits.ts';
import { callerOf, callersOf, cleanForwardedFor, networkOf } from './caller-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  [null, 'unknown'],
])('rate limits count %s as %s', (address, caller) => {
  expect(callerOf(address)).toBe(caller);
});

test.each([
  ['a port of IPv4', '203.0.113.9, 1.2.3.4:5678', '203.0.113.9, 1.2.3.4'],
  ['a port of IPv6', '[2001:db8::1]:80', '2001:db8::1'],
  ['brackets alone', '[::1]', '::1'],
  ['IPv6 without brackets', '2001:db8::1', '2001:db8::1'],
  ['a word', 'unknown', '10.0.0.1'],
  ['a word before an address', 'unknown, 1.2.3.4', '10.0.0.1, 1.2.3.4'],
  ['a forged address before a word', '6.6.6.6, _hidden', '10.0.0.1'],
  ['a number that is no address', '6.6.6.6, 1', '10.0.0.1'],
  ['nothing', '', '10.0.0.1'],
  ['a long run of digits', '1'.repeat(8000), '10.0.0.1'],
])('X-Forwarded-For with %s is cleaned before it is read', (_what, header, read) => {
  expect(cleanForwardedFor(header, '10.0.0.1')).toBe(read);
});

test.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:db8:1:3::1', ['2001:db8:1:3::/64', '2001:db8:1::/48']],
  [null, ['unknown']],
])('rate limits count %s under %j, the widest four times', (address, callers) => {
  expect(callersOf(address)).toEqual(callers);
  expect(networkOf(address)).toBe(callers.at(-1));
  expect(sharesOf(address, 5).map(({ most }) => most)).toEqual([5, 20].slice(0, callers.length));
});
