import { AppError } from '../errors.ts';
import { parseForWriting } from '../json/parse.ts';
import type {
  Detection,
  Evaluation,
  ListedEvaluation,
  RecordedEvaluation,
  SearchPagination,
} from '../schemas/evaluations.ts';
import type { JsonObject } from '../schemas/values.ts';
import type {
  EvaluationFilter,
  PageRequest,
  Store,
  StoredEvaluation,
  ListedEvaluation as StoredListed,
  RecordedEvaluation as StoredRecorded,
  WholeEvaluation,
} from '../store/store.ts';
import type { Explain } from './explanations/explain.ts';
import { entryBytes, fitEntry, type ResponsePage, responsePage } from './list-entries.ts';
import { foundBy } from './refusals.ts';
import { inSteps } from './steps.ts';
import { isoTime, parseTime } from './times.ts';

/** Reads of decisions and their reasons. */
export interface EvaluationRecords {
  /** With all that is kept of its content. `integrationId` null reads any integration's: an operator's right. */
  read(integrationId: string | null, id: string): Promise<Evaluation>;
  /** The same with why it was decided so: an operator's right, because it says what would have been let through. */
  explain(id: string): Promise<Evaluation>;
  /** Newest first. `integrationId` null reads any integration's: an operator's right. */
  listInSession(
    integrationId: string | null,
    sessionId: string,
    page: PageRequest,
  ): Promise<ResponsePage<ListedEvaluation>>;
  /** Evaluations of all integrations, in the order they were recorded: those after one, or the last ones. For operators. */
  listRecorded(after: string | null, size: number): Promise<RecordedEvaluation[]>;
  /** Evaluations of all integrations, newest first. For operators. */
  search(query: EvaluationQuery, page: PageRequest): Promise<FoundEvaluations>;
}

export interface EvaluationQuery extends Omit<EvaluationFilter, 'from' | 'to'> {
  from?: string;
  to?: string;
}

export interface FoundEvaluations {
  data: RecordedEvaluation[];
  pagination: SearchPagination;
}

/** Evaluations that a search by page may pass over: beyond it, `before` goes on where the last page ended. */
const mostPassedOver = 10_000;

export function createEvaluationRecords({
  store,
  explain,
}: {
  store: Store;
  explain: Explain;
}): EvaluationRecords {
  return {
    async read(integrationId, id) {
      const found = foundBy(await store.evaluations.find(integrationId, id), 'id', 'evaluation');
      return shownWhole(found);
    },
    async explain(id) {
      const found = foundBy(await store.evaluations.find(null, id), 'id', 'evaluation');
      const explanation = await explain(found);
      return { ...shownWhole(found), explanation };
    },
    async listInSession(integrationId, sessionId, page) {
      return responsePage(
        foundBy(
          await store.evaluations.listInSession(integrationId, sessionId, page, entryBytes(page.size)),
          'sessionId',
          'evaluation session',
        ),
        page,
        (evaluation) => listed(evaluation, page.size),
      );
    },
    async search({ from, to, ...filter }, page) {
      if ((page.page - 1) * page.size > mostPassedOver) {
        throw new AppError('invalid', `goes beyond ${mostPassedOver} evaluations: continue with before`, {
          path: '/page',
        });
      }
      const found = await store.evaluations.search(
        {
          ...filter,
          ...(from !== undefined && { from: parseTime(from, '/from') }),
          ...(to !== undefined && { to: parseTime(to, '/to') }),
        },
        page,
        entryBytes(page.size),
      );
      if (!found) throw new AppError('invalid', 'there is no such evaluation', { path: '/before' });
      const { items, total, isWhole: totalIsExact, next } = found;
      return {
        data: await inSteps(items, (item) => recordedOf(item, page.size)),
        pagination: { total, totalIsExact, next, ...page },
      };
    },
    async listRecorded(after, size) {
      const recorded = await store.evaluations.listRecorded(after, size, entryBytes(size));
      if (!recorded) throw new AppError('invalid', 'there is no such evaluation', { path: '/after' });
      return inSteps(recorded, (evaluation) => recordedOf(evaluation, size));
    },
  };
}

/** The content that every read of an evaluation shows. */
type Content = Omit<Evaluation, 'integrationId' | 'grants'>;

const parsed = (text: string | null) => (text === null ? null : (parseForWriting(text) as JsonObject));

/** Detections that were stored before other fields were scanned name no field. */
const detectionsOf = (text: string): Detection[] =>
  (JSON.parse(text) as Detection[]).map((detection) => ({ ...detection, in: detection.in ?? 'input' }));

const shown = ({ id, resultStatus, ...evaluation }: StoredEvaluation): Content => ({
  evaluationRunId: id,
  ...evaluation,
  status: resultStatus,
  tool: evaluation.tool || null,
  targetMetadata: parsed(evaluation.targetMetadata),
  detections: detectionsOf(evaluation.detections),
  input: parsed(evaluation.input),
  createdAt: isoTime(evaluation.createdAt),
});

const shownWhole = ({ integrationId, grants, ...evaluation }: WholeEvaluation): Evaluation => ({
  ...shown(evaluation),
  integrationId,
  grants: [...grants],
});

const empty = {
  input: null,
  targetMetadata: null,
  detections: [],
  violations: [],
  policies: [],
  dataTags: [],
  labels: [],
  tool: null,
  targetKey: null,
  correlationId: null,
} satisfies Partial<Content>;

const listed = ({ omitted, ...evaluation }: StoredListed, size: number): ListedEvaluation =>
  fitEntry<Content>(shown(evaluation), empty, entryBytes(size), omitted);

const recordedOf = ({ integrationId, ...evaluation }: StoredRecorded, size: number): RecordedEvaluation => ({
  ...listed(evaluation, size),
  integrationId,
});
