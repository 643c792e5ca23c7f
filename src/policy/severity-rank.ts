import { CelError, global, type Overload, types } from '../cel/index.ts';
import { type Severity, severities } from '../schemas/decisions.ts';

const NO_SEVERITY = new CelError(
  'invalid_argument',
  `severityRank: the value is none of ${severities.join(', ')} and null`,
);

/** 0 for none (null), then 1 for LOW to 4 for CRITICAL: as texts, HIGH is before LOW. */
const rankOf = (severity: unknown): number | CelError => {
  const rank = severity === null ? 0 : 1 + severities.indexOf(severity as Severity);
  return rank === 0 && severity !== null ? NO_SEVERITY : rank;
};

/** `severityRank(a.severity) >= severityRank("HIGH")`. */
export const severityRank: Overload = global('severityRank', [types.dyn], types.int, (_, severity: unknown) =>
  rankOf(severity),
);
