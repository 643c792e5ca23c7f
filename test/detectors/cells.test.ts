import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds what statements insert into columns, wherever they stand', async (t) => {
  expectCases(t, [
    ['insert into staff(emp_name) select first from other'],
    [
      "CREATE TABLE x (id int);\nINSERT INTO users (id, full_name, pw, born) VALUES (gen_id(), 'Jane Doe', crypt('Blue-Tern9', gen_salt('bf')), DATE '1980-02-03'), (2, 'Max Muster', 'x', NOW());",
      'PERSON=Jane Doe',
      'PASSWORD=Blue-Tern9',
      'DATE_OF_BIRTH=1980-02-03',
      'PERSON=Max Muster',
    ],
    [
      "-- people\nINSERT INTO p (first_name) VALUES ('Eva');\nINSERT INTO p (first_name) VALUES ('Ida');",
      'PERSON=Eva',
      'PERSON=Ida',
    ],
    ['INSERT INTO p (first_name) DEFAULT'],
    ['INSERT INTO p'],
    ["INSERT INTO p (first_name) VALUES ('Eva', 2)"],
  ]);
});

test('tables that never end are read once', async (t) => {
  const detector = createDetector();
  for (const piece of [
    '<th>name</th>',
    '<th>phone',
    "insert into t (name, phone) values ('",
    'name  phone\n',
    '||name||phone||\n|',
  ])
    t.ok(detector.scan({ text: piece.repeat(3000) }));
});
