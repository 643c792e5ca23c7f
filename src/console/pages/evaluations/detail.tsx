import type { EvaluationSession } from '../../../features/sessions/schema.ts';
import type { Evaluation } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { count, shortId } from '../../data/format.ts';
import { knowNames, nameOfIdentity, nameOfPolicy } from '../../data/names.ts';
import { type Binding, copyAsTest, readEffective } from '../../data/policies/policies.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Named, SeverityName, Tags, Time, Verdict } from '../../parts/badges.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Details, Heading } from '../../parts/frame/heading.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { Why } from '../../parts/why.tsx';
import { words } from '../../strings/index.ts';
import { Params } from '../policies/effective.tsx';

interface EvaluationDetailProps {
  id: string;
  /** Whether it is shown beside its session. */
  inSession?: boolean;
}

export function EvaluationDetail({ id, inSession = false }: EvaluationDetailProps) {
  const resource = useResource(`evaluation ${id}`, ({ signal }) => readEvaluation(id, signal));
  return (
    <Show resource={resource}>
      {({ evaluation, entityId, effective }) => (
        <article class="evaluation-detail">
          <Story evaluation={evaluation} />
          <Links evaluation={evaluation} inSession={inSession} />
          <Ids evaluation={evaluation} entityId={entityId} />
          <Rules evaluation={evaluation} effective={effective} />
          <Data evaluation={evaluation} />
        </article>
      )}
    </Show>
  );
}

interface ReadEvaluation {
  evaluation: Evaluation;
  /** The entity of its session. */
  entityId: string | null;
  /** The policies that are bound to its integration now. */
  effective: readonly Binding[];
}

/** With all that its page names. What else there is to know of it may be missing, and it is shown all the same. */
async function readEvaluation(id: string, signal: AbortSignal): Promise<ReadEvaluation> {
  const query = { explain: true };
  const { data: evaluation } = await call<Evaluation>(`/v1/evaluations/${id}`, { query, signal });
  const { sessionId, integrationId, policies } = evaluation;
  const [entityId, effective] = await Promise.all([
    sessionId === null ? null : readEntityId(sessionId, signal).catch(() => null),
    readEffective(integrationId, signal).catch(() => []),
    knowNames({ integrations: [integrationId], policies: policies.map(({ policyId }) => policyId) }),
  ]);
  return { evaluation, entityId, effective };
}

async function readEntityId(sessionId: string, signal: AbortSignal): Promise<string | null> {
  const path = `/v1/evaluation-sessions/${sessionId}`;
  const { entityId } = (await call<EvaluationSession>(path, { signal })).data;
  await knowNames({ entities: [entityId] });
  return entityId;
}

/** One paragraph that says what happened. */
function Story({ evaluation }: { evaluation: Evaluation }) {
  const { evaluation: text } = words.value;
  const { enforcementAction, tool, phase, createdAt, severity } = evaluation;
  return (
    <section class={`story ${enforcementAction}`}>
      <p class="facts">
        <Verdict action={enforcementAction} />
        <SeverityName severity={severity} />
        <Time at={createdAt} show="full" />
      </p>
      <p class="story-text">
        <Visible text={text.did(phase, tool)} /> <strong>{text.verdict[enforcementAction]}</strong>
      </p>
    </section>
  );
}

function Links({ evaluation, inSession }: { evaluation: Evaluation; inSession: boolean }) {
  const { evaluation: text, session } = words.value;
  const { sessionId, reviewRequestId, evaluationRunId } = evaluation;
  return (
    <p class="links">
      {inSession && <Link href={to('evaluations', evaluationRunId)}>{text.title}</Link>}
      {sessionId && !inSession && (
        <Link href={`${to('sessions', sessionId)}?evaluation=${evaluationRunId}`}>{text.session}</Link>
      )}
      {reviewRequestId && <Link href={`${to('reviews')}?id=${reviewRequestId}`}>{text.review}</Link>}
      <Copy text={copyAsTest(evaluation)} label={session.copyTest} />
    </p>
  );
}

