import { useId, useState } from 'preact/hooks';
import type { TriedPolicy } from '../../../features/policies/schema.ts';
import type { Phase } from '../../../schemas/decisions.ts';
import { phases } from '../../../schemas/words.ts';
import { call } from '../../data/api.ts';
import { useDraft } from '../../data/operator/drafts.ts';
import { decidingViolation } from '../../data/policies/deciding-violation.ts';
import { lineOfRule } from '../../data/policies/policies.ts';
import { Verdict } from '../../parts/badges.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Form, Select, TextField } from '../../parts/form/form.tsx';
import { Visible } from '../../parts/visible.tsx';
import { Why } from '../../parts/why.tsx';
import { words } from '../../strings/index.ts';
import type { LineNote } from './editor/findings.ts';

export interface TryProps {
  document: string;
  /** One with mistakes decides nothing. */
  isValid: boolean;
  /** Receives the message that the editor shows of the answer; null when it says nothing. */
  onNote: (note: LineNote | null) => void;
  /** Shows a line of the document, from 1. */
  onLine: (line: number) => void;
}

interface Entered {
  phase: Phase;
  tool: string;
  input: string;
  dataTags: string;
  sessionTags: string;
  labels: string;
  more: string;
}
const nothing: Entered = {
  phase: 'ACTION',
  tool: '',
  input: '{}',
  dataTags: '',
  sessionTags: '',
  labels: '',
  more: '',
};

type Decision = NonNullable<TriedPolicy['decision']>;
type Json = Record<string, unknown>;

/** An object, which an empty text is too; null for anything else. */
function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

const textsIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** As `given` of a test; null while something is no JSON object. */
function givenOf({ phase, tool, input, dataTags, sessionTags, labels, more }: Entered): Json | null {
  const [content, rest] = [objectIn(input), objectIn(more)];
  if (content === null || rest === null) return null;
  const [tags, before, given] = [textsIn(dataTags), textsIn(sessionTags), textsIn(labels)];
  const session = {
    ...(before.length > 0 && { dataTags: before }),
    ...(given.length > 0 && { labels: given }),
    ...(rest.session as Json | undefined),
  };
  return {
    ...(phase !== 'ACTION' && { phase }),
    ...(tool.trim() !== '' && { tool: tool.trim() }),
    ...(Object.keys(content).length > 0 && { input: content }),
    ...(tags.length > 0 && { dataTags: tags }),
    ...rest,
    ...(Object.keys(session).length > 0 && { session }),
  };
}

