import type { StoredIntegration } from '../features/integrations/store.ts';
import { canonicalJson } from '../json/stringify.ts';
import { CallArguments } from '../policy/call-arguments.ts';
import { identifierOf, looksLikeIdentifier, mentionsIn } from '../policy/mentions.ts';
import type { SightingReadings } from '../policy/seen.ts';
import type { CataloguedTool, Decision, GrantableFinding } from '../policy/subject.ts';
import type { Violation } from '../schemas/decisions.ts';
import type { Approval, ApprovalReason } from '../schemas/evaluations.ts';
import type { GrantOffer, OpenGrant } from '../schemas/review-terms.ts';
import type { Sighting } from '../schemas/session-context.ts';
import type { JsonObject } from '../schemas/values.ts';
import { severities } from '../schemas/words.ts';
import type { ActionReviews, NamedReview, NewEvaluation, Rejection } from './evaluation.ts';
import type { FullQueue } from './quotas.ts';

/** The action that an approval is bound to, beside its integration. */
export interface Action {
  sessionId: string | null;
  tool: string;
  inputHash: string;
}

/** Says whether the named review lets this action through, and why not. Pure. */
export function judgeApproval(review: NamedReview, decision: Decision, action: Action): Approval {
  const reason = reasonFor(review, decision, action);
  return {
    reviewRequestId: review.id,
    applied: reason === 'applied',
    reason,
    message: messageFor(reason, review, decision),
    ...(reason === 'rejected' && { comment: review.comment }),
  };
}

/**
 * The action is always evaluated anew, and only what the reviewer saw is lifted: a BLOCK stays one, and what needs no
 * approval does not use it up. A rejection of this very action stands, whatever the policies say now.
 */
function reasonFor(review: NamedReview, decision: Decision, action: Action): ApprovalReason {
  const sameAction = isOf(review, action);
  if (sameAction && review.status === 'REJECTED') return 'rejected';
  if (decision.enforcementAction === 'BLOCK') return 'blocked';
  if (decision.enforcementAction !== 'APPROVAL_REQUIRED') return 'not_needed';
  if (!sameAction) return 'different_action';
  if (review.status === 'CONSUMED') return 'consumed';
  if (review.status === 'EXPIRED') return 'expired';
  if (review.status === 'CANCELLED') return 'cancelled';
  if (review.status === 'PENDING') return 'pending';
  return unseen(review, decision).reason ?? 'applied';
}

/** Whether the review is of this action. */
const isOf = (review: NamedReview, action: Action): boolean =>
  review.sessionId === action.sessionId &&
  review.tool === action.tool &&
  review.inputHash === action.inputHash;

interface Unseen {
  /** Null when the reviewer saw all that holds the action. */
  reason: Extract<ApprovalReason, 'new_finding' | 'policies_changed' | 'higher_severity'> | null;
  rules: readonly string[];
}

/**
 * The rules that hold the action and were not seen by the reviewer: another rule, another version of one that was seen, or one
 * that was seen at a lower severity. A rule that failed is not the same violation as that rule when it matched.
 */
function unseen(review: NamedReview, decision: Decision): Unseen {
  const seen = review.violations.filter(holds);
  const rules: string[] = [];
  let reason: Unseen['reason'] = null;
  for (const violation of decision.violations.filter(holds)) {
    const why = whyUnseen(violation, seen);
    if (why === null) continue;
    rules.push(`${violation.ruleName} (${violation.policyName})`);
    reason ??= why;
  }
  return { reason, rules };
}

type NewViolation = Omit<Violation, 'id'>;

function whyUnseen(violation: NewViolation, seen: readonly NewViolation[]): Unseen['reason'] {
  const same = seen.filter(
    ({ policyId, ruleId, reason }) =>
      policyId === violation.policyId && ruleId === violation.ruleId && reason === violation.reason,
  );
  if (same.length === 0) return 'new_finding';
  const ofVersion = same.filter(({ policyVersion }) => policyVersion === violation.policyVersion);
  if (ofVersion.length === 0) return 'policies_changed';
  const rank = severities.indexOf(violation.severity);
  return ofVersion.some(({ severity }) => severities.indexOf(severity) >= rank) ? null : 'higher_severity';
}

/** Whether it holds the action. */
const holds = ({ mode, enforcementAction }: NewViolation): boolean =>
  mode === 'ENFORCE' && enforcementAction === 'APPROVAL_REQUIRED';

/** The rejection that an action gets in place of a review. */
export const rejected = ({ reviewRequestId, comment }: Rejection): Approval => ({
  reviewRequestId,
  applied: false,
  reason: 'rejected',
  message: withComment(messages.rejected, comment),
  comment,
});

const withComment = (message: string, comment: string | null): string =>
  comment === null ? message : `${message}: ${comment}`;

