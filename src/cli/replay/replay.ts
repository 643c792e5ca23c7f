import { documentIn } from '../../features/policies/cli-files.ts';
import type { SimulationDifference, SimulationRequest, SimulationResult } from '../../schemas/replays.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';
import { printable } from '../io.ts';
import type { Output } from '../output.ts';

const width = 30;

function progressText({ evaluations, total }: { evaluations: number; total: number }): string {
  const share = total === 0 ? 1 : evaluations / total;
  const done = Math.round(share * width);
  const bar = `${'█'.repeat(done)}${'░'.repeat(width - done)}`;
  return `${bar} ${Math.floor(share * 100)} %  ${evaluations} of ${total}`;
}

interface Options {
  policy?: string;
  unbind?: string;
  integration?: string;
  session?: string;
  tool?: string;
  from?: string;
  to?: string;
  differences?: number;
}

type Http = Call['http'];

/** Prints the evaluations that change as they are found, then what there is in all. Ctrl-C cancels it. */
export async function replay({ http, out, options, args: [file] }: Call<Options>): Promise<void> {
  const request = await requestOf(http, options, file);
  const cancelled = new AbortController();
  const interrupt = () => cancelled.abort();
  process.once('SIGINT', interrupt);
  try {
    await http.follow(
      { method: 'POST', path: '/v1/policies/simulate', json: request },
      cancelled.signal,
      (line) => {
        const { type } = line as { type: string };
        if (type === 'progress') out.progress(progressText(line as { evaluations: number; total: number }));
        if (type === 'difference') out.line(line, differenceText(line as SimulationDifference, out));
        if (type === 'result') out.line(line, resultText(line as SimulationResult));
        if (type === 'error') throw new Exit(exitCodes.failed, (line as { message: string }).message);
      },
    );
  } catch (error) {
    if (!cancelled.signal.aborted) throw error;
    throw new Exit(exitCodes.failed, 'cancelled: nothing was changed');
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function requestOf(http: Http, options: Options, file: string | undefined): Promise<SimulationRequest> {
  const { policy, unbind, integration, session, tool, from, to, differences } = options;
  const find = async (kind: 'policies' | 'integrations', given: string | undefined) =>
    given === undefined ? undefined : await idOf(http, kind, given);
  const [policyId, unbound, integrationId] = [
    await find('policies', policy),
    await find('policies', unbind),
    await find('integrations', integration),
  ];
  return {
    ...(file !== undefined && { document: documentIn(file).text }),
    ...(policyId !== undefined && { policyId }),
    ...(unbound !== undefined && { bindings: [{ policyId: unbound, bound: false }] }),
    filter: {
      ...(integrationId !== undefined && { integrationId }),
      ...(session !== undefined && { sessionId: session }),
      ...(tool !== undefined && { tool }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    },
    ...(differences !== undefined && { differences }),
  };
}

function differenceText(
  { at, evaluationRunId, tool, from, to, because }: SimulationDifference,
  out: Output,
): string {
  const rules = because.map(({ policyName, ruleId, change }) => `${policyName}/${ruleId} ${change}`);
  return [
    out.style.faint(at),
    evaluationRunId,
    printable(tool) || '-',
    `${from.enforcementAction} -> ${to?.enforcementAction ?? 'would not have come'}`,
    rules.join(', '),
  ].join(out.terminal ? '  ' : '\t');
}

function resultText(result: SimulationResult): string {
  const { evaluations, changed, stricter, looser, notEvaluated, notReached, violations, rules } = result;
  const ofName = Map.groupBy(rules, ({ policyName }) => policyName);
  /** With its id, where two policies have one name. */
  const named = ({ policyId, policyName }: (typeof rules)[number]): string =>
    ofName.get(policyName)?.some((other) => other.policyId !== policyId)
      ? `${policyName} (${policyId})`
      : policyName;
  const gone = Object.entries(violations.gone).filter(([, count]) => count > 0);
  return [
    `${evaluations} evaluations in ${result.seconds} s: ${changed} change (${stricter} stricter, ${looser} looser).`,
    ...(notReached > 0 ? [`${notReached} results would not have come.`] : []),
    ...(notEvaluated > 0 ? [`${notEvaluated} could not be evaluated, because content was not kept.`] : []),
    ...(gone.length > 0
      ? [`Violations not found any more: ${gone.map(([status, count]) => `${count} ${status}`).join(', ')}.`]
      : []),
    ...rules.map(
      (rule) =>
        `${named(rule)}/${rule.ruleId}: ${rule.before} before, ${rule.after} after${rule.notEvaluated > 0 ? `, ${rule.notEvaluated} not evaluated` : ''}`,
    ),
  ].join('\n');
}
