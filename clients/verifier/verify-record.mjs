#!/usr/bin/env node
// Verifies an export of the record of Assize, from the export alone. It needs Node 18 or newer, and nothing else.
//
//   node verify-record.mjs record.ndjson [--key KEY-ID ...] [--root HASH ...]
//
// --key names the keys that you trust, as you got their ids from the operator by another way than the export: without it, the
// keys in the export are believed, and whoever made the export can have made them. --root names roots that you were sent
// earlier, to see that they are still part of the record. It prints what is wrong and ends with the status 1, or 0.
//
// An export has one JSON object a line. What is checked:
//
// - Every line is canonical JSON (RFC 8785), and its `line` is the number of the line before plus one.
// - `entry` lines: `hash` is the SHA-256 of the canonical JSON of `entry`. Within a chain `entry.seq` goes up by one, and
//   `entry.previous` is the hash of the entry before; of the first one, the SHA-256 of the `origin` in the `chain` line. An
//   entry has digests of its content, SHA-256("salt:name:text"); `content` has the texts, unless they were deleted. The
//   `terms` of an evaluation are the SHA-256 of the text of a `terms` line before it.
// - `state` lines: how each resource that decides is when the export is made. It must be what `after` of the last management
//   entry on it says, and the SHA-256 of `text` the one that it names.
// - `version` lines: the document of a policy's version, or the change of a list's. Its SHA-256 is in `after` of the entry that
//   made it. Every version that an entry names is there.
// - `leaf` lines: the head that a chain had when a root was signed. The entry there must have that hash, so the chain may not
//   end before it, and no entry may lie beyond the last one.
// - `root` lines: `rootHash` is that of the tree of all leaves before (RFC 6962), `previous` the SHA-256 of the statement
//   before, and `signature` is Ed25519 over the canonical JSON of `statement`.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';

const sha256 = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
const fromHex = (hex) => Buffer.from(hex, 'hex');
const zeros = '0'.repeat(64);

/** RFC 8785: members in the order of their names, no spaces, numbers and texts as JavaScript writes them. */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

// ---- The tree of RFC 6962: `subtrees` are the roots of its complete subtrees, largest first.

const leafHash = ({ chain, seq, hash }) => sha256(Buffer.of(0), canonical({ chain, hash, seq }));
const nodeHash = (left, right) => sha256(Buffer.of(1), fromHex(left), fromHex(right));

/** A tree has one complete subtree for each bit of its size. */
const isWhole = ({ size, subtrees }) => size.toString(2).replaceAll('0', '').length === subtrees.length;

function addLeaf(tree, leaf) {
  let hash = leaf;
  for (let size = tree.size; size % 2 === 1; size = (size - 1) / 2)
    hash = nodeHash(tree.subtrees.pop(), hash);
  tree.subtrees.push(hash);
  tree.size += 1;
}

function rootOf({ subtrees }) {
  if (subtrees.length === 0) return sha256('');
  return subtrees.reduceRight((right, left) => nodeHash(left, right));
}

