import type { Verification } from '../../src/record/verification/problems.ts';
import { createVerifier, type VerifyOptions } from '../../src/record/verification/verify.ts';
import { adminKey, type TestApp } from './app.ts';

const approvalPolicy = `
schemaVersion: 1
name: record-test
rules:
  - id: hold-payments
    tool: pay
    when: "true"
    effect: APPROVAL_REQUIRED
    severity: HIGH
  - id: warn-mail
    tool: mail
    when: "true"
    effect: WARN
    severity: LOW
`;

/** A small history of every kind of entry: several chains, results, decisions and management calls. */
export async function recordHistory(app: TestApp, { sessions = 3, actions = 4 } = {}): Promise<string[]> {
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, approvalPolicy);
  const ids: string[] = [];
  const evaluate = async (body: object) => {
    const { status, body: response, text } = await app.call(key, 'POST', '/v1/evaluate', body);
    if (status !== 200) throw new Error(text);
    app.clock.advance(7);
    return response.data;
  };
  for (let count = 0; count < sessions; count++) {
    const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', { metadata: { count } });
    const sessionId: string = body.data.id;
    ids.push(sessionId);
    for (let action = 0; action < actions; action++) {
      const input = { tool: ['read', 'mail', 'pay'][action % 3], to: `user${action}@example.com`, count };
      const { evaluationRunId, reviewRequestId } = await evaluate({
        sessionId,
        input,
        targetMetadata: { count },
      });
      if (reviewRequestId) {
        const verb = action % 2 === 0 ? 'approve' : 'reject';
        await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/${verb}`, { comment: 'seen' });
      } else if (action % 2 === 0) {
        await evaluate({ phase: 'RESULT', resultOf: evaluationRunId, status: 'OK', input: { rows: action } });
      }
    }
    await evaluate({ input: { tool: 'read', path: '/tmp/x' }, correlationId: `c-${count}` });
  }
  return ids;
}

/** All lines of an export. */
export async function exportRecord(app: TestApp, query: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = [];
  let next: string | null = null;
  do {
    const parameters = new URLSearchParams(next === null ? query : { cursor: next });
    const { status, body, text } = await app.call(adminKey, 'GET', `/v1/record/export?${parameters}`);
    if (status !== 200) throw new Error(text);
    lines.push(...body.data.lines);
    next = body.data.next;
  } while (next !== null);
  return lines;
}

export function verify(lines: readonly string[], options: VerifyOptions = {}): Verification {
  const verifier = createVerifier(options);
  for (const line of lines) verifier.line(line);
  return verifier.end();
}
