import { readFileSync } from 'node:fs';
import t from 'tap';
import { wholeCheck } from '../../src/features/policies/check-job.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';

const starter = readFileSync(new URL('../../policies/untrusted-content.yaml', import.meta.url), 'utf8');
const rules = starter.slice(0, starter.indexOf('\ntests:'));

const tools = [
  { name: 'read', effect: 'READ', untrustedResults: true },
  { name: 'contacts', effect: 'READ', untrustedResults: true, directory: true },
  { name: 'send', effect: 'EXTERNAL', destinations: ['to'], identifiers: ['attachment'] },
  { name: 'change', effect: 'WRITE', identifiers: ['id'] },
];
const calls = {
  'unknown-destination': { tool: 'send', input: { to: 'value-77@x.example', text: 'Hello' } },
  'unknown-object': { tool: 'change', input: { id: 'value-77@x.example' } },
  'object-from-text': { tool: 'send', input: { to: 'ann@example.com', attachment: 'value-77@x.example' } },
};
type Rule = keyof typeof calls;

/** What the starter answers to each kind of call, after `by` read the value in this field of its own. */
function held(field: string, by = 'read'): Rule[] {
  const result = { input: { records: [{ title: 'x', [field]: 'value-77@x.example' }] } };
  const test = (rule: Rule, isHeld: boolean) => ({
    name: `${rule} ${isHeld}`,
    tools,
    steps: [
      { prompt: 'write to ann@example.com what is new' },
      { tool: 'read', result: { input: { text: 'something that others wrote' } } },
      { tool: by, result },
      {
        ...calls[rule],
        expect: isHeld
          ? { enforcementAction: 'APPROVAL_REQUIRED', rules: [rule] }
          : { enforcementAction: 'ALLOW' },
      },
    ],
  });
  const names = Object.keys(calls) as Rule[];
  const document = `${rules}\ntests: ${JSON.stringify(names.flatMap((rule) => [test(rule, true), test(rule, false)]))}\n`;
  const { tests } = checkPolicyDocument(document, wholeCheck);
  const passed = new Set(tests.flatMap(({ name, passed }) => (passed ? [name] : [])));
  for (const rule of names) {
    if (passed.has(`${rule} true`) === passed.has(`${rule} false`)) throw new Error(`${field}: ${rule}`);
  }
  return names.filter((rule) => passed.has(`${rule} true`));
}

/** Fields that the other side fills in. */
const ofOthers = {
  senders: ['from', 'sender', 'sender_email', 'reply_to', 'author', 'created_by'],
  guests: ['guest', 'guests', 'attendees', 'participants'],
  payees: ['payee', 'contact', 'contact_number', 'owner'],
  links: ['url', 'link', 'website'],
  words: ['note', 'comment', 'subject', 'description', 'body'],
};

for (const [name, fields] of Object.entries(ofOthers))
  t.test(`a value that others put into a field of its own is held: ${name}`, async (t) => {
    for (const field of fields)
      t.strictSame(held(field), ['unknown-destination', 'unknown-object', 'object-from-text'], field);
  });

t.test('an id of a record may be changed and sent, and nobody is addressed by it', async (t) => {
  for (const field of ['id', 'file_id', 'order', 'key'])
    t.strictSame(held(field), ['unknown-destination'], field);
});

t.test('who was written to before, or has access, may be addressed', async (t) => {
  for (const field of ['recipient', 'payee_id', 'shared_with'])
    t.notOk(held(field).includes('unknown-destination'), field);
});

t.test('a directory names people in any of its fields', async (t) => {
  for (const field of ['email', 'contact', 'phone']) t.strictSame(held(field, 'contacts'), [], field);
});
