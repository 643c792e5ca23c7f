import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

test('a text in which nothing was found says so again, and one with a finding is found again', async (t) => {
  const detector = createDetector();
  for (let round = 0; round < 3; round++) {
    t.same(detector.scan({ tool: 'crm.update_contact', state: 'open' }).tags, []);
    t.same(detector.scan({ note: 'ann@example.com' }).tags, ['PII', 'EMAIL_ADDRESS']);
    // the same text under a key that says what it is
    t.same(detector.scan({ note: 'hunter-two' }).tags, []);
    t.same(detector.scan({ password: 'hunter-two' }).tags, ['CREDENTIALS', 'PASSWORD']);
    t.same(detector.scan({ name: 'DB_PASSWORD', value: 'hunter-two' }).tags, ['CREDENTIALS', 'PASSWORD']);
  }
});

test('texts that nobody sends again do not push out more than they may, and change no finding', async (t) => {
  const detector = createDetector();
  for (let k = 0; k < 25_000; k++) detector.scan([`text-${k}`, 'tool.call']);
  t.same(detector.scan(['text-24999', 'text-1', 'tool.call', 'ann@example.com']).tags, [
    'PII',
    'EMAIL_ADDRESS',
  ]);
});
