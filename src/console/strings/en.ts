import { frameStrings } from './en/frame.ts';
import {
  bindingStrings,
  counterStrings,
  integrationStrings,
  listStrings,
  mcpServerStrings,
  peopleStrings,
  setupStrings,
  startStrings,
  tableStrings,
  webhookStrings,
} from './en/management.ts';
import { proofStrings } from './en/proof.ts';
import {
  evaluationStrings,
  proposalStrings,
  proveStrings,
  replayStrings,
  sessionStrings,
  violationStrings,
  whyStrings,
} from './en/records.ts';
import { workStrings } from './en/work.ts';

/** Everything the console says. Other languages have the same shape: de.ts. */
export const en = {
  code: 'en',
  ...frameStrings,
  ...workStrings,
  ...sessionStrings,
  ...whyStrings,
  ...setupStrings,
  ...bindingStrings,
  ...integrationStrings,
  ...proveStrings,
  ...replayStrings,
  ...proposalStrings,
  ...peopleStrings,
  ...evaluationStrings,
  ...violationStrings,
  ...listStrings,
  ...counterStrings,
  ...startStrings,
  ...tableStrings,
  ...mcpServerStrings,
  ...webhookStrings,
  ...proofStrings,
};

/** The shape that every language has. */
export type Strings = typeof en;