/** The root that follows from a leaf and the hashes beside its path (RFC 9162, section 2.1.3.2). */
function rootFromProof(leaf, index, size, proof) {
  let at = index;
  let last = size - 1;
  let hash = leaf;
  if (index >= size) return null;
  for (const beside of proof) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(beside, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, beside);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

// ---- The verification, line by line.

const contentNames = ['input', 'messages', 'targetMetadata'];

/** What the lines of each kind may have. */
const members = {
  export: ['line', 'kind', 'format', 'madeAt', 'from', 'to', 'chain', 'frontier'],
  key: ['line', 'kind', 'keyId', 'publicKey'],
  leaf: ['line', 'kind', 'chain', 'seq', 'hash', 'index', 'proof'],
  root: ['line', 'kind', 'statement', 'signature'],
  chain: ['line', 'kind', 'origin', 'chain', 'head', 'index', 'proof'],
  terms: ['line', 'kind', 'terms'],
  entry: ['line', 'kind', 'entry', 'hash', 'content'],
  state: ['line', 'kind', 'resource', 'resourceId', 'state', 'text'],
  version: ['line', 'kind', 'resource', 'resourceId', 'version', 'text'],
  end: ['line', 'kind'],
};

/** Of what decides: the digest of the text beside a state, of the text of a version, and the number of that version. */
const deciding = {
  policies: { version: 'latestVersion', ofVersion: 'documentSha256' },
  lists: { version: 'version', ofVersion: 'changeSha256', ofText: 'entriesSha256' },
  integrations: { ofText: 'toolsSha256' },
  'house-policies': {},
};

export function createVerification({ trustedKeys = [], expectedRoots = [] } = {}) {
  const problems = [];
  const chains = new Map();
  const keys = new Map();
  const awaited = new Set(expectedRoots);
  const counts = { entries: 0, roots: 0, withoutContent: 0, versions: 0, unnamedVersions: 0 };
  let place = 0;
  let lastNumber = 0;
  let header = null;
  let tree = null;
  let firstRoot = null;
  let lastRoot = null;
  let proven = [];
  let ended = false;
  const terms = new Set();
  /** By resource and id: what `after` of its last entry says; null once it is deleted. */
  const said = new Map();
  /** By resource, id and version. */
  const madeVersions = new Map();
  const shown = new Set();
  const unsettled = new Set();

  const report = (code, message, at = {}) =>
    problems.push({ code, line: place, chain: null, seq: null, id: null, ...at, message });

  function chainNamed(name) {
    if (!chains.has(name)) chains.set(name, { seq: 0, hash: null, gaps: new Set(), leaves: [], passed: 0 });
    return chains.get(name);
  }

  const kinds = {
    export(line) {
      header = line;
      if (line.chain === null && line.frontier.length === 0) tree = { size: 0, subtrees: [] };
    },

    key({ keyId, publicKey }) {
      const der = Buffer.from(publicKey, 'base64');
      if (sha256(der) !== keyId) return report('root', `the key is not the one of the id ${keyId}`);
      keys.set(keyId, createPublicKey({ key: der, format: 'der', type: 'spki' }));
    },

    leaf(line) {
      chainNamed(line.chain).leaves.push(line);
      if (header?.chain) return proven.push(line);
      if (!tree) {
        if (!firstRoot) report('root', 'the root that the period begins with is missing');
        return;
      }
      if (line.index !== tree.size) report('root', `the leaf ${line.index} of the tree is not in its place`);
      addLeaf(tree, leafHash(line));
    },

    root({ statement, signature }) {
      const { seq, previous, treeSize, rootHash, keyId } = statement;
      const text = Buffer.from(canonical(statement));
      counts.roots += 1;
      awaited.delete(sha256(text));
      if (trustedKeys.length > 0 && !trustedKeys.includes(keyId)) {
        report('root', `root ${seq} is signed with the key ${keyId}, which is not trusted`);
      }
      checkSignature(seq, text, signature, keyId);
      checkPlaceOfRoot(seq, previous);
      if (header?.chain) checkProofs(statement);
      else {
        const covered = tree ?? { size: treeSize, subtrees: [...(header?.frontier ?? [])] };
        if (isWhole(covered) && covered.size === treeSize && rootOf(covered) === rootHash) tree = covered;
        else report('root', `root ${seq} does not follow from the leaves that it covers`);
      }
      firstRoot ??= statement;
      lastRoot = statement;
    },

    chain(line) {
      if (line.origin) {
        chainNamed(line.origin.chain).hash ??= sha256(canonical(line.origin));
        return;
      }
      const { chain, head, index, proof } = line;
      const root = firstRoot && rootFromProof(leafHash({ chain, ...head }), index, firstRoot.treeSize, proof);
      if (!firstRoot || root !== firstRoot.rootHash) {
        report('root', 'the first root does not cover this head of the chain', { chain, seq: head.seq });
      }
      Object.assign(chainNamed(chain), { seq: head.seq, hash: head.hash });
    },

    entry({ entry, hash, content }) {
      counts.entries += 1;
      const { chain: name, seq, previous, id = null } = entry;
      if (typeof name !== 'string' || !Number.isSafeInteger(seq) || seq < 1) {
        return report('changed', 'the entry names no chain and place');
      }
      const at = { chain: name, seq, id };
      const isWhole = sha256(canonical(entry)) === hash;
      if (!isWhole) report('changed', 'the entry does not have its hash', at);
      if (isWhole) noteDeciding(entry, at);
      checkContent(entry, content, at);
      const chain = chainNamed(name);
      if (seq <= chain.seq) return reportLate(chain, seq, at);
      checkGap(chain, seq, at);
      if (isWhole && chain.hash !== null && previous !== chain.hash) {
        const message = `entry ${seq} does not follow the one before: one of the two was replaced`;
        report('replaced', message, { ...at, seq: Math.max(seq - 1, 1) });
      }
      if (isWhole) checkLeaves(chain, seq, hash, at);
      chain.seq = seq;
      chain.hash = isWhole ? hash : null;
    },

    terms(line) {
      terms.add(sha256(line.terms));
    },

    state({ resource, resourceId, state, text }) {
      const { ofText } = deciding[resource];
      const name = `${resource}/${resourceId}`;
      const at = { id: resourceId };
      shown.add(name);
      if (state === null) return unsettled.add(name);
      if (ofText && state[ofText] !== (text === null ? null : sha256(text))) {
        report('changed', `the text of ${name} is not the one of its state`, at);
      }
      const after = said.get(name);
      if (!after) {
        if (isWholeRecord()) report('uncovered', `no entry says that ${name} is there`, at);
        return;
      }
      const possible = settled(resource, after);
      for (const member of Object.keys(state)) {
        const fits = possible.some((one) => canonical(one[member]) === canonical(state[member]));
        if (member in after && !fits) {
          return report('changed', `${member} of ${name} is not what its last entry says`, at);
        }
      }
    },

    version({ resource, resourceId, version, text }) {
      const name = `${resource}/${resourceId}`;
      const made = madeVersions.get(`${name} ${version}`);
      const at = { id: resourceId };
      shown.add(`${name} ${version}`);
      counts.versions += 1;
      if (!made) {
        counts.unnamedVersions += 1;
        const isOpen = !shown.has(name) || unsettled.has(name);
        if (made === undefined && isWholeRecord() && !isOpen) {
          report('uncovered', `no entry says who made version ${version} of ${name}`, at);
        }
      } else if (made !== sha256(text)) {
        report('changed', `version ${version} of ${name} is not the one that was recorded`, at);
      }
    },

    end() {
      ended = true;
    },
  };

  function checkGap(chain, seq, at) {
    if (seq === 1 && chain.hash === null) {
      report('missing', 'the origin of the chain is missing before its first entry', at);
    }
    for (let gap = chain.seq + 1; gap < seq && chain.gaps.size < 1000; gap += 1) chain.gaps.add(gap);
    if (seq > chain.seq + 1) chain.hash = null;
  }

  function reportLate(chain, seq, at) {
    const late = chain.gaps.delete(seq);
    if (late) report('reordered', `the entry comes after entry ${chain.seq}`, at);
    else report('repeated', 'the chain has an entry in this place already', at);
  }

  const isWholeRecord = () => header?.chain === null && header.frontier.length === 0;
  const isDeleted = (policy) => said.get(`policies/${policy}`) === null;

  function noteDeciding(entry, at) {
    if (entry.terms !== undefined && !terms.has(entry.terms)) {
      report('changed', 'the terms that decided are not those that were recorded', at);
    }
    const { kind, resource, resourceId, before, after } = entry;
    if (kind !== 'management' || !Object.hasOwn(deciding, resource ?? '')) return;
    const name = `${resource}/${resourceId}`;
    if (after === undefined) {
      if (before !== undefined) said.set(name, null);
      return;
    }
    const members = JSON.parse(after);
    const { version, ofVersion } = deciding[resource];
    said.set(name, members);
    // The first entry that names a version made it; later ones of the same policy name the latest one, too.
    if (version) {
      const made = `${name} ${members[version]}`;
      madeVersions.set(made, madeVersions.get(made) ?? members[ofVersion] ?? null);
    }
  }

  /** What an entry says, and what may have become of it without another one: a schedule that came, a policy that is gone. */
  function settled(resource, after) {
    if (resource === 'integrations') {
      return [{ ...after, policies: (after.policies ?? []).filter(({ id }) => !isDeleted(id)) }];
    }
    if (resource !== 'policies' || !after.scheduledAt || after.scheduledAt > header.madeAt) return [after];
    const version = after.scheduledVersion;
    return [after, { ...after, status: 'ACTIVE', version, scheduledVersion: null, scheduledAt: null }];
  }

  function checkWhatIsThere() {
    if (shown.size === 0) return;
    for (const [name, after] of said) {
      const [resource, id] = name.split('/');
      const gone = after === null || (resource === 'house-policies' && isDeleted(id));
      if (!gone && !shown.has(name)) report('missing', `${name} is missing`, { id });
    }
    for (const [made, digest] of madeVersions) {
      const [name, version] = made.split(' ');
      const [resource, id] = name.split('/');
      const gone = digest === null || unsettled.has(name) || (resource === 'policies' && isDeleted(id));
      if (!gone && !shown.has(made)) report('missing', `version ${version} of ${name} is missing`, { id });
    }
  }

  function checkSignature(seq, text, signature, keyId) {
    const bytes = Buffer.from(signature, 'base64');
    const isExact = bytes.toString('base64') === signature;
    if (!keys.has(keyId)) report('root', `root ${seq} names a key that the export does not have`);
    else if (!isExact || !verify(null, text, keys.get(keyId), bytes)) {
      report('root', `root ${seq} is not signed by its key`);
    }
  }

  function checkPlaceOfRoot(seq, previous) {
    if (lastRoot) {
      const follows = seq === lastRoot.seq + 1 && previous === sha256(canonical(lastRoot));
      if (!follows) report('root', `root ${seq} does not follow root ${lastRoot.seq}`);
    } else if (!header?.chain && header?.frontier.length === 0 && (seq !== 1 || previous !== zeros)) {
      report('root', `the roots begin with root ${seq}, and those before it are missing`);
    }
  }

  // In the export of one chain, the root that covers its heads follows them.
  function checkProofs({ seq, treeSize, rootHash }) {
    for (const leaf of proven) {
      const root = rootFromProof(leafHash(leaf), leaf.index, treeSize, leaf.proof ?? []);
      const at = { chain: leaf.chain, seq: leaf.seq };
      if (root !== rootHash) report('root', `root ${seq} does not cover this head of the chain`, at);
    }
    proven = [];
  }

  function checkLeaves(chain, seq, hash, at) {
    for (let leaf = chain.leaves[chain.passed]; leaf?.seq <= seq; leaf = chain.leaves[chain.passed]) {
      chain.passed += 1;
      if (leaf.seq === seq && leaf.hash !== hash) {
        const message = 'a signed root covers another entry here: this one, or an earlier one, was replaced';
        report('replaced', message, at);
      }
    }
  }

  function checkEndOfChain(name, { seq, gaps, leaves }) {
    for (const gap of gaps) report('missing', `entry ${gap} is missing`, { chain: name, seq: gap });
    const covered = leaves.at(-1)?.seq ?? 0;
    for (let lost = seq + 1; lost <= Math.min(covered, seq + 1000); lost += 1) {
      const message = `the chain ends with entry ${seq}, and a signed root covers ${covered}`;
      report('truncated', message, { chain: name, seq: lost });
    }
    for (let more = covered + 1; more <= Math.min(seq, covered + 1000); more += 1) {
      report('uncovered', 'no signed root covers the entry', { chain: name, seq: more });
    }
  }

  function checkContent(entry, content, at) {
    if (!content) {
      if (contentNames.some((name) => typeof entry[name] === 'string')) counts.withoutContent += 1;
      return;
    }
    // All of it is deleted together.
    const { salt = '', ...texts } = content;
    const digests = contentNames.filter((name) => typeof entry[name] === 'string');
    for (const name of new Set([...digests, ...Object.keys(texts)])) {
      if (entry[name] !== sha256(`${salt}:${name}:${texts[name]}`)) {
        report('changed', `its ${name} is not the one that was recorded`, at);
      }
    }
  }

  return {
    line(text) {
      place += 1;
      let line = null;
      try {
        line = JSON.parse(text);
        const { chain = null, seq = null } = line.entry ?? line;
        const at = { chain, seq };
        if (canonical(line) !== text) report('changed', 'the line is not in its canonical form', at);
        if (line.line !== lastNumber + 1) {
          report('reordered', `the line has the number ${line.line}, and comes after ${lastNumber}`, at);
        }
        if (ended) report('repeated', 'the line comes after the end', at);
        if (place === 1 && line.kind !== 'export') report('truncated', 'the header is missing');
        lastNumber = Number.isSafeInteger(line.line) ? line.line : lastNumber + 1;
        const unknown = Object.keys(line).find((name) => !members[line.kind].includes(name));
        if (unknown) report('changed', `no ${line.kind} line has ${unknown}`, at);
        kinds[line.kind](line);
      } catch {
        // Not JSON, no such kind, or without the members of its kind.
        report('changed', 'the line cannot be read');
        if (!line) lastNumber += 1;
      }
    },

    end() {
      place = null;
      if (!ended) report('truncated', 'the end of the export is missing');
      if (counts.roots === 0) report('root', 'the export has no signed root');
      if (proven.length > 0) report('root', 'no root follows the leaves');
      for (const hash of awaited) report('truncated', `the export does not have the root ${hash}`);
      for (const [name, chain] of chains) checkEndOfChain(name, chain);
      checkWhatIsThere();
      return {
        problems,
        ...counts,
        chains: chains.size,
        coveredUntil: lastRoot?.at ?? null,
        keyIds: [...keys.keys()],
      };
    },
  };
}

async function main(given) {
  const hashes = { type: 'string', multiple: true, default: [] };
  const { values, positionals } = parseArgs({
    args: given,
    options: { key: hashes, root: hashes },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined)
    throw new Error('usage: verify-record.mjs FILE [--key KEY-ID ...] [--root HASH ...]');
  const verification = createVerification({ trustedKeys: values.key, expectedRoots: values.root });
  for await (const text of lines(file)) verification.line(text);
  const {
    problems,
    entries,
    chains,
    roots,
    withoutContent,
    coveredUntil,
    keyIds,
    versions,
    unnamedVersions,
  } = verification.end();
  for (const { code, line, chain, seq, id, message } of problems) {
    const where = [line && `line ${line}`, chain, seq && `entry ${seq}`, id].filter(Boolean).join(', ');
    console.log(`${code}${where && ` (${where})`}: ${message}`);
  }
  console.log(
    `${entries} entries in ${chains} chains, ${withoutContent} of them without content; ${roots} roots, the last one of ${coveredUntil}`,
  );
  console.log(
    `${versions} versions of policies and lists, ${unnamedVersions} of them without a digest in an entry`,
  );
  console.log(
    values.key.length > 0
      ? 'every root was compared with the keys that you trust'
      : `signed with ${keyIds.join(', ')}: no key was named, so the signatures say nothing of who made them`,
  );
  const found = `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`;
  console.log(problems.length === 0 ? 'the record is whole' : found);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** Line feeds alone end a line: a text may hold the other separators of Unicode. */
async function* lines(file) {
  let rest = '';
  for await (const part of createReadStream(file, 'utf8')) {
    const texts = (rest + part).split('\n');
    rest = texts.pop();
    yield* texts;
  }
  if (rest !== '') yield rest;
}

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split(/[\\/]/).pop())) {
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
}
