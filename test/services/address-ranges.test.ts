import t from 'tap';
import { checkRanges, isWithin } from '../../src/services/access/address-ranges.ts';

t.test(
  'an address is within a range of its kind, and an IPv4 address in IPv6 form is one of IPv4',
  async (t) => {
    const cases: [string[], string, boolean][] = [
      [['10.0.0.0/8'], '10.255.0.1', true],
      [['10.0.0.0/8'], '11.0.0.1', false],
      [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
      [['::ffff:10.0.0.1'], '10.0.0.1', true],
      [['10.0.0.1'], '10.0.0.1', true],
      [['10.0.0.1'], '10.0.0.2', false],
      [['2001:db8::/32', '192.0.2.1'], '2001:db8:1::1', true],
      [['2001:db8::/32', '192.0.2.1'], '192.0.2.1', true],
      [['2001:db8::/32'], '2001:db9::', false],
      [['10.0.0.0/8'], 'fe80::1', false],
      [['10.0.0.0/8'], '', false],
      [['10.0.0.0/8'], 'localhost', false],
      [['10.0.0.0/8'], '10.1', false],
      [['10.0.0.0/8'], '0x0a.1.1.1', false],
      [['8.0.0.0/8'], '010.1.1.1', false],
      [['0.0.0.0/8'], '1', false],
      [['nonsense'], '10.0.0.1', false],
      [[], '10.0.0.1', false],
    ];
    for (const [ranges, address, expected] of cases)
      t.equal(isWithin(ranges, address), expected, `${ranges} ${address}`);
  },
);

t.test('what is no range, or everywhere, is refused by its place', async (t) => {
  for (const range of '::ffff:10.0.0.0/104 ::ffff:10.0.0.0/24 1.2.3.4/08 1.2.3.4/8/8 fe80::1%eth0 ::/0'.split(
    ' ',
  )) {
    t.throws(() => checkRanges(['10.0.0.0/8', range], '/ipRanges'), /must be an IP address/, range);
  }
  t.doesNotThrow(() => checkRanges(['1.2.3.4', '1.2.3.4/32', '::1', '2001:db8::/1', '::ffff:1.2.3.4'], ''));
});
