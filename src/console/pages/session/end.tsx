import type { EndStatus } from '../../../features/sessions/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { ask } from '../../data/question.ts';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';

const status: EndStatus = 'TERMINATED';

/** Ends a session whose agent should do nothing more. */
export function EndSession({ id, onEnded }: { id: string; onEnded: () => void }) {
  const { session: text } = words.value;
  const { error, isBusy, run } = useChange();
  async function end() {
    if (!(await ask(text.endQuestion))) return;
    await call(`/v1/evaluation-sessions/${id}/end`, { method: 'POST', json: { status } });
    announce(text.endedNow);
    onEnded();
  }
  return (
    <>
      <button type="button" class="button small danger" disabled={isBusy} onClick={() => void run(end)}>
        {text.end}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}
