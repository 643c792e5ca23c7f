import { documentIn } from '../../features/policies/cli-files.ts';
import { checkPolicyDocument, compileOnly } from '../../policy/document/check-policy-document.ts';
import { readDocument } from '../../policy/document/read-document.ts';
import { type Comparison, compareVersions } from '../../policy/proof/compare.ts';
import { type ProvedPolicy, provedPolicy } from '../../policy/proof/decision-model.ts';
import { ruleWarnings } from '../../policy/proof/findings.ts';
import { type PropertyResult, proveProperty } from '../../policy/proof/property.ts';
import { proveByIntervals } from '../../policy/proof/question.ts';
import type { Witness } from '../../policy/proof/witness.ts';
import { Exit, type ExitCode, exitCodes } from '../exit.ts';
import { type RepeatedViolation, violatedByRepeating } from './repeat.ts';
import { installLine, intervals, openZ3, prove, type Solver } from './solver.ts';

export interface ProveOptions {
  /** The version before, to compare with. */
  against?: string;
  strict?: boolean;
  json?: boolean;
  /** Uses no solver but the one that is built in. */
  intervals?: boolean;
  write: (text: string) => void;
}

interface FileReport {
  file: string;
  rules: { code: string; message: string; line: number; column: number }[];
  properties: ({ name: string } & (PropertyResult | RepeatedViolation))[];
  comparison: Comparison | null;
}

/** Proves what policies say of themselves: rules that add nothing, their properties, and how they differ from the version before. */
export async function provePolicies(files: readonly string[], options: ProveOptions): Promise<ExitCode> {
  const { against, strict = false, json = false, write } = options;
  if (against !== undefined && files.length !== 1)
    throw new Exit(exitCodes.wrongUse, '--against compares one policy: name one file');
  const before = against === undefined ? null : policyIn(against);
  const solver = options.intervals ? intervals : ((await openZ3()) ?? intervals);
  try {
    const reports: FileReport[] = [];
    for (const file of files) reports.push(await reportOf(file, before, solver));
    if (json) write(`${JSON.stringify({ solver: solver.name, files: reports }, null, 2)}\n`);
    else
      for (const report of reports)
        write(
          linesOf(report)
            .map((line) => `${line}\n`)
            .join(''),
        );
    const [failed, unknown] = [reports.some(isFailed), reports.some(isUnknown)];
    if (unknown && !json && solver.name === 'intervals' && !options.intervals)
      write(`Intervals and finite sets alone could not decide all of it. Z3 decides more: ${installLine}\n`);
    if (failed) return exitCodes.failed;
    return unknown && strict ? exitCodes.wrongUse : exitCodes.fine;
  } finally {
    solver.close();
  }
}

function policyIn(file: string): ProvedPolicy {
  const { text } = documentIn(file);
  // A misspelt key would be proved about as if it were not there.
  const [issue] = checkPolicyDocument(text, compileOnly).issues;
  const proved = issue?.message ?? provedPolicy(text);
  if (typeof proved === 'string')
    throw new Exit(
      exitCodes.wrongUse,
      `${file}: ${proved}; assize policies check ${file} lists all mistakes`,
    );
  return proved;
}

async function reportOf(file: string, before: ProvedPolicy | null, solver: Solver): Promise<FileReport> {
  const proved = policyIn(file);
  const { report } = readDocument(documentIn(file).text);
  // Pairs of rules are many: a solver would take long for what intervals say of nearly all of them.
  const ofRules = ruleWarnings(proved, () => false, report);
  const rules = proveByIntervals(ofRules, { left: mostStepsForRules }, mostStepsForRules / 100);
  const properties: FileReport['properties'] = [];
  for (const [index, { name }] of (proved.document.properties ?? []).entries()) {
    const found = await prove(proveProperty(proved, index), solver);
    properties.push({ name, ...(violatedByRepeating(proved, index, found) ?? found) });
  }
  const comparison = before && (await prove(compareVersions(before, proved), solver));
  return { file, rules, properties, comparison };
}

function linesOf({ file, rules, properties, comparison }: FileReport): string[] {
  return [
    ...rules.map(({ line, column, message }) => `${file}:${line}:${column}: warning: ${message}`),
    ...properties.flatMap((property) => propertyLines(file, property)),
    ...(comparison ? comparisonLines(file, comparison) : []),
    ...(rules.length === 0 && properties.length === 0 && !comparison
      ? [`${file}: no rule is superfluous; it has no properties`]
      : []),
  ];
}

function propertyLines(file: string, found: FileReport['properties'][number]): string[] {
  const said = `${file}: ${JSON.stringify(found.name)}`;
  switch (found.verdict) {
    case 'PROVED':
      return [`${said}: proved`];
    case 'VIOLATED':
      return 'step' in found
        ? [`${said}: violated in a new session after this step`, `  ${JSON.stringify(found.step)}`]
        : [`${said}: violated: ${found.decision.enforcementAction} for`, `  ${given(found.witness)}`];
    case 'UNKNOWN':
      return [
        `${said}: unknown${reasons(found.notModelled)}`,
        ...(found.induction
          ? [
              '  it may stop holding after this action, in a session that may never come about:',
              `  ${given(found.induction)}`,
            ]
          : []),
      ];
    case 'PROVER_ERROR':
      return [`${said}: error of the prover: the engine does not confirm`, `  ${given(found.witness)}`];
  }
}

const given = (witness: Witness): string => `given: ${JSON.stringify(witness)}`;

const mostStepsForRules = 3_000_000;

/** Names at most of what is not modelled. */
const mostNamed = 5;

function reasons(notModelled: readonly string[]): string {
  if (notModelled.length === 0) return ': the search took too long';
  const named = notModelled.slice(0, mostNamed).map((source) => `\`${source}\``);
  const more = notModelled.length - named.length;
  return `: not modelled: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const sentences: Readonly<Record<Comparison['verdict'], string>> = {
  EQUAL: 'decides every action as before',
  STRICTER: 'is stricter than before',
  LAXER: 'is laxer than before',
  MIXED: 'is stricter than before for some actions, and laxer for others',
  UNKNOWN: 'cannot be compared for certain',
  PROVER_ERROR: 'error of the prover: the engine does not confirm a difference',
};

function comparisonLines(file: string, { verdict, stricter, laxer, notModelled }: Comparison): string[] {
  const why = verdict === 'UNKNOWN' ? reasons(notModelled) : '';
  const shown = [stricter, laxer].flatMap((one) =>
    one ? [`  ${one.before} before, ${one.after} now: ${given(one.witness)}`] : [],
  );
  return [`${file}: ${sentences[verdict]}${why}`, ...shown];
}

const isFailed = ({ properties, comparison }: FileReport): boolean =>
  properties.some(({ verdict }) => verdict === 'VIOLATED' || verdict === 'PROVER_ERROR') ||
  comparison?.verdict === 'PROVER_ERROR';

const isUnknown = ({ properties, comparison }: FileReport): boolean =>
  properties.some(({ verdict }) => verdict === 'UNKNOWN') || comparison?.verdict === 'UNKNOWN';
