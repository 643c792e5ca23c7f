import t from 'tap';
import { decideFor, policy } from './policy-fixtures.ts';

function message(template: string, input: Record<string, unknown>): string | undefined {
  const body = `rules: [{ id: a, when: tool != "x", effect: WARN, message: ${JSON.stringify(template)} }]`;
  return decideFor([policy(body)], { input }).violations[0]?.message;
}

t.test('prints values of every printable type between the words', async (t) => {
  t.equal(message('plain', {}), 'plain');
  t.equal(message('{{1 + 1}} of {{input.a}}!', { a: 'x' }), '2 of x!');
  t.equal(message('{{"{{"}}{{input.b}} {{now}}', { b: true }), '{{true 2026-01-01T12:00:00Z');
});

t.test('shortens what is long, between characters', async (t) => {
  t.equal(message('{{input.a}}', { a: 'x'.repeat(200) }), 'x'.repeat(200));
  t.equal(message('{{input.a}}.', { a: 'x'.repeat(201) }), `${'x'.repeat(200)}….`);
  const pair = '😀';
  t.equal(message('{{input.a}}', { a: pair.repeat(101) }), `${pair.repeat(100)}…`);
  t.equal(message('{{input.a}}', { a: `x${pair.repeat(100)}` }), `x${pair.repeat(99)}…`, 'no half of a pair');
});
