import { Settings } from '../../src/config/settings.ts';

// The README's table of settings. Run: npm run -s docs -- settings
console.log('| Setting | Default | Meaning |\n|---|---|---|');
for (const [name, { description = '', default: value }] of Object.entries(Settings.properties)) {
  console.log(
    `| \`${name}\` | ${value === undefined || value === '' ? '' : `\`${value}\``} | ${description} |`,
  );
}
