import type { Integration } from '../../features/integrations/schema.ts';
import { callAll } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { words } from '../strings/index.ts';
import { Show } from './states.tsx';
import { Visible } from './visible.tsx';

interface IntegrationChoiceProps {
  label: string;
  hint: string;
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}

/** Any number of the integrations that are not deleted, and of those that were chosen before. */
export function IntegrationChoice({ label, hint, chosen, onChoose }: IntegrationChoiceProps) {
  const resource = useResource('integrations to choose from', ({ signal }) =>
    callAll<Integration>('/v1/integrations', { signal }),
  );
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <Show resource={resource}>
        {(integrations) => (
          <div class="checks">
            {integrations
              .filter(({ id, status }) => status === 'ACTIVE' || chosen.includes(id))
              .map(({ id, name, status }) => (
                <label key={id} class="check">
                  <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />{' '}
                  <Visible text={name} />
                  {status === 'DELETED' && (
                    <span class="quiet">({words.value.integrations.deletedState})</span>
                  )}
                </label>
              ))}
          </div>
        )}
      </Show>
      <p class="hint">{hint}</p>
    </fieldset>
  );
}
