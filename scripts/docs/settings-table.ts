import { settingGroups } from '../../src/config/settings.ts';

const introduction = `# Settings

Set them in the environment, or as lines of a file \`assize.env\` in the folder that the service is started in; the environment wins.
\`assize init\` writes an \`assize.env\` with every setting. An invalid setting stops the start, with one line for each mistake, and
\`assize doctor\` names it as well. This page is printed from the code by \`npm run -s docs -- settings\`.

Commands and clients read \`ASSIZE_URL\`, \`ASSIZE_ADMIN_KEY\` and \`ASSIZE_KEY\`: see [the command line](cli.md#server-or-database).
`;

/** docs/settings.md. */
export function settingsPage(): string {
  const groups = Object.entries(settingGroups).map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, { description = '', default: value }]) => {
      const shown = value === undefined || value === '' ? '' : `\`${value}\``;
      return `| \`${name}\` | ${shown} | ${description} |\n`;
    });
    return `\n## ${title}\n\n| Setting | Default | Meaning |\n|---|---|---|\n${rows.join('')}`;
  });
  return introduction + groups.join('');
}

// Run: npm run -s docs -- settings > docs/settings.md
if (process.argv[1] === import.meta.filename) process.stdout.write(settingsPage());
