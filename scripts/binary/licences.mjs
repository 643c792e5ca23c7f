import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The notices that the licences of Node and of the packages want kept with their code. */
export function licencesOf(packages) {
  const parts = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const notices = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    return section(`${name} ${version} (${license})`, folder, notices);
  });
  const nodeFolder = dirname(dirname(process.execPath));
  const ofNode = existsSync(join(nodeFolder, 'LICENSE'));
  if (!ofNode)
    throw new Error(
      `the licence of this Node is not in ${nodeFolder}: build with the Node that npm ci installs`,
    );
  return [section(`Node.js ${process.version}`, nodeFolder, ['LICENSE']), ...parts].join('\n');
}

function section(title, folder, files) {
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n${texts.join('\n\n')}\n`;
}
