import { evaluationStrings } from './en/evaluations.ts';
import { frameStrings } from './en/frame.ts';
import { integrationStrings } from './en/integrations.ts';
import { listStrings } from './en/lists.ts';
import { peopleStrings } from './en/people.ts';
import { proofStrings } from './en/proof.ts';
import { proposalStrings } from './en/proposals.ts';
import { replayStrings } from './en/replay.ts';
import { setupStrings } from './en/setup.ts';
import { violationStrings } from './en/violations.ts';
import { webhookStrings } from './en/webhooks.ts';
import { workStrings } from './en/work.ts';

/** Everything the console says. Other languages have the same shape: de.ts. */
export const en = {
  code: 'en',
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

/** The shape that every language has. */
export type Strings = typeof en;