const messages: Record<ApprovalReason, string> = {
  applied: 'the approval is used up',
  not_needed: 'the action needs no approval; the approval stays unused',
  blocked: 'a rule blocks the action; the approval stays unused',
  pending: 'nobody has decided yet',
  rejected: 'a human rejected it',
  expired: 'the review expired before it was decided or used',
  cancelled: 'the session of the review ended before anybody decided',
  consumed: 'the approval was already used',
  different_action: 'the approval was given for another action',
  new_finding: 'rules hold the action that the reviewer did not see',
  policies_changed: 'the action is held by a new version of a policy that the reviewer saw',
  higher_severity: 'rules hold the action at a higher severity than the reviewer saw',
};

function messageFor(reason: ApprovalReason, review: NamedReview, decision: Decision): string {
  const message = messages[reason];
  if (reason === 'rejected') return withComment(message, review.comment);
  const isUnseen = reason === 'new_finding' || reason === 'policies_changed' || reason === 'higher_severity';
  return isUnseen ? `${message}: ${unseen(review, decision).rules.join(', ')}` : message;
}

type Found = Decision['violations'][number];

/**
 * The rejection that blocks the action, whatever the policies say now; null when there is none. The last word counts: an approval
 * that a person gave to this very action after rejecting it (at another cost) lifts the rejection. With `afterRejection:
 * ASK_AGAIN`, only naming the rejected review gets its answer.
 */
export function blockingRejection(
  { named, rejection }: ActionReviews,
  { afterRejection }: Pick<StoredIntegration['settings'], 'afterRejection'>,
  sessionId: string | null,
  { tool, inputHash }: Pick<NewEvaluation, 'tool' | 'inputHash'>,
): Rejection | null {
  const isNamed = named !== null && isOf(named, { sessionId, tool, inputHash: inputHash() });
  if (isNamed && named.status === 'REJECTED')
    return { reviewRequestId: named.id, comment: named.comment, decidedAt: named.decidedAt ?? 0 };
  if (rejection === null || afterRejection === 'ASK_AGAIN') return null;
  const isLifted = isNamed && named.status === 'APPROVED' && (named.decidedAt ?? 0) > rejection.decidedAt;
  return isLifted ? null : rejection;
}

const finding = (rule: Pick<Found, 'ruleId' | 'ruleName' | 'reason' | 'message'>): Found => ({
  ...rule,
  policyId: '',
  policyName: '',
  policyVersion: 0,
  mode: 'ENFORCE',
  severity: 'HIGH',
  enforcementAction: 'BLOCK',
});

export const rejectedReason = 'rejected_by_reviewer';

export const rejectedFinding = ({ comment }: Rejection): Found =>
  finding({
    ruleId: 'rejected-by-reviewer',
    ruleName: 'Rejected by a reviewer',
    reason: rejectedReason,
    message: withComment('a reviewer rejected this action', comment),
  });

export const fullQueueReason = 'too_many_reviews';

export const fullQueueFinding = ({ scope, limit }: FullQueue): Found =>
  finding({
    ruleId: 'too-many-reviews',
    ruleName: 'Too many reviews',
    reason: fullQueueReason,
    message: `the action needs approval, and ${limit} reviews of this ${scope} are PENDING: no more can be opened until people decide`,
  });

/** The action, as far as grants compare it. */
export interface ComparedAction {
  evaluation: Pick<NewEvaluation, 'phase' | 'tool' | 'dataTags' | 'salt' | 'inputHash'>;
  sessionId: string | null;
  input: JsonObject;
  targetKey: string | null;
  targetMetadata: JsonObject | null;
  catalogued: CataloguedTool | null;
  sightings: SightingReadings;
  sha256: (text: string) => string;
}

/**
 * The grants that an approval of this action would give. None by a rule that names a value which the action lacks: two actions without
 * it would count as the same.
 */
export function grantOffers({ grantable }: Decision, action: ComparedAction): Omit<GrantOffer, 'id'>[] {
  if (grantable.length === 0 || action.sessionId === null) return [];
  return grantable.flatMap(({ violation, terms }) => {
    const key = keyOf(violation, terms.same, action);
    const { policyId, ruleId, severity } = violation;
    return key === null ? [] : [{ key, policyId, ruleId, severity, ...terms }];
  });
}

/**
 * The grants that let the action pass, one for each finding that holds it; null when one of them is not covered. Covered is
 * what the reviewer saw: the same version of the rule, at no higher severity, and no kind of data that was not there then.
 */
export function coveringGrants(
  { enforcementAction, violations }: Decision,
  offers: readonly Omit<GrantOffer, 'id'>[],
  open: readonly OpenGrant[],
  dataTags: readonly string[],
): OpenGrant[] | null {
  if (enforcementAction !== 'APPROVAL_REQUIRED' || violations.filter(holds).length !== offers.length)
    return null;
  const used = new Set<OpenGrant>();
  for (const { key, severity } of offers) {
    const grant = open.find(
      (one) =>
        one.key === key &&
        severities.indexOf(one.severity) >= severities.indexOf(severity) &&
        dataTags.every((tag) => one.dataTags.includes(tag)),
    );
    if (!grant) return null;
    used.add(grant);
  }
  return [...used];
}

