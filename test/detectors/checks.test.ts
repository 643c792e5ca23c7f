import { createHash } from 'node:crypto';
import { test } from 'tap';
import { isCard, isNamedCard } from '../../src/detectors/checks/card.ts';
import { isDate, luhn, verhoeff } from '../../src/detectors/checks/check-digits.ts';
import { keccak256, sha256 } from '../../src/detectors/checks/hashes.ts';
import { isBech32 } from '../../src/detectors/tokens/crypto-address.ts';

import { luhnDigit } from './values.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const digits = (text: string): Uint8Array => Uint8Array.from(text, Number);
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');

test('SHA-256 agrees with the platform for every length of one block', async (t) => {
  const out = new Uint8Array(32);
  for (let n = 0; n < 56; n++) {
    const message = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);
    sha256(message, n, out);
    t.equal(hex(out), createHash('sha256').update(message).digest('hex'), String(n));
  }
});

test('Keccak-256 gives the published hashes', async (t) => {
  const out = new Uint8Array(32);
  keccak256(bytes(''), 0, out);
  t.equal(hex(out), 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  keccak256(bytes('abc'), 3, out);
  t.equal(hex(out), '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45');
});

test('bech32 and bech32m accept the vectors of BIP 173 and BIP 350, and no other', async (t) => {
  const valid = [
    'A12UEL5L',
    'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
    'A1LQFN3A',
    'abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx',
  ];
  const at = (text: string): boolean => isBech32(bytes(text), 0, text.lastIndexOf('1'), text.length);
  for (const text of valid) t.ok(at(text), text);
  for (const text of ['A12UEL5A', 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxx', 'A1LQFN3b'])
    t.notOk(at(text), text);
});

test('cards have the ranges and lengths of their issuers', async (t) => {
  const valid =
    '4111111111111111 4222222222222 5555555555554444 2223003122003222 2200770239097761 378282246310005 30569309025904 36227206271667 3530111333300000 6011111111111117 6200000000000005 5019717010103742 6759649826438453 6304000000000000';
  for (const text of valid.split(' ')) t.ok(isCard(digits(text), 0, text.length), text);
  const invalid =
    '4111111111111112 0000000000000000 9111111111111111 7111111111111111 8111111111111111 5911111111111118 3911111111111 1111111111111117 2100000000000005 6900000000000007 411111111111 44444444444444444444';
  for (const text of invalid.split(' ')) t.notOk(isCard(digits(text), 0, text.length), text);
});

test('a word makes more lengths and ranges a card', async (t) => {
  const named =
    '122000000000003 501800000009 6759000000000000005 213112345678909 180012345678903 505874871616671744 4111111111111111';
  for (const text of named.split(' ')) {
    const body = text.slice(0, -1);
    const valid = body + luhnDigit(body);
    t.ok(isNamedCard(digits(valid), 0, valid.length), valid);
  }
  for (const text of ['0000000000000000', '7000000000000005', '41111111111', '501800000008'])
    t.notOk(isNamedCard(digits(text), 0, text.length), text);
  for (const text of ['122000000000003', '505874871616671744', '187650773531824'])
    t.notOk(isCard(digits(text), 0, text.length), text);
});

test('Luhn and Verhoeff catch every changed digit and every swap of neighbours but one', async (t) => {
  const valid = '2363';
  t.ok(verhoeff(digits(valid), 0, 4));
  for (let i = 0; i < 4; i++) {
    for (let d = 0; d < 10; d++) {
      const changed = digits(valid);
      if (changed[i] === d) continue;
      changed[i] = d;
      t.notOk(verhoeff(changed, 0, 4));
    }
  }
  t.ok(luhn(digits('79927398713'), 0, 11));
  t.notOk(luhn(digits('79927398731'), 0, 11));
});

test('dates know months and leap years', async (t) => {
  t.ok(isDate(2000, 2, 29) && isDate(2024, 2, 29) && isDate(1999, 12, 31));
  for (const [y, m, d] of [
    [1900, 2, 29],
    [2023, 2, 29],
    [2023, 4, 31],
    [2023, 13, 1],
    [2023, 0, 1],
    [2023, 1, 0],
  ] as const) {
    t.notOk(isDate(y, m, d));
  }
});
