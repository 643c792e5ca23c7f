import t from 'tap';
import { normalPath } from '../../src/shell/path.ts';

t.test('spellings of one path are one text', async (t) => {
  const cases: Record<string, readonly string[]> = {
    '/': [
      '/',
      '//',
      '/.',
      '/*',
      '/etc/..',
      '/../..',
      '/u?r',
      '/tmp/../*',
      'file:///',
      '/proc/self/root',
      '/proc/1/root/',
    ],
    '~': [
      '${HOME:?}/*',
      '${HOME%/}',
      '~',
      '~/',
      '~/*',
      '$HOME',
      '${HOME}/',
      '~/a/..',
      '%USERPROFILE%',
      '$env:USERPROFILE\\*',
    ],
    '/etc': ['/etc/', '/etc/*', '/./etc', '/usr/../etc', '/private/etc'],
    '.': ['.', './', '*', '$PWD', './*', 'a/..', ''],
    '..': ['..', '../', 'a/../..', './..'],
    'a/b': ['a/b', './a//b/', 'a/b/*.ts', 'a\\b'],
    'c:': ['C:\\', 'c:/*', 'C:', '%SystemDrive%\\'],
    'c:/Windows': ['C:\\Windows', 'c:/x/../Windows/*'],
    '/tmp/x': ['$TMPDIR/x', '${TMPDIR}/x/'],
    '$X/a': ['$X/a', '$X/./a'],
    '${X:?}/a': ['${X:?}/a', '${X:?}//a/*'],
  };
  for (const [path, spellings] of Object.entries(cases))
    for (const spelling of spellings) t.equal(normalPath(spelling), path, spelling);
});
