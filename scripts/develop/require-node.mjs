// Runs before anything that an older Node cannot even parse or load (better-sqlite3 13 crashes Node 20 with a signal).
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`assize needs Node 22.18 or newer, and this is Node ${process.versions.node}\n`);
  process.stderr.write(
    'in a checkout, npm start and npm run assize -- COMMAND run the Node that npm ci installed\n',
  );
  process.exit(1);
}
