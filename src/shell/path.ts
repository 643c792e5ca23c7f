/** Values of well-known variables. */
const folders: Readonly<Record<string, string>> = {
  HOME: '~',
  PWD: '.',
  TMPDIR: '/tmp',
  USERPROFILE: '~',
  'env:USERPROFILE': '~',
  'env:HOME': '~',
};

/**
 * A path as rules compare it: without `.`, `..` and doubled slashes, with `/` for `\`, `~` for the home folder in every spelling, and up to
 * the folder in which a pattern begins, because a pattern stands for what is in that folder: `/etc/../*` is `/`. An expansion of which
 * nothing is known stays, as `$`. Relative paths stay relative; the folder itself is `.`.
 */
export function normalPath(path: string): string {
  let text = path.trim().replaceAll('\\', '/');
  if (text.startsWith('file://')) text = text.slice(7).replace(/^localhost/, '');
  text = text.replace(
    /^\$\{?(env:[A-Z]+|[A-Z]+)\}?(?=\/|$)/i,
    (whole, name: string) => folders[name] ?? whole,
  );
  // `${HOME:?}`, `${HOME%/}`
  text = text.replace(/^\$\{HOME[^A-Za-z0-9_}][^}]*\}(?=\/|$)/, '~');
  text = text.replace(/^%(?:USERPROFILE|HOMEPATH)%/i, '~').replace(/^%SYSTEMDRIVE%/i, 'C:');
  text = text
    .replace(/^\/private\/(?=etc|tmp|var)/, '/')
    .replace(/^\/+proc\/+(?:self|\d+)\/+root(?=\/|$)/, '/');
  const drive = /^([A-Za-z]):/.exec(text)?.[1];
  if (drive !== undefined) text = text.slice(2);
  const isAbsolute = drive !== undefined || text.startsWith('/');
  const kept: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    // A `?` in an expansion is no pattern.
    if (/[*?[]/.test(segment) && !/[$`]/.test(segment)) break;
    const last = kept.at(-1);
    if (segment !== '..') kept.push(segment);
    else if (last !== undefined && last !== '..' && last !== '~' && !last.includes('$')) kept.pop();
    else if (!isAbsolute || last !== undefined) kept.push('..');
  }
  const rest = kept.join('/');
  if (drive !== undefined) return rest === '' ? `${drive.toLowerCase()}:` : `${drive.toLowerCase()}:/${rest}`;
  if (isAbsolute) return `/${rest}`;
  return rest === '' ? '.' : rest;
}