function keyOf(
  { policyId, policyVersion, ruleId }: GrantableFinding['violation'],
  same: readonly string[] | null,
  action: ComparedAction,
): string | null {
  const { evaluation, sessionId, targetKey, targetMetadata, input, sha256 } = action;
  const { phase, tool } = evaluation;
  // The key is stored: few values are possible for what has to be the same.
  const rule = [evaluation.salt, sessionId, policyId, policyVersion, ruleId, tool];
  if (same === null) return sha256(canonicalJson([...rule, evaluation.inputHash()]));
  const call = new CallArguments(input);
  const values = same.map((path) => valuesAt(path, action, call));
  if (values.some((value) => value === undefined)) return null;
  // Only its caller knows where the arguments are, so each place counts: an agent could have had the approved recipient in one
  // of them and change another. A further recipient in a field of its own is another action as well.
  const places = [input, ...call.nested];
  const fields = places.map(fieldsOf);
  const namesakes = same
    .filter((path) => /^(?:input|arguments)\./.test(path))
    .map((path) => fieldsNamed(path, places));
  return sha256(canonicalJson([...rule, phase, targetKey, targetMetadata, fields, same, values, namesakes]));
}

/** Undefined when there is no value. A list on the way stands for each of its entries. */
function valuesAt(
  path: string,
  { evaluation, targetKey, input, catalogued, sightings }: ComparedAction,
  call: CallArguments,
): unknown {
  if (path === 'origin') return originOf(catalogued, call, sightings);
  if (path === 'tool') return evaluation.tool || undefined;
  if (path === 'targetKey') return targetKey ?? undefined;
  if (path === 'destinations' || path === 'identifiers') return emptyAsNone(catalogued?.[path]);
  const [root, ...names] = path.split('.');
  if (root !== 'arguments') return valueUnder(input, names);
  return call.isReadable ? valueUnder(call.value, names) : undefined;
}

/** Values of one call whose records are looked up. */
const mostValues = 200;

/**
 * The record of a result that named the values of the action first; undefined when that is none or several. Values that a person named
 * need none. A destination or identifier must have one. Any other value that looks like an identifier must not come from another record,
 * because the catalogue may not say that something goes there.
 */
function originOf(
  catalogued: CataloguedTool | null,
  call: CallArguments,
  sightings: SightingReadings,
): string | undefined {
  const { destinations = [], identifiers = [] } = catalogued ?? {};
  if (!call.isReadable || destinations === null || identifiers === null) return undefined;
  const mentioned = mentionsIn(call.value, 'ACTION');
  if (mentioned === null || mentioned.size > mostValues) return undefined;
  const others = [...mentioned.keys()].filter(
    // The host of an address is in many records.
    (name, _, all) => looksLikeIdentifier(name) && !all.some((other) => other.startsWith(`${name}/`)),
  );
  const aims = new Set([...destinations, ...identifiers].map(identifierOf));
  const origins = new Set<string>();
  for (const name of new Set([...aims, ...others])) {
    const seen = name === null ? [] : sightings.find(name);
    if (!Array.isArray(seen)) return undefined;
    const [first] = seen as readonly Sighting[];
    const isAim = aims.has(name);
    if (seen.some(({ phase }) => phase === 'PROMPT')) continue;
    if (!isAim && first?.phase !== 'RESULT') continue;
    // The agent must not be able to put a value into a record by looking for it.
    origins.add(first?.phase === 'RESULT' ? first.origin : '');
  }
  const [origin] = origins;
  return origins.size === 1 && origin !== '' ? origin : undefined;
}

const emptyAsNone = (values: readonly string[] | null | undefined): readonly string[] | undefined =>
  values?.length ? values : undefined;

function valueUnder(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => valueUnder(entry, [key, ...rest]));
    return entries.length === 0 || entries.includes(undefined) ? undefined : entries;
  }
  const isField = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isField ? valueUnder((value as JsonObject)[key], rest) : undefined;
}

/** Calls `found` with the path, name and value of each field; those of the entries of a list have one path. */
function eachField(input: unknown, found: (path: string, name: string, value: unknown) => void): void {
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const entry of value) look(entry, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) {
        const here = `${path}/${JSON.stringify(name)}`;
        found(here, name, field);
        look(field, here);
      }
  };
  look(input, '');
}

/** The paths of all fields, each once, in order. */
function fieldsOf(input: unknown): string[] {
  const paths = new Set<string>();
  eachField(input, (path) => paths.add(path));
  return [...paths].sort();
}

/** The values of all fields that are called like the last part of the path, wherever they are. */
function fieldsNamed(path: string, places: readonly unknown[]): unknown[] {
  const last = path.slice(path.lastIndexOf('.') + 1);
  const values: unknown[] = [];
  for (const place of places)
    eachField(place, (_, name, value) => {
      if (name === last) values.push(value);
    });
  return values;
}
