import { frameStrings, proofStrings } from './de/frame.ts';
import {
  bindingStrings,
  counterStrings,
  integrationStrings,
  listStrings,
  mcpServerStrings,
  peopleStrings,
  setupStrings,
  startStrings,
  webhookStrings,
} from './de/management.ts';
import {
  evaluationStrings,
  proposalStrings,
  proveStrings,
  replayStrings,
  violationStrings,
  whyStrings,
  workStrings,
} from './de/work.ts';
import type { Strings } from './en.ts';

export const de: Strings = {
  code: 'de',
  ...frameStrings,
  ...workStrings,
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
  ...mcpServerStrings,
  ...webhookStrings,
  ...proofStrings,
};
