import { visibleParts } from '../data/visible-text.ts';
import { words } from '../strings/index.ts';

/** Text that an agent sent: as text only, with what would be invisible written out, and kept from reordering what is around it. */
export function Visible({ text }: { text: string }) {
  return (
    <bdi class="sent">
      {visibleParts(text).map((part, place) =>
        part.isMark ? (
          <mark key={place} class="hidden-character" title={words.value.common.hiddenCharacter}>
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
