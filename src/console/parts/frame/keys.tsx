import { shortcuts } from '../../data/operator/preferences.ts';
import { to } from '../../data/route.ts';
import { words } from '../../strings/index.ts';
import { Dialog } from '../form/dialog.tsx';
import { Link } from '../link.tsx';
import { isOffered, pageKeys, pageNames } from './navigation.ts';

/** Every key of the console. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const { palette: text, nav, common } = words.value;
  const rows: [keys: string[], does: string][] = [
    [['Ctrl', 'K'], text.title],
    [['?'], text.keys],
    ...pageNames
      .filter(isOffered)
      .map((page): [string[], string] => [['G', pageKeys[page].toUpperCase()], nav[page]]),
  ];
  return (
    <Dialog title={text.keys} onClose={onClose}>
      {shortcuts.value === 'off' && (
        <p class="note">
          {text.keysOff} <Link href={to('settings')}>{nav.settings}</Link>
        </p>
      )}
      <dl class="key-list">
        {rows.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {nav.reviews}: {words.value.reviews.keys}
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Dialog>
  );
}
