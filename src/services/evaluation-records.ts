import type { Evaluation } from '../schemas/evaluations.ts';
import type { PageRequest, Store, StoredEvaluation } from '../store/store.ts';
import { found } from './found.ts';
import { type AnsweredPage, answerPage } from './pages.ts';
import { isoTime } from './times.ts';

/** What was decided, and why. */
export interface EvaluationRecords {
  /** Newest first. */
  listInSession(
    integrationId: string,
    sessionId: string,
    page: PageRequest,
  ): Promise<AnsweredPage<Evaluation>>;
}

export function createEvaluationRecords({ store }: { store: Store }): EvaluationRecords {
  return {
    async listInSession(integrationId, sessionId, page) {
      return answerPage(
        found(await store.evaluations.listInSession(integrationId, sessionId, page)),
        page,
        answer,
      );
    },
  };
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

const answer = ({ id, ...evaluation }: StoredEvaluation): Evaluation => ({
  evaluationRunId: id,
  ...evaluation,
  tool: evaluation.tool || null,
  targetMetadata: parsed(evaluation.targetMetadata),
  detections: parsed(evaluation.detections),
  input: parsed(evaluation.input),
  createdAt: isoTime(evaluation.createdAt),
});
