import type { FirstStart } from '../../services/first-start.ts';

export interface Places {
  /** Where the service listens. */
  address: string;
  /** The console, signing in once; null when it is off. */
  signInUrl: string | null;
}

/** What an operator sees at the first start: the keys, only once, and a session to paste. */
export function welcome({ generatedAdminKey, demo }: FirstStart, { address, signInUrl }: Places): string {
  const lines = ['', 'Assize is ready on an empty database. The keys are shown only once: store them.', ''];
  if (generatedAdminKey) lines.push(`  operator key     ${generatedAdminKey}`);
  if (demo) lines.push(`  demo agent key   ${demo.apiKey}`);
  if (signInUrl) {
    lines.push('', '  The console, signed in: the link works once, within 10 minutes.', `  ${signInUrl}`);
  }
  lines.push('', `  API page         ${address}/docs`, '');
  if (demo) lines.push(...demoSession(demo.apiKey, address));
  return `${lines.join('\n')}\n`;
}

/** One session through all four answers, by the starter policies. */
const demoCalls: readonly (readonly [string, object])[] = [
  ['ALLOW: an ordinary search', { tool: 'web.search', query: 'opening hours of the public library' }],
  ['WARN: personal data comes in', { tool: 'crm.lookup', result: 'Ada Example, ada@example.com' }],
  ['APPROVAL_REQUIRED: an e-mail leaves after personal data was seen', { tool: 'email.send', text: 'Hello' }],
  ['BLOCK: a secret would leave', { tool: 'net.http_post', body: 'token AKIAZQ3DRSTUVWXY2345' }],
];

function demoSession(apiKey: string, address: string): string[] {
  const post = `curl -s -H 'Content-Type: application/json' -H 'Authorization: Bearer ${apiKey}'`;
  return [
    'Try it: paste these lines into another terminal.',
    '',
    `SESSION=$(${post} -X POST ${address}/v1/evaluation-sessions | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`,
    ...demoCalls.flatMap(([title, input]) => [
      `# ${title}`,
      `${post} ${address}/v1/evaluate -d '{"sessionId":"'$SESSION'","input":${JSON.stringify(input)}}'; echo`,
    ]),
    '',
  ];
}