/** One action, decided by the document as it is now. */
export function Try({ document, isValid, onNote, onLine }: TryProps) {
  const { tryAction: text, phases: phaseNames } = words.value;
  const heading = useId();
  const [entered, setEntered] = useDraft<Entered>('tried action', nothing);
  const [answer, setAnswer] = useState<{ asked: string; decision: Decision } | null>(null);
  const given = givenOf(entered);
  const asked = JSON.stringify([document, given]);
  const set = (field: keyof Entered) => (value: string) => setEntered({ ...entered, [field]: value });

  async function send() {
    onNote(null);
    setAnswer(null);
    const json = { document, given };
    const { data } = await call<TriedPolicy>('/v1/policies/try', { method: 'POST', json });
    const { decision } = data;
    // A mistake that was typed just now: the check tells it.
    if (!decision) return;
    setAnswer({ asked, decision });
    const deciding = decidingViolation(asViolations(decision), decision.enforcementAction);
    if (!deciding) return;
    const line = lineOfRule(document, deciding.ruleId) + 1;
    if (line > 0) onNote({ line, action: deciding.enforcementAction, text: deciding.message });
  }
  return (
    <section class="replay" aria-labelledby={heading}>
      <h2 id={heading}>{text.title}</h2>
      <p class="quiet">{text.about}</p>
      <Form submitLabel={text.start} isComplete={given !== null && isValid} onSubmit={send}>
        <div class="try-fields">
          <Select
            label={text.phase}
            value={entered.phase}
            choices={phases.map((phase) => [phase, phaseNames[phase]] as const)}
            onChoose={set('phase')}
          />
          <TextField label={text.tool} value={entered.tool} onInput={set('tool')} />
          <TextField
            label={text.dataTags}
            hint={text.dataTagsHint}
            value={entered.dataTags}
            onInput={set('dataTags')}
          />
          <TextField
            label={text.sessionTags}
            hint={text.several}
            value={entered.sessionTags}
            onInput={set('sessionTags')}
          />
          <TextField label={text.labels} hint={text.several} value={entered.labels} onInput={set('labels')} />
        </div>
        <div class="try-fields">
          <TextField
            label={text.input}
            hint={text.inputHint}
            problem={objectIn(entered.input) ? undefined : text.noObject}
            value={entered.input}
            rows={4}
            onInput={set('input')}
          />
          <TextField
            label={text.more}
            hint={text.moreHint}
            problem={objectIn(entered.more) ? undefined : text.noObject}
            value={entered.more}
            rows={4}
            onInput={set('more')}
          />
        </div>
      </Form>
      {!isValid && <p class="quiet">{text.invalid}</p>}
      <div aria-live="polite">
        {answer && (
          <>
            {answer.asked !== asked && <p class="note">{text.outdated}</p>}
            <Answer decision={answer.decision} document={document} onLine={onLine} />
            {answer.asked === asked && given && (
              <Copy text={testOf(given, answer.decision)} label={text.copyTest} />
            )}
          </>
        )}
      </div>
    </section>
  );
}

/** As an evaluation has them. The draft has no page that a link could lead to. */
const asViolations = ({ violations }: Decision) =>
  violations.map((one) => ({ ...one, id: one.ruleId, policyId: '', policyVersion: 1 }));

function Answer({
  decision,
  document,
  onLine,
}: {
  decision: Decision;
  document: string;
  onLine: TryProps['onLine'];
}) {
  const { tryAction: text } = words.value;
  const { enforcementAction, rules, dataTags, labels } = decision;
  const violations = asViolations(decision);
  const [policyName = ''] = violations.map((one) => one.policyName);
  const lines = [...new Set(violations.map(({ ruleId }) => ruleId))]
    .map((ruleId) => ({ ruleId, line: lineOfRule(document, ruleId) + 1 }))
    .filter(({ line }) => line > 0);
  const policies = [{ policyId: '', policyName, version: 1, mode: 'ENFORCE' as const, rules }];
  return (
    <div class="try-answer">
      <p class="replay-summary">
        <Verdict action={enforcementAction} />
      </p>
      <Why
        decided={{
          enforcementAction,
          violations,
          sessionId: null,
          detections: [],
          explanation: { text: '', policies, grants: [], review: null },
        }}
      />
      {lines.map(({ ruleId, line }) => (
        <p key={ruleId}>
          <button type="button" class="link" onClick={() => onLine(line)}>
            {text.showRule(line)}
          </button>{' '}
          <Visible text={ruleId} />
        </p>
      ))}
      {dataTags.length > 0 && (
        <p class="quiet">
          {text.found} <Visible text={dataTags.join(', ')} />
        </p>
      )}
      {labels.length > 0 && (
        <p class="quiet">
          {text.labelled} <Visible text={labels.join(', ')} />
        </p>
      )}
    </div>
  );
}

/** An entry of `tests`. JSON is YAML, and quotes whatever was typed. */
function testOf(given: Json, { enforcementAction, violations }: Decision): string {
  const name = `${given.tool ?? given.phase ?? 'an action'}: ${enforcementAction}`;
  const rules = [...new Set(violations.map(({ ruleId }) => ruleId))];
  return [
    `  - name: ${JSON.stringify(name)}`,
    `    given: ${JSON.stringify(given)}`,
    `    expect: ${JSON.stringify({ enforcementAction, rules })}`,
    '',
  ].join('\n');
}
