import t from 'tap';
import { nonPublicKind, readAddress } from '../../../src/services/callbacks/address-policy.ts';

const cases: { readonly [kind: string]: readonly string[] } = {
  // biome-ignore format: short texts read better in rows
  public: [
    '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0',
    '168.63.129.15', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255',
    '192.169.0.0', '223.255.255.255', '2000::', '2606:4700::1111', '2a00:1450::1', '3ffe:ffff::1',
    '64:ff9b::8.8.8.8', '::ffff:8.8.8.8',
  ],
  // biome-ignore format: short texts read better in rows
  metadata: [
    '169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254',
    'fd00:ec2::254%eth0', '::ffff:169.254.169.254', '::169.254.169.254', '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254', '64:ff9b:1::169.254.169.254', '2002:a9fe:a9fe::1', '2001:0:1::5601:5601',
  ],
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  private: '10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 fc00::1 fdff::1 fec0::1'.split(' '),
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  shared: ['100.64.0.0', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.255.255.255', '::', '::ffff:0.0.0.0'],
  tunnel: [
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '::ffff:0:10.0.0.1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  ],
  // biome-ignore format: short texts read better in rows
  reserved: [
    '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1',
    '255.255.255.254', '100::1', '2001:db8::1', '2001:2::1', '2001:20::1', '3fff::1', '5f00::1',
    '::127.0.0.1', '::8.8.8.8', '1fff::1', '4000::1', 'fbff::1', 'fe00::1',
  ],
};

for (const [kind, addresses] of Object.entries(cases)) {
  t.test(`knows what is ${kind}`, async (t) => {
    for (const address of addresses) {
      t.equal(nonPublicKind(readAddress(address)) ?? 'public', kind, address);
    }
  });
}
