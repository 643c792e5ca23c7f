import { render } from 'preact';
import { Console } from './console.tsx';
import { startClock } from './data/clock.ts';
import { resume } from './data/operator/sign-in.ts';
import { restoreScroll } from './data/route.ts';

startClock();
restoreScroll();
void resume();
// A link that is pasted where the console is open already changes the fragment alone, which loads nothing.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#sign-in=')) void resume();
});
render(<Console />, document.getElementById('console') as HTMLElement);
