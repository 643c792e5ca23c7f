import { sightingOf, subjectOf } from '../../evaluate/judge.ts';
import { advance, newContext } from '../../evaluate/session.ts';
import { sessionless } from '../../evaluate/settle.ts';
import { sightingWrites } from '../../evaluate/sightings.ts';
import { counterWrites } from '../../policy/counters/count.ts';
import { decide } from '../../policy/decide.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { ReplayRow } from '../../store/replay.ts';
import type { Replayed } from './evaluator.ts';
import { knownContent } from './known-content.ts';
import type { PartOnTrial } from './policies-then.ts';
import { recordedVerdict } from './recorded-verdict.ts';
import { type CountedIn, knownCells, loadCounters } from './replayed-counters.ts';
import {
  cataloguedFor,
  newEvaluation,
  provenanceOf,
  type ReplayedOf,
  repeatsBefore,
} from './replayed-evaluation.ts';
import { markHidden, unknownsOf } from './unknown-content.ts';

/**
 * Judges an evaluation by the policies on trial alone. They find what they found then, and the verdict is the recorded one; else null,
 * and nothing is kept. Of no session of a tree, and nothing that names a review, was held or used a grant.
 */
export function judgeInPart(
  row: ReplayRow,
  { policies: then, agrees }: PartOnTrial,
  of: ReplayedOf & CountedIn,
): Replayed | null {
  const { integration, session, counters } = of;
  if (row.resultOf !== null && (session ?? integration).stopped.has(row.resultOf)) return null;
  const recorded = recordedVerdict(row);
  const content = knownContent(row, then.inputPaths);
  const unknowns = unknownsOf(row, then, content, { integration, session, isScanned: false });
  const evaluation = newEvaluation(row, then, recorded.dataTags, {
    integration,
    session,
    content,
    named: null,
  });
  const cells = knownCells(loadCounters(row, then, evaluation, of), evaluation, of, unknowns);
  const sightings = session?.sightingRows([]) ?? null;
  const repeats = repeatsBefore(row, evaluation, then, of);
  const provenance = then.needs.sightings ? provenanceOf(row, content) : null;
  const subject = subjectOf(
    {
      integration: integration.stored,
      evaluation,
      request: { input: content.input, ...(row.targetKey !== null && { targetKey: row.targetKey }) },
      detections: content.detections,
      catalogued: then.readsCatalogue ? cataloguedFor(row, content, integration) : null,
      provenance,
      again: { unknowns, repeats, fullQueue: null, known: (decision) => decision },
    },
    {
      session: session ?? newContext(sessionless(row.createdAt)),
      repeats,
      grants: none,
      counters: cells,
      sightings,
    },
  );
  const decision = decide(then.policies, subject);
  if (!agrees(decision, recorded)) return null;
  const { enforcementAction } = recorded;
  const writes = counterWrites(decision.counted, enforcementAction, cells, row.createdAt, evaluation);
  if (session) {
    if (provenance && sightings && letsThrough(enforcementAction))
      session.keepSightings(
        sightingWrites(provenance.mentioned, sightingOf(session, evaluation, recorded), sightings),
      );
    session.repeats.add(row, evaluation);
    advance(session, evaluation, {
      ...recorded,
      enforcedSeverity: row.enforcedSeverity,
      monitoredLabels: none,
      repeats: row.repeats,
    });
    markHidden(session, then, content, unknowns);
  }
  counters.write(evaluation, session, writes);
  return { verdict: recorded, recorded, unevaluated: none, isAssumed: false, tried: then.tried };
}

const none: readonly never[] = [];
