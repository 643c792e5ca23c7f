import { render } from 'preact';
import { Console } from './console.tsx';
import { startClock } from './data/clock.ts';
import { resume } from './data/sign-in.ts';

startClock();
void resume();
render(<Console />, document.getElementById('console') as HTMLElement);
