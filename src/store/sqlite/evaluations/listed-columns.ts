import { getTableColumns, type SQL } from 'drizzle-orm';
import { narrow, tooWide } from '../../../sql/wide-texts.ts';
import { evaluations } from '../tables.ts';

const { input, targetMetadata, detections, violations } = evaluations;
const wide = { input, targetMetadata, detections, violations };

/** The columns of an evaluation in a list: a page of evaluations with 1 MB each must not be read whole. */
export const listedEvaluation = (mostBytes: number | SQL) => ({
  ...getTableColumns(evaluations),
  input: narrow<string>(input, mostBytes),
  targetMetadata: narrow<string>(targetMetadata, mostBytes),
  detections: narrow<string>(detections, mostBytes),
  violations: narrow<string>(violations, mostBytes),
  omitted: tooWide(wide, mostBytes),
});
