import { test } from 'tap';
import { BARE_IDS, TABLES } from '../../bench/detection/harmless-numbers.ts';
import { Random } from '../../bench/detection/random.ts';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const tagsOf = (input: unknown): readonly string[] => detector.scan(input).counts.map(({ type }) => type);

test('ids of 16 and 19 digits are no cards, wherever they stand', async (t) => {
  const r = new Random(11);
  for (const size of [16, 19])
    for (const write of BARE_IDS)
      for (let i = 0; i < 200; i++) {
        const input = write(r, String(r.int(1, 9)) + r.digits(size - 1));
        const tags = tagsOf(input);
        if (tags.includes('CREDIT_CARD')) t.fail(JSON.stringify(input));
      }
});

test('of tables of small numbers at most two in a hundred have anything', async (t) => {
  const r = new Random(12);
  const tables = TABLES.flatMap((write) => Array.from({ length: 40 }, () => write(r)));
  const tagged = tables.filter((table) => tagsOf(table).length > 0);
  t.ok(tagged.length <= 0.02 * tables.length, `${tagged.length} of ${tables.length}`);
});

const CARD = '4539578763621486';

test('bare digits are a card beside a word for one, under a key for one and in the form of payment data', async (t) => {
  for (const input of [
    `card ${CARD}`,
    `charge it to ${CARD}, my visa`,
    { card_number: CARD },
    { cardNumber: Number(CARD) },
    { payment: { number: CARD, exp_month: 9, exp_year: 2027, cvc: '123' } },
    { number: Number(CARD), cvv: 123 },
    `${CARD}|09|27|123`,
    `${CARD} 09/27`,
    `"pan": "${CARD}"`,
    '4539 5787 6362 1486',
    { digits: [...CARD].map(Number) },
    'use 4242424242424242 for it',
  ])
    t.ok(tagsOf(input).includes('CREDIT_CARD'), JSON.stringify(input));
});

test('an id that cards have is no card', async (t) => {
  for (const input of [
    { card_id: CARD },
    { card: { id: CARD, list: 'Doing' } },
    { cardId: Number(CARD) },
    `card_id=${CARD}`,
    `{"card": "visa", "id": "${CARD}"}`,
    `https://trello.example/card/${CARD}`,
    `block blk_${CARD} of card 2`,
    { visa_ref: CARD },
  ])
    t.same(tagsOf(input), [], JSON.stringify(input));
});

test('sizes and rows of numbers spell no number', async (t) => {
  for (const input of [
    { shape: [128, 64, 1024] },
    {
      rows: [
        [536, 22, 1847],
        [123, 45, 6789],
      ],
    },
    'a\tb\tc\n536\t22\t1847\n',
    '1234 5678 9010 12\n2345 6789 1234 56\n',
  ])
    t.same(tagsOf(input), [], JSON.stringify(input));
  t.same(tagsOf({ ssn: [536, 22, 1847] }), ['US_SSN']);
});
