import { parseDocument } from 'yaml';
import { type Http, path } from '../../client/http.ts';
import { createDetector } from '../../detectors/index.ts';
import { checkPolicyDocument } from '../../engine/index.ts';
import type { SharedList, SharedListSummary } from '../../features/lists/schema.ts';
import type { BoundPolicy, HousePolicy } from '../../schemas/bindings.ts';
import type { EvaluationSession } from '../../schemas/evaluation-sessions.ts';
import type { Evaluation, ListedEvaluation } from '../../schemas/evaluations.ts';
import type { PolicyVersion } from '../../schemas/policies.ts';
import type { PolicyTest } from '../../schemas/policy-tests.ts';
import type { ListedReview } from '../../schemas/reviews.ts';
import type { CatalogueTool, ToolCatalogue } from '../../schemas/tool-catalogues.ts';
import { wholeCheck } from '../../services/document-checks.ts';
import { type RecordedSession, recordedSteps } from '../../services/policy-tests/recorded-steps.ts';
import { createStandIns } from '../../services/policy-tests/stand-ins.ts';
import type { Call } from '../api/call.ts';
import { everyOne, idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';

interface RecordOptions {
  policy?: string;
  name?: string;
  document?: boolean;
}

/** A policy as it decided. */
interface Decided {
  policyId: string;
  version: number;
  name: string;
  document: string;
}

/** As in the schema of tests. */
const mostSteps = 100;

/** Prints a test in which recorded sessions happen again, and says whether the policy passes it. */
export async function record({ http, out, options, args }: Call<RecordOptions>): Promise<void> {
  const sessions: RecordedSession[] = [];
  for (const id of args) sessions.push(await sessionOf(http, id));
  checkParents(sessions);
  const evaluations = sessions.flatMap((one) => one.evaluations);
  const policies = await policiesOf(http, evaluations);
  const own = await ownPolicy(http, policies, evaluations, options.policy);
  const others = policies.filter((one) => one !== own);
  const { lists: listNames = [], compile } = checkPolicyDocument(own.document, {
    ...wholeCheck,
    runTests: false,
  });
  const custom = compile?.({ policyId: own.policyId, policyVersion: own.version }).detectors ?? [];
  const detector = createDetector({ custom });
  const standIns = createStandIns(detector);
  const { steps, left } = recordedSteps(sessions, { standIns, detector, policyName: own.name });
  if (steps.length > mostSteps)
    throw new Exit(
      exitCodes.failed,
      `a test has at most ${mostSteps} steps, and these sessions have ${steps.length}`,
    );

  const { integrationId } = evaluations[0] as Evaluation;
  const params = await paramsOf(http, integrationId, own.policyId);
  const tools = await toolsOf(http, integrationId, new Set(evaluations.map(({ tool }) => tool)));
  const lists = standIns.replace(await listsOf(http, listNames, JSON.stringify(evaluations)));
  const test: PolicyTest = {
    name: options.name ?? `session of ${evaluations[0]?.createdAt}`,
    ...(others.length > 0 && { with: others.map(({ name }) => name) }),
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(lists).length > 0 && { lists }),
    ...(tools.length > 0 && { tools }),
    steps,
  };
  const document = parseDocument(own.document);
  const earlier: unknown = document.toJS().tests ?? [];
  const withTests = (tests: readonly unknown[]): string => {
    document.set('tests', document.createNode(tests, { aliasDuplicateObjects: false }));
    return document.toString({ lineWidth: 0 });
  };
  const alone = withTests([test]);
  if (out.json) out.record(test, []);
  else out.text(options.document ? withTests([...(earlier as unknown[]), test]) : `tests:\n${textOf(test)}`);

  const { issues } = checkPolicyDocument(alone, {
    ...wholeCheck,
    findPolicy: (name) => others.find((one) => one.name === name)?.document ?? null,
  });
  const wrong = [...left, ...issues.map(({ message }) => message)];
  if (wrong.length > 0)
    throw new Exit(
      exitCodes.failed,
      `version ${own.version} of ${own.name} does not decide the test as it decided the session: ${wrong.join('; ')}`,
    );
}

function textOf(test: PolicyTest): string {
  const document = parseDocument('');
  document.contents = document.createNode([test], { aliasDuplicateObjects: false }) as never;
  return document.toString({ lineWidth: 0 }).replace(/^(?=.)/gm, '  ');
}

