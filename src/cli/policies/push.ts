import { AssizeError } from '../../client/error.ts';
import { type Http, type HttpRequest, path } from '../../client/http.ts';
import type { Policy, PolicySummary, SavedPolicy } from '../../schemas/policies.ts';
import type { Call } from '../api/call.ts';
import { Exit, exitCodes } from '../exit.ts';
import { issueLine } from './check.ts';
import { policyFields } from './columns.ts';
import { type Document, documentIn, policyOf } from './document.ts';

interface PushOptions {
  policy?: string;
  activate?: boolean;
  note?: string;
}

/** A new policy, or the next version of the one it is of; nothing when the current or the latest one says that already. */
export async function push({ http, out, options, args: [file = ''] }: Call<PushOptions>): Promise<void> {
  const { activate, note } = options;
  const document = documentIn(file);
  const text = { mediaType: document.mediaType, content: document.text };
  const known = await policyOf(http, document, options.policy);
  const send = async (request: HttpRequest): Promise<SavedPolicy> => {
    const { data } = await http.send<SavedPolicy>(request).catch(atFile(file));
    for (const warning of data.warnings) out.warn(issueLine(file, warning, 'warning: '));
    return data;
  };

  let policy: Policy | null = known;
  let version = known && (await versionThatSays(http, known, document));
  if (policy && version !== null) {
    out.note(`Version ${version} says that already${whatDecides(policy, version)}`);
  } else if (policy) {
    policy = await send({ method: 'PUT', path: path`/v1/policies/${policy.id}`, query: { note }, text });
    version = policy.latestVersion;
    out.note(`Version ${version} is stored${whatDecides(policy, version)}`);
  } else {
    policy = await send({ method: 'POST', path: '/v1/policies', query: { activate, note }, text });
    version = 1;
    out.note(`Created version 1. Bind it: assize integrations bind INTEGRATION ${policy.id}`);
  }
  if (activate && (policy.status !== 'ACTIVE' || policy.version !== version)) {
    const activated = await http.send<PolicySummary>({
      method: 'POST',
      path: path`/v1/policies/${policy.id}/activate`,
      json: { version },
    });
    policy = { ...policy, ...activated.data };
  }
  out.record(policy, policyFields);
}

/** Of the current and the latest version, which may be another after a rollback and under four-eyes control. */
async function versionThatSays(http: Http, policy: Policy, document: Document): Promise<number | null> {
  if (isSame(policy, document)) return policy.version;
  if (policy.version === policy.latestVersion) return null;
  const at = path`/v1/policies/${policy.id}/versions/${String(policy.latestVersion)}`;
  const { data } = await http.send<Written>({ method: 'GET', path: at });
  return isSame(data, document) ? policy.latestVersion : null;
}

type Written = { document?: string; mediaType: string };

const isSame = (written: Written, { text, mediaType }: Document): boolean =>
  written.document === text && written.mediaType === mediaType;

const whatDecides = ({ id, version: current }: Policy, version: number): string =>
  version === current
    ? ', and is the current one.'
    : `, but version ${current} is the current one: assize policies activate ${id} ${version}`;

/** What the service finds wrong with a document, at its place in the file. */
const atFile = (file: string) => (error: unknown) => {
  if (!(error instanceof AssizeError) || !error.errors.some(({ line }) => line !== undefined)) throw error;
  const lines = error.errors.map(({ message, line = 1, column = 1, hint }) => {
    const said = message.replace(`line ${line}:${column} `, '');
    return `${file}:${line}:${column}: ${said}${hint === undefined ? '' : `, ${hint}`}`;
  });
  throw new Exit(exitCodes.failed, lines.join('\n'));
};
