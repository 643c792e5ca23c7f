export type { CustomDetector } from './custom.ts';
export { type CustomProblem, checkCustomDetectors } from './custom.ts';
export type { RecognizedTexts, TextFinding } from './detector.ts';
export {
  createDetector,
  type Detection,
  type Detector,
  type DetectorOptions,
  type Scan,
} from './detector.ts';
export { type Strength, type TagInfo, taxonomy } from './kinds/taxonomy.ts';
