import t from 'tap';
import { parseTemplate } from '../../src/policy/expressions.ts';

t.test('splits a template into texts and expressions with their offsets', async (t) => {
  const cases: [template: string, parts: unknown[]][] = [
    ['plain', [{ text: 'plain' }]],
    ['', []],
    ['{{a}}', [{ source: 'a', offset: 2 }]],
    ['x {{ a }} y', [{ text: 'x ' }, { source: ' a ', offset: 4 }, { text: ' y' }]],
    [
      '{{a}}{{b}}',
      [
        { source: 'a', offset: 2 },
        { source: 'b', offset: 7 },
      ],
    ],
    ['{{"}}"}}', [{ source: '"}}"', offset: 2 }]],
    ["{{'\\'}}'}}!", [{ source: "'\\'}}'", offset: 2 }, { text: '!' }]],
    ['a } } {b} }}', [{ text: 'a } } {b} }}' }]],
  ];
  for (const [template, parts] of cases) t.strictSame(parseTemplate(template), { ok: true, parts }, template);
});

t.test('a template never closed says where it opens', async (t) => {
  t.strictSame(parseTemplate('x {{a'), { ok: false, offset: 2 });
  t.strictSame(parseTemplate('{{a}} {{"}}'), { ok: false, offset: 6 });
});
