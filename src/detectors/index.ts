export type { CustomDetector } from './custom.ts';
export { type CustomProblem, checkCustomDetectors } from './custom-check.ts';
export {
  createDetector,
  type Detection,
  type Detector,
  type DetectorOptions,
  type Scan,
} from './detector.ts';
export type { RecognizedTexts, TextFinding } from './recognized-texts.ts';
export { type Strength, type TagInfo, taxonomy } from './taxonomy.ts';
