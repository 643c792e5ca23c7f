import type { Signal } from '@preact/signals';
import { timeOf } from '../data/format.ts';
import { guide, language, languages, shortcuts, theme, themes } from '../data/operator/preferences.ts';
import { signInState } from '../data/operator/sign-in.ts';
import { Choice } from '../parts/form/field.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { words } from '../strings/index.ts';

export function SettingsPage() {
  const { settings: text } = words.value;
  const state = signInState.value;
  return (
    <>
      <Heading title={text.title} />
      <p class="quiet">{text.text}</p>
      <dl class="settings">
        <Setting label={text.theme} choice={theme} choices={themes.map((one) => [one, text.themes[one]])} />
        <Setting
          label={text.language}
          choice={language}
          choices={languages.map((one) => [one, text.languages[one]])}
        />
        <Setting
          label={text.shortcuts}
          choice={shortcuts}
          choices={[
            ['on', text.on],
            ['off', text.off],
          ]}
        />
        <Setting
          label={text.guide}
          choice={guide}
          choices={[
            ['shown', text.on],
            ['away', text.off],
          ]}
        />
        {state.is === 'in' && (
          <div>
            <dt>{text.signedIn}</dt>
            <dd>{text.until(timeOf(state.until.expiresAt))}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

interface SettingProps<T extends string> {
  label: string;
  choice: Signal<T>;
  choices: readonly (readonly [T, string])[];
}

function Setting<T extends string>({ label, choice, choices }: SettingProps<T>) {
  const choose = (value: T) => {
    choice.value = value;
  };
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Choice label={label} value={choice.value} choices={choices} onChoose={choose} />
      </dd>
    </div>
  );
}
