import { AssizeError } from '../../client/error.ts';
import { type HttpRequest, path } from '../../client/http.ts';
import type { Policy, PolicySummary } from '../../schemas/policies.ts';
import type { Call } from '../api/call.ts';
import { Exit, exitCodes } from '../exit.ts';
import { policyFields } from './columns.ts';
import { documentIn, policyOf } from './document.ts';

interface PushOptions {
  policy?: string;
  activate?: boolean;
  note?: string;
}

/** A new policy, or the next version of the one it is of; nothing when that is what it says already. */
export async function push({ http, out, options, args: [file = ''] }: Call<PushOptions>): Promise<void> {
  const { activate, note } = options;
  const document = documentIn(file);
  const text = { mediaType: document.mediaType, content: document.text };
  const known = await policyOf(http, document, options.policy);
  const send = async (request: HttpRequest) => (await http.send<Policy>(request).catch(atFile(file))).data;

  let policy = known;
  if (!policy) {
    policy = await send({
      method: 'POST',
      path: '/v1/policies',
      query: { activate, note },
      text,
    });
    out.note(`Created version 1. Bind it: assize integrations bind INTEGRATION ${policy.id}`);
  } else if (policy.document === document.text && policy.mediaType === document.mediaType) {
    out.note(`Version ${policy.version} says that already.`);
  } else {
    policy = await send({ method: 'PUT', path: path`/v1/policies/${policy.id}`, query: { note }, text });
    out.note(`Version ${policy.version} is the current one.`);
  }
  if (activate && policy.status !== 'ACTIVE') {
    const activated = await http.send<PolicySummary>({
      method: 'POST',
      path: path`/v1/policies/${policy.id}/activate`,
    });
    policy = { ...policy, ...activated.data };
  }
  out.record(policy, policyFields);
}

/** What the service finds wrong with a document, at its place in the file. */
const atFile = (file: string) => (error: unknown) => {
  if (!(error instanceof AssizeError) || !error.errors.some(({ line }) => line !== undefined)) throw error;
  const lines = error.errors.map(({ message, line = 1, column = 1, hint }) => {
    const said = message.replace(`line ${line}:${column} `, '');
    return `${file}:${line}:${column}: ${said}${hint === undefined ? '' : `, ${hint}`}`;
  });
  throw new Exit(exitCodes.failed, lines.join('\n'));
};
