import { AppError } from '../errors.ts';
import { parseForWriting } from '../json/parse.ts';
import type { Detection, Evaluation, ListedEvaluation, RecordedEvaluation } from '../schemas/evaluations.ts';
import type { JsonObject } from '../schemas/values.ts';
import type {
  PageRequest,
  Store,
  StoredEvaluation,
  ListedEvaluation as StoredListed,
} from '../store/store.ts';
import { foundBy } from './found.ts';
import { entryBytes, fitEntry } from './list-entries.ts';
import { type AnsweredPage, answerPage } from './pages.ts';
import { isoTime } from './times.ts';

/** What was decided, and why. */
export interface EvaluationRecords {
  /** With all that is kept of its content. `integrationId` null reads any integration's: an operator's right. */
  read(integrationId: string | null, id: string): Promise<Evaluation>;
  /** Newest first. `integrationId` null reads any integration's: an operator's right. */
  listInSession(
    integrationId: string | null,
    sessionId: string,
    page: PageRequest,
  ): Promise<AnsweredPage<ListedEvaluation>>;
  /** Of all integrations, in the order they were recorded: those after one, or the last ones. For operators. */
  listRecorded(after: string | null, size: number): Promise<RecordedEvaluation[]>;
}

export function createEvaluationRecords({ store }: { store: Store }): EvaluationRecords {
  return {
    async read(integrationId, id) {
      const found = foundBy(await store.evaluations.find(integrationId, id), 'id', 'evaluation');
      return { ...answer(found), integrationId: found.integrationId };
    },
    async listInSession(integrationId, sessionId, page) {
      return answerPage(
        foundBy(
          await store.evaluations.listInSession(integrationId, sessionId, page, entryBytes(page.size)),
          'sessionId',
          'evaluation session',
        ),
        page,
        (evaluation) => listed(evaluation, page.size),
      );
    },
    async listRecorded(after, size) {
      const recorded = await store.evaluations.listRecorded(after, size, entryBytes(size));
      if (!recorded) throw new AppError('invalid', 'there is no such evaluation', { path: '/after' });
      return recorded.map(({ integrationId, ...evaluation }) => ({
        ...listed(evaluation, size),
        integrationId,
      }));
    },
  };
}

/** What every read shows of an evaluation. */
type Content = Omit<Evaluation, 'integrationId'>;

const parsed = (text: string | null) => (text === null ? null : (parseForWriting(text) as JsonObject));

/** Those that were stored before other fields were scanned name none. */
const detectionsOf = (text: string): Detection[] =>
  (JSON.parse(text) as Detection[]).map((detection) => ({ ...detection, in: detection.in ?? 'input' }));

const answer = ({ id, resultStatus, ...evaluation }: StoredEvaluation): Content => ({
  evaluationRunId: id,
  ...evaluation,
  status: resultStatus,
  tool: evaluation.tool || null,
  targetMetadata: parsed(evaluation.targetMetadata),
  detections: detectionsOf(evaluation.detections),
  input: parsed(evaluation.input),
  createdAt: isoTime(evaluation.createdAt),
});

const empty = {
  input: null,
  targetMetadata: null,
  detections: [],
  violations: [],
  policies: [],
  dataTags: [],
  tool: null,
  targetKey: null,
  correlationId: null,
} satisfies Partial<Content>;

const listed = ({ omitted, ...evaluation }: StoredListed, size: number): ListedEvaluation =>
  fitEntry<Content>(answer(evaluation), empty, entryBytes(size), omitted);
