import { integration } from './agent-paths.ts';
import type { Caller, Path } from './callers.ts';

/** Requests at once while the session is filled. */
const atOnce = 32;

/** Reads of one session that has so many evaluations; none when it is 0, because filling one with 100,000 takes minutes. */
export async function sessionPaths(admin: Caller, evaluations: number): Promise<Path[]> {
  if (evaluations === 0) return [];
  const agent = await integration(admin, 'long session');
  const opened = await agent.call('POST', '/v1/evaluation-sessions', {});
  const sessionId = JSON.parse(opened.text).data.id as string;
  let last = '';
  for (let place = 0; place < evaluations; place += atOnce) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(atOnce, evaluations - place) }, (_, offset) =>
        agent.call('POST', '/v1/evaluate', {
          sessionId,
          input: { tool: `tool.${place % 40}`, arguments: { query: `order ${place + offset}` } },
        }),
      ),
    );
    last = JSON.parse(answers[0]?.text ?? '').data?.evaluationRunId ?? last;
  }
  const session = `/v1/evaluation-sessions/${sessionId}`;
  const reads: Record<string, string> = {
    'the session': session,
    'its first evaluations': `${session}/evaluations?size=200`,
    'its last evaluations': `${session}/evaluations?size=200&page=${Math.floor((evaluations - 1) / 200)}`,
    'one explained': `/v1/evaluations/${last}?explain=true`,
    'a search by tool': '/v1/evaluations?tool=tool.39&size=200',
    'a search for nothing': '/v1/evaluations?tool=none&size=200',
  };
  return Object.entries(reads).map(([name, path]) => ({
    name: `long session: ${name}`,
    run: () => (path.startsWith(session) ? agent : admin).call('GET', path),
  }));
}