/** Whose evaluation it is, and the ids under which this and other systems know it. */
function Ids({ evaluation, entityId }: Pick<ReadEvaluation, 'evaluation' | 'entityId'>) {
  const { evaluation: text, evaluations, session } = words.value;
  const { evaluationRunId, integrationId, correlationId, traceId, identity } = evaluation;
  return (
    <Details
      of={[
        [evaluations.columns.integration, <Named key="" kind="integrations" id={integrationId} />],
        [session.entity, entityId && <Named kind="entities" id={entityId} />],
        [
          text.id,
          <span key="" class="named">
            <code>…{shortId(evaluationRunId)}</code>{' '}
            <Copy text={evaluationRunId} label={words.value.common.copyId} about={text.title} />
          </span>,
        ],
        [text.identity, identity && <Visible text={nameOfIdentity(identity)} />],
        [text.correlation, correlationId !== traceId && correlationId && <Visible text={correlationId} />],
        [
          text.trace,
          traceId && (
            <Link href={`${to('evaluations')}?${new URLSearchParams({ traceId })}`}>
              <code>{traceId}</code>
            </Link>
          ),
        ],
      ]}
    />
  );
}

type RulesProps = Pick<ReadEvaluation, 'evaluation' | 'effective'>;

function Rules({ evaluation, effective }: RulesProps) {
  const { evaluation: text, why } = words.value;
  const { policies } = evaluation;
  return (
    <section>
      <h3>{why.title}</h3>
      <Why decided={evaluation} />
      <h3>{text.policies}</h3>
      {policies.length === 0 ? (
        <p class="quiet">{text.noPolicies}</p>
      ) : (
        <DecidingPolicies evaluation={evaluation} effective={effective} />
      )}
    </section>
  );
}

/** The policies that decided, in the mode of then, and how each applies now. */
function DecidingPolicies({ evaluation: { policies, explanation }, effective }: RulesProps) {
  const { bindings: text, policies: policyText, proposals } = words.value;
  return (
    <Table headings={[proposals.policy, text.mode, text.appliesNow, text.params]}>
      {policies.map(({ policyId, version }) => {
        const mode = explanation?.policies.find((one) => one.policyId === policyId)?.mode ?? null;
        const now = effective.filter(({ policy }) => policy.id === policyId);
        return (
          <tr key={`${policyId} ${mode}`}>
            <th scope="row">
              <Link href={`${to('policies', policyId)}?tab=versions&show=${version}`}>
                <Visible text={nameOfPolicy(policyId) ?? `…${policyId.slice(-8)}`} />,{' '}
                {policyText.version(version)}
              </Link>
            </th>
            <td>{mode ? text.modes[mode] : '–'}</td>
            <td>
              {now.length === 0
                ? text.nowhere
                : now.map(({ integrationId: id }) => (id === null ? text.house : text.bound)).join(', ')}
            </td>
            <td>
              {now.map(({ integrationId: id, params }) => (
                <Params key={id} of={params} />
              ))}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Data({ evaluation }: { evaluation: Evaluation }) {
  const { evaluation: text, common } = words.value;
  const { input, detections, dataTags } = evaluation;
  return (
    <section>
      {dataTags.length > 0 && (
        <>
          <h3>{text.detections}</h3>
          <Tags tags={dataTags} />
        </>
      )}
      {detections.length > 0 && <Detections detections={detections} />}
      {input === null ? <p class="note">{common.notKept}</p> : <Json value={input} label={text.input} />}
      <details>
        <summary>{text.raw}</summary>
        <Json value={evaluation} label={text.raw} />
      </details>
    </section>
  );
}

const mostDetections = 50;

function Detections({ detections }: { detections: Evaluation['detections'] }) {
  const { evaluation, common } = words.value;
  const { columns } = evaluation;
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.type}</th>
            <th scope="col">{columns.place}</th>
          </tr>
        </thead>
        <tbody>
          {detections.slice(0, mostDetections).map(({ type, in: field, path, start, end }) => (
            <tr key={`${field}${path} ${start} ${end} ${type}`}>
              <td>
                <Visible text={type} />
              </td>
              <td>
                <code>
                  <Visible text={`${field}${path}`} />
                </code>{' '}
                <span class="quiet">
                  {start}–{end}
                </span>
              </td>
            </tr>
          ))}
          {detections.length > mostDetections && (
            <tr>
              <td colSpan={2}>{common.others(count(detections.length - mostDetections))}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

export function EvaluationPage({ id }: { id: string }) {
  return (
    <div class="evaluation">
      <Heading title={words.value.evaluation.title} />
      <EvaluationDetail id={id} />
    </div>
  );
}
