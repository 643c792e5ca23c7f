import { evaluationStrings } from './de/evaluations.ts';
import { frameStrings } from './de/frame.ts';
import { integrationStrings } from './de/integrations.ts';
import { listStrings } from './de/lists.ts';
import { peopleStrings } from './de/people.ts';
import { proofStrings } from './de/proof.ts';
import { proposalStrings } from './de/proposals.ts';
import { replayStrings } from './de/replay.ts';
import { setupStrings } from './de/setup.ts';
import { violationStrings } from './de/violations.ts';
import { webhookStrings } from './de/webhooks.ts';
import { workStrings } from './de/work.ts';
import type { Strings } from './en.ts';

export const de: Strings = {
  code: 'de',
  ...frameStrings,
  ...workStrings,
  ...setupStrings,
  ...integrationStrings,
  ...replayStrings,
  ...proposalStrings,
  ...peopleStrings,
  ...evaluationStrings,
  ...violationStrings,
  ...listStrings,
  ...webhookStrings,
  ...proofStrings,
};
