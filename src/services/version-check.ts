import { checkPolicyDocument, type PolicyIssue } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import type { AcceptVersion } from '../store/store.ts';

/** Refuses a version that cannot decide for everybody whom its policy is bound to. */
export const acceptVersion: AcceptVersion = ({ version, document, bindings, missingLists }) => {
  refuseMissing(version, missingLists);
  for (const [params, integrationId] of new Map(bindings.map((one) => [one.params, one.integrationId]))) {
    const [issue] = issuesOf(document, params);
    if (!issue) continue;
    const whose = integrationId === null ? 'as a house policy' : `to the integration ${integrationId}`;
    throw new AppError(
      'conflict',
      `version ${version} cannot decide with the params it is bound with ${whose}: ${issue.message}; change them first`,
    );
  }
};

/** Refuses the terms of a binding that a version cannot decide by. */
export const acceptTerms: AcceptVersion = ({ version, document, bindings, missingLists }) => {
  refuseMissing(version, missingLists);
  const issues = bindings.flatMap(({ params }) => issuesOf(document, params));
  if (issues.length === 0) return;
  throw new AppError('invalid', `version ${version} of the policy cannot decide with these params`, {
    details: issues.map(({ path, message, hint }) => ({
      message: `${message} (version ${version})`,
      path: path.startsWith('/params/') ? path : '/params',
      ...(hint !== undefined && { hint }),
    })),
  });
};

function refuseMissing(version: number, names: readonly string[]): void {
  if (names.length === 0) return;
  const lists = names.map((name) => `lists.${name}`).join(', ');
  throw new AppError(
    'conflict',
    `version ${version} reads ${lists}, which does not exist: create the list first`,
  );
}

function issuesOf(document: string, params: string): PolicyIssue[] {
  const given = parseJson(params) as Record<string, unknown>;
  return checkPolicyDocument(document, { params: given, runTests: false }).issues;
}