async function sessionOf(http: Http, id: string): Promise<RecordedSession> {
  const { data: session } = await http.send<EvaluationSession>({
    method: 'GET',
    path: path`/v1/evaluation-sessions/${id}`,
  });
  const evaluations: Evaluation[] = [];
  // A list leaves out what is large.
  for await (const { evaluationRunId } of everyOne<ListedEvaluation>(
    http,
    path`/v1/evaluation-sessions/${session.id}/evaluations`,
  )) {
    const read = { method: 'GET', path: path`/v1/evaluations/${evaluationRunId}` } as const;
    evaluations.push((await http.send<Evaluation>(read)).data);
  }
  if (evaluations.length === 0)
    throw new Exit(exitCodes.failed, `the session ${session.id} has no evaluations`);
  const reviews: ListedReview[] = [];
  for await (const review of everyOne<ListedReview>(http, '/v1/reviews', { sessionId: session.id }))
    reviews.push(review);
  return { session, evaluations, reviews };
}

/** What a sub-agent may do depends on its tree. */
function checkParents(sessions: readonly RecordedSession[]): void {
  const ids = new Set(sessions.map(({ session }) => session.id));
  for (const { session } of sessions) {
    const { id, parentSessionId } = session;
    if (parentSessionId !== null && !ids.has(parentSessionId))
      throw new Exit(
        exitCodes.wrongUse,
        `${id} is the session of a sub-agent: name its parent too, ${parentSessionId}`,
      );
  }
}

/** Those that decided, each in the last version that did. */
async function policiesOf(http: Http, evaluations: readonly Evaluation[]): Promise<Decided[]> {
  const versions = new Map<string, number>();
  for (const { policies } of evaluations) {
    for (const { policyId, version } of policies)
      versions.set(policyId, Math.max(version, versions.get(policyId) ?? 0));
  }
  const decided: Decided[] = [];
  for (const [policyId, version] of versions) {
    const read = { method: 'GET', path: path`/v1/policies/${policyId}/versions/${String(version)}` } as const;
    const { document, name } = (await http.send<PolicyVersion>(read)).data;
    decided.push({ policyId, version, name, document: document ?? '' });
  }
  if (decided.length === 0) throw new Exit(exitCodes.failed, 'no policy decided these evaluations');
  return decided;
}

/** The one that is named; else the one whose rules were violated most. */
async function ownPolicy(
  http: Http,
  policies: readonly Decided[],
  evaluations: readonly Evaluation[],
  given: string | undefined,
): Promise<Decided> {
  const violations = evaluations.flatMap((one) => one.violations);
  const count = ({ policyId }: Decided): number =>
    violations.filter((one) => one.policyId === policyId).length;
  const id = given === undefined ? null : await idOf(http, 'policies', given);
  const own =
    id === null
      ? policies.toSorted((one, other) => count(other) - count(one))[0]
      : policies.find((one) => one.policyId === id);
  if (!own)
    throw new Exit(
      exitCodes.failed,
      `${given} decided none of these evaluations: ${policies.map(({ name }) => name).join(', ')} did`,
    );
  return own;
}

async function paramsOf(
  http: Http,
  integrationId: string,
  policyId: string,
): Promise<Record<string, unknown>> {
  const bound = everyOne<BoundPolicy>(http, path`/v1/integrations/${integrationId}/policies`);
  for await (const { binding } of bound) if (binding.policyId === policyId) return binding.params;
  const house = everyOne<HousePolicy>(http, '/v1/house-policies');
  for await (const one of house) if (one.policyId === policyId) return one.params;
  return {};
}

async function toolsOf(
  http: Http,
  integrationId: string,
  used: ReadonlySet<string | null>,
): Promise<CatalogueTool[]> {
  const { data } = await http.send<ToolCatalogue>({
    method: 'GET',
    path: path`/v1/integrations/${integrationId}/tools`,
  });
  return data.tools.filter(({ name }) => used.has(name)).map(({ aliases: _, ...tool }) => tool);
}

/** Only the entries that occur in the content: the others say something of others. */
async function listsOf(
  http: Http,
  names: readonly string[],
  content: string,
): Promise<Record<string, string[]>> {
  const lists: Record<string, string[]> = {};
  for await (const { id, name } of everyOne<SharedListSummary>(http, '/v1/lists')) {
    if (!names.includes(name)) continue;
    const { data } = await http.send<SharedList>({ method: 'GET', path: path`/v1/lists/${id}` });
    lists[name] = data.entries.filter((entry) => content.toLowerCase().includes(entry.toLowerCase()));
  }
  return lists;
}
