import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../support/properties.js';
import { clientIp, isSecure, limiterIdentity } from '../../../src/http/edge/client-ip.js';

const PROXY = '10.0.0.1';

describe('the client IP', () => {
  it('is the address of the connection if no proxy is trusted, whatever the header contains', () => {
    assert.equal(clientIp(PROXY, '1.2.3.4', 0), PROXY);
  });

  it('is counted from the right of the header, without empty entries', () => {
    const header = '6.6.6.6,, 5.5.5.5,1.2.3.4 ,10.0.0.2, ';
    const ips = [1, 2, 3, 4, 5].map((proxies) => clientIp(PROXY, header, proxies));
    // The leftmost entry if there are fewer entries than trusted proxies.
    assert.deepEqual(ips, ['10.0.0.2', '1.2.3.4', '5.5.5.5', '6.6.6.6', '6.6.6.6']);
  });

  it('is the address of the connection if the header is absent, empty, or invalid', () => {
    const junk = [
      ...['', ' ', ',,', 'unknown', '_hidden', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.256'],
      ...['1.2.3.4:x', '1.2.3.4:1234567', '[::1', '::1]', '[1.2.3.4]x', '1:2:3', 'fe80::1%', '<b>'],
    ];
    for (const entry of junk) assert.equal(clientIp(PROXY, entry, 1), PROXY, entry);
    assert.equal(clientIp(PROXY, undefined, 1), PROXY);
  });

  it('is a constant if the connection has no address either', () => {
    assert.equal(clientIp(undefined, 'junk', 1), 'unknown');
    assert.equal(clientIp('', undefined, 0), 'unknown');
    assert.equal(limiterIdentity('unknown'), 'unknown');
  });

  it('does not depend on entries that the client itself writes', () => {
    const forged = fc.oneof(
      fc.string(),
      fc.ipV4(),
      fc.ipV6(),
      fc.constant(',,'),
      fc.constant('\0'),
    );
    fc.assert(
      fc.property(fc.array(forged), fc.integer({ min: 1, max: 4 }), (lies, proxies) => {
        const appended = ['1.2.3.4', '10.0.0.4', '10.0.0.3', '10.0.0.2'].slice(0, proxies);
        assert.equal(clientIp(PROXY, [...lies, ...appended].join(', '), proxies), '1.2.3.4');
      }),
    );
  });

  it('is always an address, and does not change if it is parsed again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f:.%[\]/, ]*$/), (header) => {
        const ip = clientIp(PROXY, header, 1);
        assert.match(ip, /^[0-9a-f:.]+$/);
        assert.equal(clientIp(ip, undefined, 0), ip);
        assert.match(limiterIdentity(ip), /^([\d.]+|[0-9a-f]+(:[0-9a-f]+){3}::\/64)$/);
      }),
    );
  });

  it('has no port, brackets, or zone, and one spelling', () => {
    const spellings: [string, string][] = [
      ['1.2.3.4:567', '1.2.3.4'],
      ['[2001:db8::1]:567', '2001:db8::1'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['fe80::1%eth0', 'fe80::1'],
      ['::ffff:1.2.3.4', '1.2.3.4'],
      ['::FFFF:0102:0304', '1.2.3.4'],
      ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
      ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
      ['::1', '::1'],
    ];
    for (const [written, expected] of spellings) {
      assert.equal(clientIp(PROXY, written, 1), expected);
      assert.equal(clientIp(written, undefined, 0), expected);
    }
  });
});

describe('the identity for the rate limits', () => {
  it('is an IPv4 address itself, and the /64 of an IPv6 address', () => {
    const identities: [string, string][] = [
      ['1.2.3.4', '1.2.3.4'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['2001:db8:1:2::', '2001:db8:1:2::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['2001::1:2:3:4:5', '2001:0:0:1::/64'],
      ['::1', '0:0:0:0::/64'],
      ['::', '0:0:0:0::/64'],
      ['::1.2.3.4', '0:0:0:0::/64'],
      ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ];
    for (const [ip, expected] of identities) {
      assert.equal(limiterIdentity(clientIp(ip, undefined, 0)), expected);
    }
  });
});

describe('the scheme of a request', () => {
  it('is reported by the trusted proxies only, counted from the right', () => {
    for (const [header, trusted, expected] of [
      ['https', 0, false],
      ['https', 1, true],
      [' HTTPS ', 1, true],
      ['', 1, false],
      ['http', 1, false],
      // An entry of the client itself is further left.
      ['https, http', 1, false],
      ['http, https, http', 2, true],
      // One of the proxies does not append.
      ['https', 2, true],
    ] as const) {
      assert.equal(isSecure(header, trusted), expected, `${header} behind ${trusted}`);
    }
  });
});
