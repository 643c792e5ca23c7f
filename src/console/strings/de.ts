// Its glossary is that of en.ts.
import { evaluationStrings } from './de/evaluations.ts';
import { firstLoadStrings } from './de/first-load.ts';
import { integrationStrings } from './de/integrations.ts';
import { listStrings } from './de/lists.ts';
import { operatorStrings } from './de/operators.ts';
import { policyStrings } from './de/policies.ts';
import { reviewStrings } from './de/reviews.ts';
import { tableStrings } from './de/tables.ts';
import type { Strings } from './en.ts';

export const de: Strings = {
  code: 'de',
  ...firstLoadStrings,
  ...tableStrings,
  ...reviewStrings,
  ...evaluationStrings,
  ...policyStrings,
  ...integrationStrings,
  ...operatorStrings,
  ...listStrings,
};
